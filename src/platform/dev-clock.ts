import type { DevClock } from '../deps.ts';

/** The real clock, plus the time by which it has been advanced. */
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
