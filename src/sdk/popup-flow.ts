import type { Core } from './core.ts';
import {
  isApiError,
  PopupBlockedError,
  PopupClosedError,
  PopupRejectedError,
  type Result,
} from './errors.ts';
import {
  begun,
  failed,
  heard,
  initialState,
  looked,
  type PopupEvent,
  polled,
  redeemed,
  reduce,
  registered,
} from './popup-state.ts';
import { base64url, openWindow, type Prepared, popupAddress, randomText } from './popup-window.ts';
import { sleep } from './refresh.ts';
import { networkError, type Send } from './request.ts';
import type { PopupKind } from './types.ts';

/** The purpose of a popup. */
export interface PopupJob<T> {
  readonly kind: PopupKind;
  readonly key: string;
  /** The request's body besides its id and challenge. */
  readonly body: Record<string, unknown>;
  /** Registers the request: `Core.send`, or `Core.call` for a signed-in person. */
  readonly send: Send;
  /** Fetches the result of an approved request. */
  redeem(): Promise<Result<T>>;
}

/** Opens a popup and runs it to its end: the window, timer, listeners and requests around `reduce`. */
export function runPopup<T>(
  core: Core,
  job: PopupJob<T>,
  prepared?: Prepared,
  signal?: AbortSignal,
): Promise<T> {
  const verifier = randomText(32);
  const id = prepared?.id ?? randomText(16);
  const address = popupAddress(core, job.kind, id);
  const open = () => openWindow(core, id, address);
  let popup = prepared ? prepared.opened : open();
  if (prepared) popup?.location.replace(address);
  let state = initialState(Date.now() + (core.options.popup?.loginTimeoutMs ?? 300_000));
  let resolve: (value: T | Promise<never>) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });

  function dispatch(event: PopupEvent): void {
    const before = state;
    state = reduce(before, event, Date.now(), !!popup?.closed);
    const { phase, asking } = state;
    if (asking && !before.asking) void ask();
    if (!phase || phase === before.phase) return;
    if (state.outcome) stop();
    core.store.emit('popup', { kind: job.kind, phase });
  }

  const abort = () => dispatch(failed(new PopupClosedError('aborted')));
  const send = <R>(action: string, keepalive = false) =>
    core.send<R>(`/v1/popup/requests/${id}/${action}`, { method: 'POST', body: { verifier }, keepalive });
  async function ask(): Promise<void> {
    dispatch(polled(await send('poll')));
    if (state.asking === 'redeem') dispatch(redeemed(await job.redeem()));
  }

  function stop(): void {
    if (state.outcome instanceof PopupClosedError) {
      popup?.postMessage({ pid: 1, c: id, t: 'cancel' }, core.popupOrigin);
      if (state.asking !== 'register') void send('cancel', true);
    }
    unwatch();
    core.popup = null;
    popup?.close();
    resolve(state.outcome instanceof Error ? Promise.reject(state.outcome) : (state.outcome as T));
  }

  /** Any window may post messages here. Only the popup's count, and they only say when to ask the service. */
  function hear({ origin, source, data }: MessageEvent): void {
    if (origin === core.popupOrigin && popup && source === popup && data?.pid === 1 && data.c === id)
      dispatch(heard(data.t));
  }

  function begin(): void {
    if (popup && !popup.closed) {
      dispatch(begun);
      register(core, job, id, verifier, () => state.outcome).then(
        (answer) => {
          if (state.outcome && !isApiError(answer)) void send('cancel', true);
          dispatch(registered(answer));
        },
        () => dispatch(failed(new PopupRejectedError('malformed'))),
      );
    } else if (core.options.popup?.onBlocked) core.options.popup.onBlocked(retry);
    else dispatch(failed(new PopupBlockedError('browser')));
  }

  function retry(): void {
    if (state.phase) return;
    popup = open();
    begin();
  }

  // A second click shows the window, even if the browser blocked it at first.
  const focus = () => (state.phase ? popup?.focus() : retry());
  const unwatch = watch(() => dispatch(looked), hear, abort, signal);
  core.popup = { kind: job.kind, key: job.key, promise, focus, cancel: abort };
  begin();
  return promise;
}

/** Calls back whenever the state may have changed, until the returned function is called. */
function watch(
  look: () => void,
  hear: (event: MessageEvent) => void,
  abort: () => void,
  signal: AbortSignal | undefined,
): () => void {
  const ender = new AbortController();
  const timer = setInterval(look, 400);
  window.addEventListener('message', hear, ender);
  window.addEventListener('pageshow', look, ender);
  window.addEventListener('online', look, ender);
  document.addEventListener('visibilitychange', look, ender);
  signal?.addEventListener('abort', abort, ender);
  return () => {
    clearInterval(timer);
    ender.abort();
  };
}

/**
 * Registers the request. Its window is open already; the page in it waits.
 * @throws TypeError when the service cannot be reached
 */
async function register(
  core: Core,
  job: PopupJob<unknown>,
  id: string,
  verifier: string,
  isOver: () => unknown,
): Promise<Result<unknown>> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const body = { id, kind: job.kind, challenge: base64url(new Uint8Array(digest)), ...job.body };
  for (let tries = 1; ; tries += 1) {
    if (isOver()) return networkError;
    const answer = await job.send('/v1/popup/requests', { method: 'POST', body });
    const status = isApiError(answer) ? answer.statusCode : 200;
    if ((status > 0 && status < 500 && status !== 429) || tries === 4) {
      // A browser hides a 403 from a page that is not allowed. When the service cannot be reached, this throws.
      if (!status) await fetch(core.baseUrl, { mode: 'no-cors' });
      return answer;
    }
    await sleep(1_000);
  }
}
