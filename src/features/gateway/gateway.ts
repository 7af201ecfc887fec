/** The order that a checkout pays for. Amounts are whole units of the asset (IDR: rupiah). */
export interface Order {
  /** Our deposit id, also the provider's order id: a retry with it never opens a second order. */
  readonly id: string;
  readonly amount: number;
  readonly asset: string;
  readonly method?: string;
  readonly payer: { readonly pid: string; readonly name: string };
  /** The provider redirects the payer here. */
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
 * The state of an order at the provider. `unknown`: it has no payment. `declined`: the payment was refused, but the payer can
 * try again while the page is open. `captured`: a card was charged, but the money can still be voided. `expired` and `failed`
 * after a payment: it was voided. `refunded`: the full amount was returned or charged back. `partly_refunded`: part of it was.
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
  /** The payment that the state is about, if the provider names it: a later attempt for the order is a different payment. */
  readonly payment?: string;
  /** The total refunded of a partly refunded payment; undefined when unclear. */
  readonly returned?: number | undefined;
}

/** One payment of an order; an order that was paid twice has two. */
export interface Payment {
  readonly id: string;
  /** Undefined when the provider's text is not a whole number of the asset's units. */
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
  /** The account holder's name, as given by the provider. */
  readonly holder: string;
}

/** A payout that may have been created. */
export interface SentPayout extends Pick<Payout, 'id' | 'amount'> {
  /** The provider's id; null until it names one. */
  readonly payout: string | null;
  /**
   * The withdrawal's status: a payout that fails after the provider called it `paid` was returned. `declared` is one that only a
   * person has called paid.
   */
  readonly status: string;
}

export interface PayoutStatus {
  readonly state: 'unknown' | 'pending' | 'paid' | 'failed' | 'returned';
  readonly payoutId?: string;
  /** Why it failed, in the provider's words. */
  readonly failure?: string;
}

/**
 * A payment provider. Every call throws only the errors below. A response that names another order, or
 * is not from the provider, is `GatewayContradicted`.
 */
export interface PaymentGateway {
  readonly name: string;
  createCheckout(order: Order): Promise<Checkout>;
  /** The order that a notification is about, if the provider signed it. It says nothing about the payment. */
  verifyNotification(body: Uint8Array, headers: Headers): Promise<string | undefined>;
  /** The only source of truth about a payment. */
  getStatus(orderId: string): Promise<PaymentStatus>;
  /**
   * Cancels an unpaid order. Only `getStatus` tells whether this worked, and what happened before.
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
  /** The provider's id of the payout that a callback is about, if the provider signed it. */
  verifyCallback(body: Uint8Array, headers: Headers): Promise<string | undefined>;
}

/** The provider refused permanently: the same call will fail again. */
export class GatewayRefused extends Error {}
/** The provider did not accept the request: it may be sent again. */
export class GatewayUnavailable extends Error {}
/** The response does not match the request, or is not from the provider: no money moves. The message names the field. */
export class GatewayContradicted extends GatewayUnavailable {}
/** The request may have taken effect: only the provider's status tells. */
export class GatewayAmbiguous extends Error {}
