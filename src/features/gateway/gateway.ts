/** The order a checkout pays for. Amounts are whole units of the asset (IDR: rupiah). */
export interface Order {
  /** Our id of the deposit, and the provider's order id: a repeat with it never opens a second order. */
  readonly id: string;
  readonly amount: number;
  readonly asset: string;
  readonly method?: string;
  readonly payer: { readonly pid: string; readonly name: string };
  /** The provider sends the payer back here. */
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
 * after a payment: it was voided. `refunded`: the whole amount was returned or charged back. `partly_refunded`: part of it was.
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
  /** The payment that the state is about, where the provider names it: a later try of the order is another. */
  readonly payment?: string;
  /** The amount of a partly refunded payment that has been given back in all; undefined when it is not clear. */
  readonly returned?: number | undefined;
}

/** One payment of an order; an order that was paid twice has two. */
export interface Payment {
  readonly id: string;
  /** Undefined when the provider's text is no whole number of the asset's units. */
  readonly amount: number | undefined;
  readonly currency: string;
  readonly method: string | undefined;
}

export interface Destination {
  readonly bankCode: string;
  readonly accountNumber: string;
}

export interface Payout {
  /** Our id of the withdrawal, and the provider's idempotency key. */
  readonly id: string;
  readonly amount: number;
  readonly destination: Destination;
  /** The name of the account's holder, as the provider has said it. */
  readonly holder: string;
}

/** A payout that may have been created. */
export interface SentPayout extends Pick<Payout, 'id' | 'amount'> {
  /** The provider's id; null until it has named one. */
  readonly payout: string | null;
  /**
   * That of the withdrawal: a payout that fails after the provider called it `paid` came back. `declared` is one that only a
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
 * A provider of payments. Every call throws one of the errors below, and nothing else. An answer that names another order, or
 * is not the provider's, is `GatewayContradicted`.
 */
export interface PaymentGateway {
  readonly name: string;
  createCheckout(order: Order): Promise<Checkout>;
  /** The order a notification is about, if its signature is the provider's. It says nothing about the payment. */
  verifyNotification(body: Uint8Array, headers: Headers): Promise<string | undefined>;
  /** The only source of truth about a payment. */
  getStatus(orderId: string): Promise<PaymentStatus>;
  /**
   * Ends an order that nobody has paid. Only `getStatus` tells whether it did so, and what came before.
   * @param session that of its checkout
   * @throws GatewayRefused for an order that can no longer end
   */
  cancelCheckout(orderId: string, session: string): Promise<void>;
}

/** A provider of payouts. Every call throws one of the errors below, and nothing else. */
export interface PayoutGateway {
  readonly name: string;
  listBanks(): Promise<readonly { readonly code: string; readonly name: string }[]>;
  /** The name of the account's holder, or undefined for an account that does not exist. */
  inquireAccount(destination: Destination): Promise<string | undefined>;
  createPayout(payout: Payout): Promise<PayoutStatus>;
  getPayout(payout: SentPayout): Promise<PayoutStatus>;
  /** The provider's id of the payout that a callback is about, if its signature is the provider's. */
  verifyCallback(body: Uint8Array, headers: Headers): Promise<string | undefined>;
}

/** The provider refused for good: the same call will fail again. */
export class GatewayRefused extends Error {}
/** The provider did not take the request: it may be sent again. */
export class GatewayUnavailable extends Error {}
/** The answer is not about what was asked, or not the provider's: nothing moves by it. Its message names the field. */
export class GatewayContradicted extends GatewayUnavailable {}
/** The request may have had its effect: only the provider's status tells. */
export class GatewayAmbiguous extends Error {}
