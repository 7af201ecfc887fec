import type { FeatureApi, Operation } from '../../http/operation.ts';
import { beatInput, popupAnswer, popupInput, popupPageQuery, popupState, verifierInput } from './schema.ts';

const app = { Origin: 'http://localhost:5173' };
const page = { 'Sec-Fetch-Site': 'same-origin' };
const params = { id: { description: 'The id that the opener made.', example: 'mYx0Zk3nQ7uWb1VhT5sLrA' } };
const state = {
  status: 'opened',
  kind: 'login',
  reason: null,
  openerLost: false,
  closed: false,
  seversOpener: false,
  expiresAt: '2026-11-20T08:20:00.000Z',
} as const;

const register: Operation = {
  method: 'POST',
  path: '/v1/popup/requests',
  id: 'registerPopup',
  summary: 'Say what a popup is for',
  description:
    'Called by the page that has just opened `/popup/login?c=<id>`. `id` is 128 random bits, made before the window ' +
    'is opened; `challenge` is the SHA-256 of a verifier, 256 random bits in base64url, which stays in memory. The ' +
    'request belongs to the origin that sends it, and expires after five minutes. With `link`, which needs a session, ' +
    'the popup links an account of that provider instead of signing in. The same opener may send it again.',
  reads: ['pid_access'],
  limit: { name: 'POST /v1/popup/requests', per: 'address' },
  body: popupInput,
  answers: [{ status: 200, description: 'It is registered.', schema: popupAnswer }],
  errors: ['unauthenticated', 'popup_exists'],
  examples: [
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
      body: { id: '$popup', kind: 'login', challenge: '$challenge' },
      answer: { error: 'origin_not_allowed' },
    },
    {
      title: 'Another kind',
      as: 'app that opens a popup',
      headers: app,
      body: { id: '$popup', kind: 'approval', challenge: '$challenge' },
      answer: { error: 'validation_failed', message: ['kind must be login'] },
    },
  ],
};

/** The two calls of an opener that has the verifier. */
function opener(action: 'poll' | 'cancel', texts: Pick<Operation, 'summary' | 'description'>): Operation {
  return {
    method: 'POST',
    path: `/v1/popup/requests/:id/${action}`,
    id: `${action}Popup`,
    summary: texts.summary,
    ...(texts.description === undefined ? {} : { description: texts.description }),
    limit: { name: `POST /v1/popup/requests/:id/${action}`, per: 'popup' },
    params,
    body: verifierInput,
    answers: [{ status: 200, description: 'How the request stands.', schema: popupState }],
    errors: ['popup_not_found'],
    examples: [
      {
        title: 'The opener',
        as: 'app whose popup is open',
        headers: app,
        params: { id: '$popup' },
        body: { verifier: '$verifier' },
        answer: { status: 200, body: action === 'poll' ? state : { ...state, status: 'cancelled' } },
      },
      {
        title: 'Another verifier',
        as: 'app whose popup is open',
        headers: app,
        params: { id: '$popup' },
        body: { verifier: '$challenge' },
        answer: { error: 'popup_not_found' },
      },
    ],
  };
}

const beat: Operation = {
  method: 'POST',
  path: '/popup/requests/:id/beat',
  id: 'beatPopup',
  summary: 'What a page of the popup reports',
  description:
    "For the popup's own pages alone: that they are there, leave for a provider, have lost their opener, or close.",
  reads: ['pid_access'],
  limit: { name: 'POST /popup/requests/:id/beat', per: 'popup' },
  params,
  body: beatInput,
  answers: [{ status: 204, description: 'It is known.' }],
  errors: ['popup_not_found'],
  examples: [
    {
      title: 'A page without its opener',
      as: 'app whose popup is open',
      headers: page,
      params: { id: '$popup' },
      body: { openerLost: true },
      answer: { status: 204 },
    },
    {
      title: 'About a request that there is not',
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
};

const decision: Operation = {
  method: 'POST',
  path: '/popup/requests/:id/decision',
  id: 'decidePopup',
  summary: 'What the person decides, for the form of the popup',
  description:
    "A form of the popup's own page: `decision` (`approved` or `denied`), the `digest` of what was shown, and the " +
    '`token` that proves to whom. Programs have no use for it.',
  reads: ['pid_access'],
  limit: { name: 'POST /popup/requests/:id/decision', per: 'popup' },
  params,
  answers: [{ status: 303, description: 'Decided, now or before.', location: '/popup/done' }],
  errors: ['validation_failed', 'unauthenticated', 'popup_not_found', 'popup_altered', 'popup_expired'],
  examples: [
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
      title: 'Not what was shown',
      as: 'app whose popup is open',
      headers: page,
      params: { id: '$popup' },
      form: { decision: 'denied', digest: '$challenge' },
      answer: { error: 'popup_altered' },
    },
  ],
};

const pages: Operation[] = [
  {
    method: 'GET',
    path: '/popup/login',
    id: 'showPopup',
    summary: 'The login popup (browser navigation)',
    description:
      'Waits up to two seconds for its request, and then goes on waiting as a page. Answers a page with 404 when ' +
      'there is none after ten, and 503 while no provider is configured. HEAD requests answer 204 and open nothing.',
    reads: ['pid_access'],
    limit: { name: 'GET /popup/login', per: 'popup' },
    query: popupPageQuery,
    answers: [{ status: 200, description: 'The page.', isPage: true }],
    errors: ['prefetch_refused', 'unauthenticated', 'provider_not_configured'],
    examples: [
      { title: 'A browser', as: 'app whose popup is open', query: { c: '$popup' }, answer: { status: 200 } },
      {
        title: 'A browser that fetches ahead',
        as: 'app whose popup is open',
        headers: { 'Sec-Purpose': 'prefetch' },
        query: { c: '$popup' },
        answer: { error: 'prefetch_refused' },
      },
    ],
  },
  {
    method: 'GET',
    path: '/popup/claim',
    id: 'showPopupClaim',
    summary: 'The claim page in a popup',
    query: popupPageQuery,
    answers: [{ status: 302, description: 'On to the page.', location: '/v1/auth/claim' }],
    examples: [
      { title: 'A browser', as: 'app whose popup is open', query: { c: '$popup' }, answer: { status: 302 } },
    ],
  },
  {
    method: 'GET',
    path: '/popup/done',
    id: 'finishPopup',
    summary: 'The end of a popup (browser navigation)',
    description:
      'Tells the opener that something was decided, and closes the window. A page with 404 without a request.',
    limit: { name: 'GET /popup/done', per: 'popup' },
    query: popupPageQuery,
    answers: [
      { status: 200, description: 'What came of it.', isPage: true },
      { status: 302, description: 'Nothing is decided yet.', location: '/popup/login' },
    ],
    errors: ['prefetch_refused'],
    examples: [
      {
        title: 'Cancelled',
        as: 'app that has given up its popup',
        query: { c: '$popup' },
        answer: { status: 200 },
      },
      { title: 'Open', as: 'app whose popup is open', query: { c: '$popup' }, answer: { status: 302 } },
    ],
  },
];

export const popupApi: FeatureApi = {
  tag: 'Popup',
  description:
    'Sign-in in a popup. What was decided stands in a row that the opener asks for with its verifier; messages ' +
    'between the windows only say when to ask.',
  schemas: {
    PopupInput: popupInput,
    PopupAnswer: popupAnswer,
    PopupVerifier: verifierInput,
    PopupState: popupState,
    PopupBeat: beatInput,
  },
  operations: [
    register,
    opener('poll', {
      summary: 'How a popup request stands',
      description:
        'A login is `created`, `opened` by its page, then `approved` or `denied` by the person, `cancelled` by the ' +
        'opener, or `expired`. A verifier of another request, and the right one from another origin, are answered ' +
        'as if there were none.',
    }),
    opener('cancel', { summary: 'Give a popup request up' }),
    beat,
    decision,
    ...pages,
  ],
};
