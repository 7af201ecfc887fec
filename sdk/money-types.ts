import type { Result } from './errors.ts';
import type { ApprovalGrant, PopupCall } from './popup-types.ts';
import type { Balance, Page, WalletSummary } from './types.ts';

/** The person's wallet. */
export interface Wallet extends WalletSummary {
  pid: string;
  createdAt: string;
}

/** The balance at the time `asOf`; or at the time `at`, for which `available`, `held` and `debt` are not kept. */
export interface WalletBalance extends Omit<Balance, 'available' | 'held' | 'debt'> {
  available?: number;
  held?: number;
  debt?: number;
  asOf?: string;
  at?: string;
}

/** A wallet line. Amounts are whole minor units; `amount` includes the fees. */
export interface Transaction {
  id: string;
  /** `deposit`, `transfer`, `refund`, `withdrawal`, `reversal`, `sweep`, `correction` or `debt`. */
  kind: string;
  direction: 'in' | 'out';
  asset: string;
  amount: number;
  fees: number;
  balanceAfter: number;
  counterparty: { pid: string; displayName: string } | null;
  reference: { type: string; id: string };
  memo: string | null;
  appId: string | null;
  createdAt: string;
}

/** A period of the wallet, oldest line first. */
export interface WalletStatement {
  pid: string;
  asset: string;
  scale: number;
  from: string;
  to: string;
  openingBalance: number;
  closingBalance: number;
  data: Transaction[];
}

/** A transfer's fees, by who pays and by who receives them. */
export interface TransferFees {
  payer: number;
  payee: number;
  app: number;
  platform: number;
  total: number;
}

/** A transfer's cost. The numbers are valid for five minutes. */
export interface Inquiry {
  id: string;
  status: 'open' | 'held' | 'confirmed' | 'cancelled' | 'expired';
  /** The payer's PID; null on a page of an app that is not first-party and has no grant. */
  from: string | null;
  to: { pid: string; displayName: string };
  asset: string;
  amount: number;
  fees: TransferFees;
  /** The amount that leaves the payer's wallet. */
  totalDebit: number;
  /** The amount that enters the recipient's wallet. */
  netAmount: number;
  /** Null for an app that may not read the wallet. */
  sufficientFunds: boolean | null;
  /** True if `confirmTransfer` needs an approval from `popup.approve`. */
  requiresApproval: boolean;
  /** True if `holdTransfer` holds the money; otherwise `confirmTransfer` pays. */
  hold: boolean;
  memo: string | null;
  expiresAt: string;
}

/** A completed transfer; or a hold, which becomes one when it is captured. */
export interface Transfer {
  id: string;
  inquiryId: string | null;
  refundOf: string | null;
  /** `completed` or `reversed`; for an uncaptured hold, `held`, `released` or `expired`. */
  status: 'completed' | 'reversed' | 'held' | 'released' | 'expired';
  from: string;
  to: string;
  asset: string;
  amount: number;
  fees: TransferFees;
  totalDebit: number;
  netAmount: number;
  refundedTotal: number;
  refundable: number;
  memo: string | null;
  appId: string | null;
  createdAt: string;
  /** When held money is released automatically; null unless money is held. */
  heldUntil: string | null;
}

/** Money on its way into the wallet. */
export interface Deposit {
  id: string;
  /** `pending` until the provider reports the payment, then `credited`. A person decides about one in `review`. */
  status: 'creating' | 'pending' | 'credited' | 'expired' | 'failed' | 'review' | 'reversed';
  asset: string;
  /** The amount that the person pays at the provider; fees are deducted from it. */
  amount: number;
  fees: { app: number; platform: number; total: number };
  /** The amount that enters the wallet. */
  netAmount: number;
  /** As requested; once paid, as the provider names it. */
  method: string;
  provider: string;
  /** The person pays here while the deposit is `pending`. */
  checkoutUrl: string | null;
  /** Why it is not simply credited, such as `amount_mismatch`. */
  failure: string | null;
  /** The total that the provider has taken back, by a void, refunds and chargebacks. */
  returnedAmount: number;
  appId: string | null;
  createdAt: string;
  expiresAt: string;
  creditedAt: string | null;
}

/** A deposit after a check with the provider. */
export interface SyncedDeposit extends Deposit {
  synced: true;
  syncedAt: string;
}

/** The recipient, and the amount in whole minor units: rupiah have no decimals. */
export interface TransferInput {
  /** A PID. */
  to: string;
  amount: number;
  asset?: string;
  memo?: string;
  /** Holds the money for 7 days instead of paying immediately; the app later captures all or part of it. */
  hold?: boolean;
}

/** The person's wallet. An app's page needs a grant with `wallet:read`; only a first party opens a wallet. */
export interface WalletApi {
  /** Reads the wallet. 404 if there is none. */
  get(options?: { signal?: AbortSignal }): Promise<Result<Wallet>>;
  /** Opens the wallet, or returns the existing one. */
  create(): Promise<Result<Wallet>>;
  /** The balance now, or at the ISO 8601 time `at`. */
  balance(options?: { asset?: string; at?: string; signal?: AbortSignal }): Promise<Result<WalletBalance>>;
  /** Lists the lines, newest first. `from` is included, `to` is not. */
  transactions(options?: {
    limit?: number;
    cursor?: string;
    kind?: string;
    direction?: 'in' | 'out';
    from?: string;
    to?: string;
    signal?: AbortSignal;
  }): Promise<Result<Page<Transaction>>>;
  /** All lines of a period, with the balances before and after it. */
  statement(options?: { from?: string; to?: string; signal?: AbortSignal }): Promise<Result<WalletStatement>>;
}

/**
 * Deposits and transfers. These methods reject with a plain Error that has the service's message; its `cause` is the ApiError.
 * The service validates amounts, not the SDK.
 */
export interface FiatApi {
  /**
   * Starts a deposit; send the person to its `checkoutUrl`. They return to `returnUrl`, an address on an allowed origin, with
   * `?deposit=` and its id. A call whose response is lost is repeated once, and starts no second deposit.
   * @throws Error such as `Amount too small: minimum deposit is 10000 IDR`
   */
  createCheckout(input: {
    amount: number;
    asset?: string;
    method?: 'auto' | 'qris' | 'va' | 'card' | 'ewallet';
    returnUrl?: string;
  }): Promise<Deposit>;
  /** Reads a deposit. */
  getDeposit(id: string): Promise<Deposit>;
  /** Asks the payment provider for a deposit's state; at most 12 times a minute. */
  syncDeposit(id: string): Promise<SyncedDeposit>;
  /**
   * Computes a transfer's cost, without moving anything. It never fails for lack of money: see `sufficientFunds`.
   * @throws Error such as `Unknown recipient`
   */
  inquireTransfer(input: TransferInput): Promise<Inquiry>;
  /**
   * Moves the money only once: repeating it returns the same transfer.
   * @throws Error such as `Insufficient internal credit` or `User approval is required`
   */
  confirmTransfer(input: { inquiryId: string; approval?: ApprovalGrant | undefined }): Promise<Transfer>;
  /**
   * Holds the money of an inquiry made with `hold`: repeating it returns the same hold. The app's back end captures it.
   * @throws Error like `confirmTransfer`
   */
  holdTransfer(input: { inquiryId: string; approval?: ApprovalGrant | undefined }): Promise<Transfer>;
  /**
   * Makes an inquiry, asks the person to approve it, and confirms it or holds its money. Call it in the click handler: the window opens
   * first, and closes if no
   * approval is needed.
   * @throws the errors of `popup.approve`, or an Error with the service's message. `Network error` can mean that the response was
   * lost after the money had moved: look for the transfer before paying again
   */
  transferWithPopup(input: TransferInput, call?: PopupCall): Promise<Transfer>;
}
