import type { Core } from './core.ts';
import {
  isApiError,
  PopupBlockedError,
  PopupClosedError,
  type PopupError,
  PopupRejectedError,
  type PopupRejection,
  type Result,
} from './errors.ts';
import { base64url, randomText } from './popup-window.ts';
import { sleep } from './refresh.ts';
import type { Send } from './request.ts';
import type { PopupKind, PopupPhase } from './types.ts';

/** What a popup is opened for. */
export interface PopupJob<T> {
  readonly kind: PopupKind;
  readonly key: string;
  /** What the request says besides its id and challenge. */
  readonly body: Record<string, unknown>;
  /** How it is registered: as it is, or as a call of a signed-in person. */
  readonly send: Send;
  /** Fetches what an approved request brought. */
  redeem(): Promise<Result<T>>;
}

interface Opened {
  readonly id: string;
  readonly opened: Window | null;
  readonly signal: AbortSignal | undefined;
  readonly reopen: () => Window | null;
}

/** How the service sees a request. */
interface PopupState {
  readonly status: string;
  readonly reason: 'terms_changed' | 'tampered' | null;
  readonly openerLost: boolean;
  readonly closed: boolean;
  readonly seversOpener: boolean;
}

const lookEveryMs = 400;
const pollEveryMs = 1_500;
/** A page that was cut from this one reports within three seconds of being shown. */
const firstBeatMs = 4_000;
/** Later than any clock can show. */
const never = 9e15;

/** Why a request fails that has this status, or whose registration is answered with this one. */
const rejections: Record<string, PopupRejection> = {
  denied: 'denied',
  invalid: 'tampered',
  expired: 'expired',
  lapsed: 'expired',
  0: 'origin',
  401: 'denied',
  403: 'origin',
  409: 'tampered',
};

/** Runs an opened popup to its end: the service's word counts, and messages only say when to ask. */
export function runPopup<T>(
  core: Core,
  job: PopupJob<T>,
  { id, opened, signal, reopen }: Opened,
): Promise<T> {
  const { send, store, options, popupOrigin } = core;
  const path = `/v1/popup/requests/${id}`;
  const verifier = randomText(32);
  const endsAt = Date.now() + (options.popup?.loginTimeoutMs ?? 300_000);
  let popup = opened;
  let phase: PopupPhase | undefined;
  let isRegistered = false;
  let isSettled = false;
  let polling: Promise<void> | undefined;
  /** Whether a page of the popup has spoken, and is the one that is shown. */
  let isHeard = false;
  let isAway = false;
  let wasClosed = false;
  let closedAt = 0;
  let refusals = 0;
  /** When to ask the service next; never while the window is there and silent. */
  let pollAt = never;

  let resolve: (value: T) => void;
  let reject: (error: unknown) => void;
  const promise = new Promise<T>((...functions) => {
    [resolve, reject] = functions;
  });

  function enter(next: PopupPhase): void {
    if (phase === next) return;
    phase = next;
    store.emit('popup', { kind: job.kind, phase: next });
  }

  function settle(error: PopupError | null, value?: T): void {
    if (isSettled) return;
    isSettled = true;
    clearInterval(timer);
    ender.abort();
    core.popup = null;
    popup?.close();
    enter('settled');
    if (error) reject(error);
    else resolve(value as T);
  }

  function cancel(reason: PopupClosedError['reason']): void {
    if (isSettled) return;
    popup?.postMessage({ pid: 1, c: id, t: 'cancel' }, popupOrigin);
    if (isRegistered) revoke();
    settle(new PopupClosedError(reason));
  }

  function revoke(): void {
    void send(`${path}/cancel`, { method: 'POST', body: { verifier }, keepalive: true });
  }

  /** The window exists before its request does: the page in it waits. */
  async function register(): Promise<void> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const body = { id, kind: job.kind, challenge: base64url(new Uint8Array(digest)), ...job.body };
    for (let tries = 1; !isSettled; tries += 1) {
      const answer = await job.send('/v1/popup/requests', { method: 'POST', body });
      if (!isApiError(answer)) {
        isRegistered = true;
        if (isSettled) revoke();
        return;
      }
      const { statusCode } = answer;
      const isFinal = statusCode > 0 && statusCode < 500 && statusCode !== 429;
      if (isFinal || tries === 4) {
        // A browser hides a 403 from a page that is not allowed. When the service cannot be reached, this throws.
        if (!statusCode) await fetch(core.baseUrl, { mode: 'no-cors' });
        return settle(new PopupRejectedError(rejections[statusCode] ?? 'malformed', answer));
      }
      await sleep(1_000);
    }
  }

  function look(): void {
    const now = Date.now();
    if (now >= endsAt) cancel('timeout');
    if (popup?.closed && !closedAt) {
      closedAt = now;
      pollAt = now;
    }
    if (now < pollAt || isSettled || polling) return;
    polling = poll().finally(() => {
      polling = undefined;
    });
  }

  async function poll(): Promise<void> {
    if (!isRegistered) {
      if (closedAt && Date.now() - closedAt >= pollEveryMs) cancel('user');
      return;
    }
    const state = await send<PopupState>(`${path}/poll`, { method: 'POST', body: { verifier } });
    pollAt = Date.now() + pollEveryMs;
    if (isSettled) return;
    if (!isApiError(state)) await judge(state);
    else if (state.statusCode === 404) settle(new PopupRejectedError('expired', state));
  }

  async function judge(state: PopupState): Promise<void> {
    const { status, reason } = state;
    const rejection = rejections[status];
    if (status === 'approved' || status === 'redeemed') await redeem();
    else if (rejection) settle(new PopupRejectedError(reason ?? rejection));
    else if (!closedAt) pollAt = never;
    else if (state.openerLost || (isAway && state.seversOpener)) enter('detached');
    else if (isGone(state)) cancel('user');
    wasClosed = state.closed;
  }

  /** Whether a window that looks closed is: one that was cut from this page looks the same. */
  function isGone({ status, closed }: PopupState): boolean {
    const forMs = Date.now() - closedAt;
    if (status === 'cancelled') return true;
    if (isAway) return forMs >= pollEveryMs;
    if (isHeard || (closed && wasClosed)) return true;
    return !closed && forMs >= (status === 'created' ? pollEveryMs : firstBeatMs);
  }

  /** Cookies of a popup may arrive a moment after the verdict, so a 401 is not believed at once. */
  async function redeem(): Promise<void> {
    const value = await job.redeem();
    if (!isApiError(value)) return settle(null, value);
    if (value.statusCode === 401) refusals += 1;
    if (refusals > 3) settle(new PopupRejectedError('denied', value));
  }

  /** Anybody may post messages here. Only the popup's own count, and all they do is to have the service asked. */
  function hear({ origin, source, data }: MessageEvent): void {
    if (origin !== popupOrigin || !popup || source !== popup || data?.pid !== 1 || data.c !== id) return;
    const { t } = data;
    if (t === 'decided' || t === 'closing') {
      pollAt = 0;
      look();
    } else if (t === 'ready' || t === 'back' || t === 'away') {
      isHeard = true;
      isAway = t === 'away';
      enter(isAway ? t : 'ready');
    }
  }

  function begin(): void {
    if (popup && !popup.closed) {
      enter('open');
      register().catch(() => settle(new PopupRejectedError('malformed')));
    } else if (options.popup?.onBlocked) options.popup.onBlocked(retry);
    else settle(new PopupBlockedError('browser'));
  }

  function retry(): void {
    if (isSettled || phase) return;
    popup = reopen();
    begin();
  }

  /** Whoever clicks again sees the window, also when the browser has blocked it before. */
  const focus = () => (phase ? popup?.focus() : retry());

  const timer = setInterval(look, lookEveryMs);
  const onAbort = () => cancel('aborted');
  const ender = new AbortController();
  const listen = (target: EventTarget | undefined, event: string, listener: EventListener) =>
    target?.addEventListener(event, listener, ender);
  listen(window, 'message', hear as EventListener);
  listen(window, 'pageshow', look);
  listen(window, 'online', look);
  listen(document, 'visibilitychange', look);
  listen(signal, 'abort', onAbort);
  core.popup = { kind: job.kind, key: job.key, promise, focus, cancel: onAbort };

  begin();
  return promise;
}
