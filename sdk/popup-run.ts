import type { ApiError, PopupClosing, PopupRejection, Result } from './errors.ts';
import type { Call } from './request.ts';
import type { PopupKind } from './types.ts';

/** The purpose of a popup. */
export interface PopupJob {
  readonly kind: PopupKind;
  /**
   * Equal for repeated calls with the same purpose. An approval never equals another, so that people approve only the
   * content shown.
   */
  readonly key: unknown;
  /** The id of a request registered by the app's back end, if any. */
  readonly id?: string | undefined;
  /** Called when the window is open. */
  steps(): PopupSteps | Promise<PopupSteps>;
}

/** A popup's requests to the service. */
export interface PopupSteps {
  /** The request's body besides its id, kind and challenge. */
  readonly body: object;
  /** The verifier of a request registered by the app's back end, in which case `send` has nothing to do. */
  readonly known?: string | undefined;
  /**
   * Registers the request: `Core.send`, or `Core.call` for a signed-in person. Repeated after a temporary failure.
   * `approved` in the response means that no decision is needed.
   */
  send(path: string, call: Call): Promise<Result<object> | PopupFailure>;
  /**
   * Fetches an approved request's result. Repeated after a temporary failure.
   * @param status the service's response that reported the approval
   */
  redeem(
    id: string,
    verifier: string,
    status?: { readonly expiresAt?: string },
  ): Promise<Result<object> | PopupFailure>;
}

/** The service rejected something other than the popup, namely a transfer. */
export interface PopupFailure {
  readonly failed: ApiError;
}

/** The end of a popup. It is data, because the file that detects it imports no error class. The text is for people. */
export type PopupEnd =
  | { readonly value: object }
  | { readonly closed: PopupClosing; readonly text?: string }
  | { readonly rejected: PopupRejection; readonly cause?: ApiError; readonly text?: string }
  | PopupFailure;

/** The client's open popup. */
export interface PopupRun {
  readonly kind: PopupKind;
  readonly key: unknown;
  readonly id: string;
  readonly promise: Promise<unknown>;
  /** The time of the timeout. */
  readonly until: number;
  /** Null while the browser blocks it. */
  window: Window | null;
  /** Aborts when the popup ends, which removes its listeners. */
  readonly ender: AbortController;
  /** Lets the app show a button that retries. */
  block(): void;
  /** Opens a window that the browser has blocked, in a new click. */
  retry(): void;
  /** Called when the window is open. */
  begin(): void;
  focus(): void;
  cancel(): void;
  /** Settles the promise and closes the window. */
  end(end: PopupEnd): void;
}
