import type { PopupKind } from './types.ts';

/** A window opened in advance, for a call that has to await something first. */
export interface PreparedPopup {
  /** Closes the window if it is not needed. */
  close(): void;
}

/** Options for every call that opens a popup. */
export interface PopupCall {
  /** A window from `popup.prepare`; by default a new one is opened. */
  window?: PreparedPopup;
  /** An abort signal that closes the popup: the promise rejects with PopupClosedError, reason `aborted`. */
  signal?: AbortSignal;
}

/** The subject of the approval: an inquiry, or a request created by the app's back end with `createApproval`. */
export type ApprovalRequest = { inquiryId: string } | { requestId: string; verifier: string };

/**
 * An approval, which `confirmTransfer` redeems once, until `expiresAt`. Only the requesting client can redeem it,
 * because the approval does not contain the necessary secret.
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
   * Opens an empty window within the click, for a call that has to await something first. If the browser blocks the
   * window, the call reports the error.
   */
  prepare(kind?: PopupKind): PreparedPopup;
  /**
   * Requests the person's approval of a payment for this app (`appId`). Call it in the click handler, before any
   * `await`. The approval moves no money: pass it to `fiat.confirmTransfer` within 30 seconds, or let the requesting
   * back end confirm the inquiry.
   * @throws only PopupBlockedError (`busy` while any other popup is open), PopupClosedError, PopupRejectedError or
   *   PopupUnavailableError
   */
  approve(input: ApprovalRequest, call?: PopupCall): Promise<ApprovalGrant>;
  /** The open popup, or null. */
  readonly active: { kind: PopupKind; focus(): void; cancel(): void } | null;
}
