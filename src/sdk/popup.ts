import type { Core } from './core.ts';
import { PopupBlockedError, PopupClosedError, PopupUnavailableError } from './errors.ts';
import { isBrowser } from './hint.ts';
import { type PopupJob, runPopup } from './popup-flow.ts';
import { canOpen, openWindow, type Prepared, randomText } from './popup-window.ts';
import type { PopupKind } from './types.ts';

/** A window that is open already, for a call that has to wait for something first. */
export interface PreparedPopup {
  /** Not needed after all. */
  close(): void;
}

/** What every call that opens a popup takes. */
export interface PopupCall {
  /** A window from `popup.prepare`; a new one unless given. */
  window?: PreparedPopup;
  /** Gives up: the promise rejects with PopupClosedError, reason `aborted`. */
  signal?: AbortSignal;
}

/** Popups in general. */
export interface PopupApi {
  /** False on servers, without `popupBaseUrl`, and where windows cannot come back; use a redirect there. */
  isSupported(): boolean;
  /**
   * Opens an empty window in the click, for a call that must await something before it can open its popup.
   * A blocked window shows when the call is made.
   */
  prepare(kind?: PopupKind): PreparedPopup;
  /** The popup on its way, or null. */
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
 * Opens a popup and answers what came of it. Nothing is awaited before the window is there: browsers forget a click
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
