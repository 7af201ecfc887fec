import { type ApiError, isApiError, isRefused } from './errors.ts';
import { hintLeftMs, hintSession, readHint } from './hint.ts';
import type { Send } from './request.ts';
import { fetchSession } from './session.ts';
import type { SessionStore } from './store.ts';
import type { ClientOptions } from './types.ts';

/**
 * The result of a refresh. An ApiError is 401 if the session is lost; any other error means that the session's state is
 * unknown.
 */
export type Refreshed = 'this_tab' | 'other' | ApiError;

export interface Refresher {
  /**
   * Ensures that the cookies are newer than those of a request. Concurrent calls in a tab share one renewal.
   * @param before the hint when the request was sent
   */
  renew(before: string | null): Promise<Refreshed>;
  /** Returns whether the access token has expired or is about to, according to the hint. */
  isStale(): boolean;
}

/** The longest time a refresh can take, in any tab: no lock is held longer, and no winner's response arrives later. */
const refreshTimeoutMs = 8_000;
const lockPatienceMs = 4_000;
/** How long a failure is returned again without another attempt, unless someone has since signed in. */
const failureMs = 2_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isNewer = (before: string | null) => ![before, null].includes(readHint());
/** An expired hint, as after a night's sleep, does not make a refresh unnecessary. */
const isRenewed = (before: string | null) => isNewer(before) && hintLeftMs(readHint()) > 0;

export function createRefresher(
  { refresh: { skewMs = 30_000 } = {} }: ClientOptions,
  send: Send,
  store: SessionStore,
  sharedName: string | null,
): Refresher {
  let running: Promise<Refreshed> | undefined;
  /** The hint after the last refresh. */
  let lastHint: string | null = null;
  let failed: { until: number; error: ApiError } | undefined;
  /** Set when a new token already looks stale: this machine's clock is wrong, so only a 401 is reliable. */
  let isClockOff = false;

  function fail(error: ApiError): ApiError {
    failed = { until: Date.now() + failureMs, error };
    return error;
  }

  async function run(before: string | null): Promise<Refreshed> {
    const result = await attempt(before);
    // A request sent before this tab's own refresh proves nothing.
    const isNews = readHint() !== lastHint || !lastHint;
    lastHint = readHint();
    if (!isApiError(result)) {
      failed = undefined;
      if (isNews) store.renewed(result, hintSession(before) !== hintSession(lastHint));
    } else if (result.statusCode === 401) store.end('expired');
    else store.lose(result);
    return result;
  }

  async function attempt(before: string | null): Promise<Refreshed> {
    if (isRenewed(before)) return 'other';
    if (failed && Date.now() < failed.until && lastHint === readHint()) return failed.error;
    const sentAt = Date.now();
    const answer = await withLock(sharedName, async () =>
      // Another tab or a sibling app may have renewed the cookies while this one waited for the lock.
      isRenewed(before) ? 'other' : send('/v1/auth/refresh', { method: 'POST', timeoutMs: refreshTimeoutMs }),
    );
    if (answer === 'other') return answer;
    if (!isApiError(answer)) {
      isClockOff = hintLeftMs(readHint()) < skewMs;
      return 'this_tab';
    }
    if (isRefused(answer)) return afterRefusal(before, sentAt);
    // The response may be lost even though its cookies have arrived.
    return isNewer(before) ? 'other' : fail(answer);
  }

  /** A rejected refresh is usually a lost race, so it is not final: the winner's cookies decide. */
  async function afterRefusal(before: string | null, sentAt: number): Promise<Refreshed> {
    await sleep(150 + Math.random() * 250);
    let read = await readSession(before);
    // The hint of a revoked session is deleted. While a hint exists, a winner's response may still arrive.
    while (before && isRefused(read) && readHint() === before && Date.now() < sentAt + refreshTimeoutMs) {
      await sleep(250);
      if (readHint() !== before) read = await readSession(before);
    }
    return isApiError(read) ? fail(read) : 'other';
  }

  async function readSession(before: string | null): Promise<'other' | ApiError> {
    if (isNewer(before)) return 'other';
    const read = await fetchSession(send);
    if (isApiError(read)) return read;
    store.accept(read);
    return 'other';
  }

  return {
    renew(before) {
      running ??= run(before).finally(() => {
        running = undefined;
      });
      return running;
    },
    isStale: () => !isClockOff && hintLeftMs(readHint()) < skewMs,
  };
}

/**
 * Runs `work` under a lock shared by this origin's tabs. Waits only for a limited time, because the tab with the lock
 * may be frozen. Never steals the lock, and works without a lock in browsers that lack locks.
 */
async function withLock<T>(name: string | null, work: () => Promise<T>): Promise<T> {
  let started: Promise<T> | undefined;
  const start = () => {
    started ??= work();
    return started;
  };
  if (name) {
    // Rejects if the lock was not granted in time, or this context has no locks.
    await globalThis.navigator?.locks
      ?.request(name, { signal: AbortSignal.timeout(lockPatienceMs) }, start)
      .catch(() => {});
  }
  return start();
}
