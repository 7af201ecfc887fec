import type { PopupKind } from './types.ts';

/** A window that was opened in advance, for a call that must await something first. */
export interface PreparedPopup {
  /** Closes the window if it is not needed after all. */
  close(): void;
}

/** Options for every call that opens a popup. */
export interface PopupCall {
  /** A window from `popup.prepare`; by default a new one is opened. */
  window?: PreparedPopup;
  /** Closes the popup: the promise rejects with PopupClosedError, reason `aborted`. */
  signal?: AbortSignal;
}

/** The subject of the approval: an inquiry, or a request that the app's back end has created with `createApproval`. */
export type ApprovalRequest = { inquiryId: string } | { requestId: string; verifier: string };

/**
 * An approval, which `confirmTransfer` redeems once, until `expiresAt`. Only the client that requested it can do so: it does
 * not contain the secret that this needs.
 */
export interface ApprovalGrant {
  readonly approvalId: string;
  readonly expiresAt: string;
}

/** Options common to all popups. */
export interface PopupApi {
  /** False on servers, without `popupBaseUrl`, and where windows cannot return; use a redirect there. */
  isSupported(): boolean;
  /**
   * Opens an empty window within the click, for a call that must await something first. If the browser blocks it, the
   * call reports that.
   */
  prepare(kind?: PopupKind): PreparedPopup;
  /**
   * Asks the person to approve a payment for this app (`appId`). Call it in the click handler, before any `await`. Approving
   * moves nothing: pass the result to `fiat.confirmTransfer` within 30 seconds, or let the back end that made the request
   * confirm it.
   * @throws only PopupBlockedError (`busy` while any other popup is open), PopupClosedError, PopupRejectedError or
   * PopupUnavailableError
   */
  approve(input: ApprovalRequest, call?: PopupCall): Promise<ApprovalGrant>;
  /** The open popup, or null. */
  readonly active: { kind: PopupKind; focus(): void; cancel(): void } | null;
}
