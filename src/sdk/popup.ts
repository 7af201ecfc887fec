import type { Core } from './core.ts';
import { PopupBlockedError, PopupClosedError, PopupUnavailableError } from './errors.ts';
import { isBrowser } from './hint.ts';
import { type PopupJob, runPopup } from './popup-flow.ts';
import { canOpen, openWindow, type Prepared, randomText } from './popup-window.ts';
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

export function createPopup(core: Core): PopupApi {
  return {
    isSupported: () => !unavailable(core) && canOpen(),
    prepare() {
      const id = randomText(16);
      const opened = unavailable(core) ? null : openWindow(core, id);
      const prepared: PreparedPopup & Prepared = { id, opened, close: () => opened?.close() };
      return prepared;
    },
    get active() {
      return core.popup;
    },
  };
}

/**
 * Opens a popup and resolves with its result. Awaits nothing before the window is open: browsers forget a click
 * quickly, Safari at once.
 */
export function openPopup<T>(core: Core, job: PopupJob<T>, call: PopupCall = {}): Promise<T> {
  const prepared = call.window as (PreparedPopup & Prepared) | undefined;
  const active = core.popup;
  const refusal =
    unavailable(core) ||
    (call.signal?.aborted && new PopupClosedError('aborted')) ||
    (active && active.key !== job.key && new PopupBlockedError('busy'));
  if (refusal || active) prepared?.close();
  if (refusal) return Promise.reject(refusal);
  if (active) {
    active.focus();
    return active.promise as Promise<T>;
  }
  return runPopup(core, job, prepared, call.signal);
}

function unavailable({ options }: Core): PopupUnavailableError | null {
  if (!isBrowser() || options.ssr) return new PopupUnavailableError('no_window');
  return options.popupBaseUrl ? null : new PopupUnavailableError('no_base_url');
}
