/** The order paid by a checkout. Amounts are whole units of the asset (IDR: rupiah). */
export interface Order {
  /** Our deposit id, also used as the provider's order id, so that a retry never opens a second order. */
  readonly id: string;
  readonly amount: number;
  readonly asset: string;
  readonly method?: string;
  readonly payer: { readonly pid: string; readonly name: string };
  /** The provider redirects the payer to this address. */
  readonly returnUrl: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface Checkout {
  readonly session: string;
  readonly url: string;
  readonly expiresAt: number;
}

/**
 * The state of an order at the provider. `unknown`: there is no payment. `declined`: the payment was declined, but the
 * payer can try again while the page is open. `captured`: a card was charged, but the money can still be voided.
 * `expired` and `failed` after a payment: the payment was voided. `refunded`: the full amount was returned or charged
 * back. `partly_refunded`: part of it was.
 */
export interface PaymentStatus {
  readonly state:
    | 'unknown'
    | 'open'
    | 'declined'
    | 'captured'
    | 'paid'
    | 'expired'
    | 'failed'
    | 'refunded'
    | 'partly_refunded';
  readonly payments: readonly Payment[];
  /**
   * The payment described by the state, if the provider identifies it: a later attempt for the order is a different
   * payment.
   */
  readonly payment?: string;
  /** The total refund of a partly refunded payment; undefined if unclear. */
  readonly returned?: number | undefined;
}

/** One payment for an order; an order paid twice has two. */
export interface Payment {
  readonly id: string;
  /** Undefined if the provider's text is not a whole number of the asset's units. */
  readonly amount: number | undefined;
  readonly currency: string;
  readonly method: string | undefined;
}

export interface Destination {
  readonly bankCode: string;
  readonly accountNumber: string;
}

export interface Payout {
  /** Our withdrawal id, also the provider's idempotency key. */
  readonly id: string;
  readonly amount: number;
  readonly destination: Destination;
  /** The account holder's name, as returned by the provider. */
  readonly holder: string;
}

/** A payout that may have been created. */
export interface SentPayout extends Pick<Payout, 'id' | 'amount'> {
  /** The provider's id; null until the provider returns one. */
  readonly payout: string | null;
  /**
   * The withdrawal's status: a payout that fails after the provider reported it as `paid` was returned. `declared`
   * means that only an administrator marked it paid.
   */
  readonly status: string;
}

export interface PayoutStatus {
  readonly state: 'unknown' | 'pending' | 'paid' | 'failed' | 'returned';
  readonly payoutId?: string;
  /** The reason for the failure, in the provider's words. */
  readonly failure?: string;
}

/**
 * A payment provider. Every call throws only the errors below. A response about another order, or not from the
 * provider, causes `GatewayContradicted`.
 */
export interface PaymentGateway {
  readonly name: string;
  createCheckout(order: Order): Promise<Checkout>;
  /** The order in a notification, if the provider signed it. A notification says nothing about the payment. */
  verifyNotification(body: Uint8Array, headers: Headers): Promise<string | undefined>;
  /** The only source of truth about a payment. */
  getStatus(orderId: string): Promise<PaymentStatus>;
  /**
   * Cancels an unpaid order. Only `getStatus` returns the outcome, and earlier events.
   * @param session the session of its checkout
   * @throws GatewayRefused for an order that can no longer be cancelled
   */
  cancelCheckout(orderId: string, session: string): Promise<void>;
}

/** A payout provider. Every call throws only the errors below. */
export interface PayoutGateway {
  readonly name: string;
  listBanks(): Promise<readonly { readonly code: string; readonly name: string }[]>;
  /** The account holder's name, or undefined if the account does not exist. */
  inquireAccount(destination: Destination): Promise<string | undefined>;
  createPayout(payout: Payout): Promise<PayoutStatus>;
  getPayout(payout: SentPayout): Promise<PayoutStatus>;
  /** The provider's id of the payout in a callback, if the provider signed it. */
  verifyCallback(body: Uint8Array, headers: Headers): Promise<string | undefined>;
}

/** The provider rejected the request permanently: the same call will fail again. */
export class GatewayRefused extends Error {}
/** The provider did not accept the request, which may be sent again. */
export class GatewayUnavailable extends Error {}
/**
 * The response does not match the request, or is not from the provider: no money moves. The message contains the field
 * name.
 */
export class GatewayContradicted extends GatewayUnavailable {}
/** The request may have taken effect. Only the provider's status shows the outcome. */
export class GatewayAmbiguous extends Error {}
