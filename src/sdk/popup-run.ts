import type { ApiError, PopupClosing, PopupRejection, Result } from './errors.ts';
import type { Send } from './request.ts';
import type { PopupKind } from './types.ts';

/** The purpose of a popup. */
export interface PopupJob<T> {
  readonly kind: PopupKind;
  /** Equal for repeated calls with the same purpose. */
  readonly key: string;
  /** The request's body besides its id and challenge. */
  readonly body: Record<string, unknown>;
  /** Registers the request: `Core.send`, or `Core.call` for a signed-in person. */
  readonly send: Send;
  /** Fetches the result of an approved request. */
  redeem(): Promise<Result<T>>;
}

/** How a popup ends. Data, because the file that finds out imports no error class. */
export type PopupEnd<T = unknown> =
  | { readonly value: T }
  | { readonly closed: PopupClosing }
  | { readonly rejected: PopupRejection; readonly cause?: ApiError };

/** The client's open popup. */
export interface PopupRun {
  readonly kind: PopupKind;
  readonly key: string;
  readonly id: string;
  readonly promise: Promise<unknown>;
  /** When it times out. */
  readonly until: number;
  /** Null as long as the browser blocks it. */
  window: Window | null;
  /** Aborts when the popup ends, and so removes its listeners. */
  readonly ender: AbortController;
  /** Opens a window that the browser has blocked, in a new click. */
  retry(): void;
  /** The window is open. */
  begin(): void;
  focus(): void;
  cancel(): void;
  /** Settles the promise and closes the window. */
  end(end: PopupEnd): void;
}
