import * as z from 'zod/mini';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { amount, asset } from '../ledger/schema.ts';

const time = z.iso.datetime();

export const depositStatuses = [
  'creating',
  'pending',
  'credited',
  'expired',
  'failed',
  'review',
  'reversed',
] as const;

export const returnUrlText = 'returnUrl must be on an allowed origin';
const maxUrlLength = 500;

/** The body of POST /v1/fiat/deposits/checkout. */
export const checkoutInput = z.object({
  amount,
  asset,
  method: z._default(z.enum(['auto', 'qris', 'va', 'card', 'ewallet']), 'auto'),
  /** Checked by the handler, which knows the caller's origins. */
  returnUrl: z.optional(z.string(returnUrlText).check(z.maxLength(maxUrlLength, returnUrlText))),
});

export type CheckoutInput = z.infer<typeof checkoutInput>;

/** A deposit, as returned to its owner and its app. */
export const deposit = z.object({
  id: z.string(),
  status: z.enum(depositStatuses),
  asset: z.string(),
  /** The amount paid at the provider, from which the fees are deducted. */
  amount: z.int(),
  fees: z.object({ app: z.int(), platform: z.int(), total: z.int() }),
  /** The amount that enters the wallet. */
  netAmount: z.int(),
  /** The requested method; after payment, the method reported by the provider. */
  method: z.string(),
  provider: z.string(),
  /** The provider's page, while the deposit can be paid there. */
  checkoutUrl: z.nullable(z.string()),
  /** The reason why the deposit is not simply credited, as a code. */
  failure: z.nullable(z.string()),
  /** The total reversed by the provider, through a void, refunds and chargebacks. */
  returnedAmount: z.int(),
  appId: z.nullable(z.string()),
  createdAt: time,
  expiresAt: time,
  creditedAt: z.nullable(time),
});

export type Deposit = z.infer<typeof deposit>;

/** The response to POST /v1/fiat/deposits/:id/sync. */
export const syncedDeposit = z.extend(deposit, { synced: z.literal(true), syncedAt: time });

export type SyncedDeposit = z.infer<typeof syncedDeposit>;

/** The query of GET /v1/fiat/deposits. */
export const depositsQuery = z.extend(pageQuery(/^dep_[0-9a-z]{26}$/), {
  status: z.optional(z.enum(depositStatuses)),
});

export type DepositsQuery = z.infer<typeof depositsQuery>;

export const depositPage = pageSchema(deposit);

/** Another payment for an already credited order. It waits for an administrator to credit or refund it. */
export const secondPayment = z.object({
  id: z.string(),
  status: z.enum(['open', 'credited', 'returned']),
  depositId: z.string(),
  pid: z.string(),
  asset: z.string(),
  amount: z.int(),
  createdAt: time,
  decidedAt: z.nullable(time),
});

export type SecondPayment = z.infer<typeof secondPayment>;
