import type { Examples } from './example.ts';

const at = '2026-11-20T08:15:00.000Z';
const by = { as: 'administrator' } as const;
const curious = { title: 'A member', as: 'member', answer: { error: 'admin_only' } } as const;

const seenPerson = {
  ...{ pid: '$other@pid', handle: '$other', status: 'active', level: 'unverified', displayName: 'Ketut' },
  ...{ createdAt: at, closedAt: null, emails: ['ketut@example.com'] },
  credentials: [
    {
      ...{ id: '$credential', provider: 'google', subject: '108204268033311374519' },
      ...{ name: null, email: 'ketut@example.com', linkedAt: at, lastLoginAt: at },
    },
  ],
  sessions: [
    {
      ...{ id: '$session', provider: 'google', device: 'Firefox on Linux', address: '192.0.2.7' },
      ...{ country: 'ID', createdAt: at, lastUsedAt: at },
    },
  ],
  activity: [
    {
      ...{ type: 'session.started', at, provider: 'google', reason: null, app: null, amount: null },
      ...{ party: null, device: 'Firefox on Linux', country: 'ID' },
    },
  ],
  grants: [],
  wallet: {
    ...{ pid: '$other@pid', status: 'active', limits: null, createdAt: at },
    balances: [{ asset: 'IDR', scale: 0, available: 15_000, held: 0, balance: 15_000, debt: 0 }],
  },
  transactions: [],
  deposits: [],
  withdrawals: [],
  mails: [
    {
      ...{ id: 'mai_06bk3n8q5x7c9v2k4m6r8t0w1y.1', kind: 'sign_in_new_device', to: 'ketut@example.com' },
      ...{ fate: 'sent', tries: 1, createdAt: at, sentAt: at },
    },
  ],
  audit: [],
};

export const supportExamples = {
  findPeople: [
    {
      title: 'By a handle',
      ...by,
      query: { q: '$other' },
      answer: {
        status: 200,
        body: {
          data: [
            {
              ...{ pid: '$other@pid', displayName: 'Ketut', status: 'active', createdAt: at },
              ...{ email: 'k…@example.com', foundBy: 'handle' },
            },
          ],
          nextCursor: null,
        },
      },
    },
    {
      title: 'By part of an address',
      ...by,
      query: { q: 'ketut@exam' },
      answer: { error: 'validation_failed', message: ['q must be a whole PID or email address'] },
    },
    curious,
  ],
  showPerson: [
    {
      title: 'A person with a wallet',
      ...by,
      params: { handle: '$other' },
      answer: { status: 200, body: seenPerson },
    },
    {
      title: 'An unknown person',
      ...by,
      params: { handle: 'nobody.at.all' },
      answer: { error: 'identity_not_found' },
    },
    { ...curious, params: { handle: '$other' } },
  ],
  endSessionsOf: [
    {
      title: 'All of them',
      ...by,
      params: { handle: '$other' },
      body: { reason: 'Lost the phone' },
      answer: { status: 200, body: { pid: '$other@pid', liveSessions: 0 } },
    },
    {
      title: 'An unknown session',
      ...by,
      params: { handle: '$other' },
      body: { id: 'ses_unknown', reason: 'Lost the phone' },
      answer: { error: 'session_not_found' },
    },
  ],
  sendRecovery: [
    {
      title: 'To a person who forgot the password',
      as: 'administrator who is asked for help',
      params: { handle: '$other' },
      body: { reason: 'Asked by phone' },
      answer: { status: 200, body: { pid: '$other@pid', addresses: 1 } },
    },
    {
      title: 'To a person without a password',
      ...by,
      params: { handle: '$other' },
      body: { reason: 'Asked by phone' },
      answer: { error: 'no_password' },
    },
  ],
} satisfies Examples;
