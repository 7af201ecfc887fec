import { type ApiError, isApiError, isRefused } from './errors.ts';
import { hintLeftMs, hintSession, readHint } from './hint.ts';
import type { Send } from './request.ts';
import type { SessionStore } from './store.ts';
import type { ClientOptions, Session } from './types.ts';

/** What came of a refresh; an ApiError is 401 when the session is lost, and else says why nobody knows. */
export type Refreshed = 'this_tab' | 'other' | ApiError;

export interface Refresher {
  /**
   * Makes sure that the cookies are newer than those a request went out with. One runs at a time in a tab.
   * @param before the hint as it was when the request was sent
   */
  renew(before: string | null): Promise<Refreshed>;
  /** Whether the hint says that a request would come too late. */
  isStale(): boolean;
}

/** How long another tab's refresh may take: nobody holds the lock longer, and no winner's answer comes later. */
const refreshTimeoutMs = 8_000;
const lockPatienceMs = 4_000;
/** How long a failure is answered again without another try, unless somebody has signed in since. */
const failureMs = 2_000;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function createRefresher(
  { refresh: { skewMs = 30_000 } = {} }: ClientOptions,
  send: Send,
  store: SessionStore,
  sharedName: string | null,
): Refresher {
  let running: Promise<Refreshed> | undefined;
  /** The hint as the last refresh left it. */
  let noted: string | null = null;
  let failed: { until: number; error: ApiError } | undefined;
  /** Set when a fresh token already looks old: this machine's clock is off, so only a 401 is believed. */
  let isClockOff = false;

  const isNewer = (before: string | null) => ![before, null].includes(readHint());
  /** A hint that has itself expired, as after a night's sleep, saves no refresh. */
  const isRenewed = (before: string | null) => isNewer(before) && hintLeftMs(readHint()) > 0;

  function fail(error: ApiError): ApiError {
    failed = { until: Date.now() + failureMs, error };
    return error;
  }

  async function run(before: string | null): Promise<Refreshed> {
    const result = await attempt(before);
    // A call that went out before this tab's own refresh finds nothing new.
    const isNews = readHint() !== noted || !noted;
    noted = readHint();
    if (!isApiError(result)) {
      failed = undefined;
      if (isNews) store.renewed(result, hintSession(before) !== hintSession(noted));
    } else if (result.statusCode === 401) store.end('expired');
    else store.lose(result);
    return result;
  }

  async function attempt(before: string | null): Promise<Refreshed> {
    if (isRenewed(before)) return 'other';
    if (failed && Date.now() < failed.until && noted === readHint()) return failed.error;
    const sentAt = Date.now();
    const answer = await withLock(sharedName, async () =>
      // A tab or a sibling app may have been faster while this one waited for its turn.
      isRenewed(before) ? 'other' : send('/v1/auth/refresh', { method: 'POST', timeoutMs: refreshTimeoutMs }),
    );
    if (answer === 'other') return answer;
    if (!isApiError(answer)) {
      isClockOff = hintLeftMs(readHint()) < skewMs;
      return 'this_tab';
    }
    if (answer.statusCode === 401) return afterRefusal(before, sentAt);
    // The answer may be lost although its cookies have arrived.
    return isNewer(before) ? 'other' : fail(answer);
  }

  /** A refused refresh is most often a lost race, so it is no verdict: the winner's cookies decide. */
  async function afterRefusal(before: string | null, sentAt: number): Promise<Refreshed> {
    await sleep(150 + Math.random() * 250);
    let read = await readSession(before);
    // A session that has ended takes its hint along. While it stays, a winner's answer may still be on its way.
    while (before && isRefused(read) && readHint() === before && Date.now() < sentAt + refreshTimeoutMs) {
      await sleep(250);
      if (readHint() !== before) read = await readSession(before);
    }
    return isApiError(read) ? fail(read) : 'other';
  }

  async function readSession(before: string | null): Promise<'other' | ApiError> {
    if (isNewer(before)) return 'other';
    const read = await send<Session>('/v1/auth/session');
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
 * Runs `work` in turn with the other tabs of this origin, but waits no longer than a bound: a tab that holds the
 * lock may be frozen. The lock is never stolen, and a browser without locks just goes on.
 */
async function withLock<T>(name: string | null, work: () => Promise<T>): Promise<T> {
  let started: Promise<T> | undefined;
  const start = () => {
    started ??= work();
    return started;
  };
  if (name) {
    // Refused when there was no turn in time, or when this context has no locks.
    await globalThis.navigator?.locks
      ?.request(name, { signal: AbortSignal.timeout(lockPatienceMs) }, start)
      .catch(() => {});
  }
  return start();
}
