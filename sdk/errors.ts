/** The service's error response, or a missing response. */
export interface ApiError {
  /** The HTTP status, or 0 if the service sent no response: offline, timeout, aborted, or a response from a proxy. */
  readonly statusCode: number;
  /** An array only if validation failed. */
  readonly message: string | string[];
  /**
   * A stable error code for programs, such as `not_fresh`; `message` is for people. `network_error` means that the service
   * sent no response, and `not_same_site` that the browser withholds the cookies because the page and the service are on
   * different sites.
   */
  readonly code?: string;
  /** The `Retry-After` header, in seconds. */
  readonly retryAfter?: number;
}

/** A call's result: the value, or the error as data. No value has a `statusCode`. */
export type Result<T> = T | ApiError;

/** Returns whether a result is an error. */
export function isApiError(value: unknown): value is ApiError {
  return typeof (value as ApiError | null | undefined)?.statusCode === 'number';
}

/** The service sent no response. @internal */
export const networkError: ApiError = { statusCode: 0, message: 'Network error', code: 'network_error' };

/** Returns whether the service has told this page that nobody is signed in, which stops renewal. @internal */
export const isSignedOut = (value: unknown): boolean =>
  isApiError(value) && /^(no_session|not_same_site|origin_not_first_party)$/.test(value.code ?? '');

/** Returns whether a renewal may help. @internal */
export const isRefused = (value: unknown): boolean =>
  isApiError(value) && value.statusCode === 401 && !isSignedOut(value);

/** The error's message on one line. */
export function errorMessage(error: ApiError): string {
  return ([] as string[]).concat(error.message).join('; ');
}

/**
 * Returns the value, or throws the error.
 * @throws Error with the service's message; its `cause` is the ApiError
 */
export function unwrap<T>(result: Result<T>): T {
  if (isApiError(result)) throw toError(result);
  return result;
}

/** A plain Error with the service's message. @internal */
export const toError = (cause: ApiError): Error => new Error(errorMessage(cause), { cause });

/** A popup error's code. */
export type PopupErrorCode = 'popup_blocked' | 'popup_closed' | 'popup_unavailable' | 'popup_rejected';

class CodedError<Code extends PopupErrorCode, Reason extends string> extends Error {
  declare readonly code: Code;
  declare readonly reason: Reason;

  constructor(
    kind: string,
    reason: Reason,
    text: string = reason,
    about = 'Request rejected: ',
    cause?: ApiError,
  ) {
    super(about + (cause ? errorMessage(cause) : text), { cause });
    Object.assign(this, { name: `Popup${kind}Error`, code: `popup_${kind.toLowerCase()}`, reason });
  }
}

/** The browser blocked the window, or another popup of this client is open (`busy`). */
export class PopupBlockedError extends CodedError<'popup_blocked', 'browser' | 'busy'> {
  constructor(reason: 'browser' | 'busy', text?: string) {
    super('Blocked', reason, text, 'Popup blocked by ');
  }
}

/**
 * The reason why a popup was closed: by the person, by a timeout, by the caller, or because its code could not be
 * loaded.
 */
export type PopupClosing = 'user' | 'timeout' | 'aborted' | 'network';

/**
 * The window was closed without a result, which is treated as a rejection: the message starts with `Request rejected`.
 */
export class PopupClosedError extends CodedError<'popup_closed', PopupClosing> {
  constructor(reason: PopupClosing, text?: string) {
    super('Closed', reason, text);
  }
}

/** The reason why popups are unavailable. */
export type PopupObstacle = 'no_base_url' | 'no_window' | 'not_same_site';

/**
 * `popupBaseUrl` is not set, there is no browser window (on a server), or the page and the service are on different sites, so
 * the browser would withhold the cookies of the sign-in.
 */
export class PopupUnavailableError extends CodedError<'popup_unavailable', PopupObstacle> {
  constructor(reason: PopupObstacle) {
    super('Unavailable', reason, reason, 'Popup unavailable: ');
  }
}

/** The reason why a popup's request was rejected. */
export type PopupRejection = 'denied' | 'malformed' | 'tampered' | 'origin' | 'terms_changed' | 'expired';

/** The person declined, or the service rejected the request; the message starts with `Request rejected`. */
export class PopupRejectedError extends CodedError<'popup_rejected', PopupRejection> {
  constructor(reason: PopupRejection, cause?: ApiError, text?: string) {
    super('Rejected', reason, text, undefined, cause);
  }
}

/** Every error that a popup's promise rejects with. */
export type PopupError = PopupBlockedError | PopupClosedError | PopupUnavailableError | PopupRejectedError;

/** Returns whether an error is a popup error, even from another copy of this library. */
export function isPopupError(error: unknown, code?: PopupErrorCode): error is PopupError {
  const found = (error as PopupError | null | undefined)?.code ?? '';
  return code ? found === code : /^popup_/.test(found);
}
