import * as z from 'zod/mini';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { boundedText } from '../../lib/text-schema.ts';
import { amount, asset, fees } from '../ledger/schema.ts';

/** The minimum withdrawal, in minor units: the bank transfer minimum. */
export const minWithdrawal = 10_000;

const time = z.iso.datetime();
const bankText = 'destination.bankCode must be a code from the list of banks';
const accountText = 'destination.accountNumber must have 5 to 20 digits';

/** The response to GET /v1/fiat/banks. */
export const bankList = z.object({ data: z.array(z.object({ code: z.string(), name: z.string() })) });

export type BankList = z.infer<typeof bankList>;

/** The body of POST /v1/fiat/withdrawals/inquiry. */
export const withdrawalInput = z.object({
  amount,
  asset,
  destination: z.object(
    {
      bankCode: z.string(bankText).check(z.regex(/^[\w-]{2,32}$/, bankText)),
      accountNumber: z.string(accountText).check(z.regex(/^\d{5,20}$/, accountText)),
    },
    'destination must be an object',
  ),
});

export type WithdrawalInput = z.infer<typeof withdrawalInput>;

/** The body of POST /v1/fiat/withdrawals/confirm. */
export const withdrawalConfirmation = z.object({ withdrawalId: boundedText('withdrawalId', 64) });

const money = {
  asset: z.string(),
  amount: z.int(),
  fees,
  /** The amount that leaves the wallet. */
  totalDebit: z.int(),
};

/** The cost and the payee of a withdrawal, fixed until the quote expires. */
export const withdrawalQuote = z.object({
  withdrawalId: z.string(),
  accountHolderName: z.string(),
  ...money,
  expiresAt: time,
});

export type WithdrawalQuote = z.infer<typeof withdrawalQuote>;

export const withdrawalStatuses = ['held', 'submitted', 'paid', 'failed', 'cancelled', 'returned'] as const;

/** A withdrawal whose money is or was held. */
export const withdrawal = z.object({
  id: z.string(),
  status: z.enum(withdrawalStatuses),
  ...money,
  /** The bank and the last digits of the account. */
  destination: z.string(),
  provider: z.string(),
  /** The reason for the failure, in the provider's words. */
  failure: z.nullable(z.string()),
  /** The reason why a held withdrawal is not sent: `debt` until the wallet's debt is settled. */
  waitsFor: z.nullable(z.enum(['debt'])),
  createdAt: time,
  /** When the withdrawal was paid, failed or was cancelled. */
  endedAt: z.nullable(time),
  /** When the bank returned the money. */
  returnedAt: z.nullable(time),
});

export type Withdrawal = z.infer<typeof withdrawal>;

/** The query of GET /v1/fiat/withdrawals. */
export const withdrawalsQuery = z.extend(pageQuery(/^wdr_[0-9a-z]{26}$/), {
  status: z.optional(z.enum(withdrawalStatuses)),
});

export type WithdrawalsQuery = z.infer<typeof withdrawalsQuery>;

export const withdrawalPage = pageSchema(withdrawal);
