import type { Result } from './errors.ts';
import type { ApprovalGrant, PopupCall } from './popup-types.ts';
import type { Balance, Page, WalletSummary } from './types.ts';

/** The person's wallet. */
export interface Wallet extends WalletSummary {
  pid: string;
  createdAt: string;
}

/** The balance now, with `asOf`, or at the time `at`, for which `available`, `held` and `debt` are not stored. */
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

/** A transfer's fees, by payer and by recipient. */
export interface TransferFees {
  payer: number;
  payee: number;
  app: number;
  platform: number;
  total: number;
}

/** The cost of a transfer, valid for five minutes. */
export interface Inquiry {
  id: string;
  status: 'open' | 'held' | 'confirmed' | 'cancelled' | 'expired';
  /** The payer's PID; null on a third-party app's page without a grant. */
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

/** A completed transfer, or a hold, which becomes a transfer when captured. */
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

/** Money being paid into the wallet. */
export interface Deposit {
  id: string;
  /** `pending` until the provider reports the payment, then `credited`. A deposit in `review` waits for a decision. */
  status: 'creating' | 'pending' | 'credited' | 'expired' | 'failed' | 'review' | 'reversed';
  asset: string;
  /** The amount that the person pays at the provider; fees are deducted from it. */
  amount: number;
  fees: { app: number; platform: number; total: number };
  /** The amount that enters the wallet. */
  netAmount: number;
  /** The requested method; after payment, the method reported by the provider. */
  method: string;
  provider: string;
  /** The payment page while the deposit is `pending`. */
  checkoutUrl: string | null;
  /** The reason why the deposit is not simply credited, such as `amount_mismatch`. */
  failure: string | null;
  /** The total reversed by the provider, through a void, refunds and chargebacks. */
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
  /** Lists the lines, newest first. `from` is inclusive, `to` is exclusive. */
  transactions(options?: {
    limit?: number;
    cursor?: string;
    kind?: string;
    direction?: 'in' | 'out';
    from?: string;
    to?: string;
    signal?: AbortSignal;
  }): Promise<Result<Page<Transaction>>>;
  /** All lines of a period, with the opening and closing balance. */
  statement(options?: { from?: string; to?: string; signal?: AbortSignal }): Promise<Result<WalletStatement>>;
}

/**
 * Deposits and transfers. These methods reject with a plain Error with the service's message; its `cause` is the
 * ApiError. The service validates amounts, not the SDK.
 */
export interface FiatApi {
  /**
   * Starts a deposit; send the person to its `checkoutUrl`. The provider returns them to `returnUrl`, an address on an
   * allowed origin, with `?deposit=` and the deposit's id. A call whose response is lost is repeated once, and starts
   * no second deposit.
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
  /** Queries the payment provider about a deposit; at most 12 times a minute. */
  syncDeposit(id: string): Promise<SyncedDeposit>;
  /**
   * Computes the cost of a transfer, without moving money. Insufficient funds are not an error: see `sufficientFunds`.
   * @throws Error such as `Unknown recipient`
   */
  inquireTransfer(input: TransferInput): Promise<Inquiry>;
  /**
   * Moves the money only once: a repeated call returns the same transfer.
   * @throws Error such as `Insufficient internal credit` or `User approval is required`
   */
  confirmTransfer(input: { inquiryId: string; approval?: ApprovalGrant | undefined }): Promise<Transfer>;
  /**
   * Holds the money of an inquiry made with `hold`: a repeated call returns the same hold. The app's back end captures
   * it.
   * @throws Error like `confirmTransfer`
   */
  holdTransfer(input: { inquiryId: string; approval?: ApprovalGrant | undefined }): Promise<Transfer>;
  /**
   * Makes an inquiry, requests the person's approval, and confirms the inquiry or holds its money. Call it in the click
   * handler: the window opens first, and closes if no approval is needed.
   * @throws the errors of `popup.approve`, or an Error with the service's message. `Network error` can mean that the
   *   response was lost after the money had moved: check for the transfer before paying again
   */
  transferWithPopup(input: TransferInput, call?: PopupCall): Promise<Transfer>;
}
