import type { Examples } from './example.ts';

const createdAt = '2026-11-20T08:15:00.000Z';
const money = {
  asset: 'IDR',
  amount: 15_000,
  fees: { payer: 0, payee: 0, app: 0, platform: 0, total: 0 },
  totalDebit: 15_000,
  netAmount: 15_000,
};
const inquiry = {
  id: '$inquiry',
  status: 'open',
  from: '$handle@pid',
  to: { pid: '$other@pid', displayName: 'Ketut' },
  ...money,
  sufficientFunds: true,
  requiresApproval: false,
  hold: false,
  memo: 'for lunch',
  expiresAt: '2026-11-20T08:20:00.000Z',
};
const transfer = {
  id: '$transfer',
  inquiryId: '$inquiry',
  refundOf: null,
  status: 'completed',
  from: '$handle@pid',
  to: '$other@pid',
  ...money,
  refundedTotal: 0,
  refundable: 15_000,
  memo: 'for lunch',
  appId: null,
  createdAt,
  heldUntil: null,
};
const hold = {
  ...transfer,
  status: 'held',
  refundable: 0,
  memo: null,
  appId: '$app',
  heldUntil: '2026-11-27T08:15:00.000Z',
};
const ended = { ...hold, heldUntil: null };
const byApp = {
  as: 'app with a hold',
  params: { id: '$transfer' },
  headers: { Authorization: 'Bearer $accesstoken' },
} as const;
const unknown = {
  title: 'Another person’s',
  as: 'member with a wallet',
  params: { id: 'inq_of_somebody_else' },
  answer: { error: 'transaction_not_found' },
} as const;
const lunch = { to: '$other@pid', amount: 15_000, memo: 'for lunch' };

export const transferExamples = {
  createInquiry: [
    {
      title: 'Lunch',
      as: 'member with a wallet',
      body: lunch,
      answer: { status: 200, body: inquiry },
    },
    {
      title: 'Text instead of a number',
      as: 'member with a wallet',
      body: { ...lunch, amount: '15000' },
      answer: { error: 'validation_failed', message: ['amount must be a positive integer'] },
    },
    {
      title: 'To an unknown recipient',
      as: 'member with a wallet',
      body: { ...lunch, to: 'nobody-at-all@pid' },
      answer: { error: 'recipient_unavailable' },
    },
    {
      title: 'To the payer',
      as: 'member with a wallet',
      body: { ...lunch, to: '$handle@pid' },
      answer: { error: 'own_wallet' },
    },
  ],
  getInquiry: [
    {
      title: 'An open one',
      as: 'member with an inquiry',
      params: { id: '$inquiry' },
      answer: { status: 200, body: inquiry },
    },
    unknown,
  ],
  cancelInquiry: [
    {
      title: 'An open one',
      as: 'member with an inquiry',
      params: { id: '$inquiry' },
      answer: { status: 200, body: { ...inquiry, status: 'cancelled' } },
    },
    unknown,
  ],
  confirmTransfer: [
    {
      title: 'An open inquiry',
      as: 'member with an inquiry',
      body: { inquiryId: '$inquiry' },
      answer: { status: 200, body: transfer },
    },
    {
      title: 'Another person’s',
      as: 'member with a wallet',
      body: { inquiryId: 'inq_of_somebody_else' },
      answer: { error: 'transaction_not_found' },
    },
  ],
  holdTransfer: [
    {
      title: 'With an approval',
      as: 'app with an approval of a hold',
      params: { id: '$inquiry' },
      headers: { Origin: '$origin', 'X-App-Id': '$app' },
      body: { approvalId: '$popup', verifier: '$verifier' },
      answer: { status: 200, body: hold },
    },
    {
      title: 'An inquiry that is not for a hold',
      as: 'member with an inquiry',
      params: { id: '$inquiry' },
      body: {},
      answer: { error: 'not_for_hold' },
    },
  ],
  captureHold: [
    {
      title: 'A part',
      ...byApp,
      body: { amount: 9000 },
      answer: {
        status: 200,
        body: {
          ...ended,
          status: 'completed',
          ...{ amount: 9000, totalDebit: 9000, netAmount: 9000, refundable: 9000 },
        },
      },
    },
    {
      title: 'More than was held',
      ...byApp,
      body: { amount: 15_001 },
      answer: { error: 'capture_exceeds' },
    },
  ],
  releaseHold: [
    {
      title: 'A hold',
      ...byApp,
      answer: { status: 200, body: { ...ended, status: 'released' } },
    },
    {
      title: 'Another app’s',
      ...byApp,
      params: { id: 'trf_of_another_app' },
      answer: { error: 'transaction_not_found' },
    },
  ],
  refundTransfer: [
    {
      title: 'A part',
      as: 'member who was paid',
      params: { id: '$transfer' },
      headers: { 'Idempotency-Key': 'order-118-cold-soup' },
      body: { amount: 5000, memo: 'cold soup' },
      answer: {
        status: 200,
        body: {
          ...transfer,
          id: 'trf_06bk3n8q5x7c9v2k4m6r8t0w2z',
          inquiryId: null,
          refundOf: '$transfer',
          amount: 5000,
          totalDebit: 5000,
          netAmount: 5000,
          refundedTotal: 5000,
          refundable: 10_000,
          memo: 'cold soup',
          feesReturned: 0,
        },
      },
    },
    {
      title: 'Without a key',
      as: 'member who was paid',
      params: { id: '$transfer' },
      answer: { error: 'idempotency_key_required' },
    },
    {
      title: 'More than was received',
      as: 'member who was paid',
      params: { id: '$transfer' },
      headers: { 'Idempotency-Key': 'too-much' },
      body: { amount: 15_001 },
      answer: { error: 'refund_exceeds' },
    },
  ],
  listTransfers: [
    {
      title: 'Outgoing transfers',
      as: 'member who has paid',
      query: { direction: 'out' },
      answer: { status: 200, body: { data: [transfer], nextCursor: null } },
    },
  ],
  getTransfer: [
    {
      title: 'A transfer',
      as: 'member who has paid',
      params: { id: '$transfer' },
      answer: { status: 200, body: transfer },
    },
    { ...unknown, params: { id: 'trf_of_somebody_else' } },
  ],
} as const satisfies Examples;
