import type { DevClock } from '../deps.ts';

/** The real clock, until somebody advances it. */
export function createDevClock(realNow: () => number): DevClock {
  let offset = 0;
  return {
    now: () => realNow() + offset,
    offset: () => offset,
    advance(milliseconds) {
      offset += milliseconds;
    },
  };
}
