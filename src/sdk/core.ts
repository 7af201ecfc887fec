import { type ClaimApi, createClaim } from './claim.ts';
import { isApiError, isRefused, type Result } from './errors.ts';
import { hintLeftMs, hintSession, isBrowser, readHint } from './hint.ts';
import { createRefresher, type Refreshed } from './refresh.ts';
import { type Call, createSend, type Send } from './request.ts';
import { createStore, type SessionStore } from './store.ts';
import type { ClientOptions, LoginOutcome, PopupKind, Session } from './types.ts';

/** A popup on its way; a client has one at most. */
export interface ActivePopup {
  readonly kind: PopupKind;
  /** Tells a repeated call from one for something else. */
  readonly key: string;
  readonly promise: Promise<unknown>;
  focus(): void;
  cancel(): void;
}

/** What every area of the client is made of. */
export interface Core {
  readonly options: ClientOptions;
  readonly baseUrl: string;
  /** Whence a popup's messages come. */
  readonly popupOrigin: string;
  readonly store: SessionStore;
  /** Sends a call as it is. */
  readonly send: Send;
  /** Sends a call of a signed-in person: the cookies are renewed before or after, once, and then it is repeated. */
  readonly call: Send;
  /** The same for any kind of answer; says also what came of the last refresh, if there was one. */
  recover<T>(attempt: () => Promise<T>, isRefusal: (answer: T) => boolean): Promise<[T, Refreshed?]>;
  /** Renews the cookies now. */
  refresh(): Promise<Refreshed>;
  /** Fetches what a sign-in brought; never renews, so that no older session gets in the way. */
  redeem(): Promise<Result<LoginOutcome>>;
  /** For every way of signing in, since each may be a newcomer's. */
  readonly claim: ClaimApi;
  /** Reads the session; reads at the same time are one, unless one can be aborted. */
  readSession(signal?: AbortSignal): Promise<Result<Session>>;
  /** The session as it is known, while its access token lasts and nobody renewed it. */
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
  /** The hint as it was when the session was last read. */
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

  /** What other apps of the parent domain did meanwhile shows in the hint; what could not be read is tried again. */
  function look(): void {
    const { status } = store.get();
    const isOther = hintSession(readHint()) !== hintSession(seen);
    if (document.hidden || (status !== 'unreachable' && (status === 'loading' || !isOther))) return;
    seen = readHint();
    void core.readSession();
  }

  store.reread = () => void core.readSession();
  if (isBrowser() && !isSsr) {
    // The controller itself is the options: it has the `signal` that ends the listeners.
    document.addEventListener('visibilitychange', look, ender);
    window.addEventListener('online', look, ender);
  }
  return core;
}
