/**
 * Every error that the service returns: its HTTP status and default text. Codes are public (`code`, `X-Error-Code`) and
 * never renamed; interface section 7 fixes some of the texts byte for byte.
 */
export const errors = {
  validation_failed: [400, 'The request is not valid'],
  malformed_body: [400, 'The request body is not valid JSON'],
  host_invalid: [400, 'The Host header is not valid'],
  sign_in_cancelled: [400, 'The sign-in was cancelled'],
  provider_error: [400, 'The identity provider refused the sign-in'],
  state_invalid: [400, 'This sign-in was not started in this browser, or it has expired or was already used'],
  prefetch_refused: [400, 'This address cannot be prefetched'],
  code_refused: [400, 'The code is wrong or has expired'],
  last_credential: [400, 'Cannot unlink the last credential'],
  only_secret: [400, 'Cannot revoke the only secret'],
  webhook_disabled: [400, 'Webhook is disabled'],
  wrong_handle: [400, 'The handle does not belong to this identity'],
  popup_altered: [400, 'Approval request was altered'],
  popup_expired: [400, 'Approval request has expired'],
  redirect_uri_unknown: [400, 'The redirect URI is not registered for this app'],
  client_document_invalid: [400, 'The client metadata document is missing or invalid'],
  authorize_altered: [400, 'The request was altered'],
  authorize_gone: [400, 'The request has expired or has already been answered'],
  invalid_grant: [400, 'The code or token is invalid, expired or already used'],
  invalid_scope: [400, 'The scope is unknown or exceeds what was granted'],
  invalid_target: [400, 'The resource does not belong to this sign-in'],
  unsupported_grant_type: [400, 'The grant type is not supported'],
  invalid_dpop_proof: [400, 'The DPoP proof is missing or not valid'],
  use_dpop_nonce: [400, 'The DPoP proof needs a nonce'],
  authorization_pending: [400, 'The person has not decided yet'],
  slow_down: [400, 'Poll less often: the interval has grown by 5 seconds'],
  expired_token: [400, 'The device code has expired'],
  access_denied: [400, 'The person has denied the request or withdrawn access'],
  unauthorized_client: [400, 'The client may not use this grant type'],
  amount_too_small: [400, 'Amount too small: net amount after fees must be at least 1 IDR'],
  fee_too_high: [400, 'Fee exceeds the maximum for apps'],
  amount_too_large: [400, 'Amount too large: maximum is 1000000000000 IDR'],
  deposit_too_small: [400, 'Amount too small: minimum deposit is 10000 IDR'],
  deposit_final: [400, 'Deposit can no longer be cancelled'],
  own_wallet: [400, 'Cannot transfer to your own wallet'],
  inquiry_expired: [400, 'Transfer inquiry has expired'],
  inquiry_not_open: [400, 'Transfer inquiry can no longer be cancelled'],
  for_hold: [400, 'Transfer inquiry is for a hold'],
  not_for_hold: [400, 'Transfer inquiry is not for a hold'],
  capture_exceeds: [400, 'Capture exceeds the hold'],
  approval_expired: [400, 'Approval request has expired'],
  approval_not_needed: [400, 'Transfer needs no approval'],
  already_reversed: [400, 'Transaction is already reversed'],
  not_refundable: [400, 'Transfer can no longer be refunded'],
  refund_exceeds: [400, 'Refund exceeds the remaining amount of the transfer'],
  insufficient_internal_credit: [400, 'Insufficient internal credit'],
  quote_expired: [400, 'Quote has expired'],
  withdrawal_final: [400, 'Withdrawal can no longer be cancelled'],
  idempotency_key_required: [400, 'Idempotency-Key is required'],
  session_ended: [401, 'Session has ended'],
  unauthenticated: [401, 'Authentication is required'],
  no_session: [401, 'Authentication is required'],
  refresh_refused: [401, 'The refresh token is invalid, expired or already used'],
  password_refused: [401, 'Invalid email or password'],
  passkey_refused: [401, 'The passkey was not accepted'],
  passkey_unknown: [401, 'The passkey was not accepted'],
  invalid_client: [401, 'Client authentication failed'],
  invalid_token: [401, 'The access token is invalid or has expired'],
  invalid_signature: [401, 'Invalid signature'],
  origin_not_allowed: [403, 'Origin is not allowed'],
  origin_not_first_party: [
    403,
    'Cookies are not accepted on pages of this app: use its access token, or ask the operator to mark the app first-party',
  ],
  missing_scope: [403, 'Missing scope'],
  grant_revoked: [403, 'Grant has been revoked'],
  grant_expired: [403, 'Grant has expired'],
  not_fresh: [403, 'Sign in again to continue'],
  admin_only: [403, 'Admin only'],
  self_decision: [403, 'Another administrator has to decide'],
  no_second_administrator: [
    403,
    'The amount needs the approval of a second administrator, and there is none',
  ],
  app_suspended: [403, 'App is suspended'],
  grant_recipient: [403, 'Recipient is not allowed by the grant'],
  grant_limit_exceeded: [403, 'Grant spending limit exceeded'],
  limit_payment: [403, 'Amount exceeds the limit for one payment'],
  limit_day: [403, 'Amount exceeds the daily limit'],
  limit_month: [403, 'Amount exceeds the monthly limit'],
  limit_held: [403, 'Amount exceeds the balance limit of the wallet'],
  recipient_limit: [403, 'Recipient cannot receive this amount now'],
  approval_required: [403, 'User approval is required'],
  approval_rejected: [403, 'Transfer was rejected'],
  other_person: [403, 'Signed in as another person'],
  wallet_frozen: [403, 'Wallet is frozen'],
  wallet_closed: [403, 'Wallet is closed'],
  withdrawals_disabled: [403, 'Withdrawals are disabled'],
  identity_suspended: [403, 'Identity is suspended'],
  identity_closed: [403, 'Identity is closed'],
  not_found: [404, 'Not found'],
  credential_not_found: [404, 'Credential does not exist'],
  session_not_found: [404, 'Session does not exist'],
  identity_not_found: [404, 'Identity does not exist'],
  popup_not_found: [404, 'Popup request does not exist'],
  grant_not_found: [404, 'Grant does not exist'],
  app_not_found: [404, 'App does not exist'],
  secret_not_found: [404, 'Secret does not exist'],
  webhook_not_found: [404, 'Webhook does not exist'],
  event_not_found: [404, 'Event does not exist'],
  wallet_not_found: [404, 'Wallet does not exist'],
  recipient_unavailable: [404, 'Unknown recipient'],
  transaction_not_found: [404, 'Unknown transaction'],
  report_not_found: [404, 'Unknown report'],
  case_not_found: [404, 'Unknown case'],
  proposal_not_found: [404, 'Proposal does not exist'],
  bank_account_unknown: [404, 'Unknown bank account'],
  handle_taken: [409, 'PID already taken'],
  email_conflict: [409, 'Email sudah terhubung dengan akun lain'],
  popup_exists: [409, 'Popup request already exists'],
  hold_captured: [409, 'Hold was already captured'],
  hold_released: [409, 'Hold was already released'],
  hold_expired: [409, 'Hold has expired'],
  credential_already_linked: [409, 'Credential already linked'],
  closure_blocked: [409, 'The identity cannot be closed yet'],
  no_password: [409, 'The person has no password'],
  identity_final: [409, 'A closed identity stays closed'],
  too_many_credentials: [409, 'An identity may have at most 50 credentials'],
  too_many_apps: [409, 'An identity may have at most 50 apps'],
  client_unregistered: [409, 'An unregistered app can only be suspended'],
  too_many_clients: [409, 'An identity may allow at most 50 unregistered apps'],
  too_many_secrets: [409, 'An app may have at most 10 valid secrets'],
  too_many_resources: [409, 'An app may have at most 10 resources'],
  resource_taken: [409, 'The resource belongs to another app'],
  app_balance: [409, 'App balance is not zero'],
  day_open: [409, 'Day cannot be closed yet'],
  moved_on: [409, 'The state has changed in the meantime'],
  fee_changed: [409, 'Fee was changed by someone else'],
  idempotency_key_reused: [409, 'Idempotency-Key was already used with a different request'],
  ticket_gone: [410, 'Claim ticket has expired'],
  body_too_large: [413, 'Request body is too large'],
  unsupported_media_type: [415, 'The request body must be application/json'],
  rate_limited: [429, 'Too many requests'],
  internal: [500, 'Internal server error'],
  provider_failed: [502, 'The identity provider did not respond as expected'],
  provider_not_configured: [503, 'The external sign-in is not configured on the server'],
  gateway_not_configured: [503, 'Payment gateway is not configured on the server'],
  gateway_unavailable: [503, 'Payment gateway is unavailable'],
  ledger_disabled: [503, 'Ledger is disabled'],
  ledger_frozen: [503, 'Ledger is frozen'],
  unavailable: [503, 'Service is unavailable'],
} as const satisfies Record<string, readonly [status: number, text: string]>;

export type ErrorCode = keyof typeof errors;
export type ErrorStatus = (typeof errors)[ErrorCode][0];

export const messageByCode = Object.fromEntries(
  Object.entries(errors).map(([code, [, text]]) => [code, text]),
) as Record<ErrorCode, string>;

/** Our codes that are also OAuth 2.0, RFC 6750, RFC 8628, RFC 8707 or RFC 9449 codes. */
const standardCode =
  /^(invalid_\w+|unauthorized_client|unsupported_grant_type|use_dpop_nonce|authorization_pending|slow_down|expired_token|access_denied)$/;

/** The OAuth 2.0 codes for errors that the request did not cause; all others are `invalid_request`. */
const oauthByStatus: Readonly<Partial<Record<ErrorStatus, string>>> = {
  401: 'login_required',
  403: 'access_denied',
  404: 'invalid_client',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/** The body of every error response (interface section 7), with the error code. */
export interface ErrorBody {
  statusCode: ErrorStatus;
  /** An array only if validation failed. */
  message: string | string[];
  code: ErrorCode;
}

interface AppErrorOptions {
  /** Logged, never sent. */
  cause?: unknown;
  /** The real reason, for the log only. */
  reason?: string;
  /** Becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** True for a limit on mailed codes, of which the person may have one that works. */
  isOfCodes?: boolean;
  /** The cause has already been logged or is not worth a line, so the log treats this as an everyday rejection. */
  isLogged?: boolean;
  /** The exceeded limit and the remaining requests, for pages. */
  limit?: { readonly most: number; readonly left: number };
  /** The standard code, such as `invalid_grant`, if the default code of the status is too general. */
  oauth?: string;
}

/** The only error that crosses from features to HTTP. `message` is safe to show; `reason` is for the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly texts: string | string[];
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly isOfCodes: boolean;
  readonly isLogged: boolean;
  readonly oauth: string | undefined;
  readonly limit: AppErrorOptions['limit'];

  constructor(code: ErrorCode, message?: string | string[] | null, options: AppErrorOptions = {}) {
    const texts = message ?? errors[code][1];
    super(typeof texts === 'string' ? texts : texts.join('; '), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.texts = texts;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isOfCodes = options.isOfCodes ?? false;
    this.isLogged = options.isLogged ?? false;
    this.oauth = options.oauth;
    this.limit = options.limit;
  }

  get status(): ErrorStatus {
    return errors[this.code][0];
  }

  get body(): ErrorBody {
    return { statusCode: this.status, message: this.texts, code: this.code };
  }

  /**
   * The body in both formats: ours, and that of RFC 6749 section 5.2, whose description must not contain a quote or a
   * backslash.
   */
  get oauthBody(): ErrorBody & { error: string; error_description: string } {
    const own = standardCode.test(this.code) ? this.code : undefined;
    const error = this.oauth ?? own ?? oauthByStatus[this.status] ?? 'invalid_request';
    return { ...this.body, error, error_description: this.message.replaceAll(/[^\x20-\x7e]|["\\]/g, '') };
  }
}

/** The real reason and its causes on one line, for operators. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Some runtime errors have only a code.
  const text =
    (error instanceof AppError && error.reason) || error.message || String(Reflect.get(error, 'code'));
  const why = error.cause === undefined ? '' : explain(error.cause);
  return text.includes(why) ? text : `${text}: ${why}`;
}
