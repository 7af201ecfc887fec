/** Every error the service answers with, and its HTTP status. Codes are public (`code`, `X-Error-Code`) and never renamed. */
export const statusByCode = {
  validation_failed: 400,
  malformed_body: 400,
  host_invalid: 400,
  sign_in_cancelled: 400,
  provider_error: 400,
  state_invalid: 400,
  prefetch_refused: 400,
  code_refused: 400,
  last_credential: 400,
  only_secret: 400,
  wrong_handle: 400,
  popup_altered: 400,
  popup_expired: 400,
  unauthenticated: 401,
  no_session: 401,
  refresh_refused: 401,
  password_refused: 401,
  passkey_refused: 401,
  passkey_unknown: 401,
  origin_not_allowed: 403,
  not_fresh: 403,
  admin_only: 403,
  identity_suspended: 403,
  identity_closed: 403,
  not_found: 404,
  credential_not_found: 404,
  session_not_found: 404,
  identity_not_found: 404,
  popup_not_found: 404,
  app_not_found: 404,
  secret_not_found: 404,
  handle_taken: 409,
  email_conflict: 409,
  popup_exists: 409,
  credential_already_linked: 409,
  closure_blocked: 409,
  identity_final: 409,
  too_many_apps: 409,
  ticket_gone: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  provider_failed: 502,
  provider_not_configured: 503,
  unavailable: 503,
} as const;

/** Default texts; interface section 7 fixes some of them to the byte. */
export const messageByCode: Record<ErrorCode, string> = {
  validation_failed: 'The request is not valid',
  malformed_body: 'The request body is not valid JSON',
  host_invalid: 'The Host header is not valid',
  sign_in_cancelled: 'The sign-in was cancelled',
  provider_error: 'The identity provider refused the sign-in',
  state_invalid: 'This sign-in was not started in this browser, or it has expired or was already used',
  prefetch_refused: 'This address is not fetched ahead of time',
  code_refused: 'The code is wrong or has expired',
  last_credential: 'Cannot unlink the last credential',
  only_secret: 'Cannot revoke the only secret',
  wrong_handle: 'The handle is not that of this identity',
  popup_altered: 'Approval request was altered',
  popup_expired: 'Approval request has expired',
  unauthenticated: 'Authentication is required',
  no_session: 'Authentication is required',
  refresh_refused: 'The refresh token is invalid, expired or already used',
  password_refused: 'Invalid email or password',
  passkey_refused: 'The passkey was not accepted',
  passkey_unknown: 'The passkey was not accepted',
  origin_not_allowed: 'Origin is not allowed',
  not_fresh: 'Sign in again to continue',
  admin_only: 'Admin only',
  identity_suspended: 'Identity is suspended',
  identity_closed: 'Identity is closed',
  not_found: 'Not found',
  credential_not_found: 'Credential does not exist',
  session_not_found: 'Session does not exist',
  identity_not_found: 'Identity does not exist',
  popup_not_found: 'Popup request does not exist',
  app_not_found: 'App does not exist',
  secret_not_found: 'Secret does not exist',
  handle_taken: 'PID already taken',
  email_conflict: 'Email sudah terhubung dengan akun lain',
  popup_exists: 'Popup request already exists',
  credential_already_linked: 'Credential already linked',
  closure_blocked: 'The identity cannot be closed yet',
  identity_final: 'A closed identity stays closed',
  too_many_apps: 'An identity may have at most 50 apps',
  ticket_gone: 'Claim ticket has expired',
  body_too_large: 'Request body is too large',
  unsupported_media_type: 'The request body must be application/json',
  rate_limited: 'Too many requests',
  internal: 'Internal server error',
  provider_failed: 'The identity provider did not answer as expected',
  provider_not_configured: 'The external sign-in is not configured on the server',
  unavailable: 'Service is unavailable',
};

export type ErrorCode = keyof typeof statusByCode;
export type ErrorStatus = (typeof statusByCode)[ErrorCode];

/** The body of every error answer (interface section 7), and the error's code beside it. */
export interface ErrorBody {
  statusCode: ErrorStatus;
  /** An array exactly when validation failed. */
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
  /** The cause is in the log already, so this counts as a refusal there. */
  isLogged?: boolean;
}

/** The one error that crosses from features to HTTP. `message` is safe to show; `reason` is for the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly texts: string | string[];
  readonly reason: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly isLogged: boolean;

  constructor(code: ErrorCode, message?: string | string[] | null, options: AppErrorOptions = {}) {
    const texts = message ?? messageByCode[code];
    super(typeof texts === 'string' ? texts : texts.join('; '), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.texts = texts;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isLogged = options.isLogged ?? false;
  }

  get status(): ErrorStatus {
    return statusByCode[this.code];
  }

  get body(): ErrorBody {
    return { statusCode: this.status, message: this.texts, code: this.code };
  }
}

/** The real reason and its causes in one line, for operators. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Some runtime errors have only a code.
  const text =
    (error instanceof AppError && error.reason) || error.message || String(Reflect.get(error, 'code'));
  const why = error.cause === undefined ? '' : explain(error.cause);
  return text.includes(why) ? text : `${text}: ${why}`;
}
