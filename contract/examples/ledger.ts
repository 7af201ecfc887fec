import type { Examples } from './example.ts';

const createdAt = '2026-11-20T08:15:00.000Z';
const idr = { asset: 'IDR', scale: 0 };
const holding = { ...idr, available: 235_000, held: 0, balance: 235_000, debt: 0 };
const wallet = { pid: '$handle@pid', status: 'active', balances: [holding], limits: null, createdAt };
const none = { title: 'Without a wallet', as: 'member', answer: { error: 'wallet_not_found' } } as const;
const line = {
  id: '$transfer',
  kind: 'transfer',
  direction: 'out',
  asset: 'IDR',
  amount: 15_000,
  fees: 0,
  balanceAfter: 235_000,
  counterparty: { pid: '$other@pid', displayName: 'Ketut' },
  reference: { type: 'transfer', id: '$transfer' },
  memo: 'for lunch',
  appId: null,
  createdAt,
};
const fee = {
  operation: 'transfer',
  fixed: 500,
  bps: 70,
  min: 0,
  max: null,
  payer: 'payer',
  version: 1,
  createdAt,
};
const ofApp = { as: 'member with an app that takes fees', params: { id: '$app' } } as const;
const ofTransfers = { ...ofApp, params: { id: '$app', operation: 'transfer' } } as const;
const foreign = {
  title: 'Another person’s',
  as: 'member',
  params: { id: 'app_of_somebody_else' },
  answer: { error: 'app_not_found' },
} as const;

export const ledgerExamples = {
  createWallet: [
    {
      title: 'The first time, or again',
      as: 'member',
      answer: {
        status: 200,
        body: { ...wallet, balances: [{ ...idr, available: 0, held: 0, balance: 0, debt: 0 }] },
      },
    },
  ],
  getWallet: [{ title: 'A wallet', as: 'member with a wallet', answer: { status: 200, body: wallet } }, none],
  getBalance: [
    {
      title: 'Now',
      as: 'member with a wallet',
      answer: { status: 200, body: { ...holding, asOf: createdAt } },
    },
    {
      title: 'At a given time',
      as: 'member with a wallet',
      query: { at: '2026-01-01T00:00:00Z' },
      answer: { status: 200, body: { ...idr, balance: 0, at: '2026-01-01T00:00:00.000Z' } },
    },
    {
      title: 'At a future time',
      as: 'member with a wallet',
      query: { at: '9999-01-01' },
      answer: {
        error: 'validation_failed',
        message: ['at must be an ISO 8601 time that is not in the future'],
      },
    },
  ],
  listTransactions: [
    {
      title: 'Outgoing lines',
      as: 'member who has paid',
      query: { direction: 'out', limit: '20' },
      answer: { status: 200, body: { data: [line], nextCursor: null } },
    },
    none,
  ],
  getTransaction: [
    {
      title: 'A transfer',
      as: 'member who has paid',
      params: { id: '$transfer' },
      answer: {
        status: 200,
        body: { ...line, legs: [{ direction: 'out', amount: 15_000, account: 'wallet' }] },
      },
    },
    {
      title: 'Another person’s',
      as: 'member with a wallet',
      params: { id: 'trf_of_somebody_else' },
      answer: { error: 'transaction_not_found' },
    },
  ],
  getStatement: [
    {
      title: 'The last 31 days',
      as: 'member who has paid',
      answer: {
        status: 200,
        body: {
          pid: '$handle@pid',
          ...idr,
          from: '2026-10-20T08:15:00.000Z',
          to: createdAt,
          openingBalance: 250_000,
          closingBalance: 235_000,
          data: [line],
        },
      },
    },
    none,
  ],
  listFees: [
    { title: 'A fee of the app', ...ofApp, answer: { status: 200, body: { data: [fee], platform: [] } } },
    foreign,
  ],
  setFee: [
    {
      title: 'A new version',
      ...ofTransfers,
      body: { fixed: 500, bps: 80, max: 10_000 },
      headers: { 'If-Match': '"1"' },
      answer: { status: 200, body: { ...fee, bps: 80, max: 10_000, version: 2 } },
    },
    {
      title: 'Another version is current',
      ...ofTransfers,
      body: { fixed: 500, bps: 80 },
      headers: { 'If-Match': '"7"' },
      answer: { error: 'fee_changed' },
    },
    {
      title: 'More than the maximum for apps',
      ...ofTransfers,
      body: { fixed: 500, bps: 1001 },
      answer: {
        error: 'fee_too_high',
        message:
          'Fee exceeds the maximum for apps: at most 1000 basis points, and 10000 IDR as fixed and as min',
      },
    },
    {
      title: 'Out of range',
      ...ofTransfers,
      body: { fixed: 500, bps: 10_001 },
      answer: { error: 'validation_failed', message: ['bps must be less than or equal to 10000'] },
    },
  ],
  previewFee: [
    {
      title: 'A transfer of 10,000 rupiah',
      ...ofTransfers,
      query: { amount: '10000' },
      answer: {
        status: 200,
        body: {
          operation: 'transfer',
          ...idr,
          amount: 10_000,
          fees: { payer: 570, payee: 0, app: 570, platform: 0, total: 570 },
          totalDebit: 10_570,
          netAmount: 10_000,
        },
      },
    },
    { ...foreign, params: { ...foreign.params, operation: 'transfer' }, query: { amount: '1' } },
  ],
  getAppBalance: [
    {
      title: 'Collected fees',
      ...ofApp,
      answer: { status: 200, body: { ...idr, available: 5000, held: 0, balance: 5000, debt: 0 } },
    },
    foreign,
  ],
  sweepApp: [
    {
      title: 'Everything',
      ...ofApp,
      headers: { 'Idempotency-Key': 'payout-november' },
      body: {},
      answer: {
        status: 200,
        body: { id: 'adj_06bk3n8q5x7c9v2k4m6r8t0w1y', appId: '$app', asset: 'IDR', amount: 5000, createdAt },
      },
    },
    {
      title: 'More than the balance',
      ...ofApp,
      body: { amount: 5001 },
      answer: { error: 'insufficient_internal_credit' },
    },
  ],
} as const satisfies Examples;
