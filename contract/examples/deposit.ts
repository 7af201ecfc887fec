import type { Examples } from './example.ts';

const createdAt = '2026-11-20T08:15:00.000Z';
const deposit = {
  id: '$deposit',
  status: 'pending',
  asset: 'IDR',
  amount: 50_000,
  fees: { app: 0, platform: 0, total: 0 },
  netAmount: 50_000,
  method: 'qris',
  provider: 'sandbox',
  checkoutUrl: 'http://localhost:8787/dev/gateway/$deposit',
  failure: null,
  returnedAmount: 0,
  appId: null,
  createdAt,
  expiresAt: '2026-11-21T08:15:00.000Z',
  creditedAt: null,
};
const credited = { ...deposit, status: 'credited', checkoutUrl: null, creditedAt: createdAt };
const unknown = {
  title: 'Another person’s',
  as: 'member with a wallet',
  params: { id: 'dep_of_somebody_else' },
  answer: { error: 'transaction_not_found' },
} as const;

export const depositExamples = {
  checkout: [
    {
      title: 'Fifty thousand rupiah',
      as: 'member with a wallet',
      headers: { 'Idempotency-Key': 'top-up-7' },
      body: { amount: 50_000, method: 'qris' },
      answer: {
        status: 200,
        body: {
          ...deposit,
          id: 'dep_06bk3n8q5x7c9v2k4m6r8t0w1y',
          checkoutUrl: 'http://localhost:8787/dev/gateway/dep_06bk3n8q5x7c9v2k4m6r8t0w1y',
        },
      },
    },
    {
      title: 'Less than the minimum',
      as: 'member with a wallet',
      body: { amount: 5000 },
      answer: { error: 'deposit_too_small' },
    },
    {
      title: 'To return to a page of another site',
      as: 'member with a wallet',
      body: { amount: 50_000, returnUrl: 'https://shop.example.com/paid' },
      answer: { error: 'validation_failed', message: ['returnUrl must be on an allowed origin'] },
    },
    {
      title: 'Without a wallet',
      as: 'member',
      body: { amount: 50_000 },
      answer: { error: 'wallet_not_found' },
    },
  ],
  listDeposits: [
    {
      title: 'Unpaid deposits',
      as: 'member with a deposit',
      query: { status: 'pending' },
      answer: { status: 200, body: { data: [deposit], nextCursor: null } },
    },
  ],
  getDeposit: [
    {
      title: 'One that was paid',
      as: 'member who has paid in',
      params: { id: '$deposit' },
      answer: { status: 200, body: credited },
    },
    unknown,
  ],
  syncDeposit: [
    {
      title: 'One that was paid',
      as: 'member who has paid in',
      params: { id: '$deposit' },
      answer: { status: 200, body: { ...credited, synced: true, syncedAt: createdAt } },
    },
    unknown,
  ],
  cancelDeposit: [
    {
      title: 'An unpaid one',
      as: 'member with a deposit',
      params: { id: '$deposit' },
      answer: {
        status: 200,
        body: { ...deposit, status: 'expired', checkoutUrl: null },
      },
    },
    {
      title: 'One that was paid',
      as: 'member who has paid in',
      params: { id: '$deposit' },
      answer: { error: 'deposit_final' },
    },
    unknown,
  ],
  returnFromPayment: [
    {
      title: 'To the wallet',
      as: 'member with a deposit',
      params: { id: '$deposit' },
      answer: { status: 303 },
    },
  ],
  notifyGateway: [
    {
      title: 'From the sandbox',
      as: 'provider with a notification',
      params: { provider: 'sandbox' },
      headers: {
        'webhook-id': '$noticeid',
        'webhook-timestamp': '$noticetime',
        'webhook-signature': '$notice',
      },
      body: { type: 'payment.paid', data: { orderId: '$deposit' } },
      answer: { status: 200, body: { received: true } },
    },
    {
      title: 'Not signed',
      as: 'nobody',
      params: { provider: 'sandbox' },
      body: { type: 'payment.paid', data: { orderId: '$deposit' } },
      answer: { error: 'invalid_signature' },
    },
    {
      title: 'From an unknown provider',
      as: 'nobody',
      params: { provider: 'nobody' },
      body: {},
      answer: { error: 'not_found' },
    },
  ],
} as const satisfies Examples;
