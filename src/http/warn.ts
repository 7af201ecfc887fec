import type { Deps, LogFields } from '../deps.ts';
import { remember } from '../lib/once.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';

type Gate = ReturnType<typeof onceAMinute>;
const gates = new WeakMap<Deps, Map<string, Gate>>();

/** Logs a warning that anybody can cause: once a minute for each subject, and no more than a hundred subjects of an event. */
export function warnOnceAMinute(deps: Deps, event: string, subject: string, fields: LogFields): void {
  const ofDeps = remember(gates, deps, () => new Map<string, Gate>());
  const passes = remember(ofDeps, event, onceAMinute);
  if (passes(subject, deps.now())) deps.log.warn(event, fields);
}
