const minuteMs = 60_000;
const mostKeys = 100;

/**
 * Lets each key pass once a minute, for log lines that anyone can cause. While a hundred keys are stored, no other key
 * passes, so that a flood of keys fills neither the log nor the memory.
 * @returns true if the key passes at `now` (epoch ms)
 */
export function throttle(): (key: string, now: number) => boolean {
  /** The time at which each key last passed, oldest first. */
  const passed = new Map<string, number>();
  return (key, now) => {
    for (const [old, at] of passed) {
      // This also applies after the clock has gone back.
      if (now >= at && now - at < minuteMs) break;
      passed.delete(old);
    }
    if (passed.has(key) || passed.size >= mostKeys) return false;
    passed.set(key, now);
    return true;
  };
}
