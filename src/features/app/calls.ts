import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { getOrInsert } from '../../lib/memoize.ts';

/** The maximum number of concurrent calls to one app, or started by one person. */
const mostOfOne = 5;

/**
 * The calls in progress to each app, or those started by each person, in all runs of this process that share this
 * object, so that many concurrent requests do not flood a receiver.
 */
export interface Calls {
  /** Registers a call, unless enough are in progress. */
  enter(deps: Deps, key: string): boolean;
  leave(deps: Deps, key: string): void;
}

/**
 * @param leaseMs the maximum time for which a call is registered: calls of an aborted run expire with its leases
 * @param most the maximum number of concurrent calls of one key
 */
export function createCalls(leaseMs: number, most = mostOfOne): Calls {
  /** The start times of the calls in progress, oldest first, in each process. */
  const calling = new WeakMap<Deps, Map<string, readonly number[]>>();
  return {
    enter(deps, key) {
      const calls = getOrInsert(calling, deps, () => new Map<string, readonly number[]>());
      const now = deps.now();
      const since = (calls.get(key) ?? []).filter((at) => at > now - leaseMs);
      if (since.length >= most) return false;
      calls.set(key, [...since, now]);
      return true;
    },
    leave(deps, key) {
      const calls = calling.get(deps);
      const [, ...others] = calls?.get(key) ?? [];
      if (others.length > 0) calls?.set(key, others);
      else calls?.delete(key);
    },
  };
}

/**
 * Claims work for apps, with one slot for each time an app is listed. Slots that the claim does not use are released;
 * the runs with calls in progress continue with the app's work.
 */
export async function claimWithin<Row extends { readonly app_id: string }>(
  calls: Calls,
  deps: Deps,
  apps: readonly string[],
  claim: (few: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const unused = apps.filter((app) => calls.enter(deps, app));
  try {
    const rows = unused.length > 0 ? await claim([...unused]) : [];
    for (const { app_id: app } of rows) unused.splice(unused.indexOf(app), 1);
    return rows;
  } finally {
    for (const app of unused) calls.leave(deps, app);
  }
}

/** The maximum number of calls that requests wait for, whoever started them. */
const mostOfAll = 100;
/** Longer than the slowest of these calls can take. */
const requestLeaseMs = 20_000;
const retryAfterSeconds = 5;
const ofPerson = createCalls(requestLeaseMs);
const ofEverybody = createCalls(requestLeaseMs, mostOfAll);

/**
 * Runs a request's work that calls an address chosen by its person: at most five at once for each person and a hundred
 * in all, because such an address may never answer. Deliveries have their own limits.
 * @throws AppError rate_limited
 */
export async function callingFor<T>(deps: Deps, handle: string, work: () => Promise<T>): Promise<T> {
  if (!ofPerson.enter(deps, handle)) throw new AppError('rate_limited', null, { retryAfterSeconds });
  try {
    if (!ofEverybody.enter(deps, '')) throw new AppError('rate_limited', null, { retryAfterSeconds });
    return await work().finally(() => ofEverybody.leave(deps, ''));
  } finally {
    ofPerson.leave(deps, handle);
  }
}
