import type { Examples } from './example.ts';

const money = {
  asset: 'IDR',
  amount: 150_000,
  fees: { payer: 0, payee: 0, app: 0, platform: 0, total: 0 },
  totalDebit: 150_000,
};
const withdrawal = {
  id: '$withdrawal',
  status: 'held',
  ...money,
  destination: 'BCA ••••7895',
  provider: 'sandbox',
  failure: null,
  waitsFor: null,
  createdAt: '2026-11-20T08:15:00.000Z',
  endedAt: null,
  returnedAt: null,
};
const destination = { bankCode: 'BCA', accountNumber: '1234567895' };
const unknown = {
  title: 'Another person’s',
  as: 'member who can withdraw',
  params: { id: 'wdr_of_somebody_else' },
  answer: { error: 'transaction_not_found' },
} as const;
const shown = {
  title: 'One that is held',
  as: 'member who withdraws',
  params: { id: '$withdrawal' },
} as const;

export const withdrawalExamples = {
  listBanks: [
    {
      title: 'The sandbox’s banks',
      as: 'member who can withdraw',
      answer: {
        status: 200,
        body: {
          data: [
            { code: 'BCA', name: 'Bank Central Asia' },
            { code: 'BNI', name: 'Bank Negara Indonesia' },
            { code: 'BRI', name: 'Bank Rakyat Indonesia' },
            { code: 'MANDIRI', name: 'Bank Mandiri' },
          ],
        },
      },
    },
  ],
  quoteWithdrawal: [
    {
      title: 'To the person’s own account',
      as: 'member who can withdraw',
      body: { amount: 150_000, destination },
      answer: {
        status: 200,
        body: {
          withdrawalId: '$withdrawal',
          accountHolderName: 'Budi Santoso',
          ...money,
          expiresAt: '2026-11-20T08:20:00.000Z',
        },
      },
    },
    {
      title: 'To an account that does not exist',
      as: 'member who can withdraw',
      body: { amount: 150_000, destination: { ...destination, accountNumber: '1234567890' } },
      answer: { error: 'bank_account_unknown' },
    },
    {
      title: 'Too little',
      as: 'member who can withdraw',
      body: { amount: 5000, destination },
      answer: {
        error: 'amount_too_small',
        message: 'Amount too small: minimum withdrawal is 10000 IDR',
      },
    },
  ],
  confirmWithdrawal: [
    {
      title: 'A quote',
      as: 'member with a quote',
      body: { withdrawalId: '$withdrawal' },
      answer: { status: 200, body: withdrawal },
    },
    {
      title: 'Another person’s',
      as: 'member who can withdraw',
      body: { withdrawalId: 'wdr_of_somebody_else' },
      answer: { error: 'transaction_not_found' },
    },
  ],
  listWithdrawals: [
    {
      title: 'The only one',
      as: 'member who withdraws',
      answer: { status: 200, body: { data: [withdrawal], nextCursor: null } },
    },
  ],
  getWithdrawal: [{ ...shown, answer: { status: 200, body: withdrawal } }, unknown],
  syncWithdrawal: [{ ...shown, answer: { status: 200, body: withdrawal } }, unknown],
  cancelWithdrawal: [
    {
      ...shown,
      answer: {
        status: 200,
        body: { ...withdrawal, status: 'cancelled', endedAt: '2026-11-20T08:15:10.000Z' },
      },
    },
    unknown,
  ],
  notifyPayout: [
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
