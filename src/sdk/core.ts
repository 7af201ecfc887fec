import { type ClaimApi, createClaim } from './claim.ts';
import { isApiError, isRefused, type Result } from './errors.ts';
import { hintLeftMs, hintSession, isBrowser, readHint } from './hint.ts';
import { createRefresher, type Refreshed } from './refresh.ts';
import { type Call, createSend, type Send } from './request.ts';
import { createStore, type SessionStore } from './store.ts';
import type { ClientOptions, LoginOutcome, PopupKind, Session } from './types.ts';

/** The open popup. A client has at most one. */
export interface ActivePopup {
  readonly kind: PopupKind;
  /** Equal for repeated calls with the same purpose. */
  readonly key: string;
  readonly promise: Promise<unknown>;
  focus(): void;
  cancel(): void;
}

/** What the areas of the client share. */
export interface Core {
  readonly options: ClientOptions;
  readonly baseUrl: string;
  /** The origin of a popup's messages. */
  readonly popupOrigin: string;
  readonly store: SessionStore;
  /** Sends a request without renewing anything. */
  readonly send: Send;
  /**
   * Sends a request of a signed-in person. Renews the cookies before it when they are stale, or after a 401, and then
   * repeats it once.
   */
  readonly call: Send;
  /** `call` for any kind of response. Also returns the result of the refresh after a refusal, if there was one. */
  recover<T>(attempt: () => Promise<T>, isRefusal: (answer: T) => boolean): Promise<[T, Refreshed?]>;
  /** Renews the cookies now. */
  refresh(): Promise<Refreshed>;
  /** Reads the session after a sign-in. Never renews, because that could restore an older session. */
  redeem(): Promise<Result<LoginOutcome>>;
  /** Here because every way to sign in can lead to a claim. */
  readonly claim: ClaimApi;
  /** Reads the session. Concurrent reads without a signal share one request. */
  readSession(signal?: AbortSignal): Promise<Result<Session>>;
  /** The session in memory, as long as its access token is valid and has not been renewed by another tab. */
  knownSession(): Session | null;
  popup: ActivePopup | null;
  dispose(): void;
}

export function createCore(options: ClientOptions): Core {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const isSsr = !!options.ssr;
  const { origin } = new URL(baseUrl);
  const sharedName = options.refresh?.crossTab === false ? null : `pid:${origin}`;
  const store = createStore(isBrowser() && !isSsr ? sharedName : null);
  const send = createSend(options, baseUrl);
  const { renew, isStale } = createRefresher(options, send, store, sharedName);
  const renewsItself = !isSsr && options.refresh?.auto !== false;
  let reading: Promise<Result<Session>> | undefined;
  const ender = new AbortController();
  /** The hint when the session was last read. */
  let seen: string | null = null;

  const core: Core = {
    options,
    baseUrl,
    popupOrigin: new URL(options.popupBaseUrl || baseUrl).origin,
    store,
    send,
    async recover(attempt, isRefusal) {
      if (!renewsItself) return [await attempt()];
      if (isStale()) await core.refresh();
      const before = readHint();
      const answer = await attempt();
      if (!isRefusal(answer)) return [answer];
      const refreshed = await renew(before);
      return isApiError(refreshed) ? [answer, refreshed] : [await attempt(), refreshed];
    },
    async call<T>(path: string, call?: Call) {
      const [answer, refreshed] = await core.recover(() => send<T>(path, call), isRefused);
      return isApiError(refreshed) ? refreshed : answer;
    },
    async redeem() {
      const session = await send<Session>('/v1/auth/session');
      if (isApiError(session)) return session;
      store.accept(session, true);
      return { type: 'signed_in', session };
    },
    refresh: () => renew(readHint()),
    readSession(signal) {
      if (signal) return read(signal);
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    knownSession() {
      const isAuthenticated = store.get().status === 'authenticated';
      const isKnown = isAuthenticated && !reading && readHint() === seen && hintLeftMs(seen) > 0;
      return isKnown ? store.get().session : null;
    },
    popup: null,
    claim: createClaim(send, store),
    dispose() {
      ender.abort();
      core.popup?.cancel();
      store.dispose();
    },
  };

  async function read(signal?: AbortSignal): Promise<Result<Session>> {
    const answer = await core.call<Session>('/v1/auth/session', { signal });
    if (!isApiError(answer)) {
      seen = readHint();
      store.accept(answer);
    } else if (!isSsr && !signal?.aborted && (store.get().status === 'loading' || !isRefused(answer))) {
      store.lose(answer);
    }
    return answer;
  }

  /** Reads the session again if the hint shows that a sibling app changed it, or if the last read failed. */
  function look(): void {
    const { status } = store.get();
    const isOther = hintSession(readHint()) !== hintSession(seen);
    if (document.hidden || (status !== 'unreachable' && (status === 'loading' || !isOther))) return;
    seen = readHint();
    void core.readSession();
  }

  store.reread = () => void core.readSession();
  if (isBrowser() && !isSsr) {
    // The controller is passed as the options because it has the `signal` that removes the listeners.
    document.addEventListener('visibilitychange', look, ender);
    window.addEventListener('online', look, ender);
  }
  return core;
}
