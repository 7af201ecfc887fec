import * as z from 'zod/mini';

/** One payment of an order, as returned by the sandbox. */
const payment = z.object({
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  method: z.string(),
});

/** The sandbox's response about an order. */
export const sandboxStatus = z.object({
  orderId: z.string(),
  state: z.enum(['open', 'captured', 'paid', 'expired', 'failed', 'refunded', 'partly_refunded']),
  payments: z.array(payment),
  /** The total refunded. */
  returned: z.optional(z.int()),
});

export type SandboxStatus = z.infer<typeof sandboxStatus>;

/** Opens an order at the sandbox. */
export const sandboxCheckout = z.object({
  amount: z.int(),
  asset: z.string(),
  method: z.optional(z.string()),
  payer: z.object({ pid: z.string(), name: z.string() }),
  returnUrl: z.string(),
  expiresAt: z.int(),
});

export type SandboxCheckout = z.infer<typeof sandboxCheckout>;

/** Creates a payout at the sandbox. */
export const sandboxPayout = z.object({
  amount: z.int(),
  destination: z.object({ bankCode: z.string(), accountNumber: z.string() }),
});

export type SandboxPayout = z.infer<typeof sandboxPayout>;

/** The sandbox's response about a payout. */
export const sandboxPayoutStatus = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  state: z.enum(['pending', 'paid', 'failed', 'returned']),
  payoutId: z.string(),
  failure: z.optional(z.string()),
});

export type SandboxPayoutStatus = z.infer<typeof sandboxPayoutStatus>;

export const sandboxAccount = z.object({ name: z.string() });

/** The body of a sandbox notification. */
export const sandboxNotification = z.object({ data: z.object({ orderId: z.string() }) });

/** The response to a provider's notification. */
export const received = z.object({ received: z.literal(true) });
