import { isApiError, isRefused, isSignedOut, type Result } from './errors.ts';
import { hintLeftMs, hintSession, isBrowser, readHint } from './hint.ts';
import type { Send } from './request.ts';
import type { SessionStore } from './store.ts';
import type { ClientOptions, LoginOutcome, Session } from './types.ts';

/** Reads the session, and renews it only if `send` does. */
export const fetchSession = (send: Send, signal?: AbortSignal): Promise<Result<Session>> =>
  send('/v1/auth/session', { signal });

export interface SessionReader {
  /** Reads the session. Concurrent reads without a signal share one request. */
  readSession(signal?: AbortSignal): Promise<Result<Session>>;
  /** The session in memory, as long as its access token is valid and no other tab has renewed it. */
  knownSession(): Session | null;
  /** Reads the session after a sign-in. Never renews, because a renewal could restore an older session. */
  redeem(): Promise<Result<LoginOutcome>>;
  /** Reads the session unless it has been read before. */
  readFirst(): void;
}

/** @param ender removes the listeners */
export function createSessionReader(
  { ssr, initialSession }: ClientOptions,
  { send, call }: { send: Send; call: Send },
  store: SessionStore,
  ender: AbortController,
): SessionReader {
  let reading: Promise<Result<Session>> | undefined;
  /** The hint at the time of the last read. */
  let seen = initialSession ? readHint() : null;
  /** A page rendered for a signed-out visitor may still be able to renew a session. */
  let isUnread = initialSession === null && readHint();

  async function read(signal?: AbortSignal): Promise<Result<Session>> {
    isUnread = null;
    const answer = await fetchSession(call, signal);
    if (!isApiError(answer)) {
      seen = readHint();
      store.accept(answer);
    } else if (ssr || signal?.aborted) {
      // The browser resolves a session that a server cannot renew.
    } else if (isSignedOut(answer)) store.end('expired');
    else if (store.get().status === 'loading' || !isRefused(answer)) store.lose(answer);
    return answer;
  }

  const reader: SessionReader = {
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
    async redeem() {
      const session = await fetchSession(send);
      if (isApiError(session)) return session;
      store.accept(session, true);
      return { type: 'signed_in', session };
    },
    readFirst() {
      if (store.get().status === 'loading' || isUnread) store.reread();
    },
  };

  /** Reads the session again if the hint shows a change by a sibling app, or if the last read failed. */
  function look(): void {
    const { status } = store.get();
    const isOther = hintSession(readHint()) !== hintSession(seen);
    if (document.hidden || (status !== 'unreachable' && (status === 'loading' || !isOther))) return;
    seen = readHint();
    store.reread();
  }

  store.reread = () => void reader.readSession();
  if (isBrowser() && !ssr) {
    // The controller is passed as the options because it has the `signal` that removes the listeners.
    document.addEventListener('visibilitychange', look, ender);
    window.addEventListener('online', look, ender);
  }
  return reader;
}
