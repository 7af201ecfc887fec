import type { PopupKind } from './types.ts';

/** A window that was opened in advance, for a call that must await something first. */
export interface PreparedPopup {
  /** Closes the window if it is not needed after all. */
  close(): void;
}

/** Options of every call that opens a popup. */
export interface PopupCall {
  /** A window from `popup.prepare`; by default a new one is opened. */
  window?: PreparedPopup;
  /** Closes the popup: the promise rejects with PopupClosedError, reason `aborted`. */
  signal?: AbortSignal;
}

/** Options common to all popups. */
export interface PopupApi {
  /** False on servers, without `popupBaseUrl`, and where windows cannot return; use a redirect there. */
  isSupported(): boolean;
  /**
   * Opens an empty window in the click, for a call that must await something first. If the browser blocks it, the
   * call reports that.
   */
  prepare(kind?: PopupKind): PreparedPopup;
  /** The open popup, or null. */
  readonly active: { kind: PopupKind; focus(): void; cancel(): void } | null;
}
