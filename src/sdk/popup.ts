import type { Core } from './core.ts';
import { PopupBlockedError, PopupClosedError, PopupUnavailableError } from './errors.ts';
import { isBrowser } from './hint.ts';
import { type PopupJob, runPopup } from './popup-flow.ts';
import { canOpen, openWindow, popupAddress, randomText } from './popup-window.ts';
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

interface Prepared extends PreparedPopup {
  readonly opened: Window | null;
  readonly id: string;
}

export function createPopup(core: Core): PopupApi {
  return {
    isSupported: () => unavailable(core) === null && canOpen(),
    prepare() {
      const id = randomText(16);
      const opened = unavailable(core) ? null : openWindow(core, id);
      const prepared: Prepared = { id, opened, close: () => opened?.close() };
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
  const { signal } = call;
  const prepared = call.window as Prepared | undefined;
  const active = core.popup;
  const refusal =
    unavailable(core) ??
    (signal?.aborted ? new PopupClosedError('aborted') : null) ??
    (active && active.key !== job.key ? new PopupBlockedError('busy') : null);
  if (refusal || active) prepared?.close();
  if (refusal) return Promise.reject(refusal);
  if (active) {
    active.focus();
    return active.promise as Promise<T>;
  }
  const id = prepared?.id ?? randomText(16);
  const address = popupAddress(core, job.kind, id);
  const opened = prepared ? prepared.opened : openWindow(core, id, address);
  if (prepared) opened?.location.replace(address);
  return runPopup(core, job, { id, opened, signal, reopen: () => openWindow(core, id, address) });
}

function unavailable({ options }: Core): PopupUnavailableError | null {
  if (!isBrowser() || options.ssr) return new PopupUnavailableError('no_window');
  return options.popupBaseUrl ? null : new PopupUnavailableError('no_base_url');
}
