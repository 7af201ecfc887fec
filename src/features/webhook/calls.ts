import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';

/** The maximum number of concurrent calls to one app. */
const mostOfApp = 5;

/**
 * The calls in progress to each app, by all runs of this process that share them, because many concurrent requests must
 * not flood a receiver.
 */
export interface Calls {
  /** Registers a call, unless enough are in progress. */
  enter(deps: Deps, app: string): boolean;
  leave(deps: Deps, app: string): void;
}

/** @param leaseMs the maximum time for which a call is registered: calls of an aborted run expire with its leases */
export function createCalls(leaseMs: number): Calls {
  /** The start times of the calls in progress, oldest first, in each process. */
  const calling = new WeakMap<Deps, Map<string, readonly number[]>>();
  return {
    enter(deps, app) {
      const calls = getOrInsert(calling, deps, () => new Map<string, readonly number[]>());
      const now = deps.now();
      const since = (calls.get(app) ?? []).filter((at) => at > now - leaseMs);
      if (since.length >= mostOfApp) return false;
      calls.set(app, [...since, now]);
      return true;
    },
    leave(deps, app) {
      const calls = calling.get(deps);
      const [, ...others] = calls?.get(app) ?? [];
      if (others.length > 0) calls?.set(app, others);
      else calls?.delete(app);
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
