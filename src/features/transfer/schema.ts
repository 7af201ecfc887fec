import * as z from 'zod/mini';
import { isFitForName } from '../../lib/display-name.ts';
import { pageQuery, pageSchema } from '../../lib/page.ts';
import { boundedText } from '../../lib/text-schema.ts';
import { amount, asset, fees } from '../ledger/schema.ts';

const time = z.iso.datetime();

/** A note to the other party, shown as is, so it must not be mistaken for part of the page. */
const memo = z.pipe(
  boundedText('memo', 140).check(
    z.refine(
      (text) => text.trim() === '' || isFitForName(text),
      'memo must not contain control or invisible characters',
    ),
  ),
  z.transform((text) => text.trim() || null),
);

/** The body of POST /v1/fiat/transfers/inquiry. */
export const inquiryInput = z.object({
  /** A PID. */
  to: z.string('to must be a string'),
  amount,
  asset,
  memo: z.optional(memo),
  /** True if the money is held first and captured later; only for apps. */
  hold: z.optional(z.boolean('hold must be a boolean')),
});

export type InquiryInput = z.infer<typeof inquiryInput>;

/** The body of POST /v1/fiat/transfers/confirm. An approval needs the verifier of its opener. */
export const confirmInput = z.object({
  inquiryId: boundedText('inquiryId', 64),
  approvalId: z.optional(boundedText('approvalId', 64)),
  verifier: z.optional(boundedText('verifier', 200)),
});

/** The body of POST /v1/fiat/transfers/:id/hold. */
export const holdInput = z.omit(confirmInput, { inquiryId: true });

export type HoldInput = z.infer<typeof holdInput>;

/** The body of POST /v1/fiat/transfers/:id/capture; without `amount` it captures everything. */
export const captureInput = z.object({ amount: z.optional(amount) });

export type CaptureInput = z.infer<typeof captureInput>;

export type ConfirmInput = z.infer<typeof confirmInput>;

/** The body of POST /v1/fiat/transfers/:id/refund; without `amount` it refunds the remainder. */
export const refundInput = z.object({ amount: z.optional(amount), memo: z.optional(memo) });

export type RefundInput = z.infer<typeof refundInput>;

const money = {
  asset: z.string(),
  amount: z.int(),
  fees,
  /** The amount that leaves the payer's wallet. */
  totalDebit: z.int(),
  /** The amount that enters the recipient's wallet. */
  netAmount: z.int(),
};

/** An inquiry: the cost of a transfer, valid until it expires. */
export const inquiry = z.object({
  id: z.string(),
  status: z.enum(['open', 'held', 'confirmed', 'cancelled', 'expired']),
  /** Null on the page of an app without a grant, which must not learn its visitor's identity. */
  from: z.nullable(z.string()),
  to: z.object({ pid: z.string(), displayName: z.string() }),
  ...money,
  /** Null for an app that may not read the wallet. */
  sufficientFunds: z.nullable(z.boolean()),
  requiresApproval: z.boolean(),
  /** True if the money is held first and captured later. */
  hold: z.boolean(),
  memo: z.nullable(z.string()),
  expiresAt: time,
});

export type Inquiry = z.infer<typeof inquiry>;

/**
 * A transfer, a refund (a transfer in the other direction), or a hold, which becomes a transfer when it is captured.
 */
export const transfer = z.object({
  id: z.string(),
  inquiryId: z.nullable(z.string()),
  refundOf: z.nullable(z.string()),
  /** `completed` or `reversed`; for an uncaptured hold, `held`, `released` or `expired`. */
  status: z.enum(['completed', 'reversed', 'held', 'released', 'expired']),
  from: z.string(),
  to: z.string(),
  ...money,
  refundedTotal: z.int(),
  /** The amount that can still be refunded. */
  refundable: z.int(),
  memo: z.nullable(z.string()),
  appId: z.nullable(z.string()),
  createdAt: time,
  /** When held money is released automatically; null unless money is held. */
  heldUntil: z.nullable(time),
});

export type Transfer = z.infer<typeof transfer>;

/** The response to a refund. `refundedTotal` and `refundable` are those of the transfer. Fees are not refunded. */
export const refunded = z.extend(transfer, { feesReturned: z.literal(0) });

export type Refunded = z.infer<typeof refunded>;

/**
 * The query of GET /v1/fiat/transfers. A page's key is the key of an entry, which an app gets encrypted, or for an app itself the
 * id of a transfer.
 */
export const transfersQuery = z.extend(
  pageQuery(/^\d{1,15}\.\d{1,15}$|^[0-9a-z]{26}$|^[\w-]{16}\.[\w-]{24,100}$/),
  {
    direction: z.optional(z.enum(['in', 'out'])),
  },
);

export type TransfersQuery = z.infer<typeof transfersQuery>;

export const transferPage = pageSchema(transfer);
