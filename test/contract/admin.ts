import type { Examples } from './example.ts';

const at = '2026-11-20T08:15:00.000Z';
const by = { as: 'administrator' } as const;
const reason = 'Asked for by the police of Jakarta, letter 118';
const curious = { title: 'A member', as: 'member', answer: { error: 'admin_only' } } as const;
const state = {
  mode: 'frozen',
  withdrawals: false,
  reason: 'The provider reports another total',
  updatedAt: at,
};

const reviewed = {
  id: '$deposit',
  status: 'review',
  asset: 'IDR',
  amount: 150_000,
  fees: { app: 0, platform: 0, total: 0 },
  netAmount: 150_000,
  method: 'qris',
  provider: 'sandbox',
  checkoutUrl: null,
  failure: 'amount_mismatch',
  appId: null,
  createdAt: at,
  expiresAt: at,
  creditedAt: null,
  pid: '$other@pid',
  paidAmount: 150_001,
  paidCurrency: 'IDR',
};

export const adminExamples = {
  setIdentityStatus: [
    {
      title: 'Suspend',
      as: 'administrator',
      params: { handle: '$other' },
      body: { status: 'suspended', reason: 'Reported for impersonation' },
      answer: { status: 200, body: { pid: '$other@pid', handle: '$other', status: 'suspended' } },
    },
    {
      title: 'Somebody who is not there',
      as: 'administrator',
      params: { handle: 'nobody.at.all' },
      body: { status: 'suspended', reason: 'Reported for impersonation' },
      answer: { error: 'identity_not_found' },
    },
    {
      title: 'Without a reason',
      as: 'administrator',
      params: { handle: '$other' },
      body: { status: 'suspended', reason: ' ' },
      answer: { error: 'validation_failed', message: ['reason must not be empty'] },
    },
    {
      title: 'A member',
      as: 'member',
      params: { handle: '$handle' },
      body: { status: 'suspended', reason: 'Curiosity' },
      answer: { error: 'admin_only' },
    },
    {
      title: 'Nobody',
      as: 'nobody',
      params: { handle: 'ketut' },
      body: { status: 'suspended', reason: 'Curiosity' },
      answer: { error: 'unauthenticated' },
    },
  ],
  switchLedger: [
    {
      title: 'Freeze',
      ...by,
      body: { mode: 'frozen', reason: state.reason },
      answer: { status: 200, body: state },
    },
    {
      title: 'Thaw, and allow withdrawals',
      ...by,
      body: { mode: 'open', withdrawals: true, reason: 'The totals agree' },
      answer: { status: 200, body: { ...state, mode: 'open', withdrawals: true, reason: null } },
    },
    {
      title: 'Without a switch',
      ...by,
      body: { reason },
      answer: { error: 'validation_failed', message: ['mode or withdrawals must be given'] },
    },
    { ...curious, body: { mode: 'frozen', reason } },
  ],
  setWalletStatus: [
    {
      title: 'Freeze',
      ...by,
      params: { handle: '$other' },
      body: { status: 'frozen', reason },
      answer: { status: 200, body: { pid: '$other@pid', status: 'frozen' } },
    },
    {
      title: 'Somebody without a wallet',
      ...by,
      params: { handle: 'nobody.at.all' },
      body: { status: 'frozen', reason },
      answer: { error: 'wallet_not_found' },
    },
    { ...curious, params: { handle: 'ketut' }, body: { status: 'frozen', reason } },
  ],
  setAppStatus: [
    {
      title: 'Suspend',
      ...by,
      params: { id: '$app' },
      body: { status: 'suspended', reason },
      answer: {
        status: 200,
        body: { id: '$app', status: 'suspended', checked: false, firstParty: false, tokenLimit: null },
      },
    },
    {
      title: "The operator's own app",
      ...by,
      params: { id: '$app' },
      body: { firstParty: true, tokenLimit: 2_000, reason },
      answer: {
        status: 200,
        body: { id: '$app', status: 'suspended', checked: true, firstParty: true, tokenLimit: 2_000 },
      },
    },
    {
      title: 'An app that is not there',
      ...by,
      params: { id: 'app_of_nobody' },
      body: { status: 'suspended', reason },
      answer: { error: 'app_not_found' },
    },
    { ...curious, params: { id: 'app_of_nobody' }, body: { status: 'suspended', reason } },
  ],
  reverseTransfer: [
    {
      title: 'A transfer',
      ...by,
      params: { id: '$transfer' },
      body: { reason },
      answer: { status: 200, body: { id: '$transfer', status: 'reversed', reversedAt: at } },
    },
    {
      title: 'One that is not there',
      ...by,
      params: { id: 'trf_of_nobody' },
      body: { reason },
      answer: { error: 'transaction_not_found' },
    },
    { ...curious, params: { id: 'trf_of_nobody' }, body: { reason } },
  ],
  listReviews: [
    {
      title: 'The first page',
      ...by,
      query: { limit: '1' },
      answer: { status: 200, body: { data: [reviewed], nextCursor: null } },
    },
    curious,
  ],
  resolveDeposit: [
    {
      title: 'Credit what was paid',
      ...by,
      params: { id: '$deposit' },
      body: { decision: 'credit', reason },
      answer: {
        status: 200,
        body: {
          ...reviewed,
          status: 'credited',
          failure: null,
          amount: 150_001,
          netAmount: 150_001,
          creditedAt: at,
        },
      },
    },
    {
      title: 'One that is not there',
      ...by,
      params: { id: 'dep_of_nobody' },
      body: { decision: 'reject', reason },
      answer: { error: 'transaction_not_found' },
    },
    { ...curious, params: { id: 'dep_of_nobody' }, body: { decision: 'reject', reason } },
  ],
  resolveWithdrawal: [
    {
      title: 'One that is held',
      ...by,
      params: { id: '$withdrawal' },
      body: { outcome: 'failed', reason },
      answer: {
        status: 200,
        body: {
          id: '$withdrawal',
          status: 'cancelled',
          asset: 'IDR',
          amount: 20_000,
          fees: { payer: 0, payee: 0, app: 0, platform: 0, total: 0 },
          totalDebit: 20_000,
          destination: 'BCA ••••7895',
          provider: 'sandbox',
          failure: null,
          createdAt: at,
          endedAt: at,
          returnedAt: null,
        },
      },
    },
    {
      title: 'One that is not there',
      ...by,
      params: { id: 'wdr_of_nobody' },
      body: { outcome: 'paid', reason },
      answer: { error: 'transaction_not_found' },
    },
    {
      title: 'Neither',
      ...by,
      params: { id: 'wdr_of_nobody' },
      body: { outcome: 'lost', reason },
      answer: { error: 'validation_failed', message: ['outcome must be paid or failed'] },
    },
    { ...curious, params: { id: 'wdr_of_nobody' }, body: { outcome: 'paid', reason } },
  ],
  adjust: [
    {
      title: 'A payment that nobody could attribute',
      ...by,
      headers: { 'Idempotency-Key': 'letter-118' },
      body: { from: 'suspense', to: '$other@pid', amount: 25_000, reason },
      answer: {
        status: 200,
        body: {
          id: 'adj_06bk3n8q5x7c9v2k4m6r8t0w1y',
          from: 'suspense',
          to: '$other@pid',
          asset: 'IDR',
          amount: 25_000,
          createdAt: at,
        },
      },
    },
    {
      title: 'Without a key',
      ...by,
      body: { from: 'suspense', to: '$other@pid', amount: 25_000, reason },
      answer: { error: 'idempotency_key_required' },
    },
    { ...curious, body: { from: 'suspense', to: 'ketut@pid', amount: 25_000, reason } },
  ],
  setPlatformFee: [
    {
      title: 'Half a percent of a deposit',
      ...by,
      params: { operation: 'deposit' },
      body: { fixed: 0, bps: 50, reason: 'Since November' },
      answer: {
        status: 200,
        body: {
          operation: 'deposit',
          fixed: 0,
          bps: 50,
          min: 0,
          max: null,
          payer: 'payer',
          version: 1,
          createdAt: at,
        },
      },
    },
    {
      title: 'From a version that is no longer in force',
      ...by,
      params: { operation: 'deposit' },
      headers: { 'If-Match': '"7"' },
      body: { fixed: 100, bps: 0 },
      answer: { error: 'fee_changed' },
    },
    { ...curious, params: { operation: 'deposit' }, body: { fixed: 0, bps: 50 } },
  ],
  getOverview: [
    {
      title: 'A day',
      ...by,
      query: { day: '2026-11-20' },
      answer: {
        status: 200,
        body: {
          ledger: state,
          reviews: 0,
          stuck: [],
          stuckWithdrawals: [],
          lastViolation: null,
          queues: { mails: 0, events: 3 },
          accounts: [{ kind: 'platform', balance: 1_250_000 }],
          day: '2026-11-20',
          totals: [{ kind: 'deposit', count: 118, amount: 23_450_000 }],
        },
      },
    },
    {
      title: 'No day',
      ...by,
      query: { day: 'today' },
      answer: { error: 'validation_failed', message: ['day must be a date such as 2026-11-22'] },
    },
    curious,
  ],
  listAudit: [
    {
      title: 'The first page',
      ...by,
      query: { limit: '1' },
      answer: {
        status: 200,
        body: {
          data: [
            {
              at,
              actor: '$handle',
              action: 'ledger.mode',
              target: 'ledger',
              detail: { mode: 'frozen', reason: state.reason },
            },
          ],
          nextCursor: 'MTE4',
        },
      },
    },
    curious,
  ],
} satisfies Examples;
