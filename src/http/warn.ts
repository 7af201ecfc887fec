import type { Deps, LogFields } from '../deps.ts';
import { getOrInsert } from '../lib/memoize.ts';
import { throttle } from '../lib/throttle.ts';

type Gate = ReturnType<typeof throttle>;
const gates = new WeakMap<Deps, Map<string, Gate>>();

/**
 * Logs a warning that anyone can cause: at most once a minute per subject, and for at most a hundred subjects per
 * event.
 */
export function warnOnceAMinute(deps: Deps, event: string, subject: string, fields: LogFields): void {
  const ofDeps = getOrInsert(gates, deps, () => new Map<string, Gate>());
  const passes = getOrInsert(ofDeps, event, throttle);
  if (passes(subject, deps.now())) deps.log.warn(event, fields);
}
