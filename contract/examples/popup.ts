import type { Example, Examples } from './example.ts';

const app = { Origin: 'http://localhost:5173' };
const page = { 'Sec-Fetch-Site': 'same-origin' };
const state = {
  status: 'opened',
  kind: 'login',
  reason: null,
  openerLost: false,
  closed: false,
  seversOpener: false,
  expiresAt: '2026-11-20T08:20:00.000Z',
} as const;

/** A back end's request for an approval. */
const approval = {
  id: '$popup',
  kind: 'approval',
  challenge: '$challenge',
  inquiryId: '$inquiry',
  origin: '$origin',
  client_id: '$app',
  client_secret: '$clientsecret',
};

/** The response to both calls of an opener. */
const opener = (status: string): Example[] => [
  {
    title: 'The opener',
    as: 'app whose popup is open',
    headers: app,
    params: { id: '$popup' },
    body: { verifier: '$verifier' },
    answer: { status: 200, body: { ...state, status } },
  },
  {
    title: 'Another verifier',
    as: 'app whose popup is open',
    headers: app,
    params: { id: '$popup' },
    body: { verifier: '$challenge' },
    answer: { error: 'popup_not_found' },
  },
];

export const popupExamples = {
  pollPopup: opener('opened'),
  cancelPopup: opener('cancelled'),
  registerPopup: [
    {
      title: 'An app',
      as: 'app that opens a popup',
      headers: app,
      body: { id: '$popup', kind: 'login', challenge: '$challenge' },
      answer: {
        status: 200,
        body: { id: '$popup', status: 'created', expiresAt: '2026-11-20T08:20:00.000Z' },
      },
    },
    {
      title: 'A back end, for an approval',
      as: 'app with an inquiry',
      body: approval,
      answer: {
        status: 200,
        body: { id: '$popup', status: 'created', expiresAt: '2026-11-20T08:17:00.000Z' },
      },
    },
    {
      title: 'A back end with a wrong secret',
      as: 'app with an inquiry',
      body: { ...approval, client_secret: 'guess' },
      answer: { error: 'invalid_client' },
    },
    {
      title: 'An inquiry of another app',
      as: 'app with an inquiry',
      body: { ...approval, inquiryId: 'inq_of_another_app' },
      answer: { error: 'transaction_not_found' },
    },
    {
      title: 'To link, without a session',
      as: 'app that opens a popup',
      headers: app,
      body: { id: '$popup', kind: 'login', challenge: '$challenge', link: 'google' },
      answer: { error: 'unauthenticated' },
    },
    {
      title: 'An id that is in use',
      as: 'app whose popup is open',
      headers: app,
      body: { id: '$popup', kind: 'login', challenge: '$digest' },
      answer: { error: 'popup_exists' },
    },
    {
      title: 'Without an origin',
      as: 'app that opens a popup',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: { id: '$popup', kind: 'login', challenge: '$challenge' },
      answer: { error: 'origin_not_allowed' },
    },
    {
      title: 'Another kind',
      as: 'app that opens a popup',
      headers: app,
      body: { id: '$popup', kind: 'payment', challenge: '$challenge' },
      answer: { error: 'validation_failed', message: ['kind must be one of: login, approval'] },
    },
  ],
  beatPopup: [
    {
      title: 'A page without its opener',
      as: 'app whose popup is open',
      headers: page,
      params: { id: '$popup' },
      body: { openerLost: true },
      answer: { status: 204 },
    },
    {
      title: 'For an unknown request',
      as: 'app that opens a popup',
      headers: page,
      params: { id: '$popup' },
      body: {},
      answer: { error: 'popup_not_found' },
    },
    {
      title: 'From the app',
      as: 'app whose popup is open',
      headers: app,
      params: { id: '$popup' },
      body: { closed: true },
      answer: { error: 'origin_not_allowed' },
    },
  ],
  decidePopup: [
    {
      title: 'Cancel',
      as: 'app whose popup is open',
      headers: page,
      params: { id: '$popup' },
      form: { decision: 'denied', digest: '$digest' },
      answer: { status: 303 },
    },
    {
      title: 'Without a session',
      as: 'app whose popup is open',
      headers: page,
      params: { id: '$popup' },
      form: { decision: 'approved', digest: '$digest' },
      answer: { error: 'unauthenticated' },
    },
    {
      title: 'Different from what was shown',
      as: 'app whose popup is open',
      headers: page,
      params: { id: '$popup' },
      form: { decision: 'denied', digest: '$challenge' },
      answer: { error: 'popup_altered' },
    },
  ],
  showPopup: [
    { title: 'A browser', as: 'app whose popup is open', query: { c: '$popup' }, answer: { status: 200 } },
    {
      title: 'A browser that prefetches',
      as: 'app whose popup is open',
      headers: { 'Sec-Purpose': 'prefetch' },
      query: { c: '$popup' },
      answer: { error: 'prefetch_refused' },
    },
  ],
  showApproval: [
    {
      title: 'The payer',
      as: 'payer who is asked for an approval',
      query: { c: '$popup' },
      answer: { status: 200 },
    },
    {
      title: 'A browser without a session',
      as: 'payer who is asked for an approval',
      headers: { Cookie: 'pid_access=', Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' },
      query: { c: '$popup' },
      answer: { status: 302 },
    },
    {
      title: 'A browser that prefetches',
      as: 'payer who is asked for an approval',
      headers: { 'Sec-Purpose': 'prefetch' },
      query: { c: '$popup' },
      answer: { error: 'prefetch_refused' },
    },
  ],
  showPopupClaim: [
    { title: 'A browser', as: 'app whose popup is open', query: { c: '$popup' }, answer: { status: 302 } },
  ],
  finishPopup: [
    {
      title: 'Cancelled',
      as: 'app that has given up its popup',
      query: { c: '$popup' },
      answer: { status: 200 },
    },
    { title: 'Open', as: 'app whose popup is open', query: { c: '$popup' }, answer: { status: 302 } },
  ],
} satisfies Examples;
