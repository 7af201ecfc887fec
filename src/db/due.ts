/** Scheduled work, kept as rows with `next_at` and `tries`. */
export interface DueWork<Row> {
  readonly atOnce: number;
  /** The number of rows per run. */
  readonly most: number;
  /**
   * Claims due rows with one conditional UPDATE, which moves their time forward before anything is done, so that each
   * row has only one worker. If a worker dies, its rows are due again at that time.
   */
  claim(limit: number): Promise<Row[]>;
  /** True if a claim below its limit means that no more rows are due. */
  readonly claimsAll: boolean;
  /** Returns whether it succeeded. External failures are handled; only a database failure rejects. */
  handle(row: Row): Promise<boolean>;
}

/**
 * Processes due rows. A slow row occupies only its own slot, and the others continue. No work continues after this
 * function returns, even if the database fails for one row.
 */
export async function workOff<Row>({
  atOnce,
  most,
  claim,
  claimsAll,
  handle,
}: DueWork<Row>): Promise<{ done: number; failed: number }> {
  const counts = { done: 0, failed: 0 };
  const running = new Set<Promise<void>>();
  const handled: Promise<void>[] = [];
  const start = (row: Row) => {
    const one = handle(row)
      .then((worked) => {
        counts[worked ? 'done' : 'failed'] += 1;
      })
      .finally(() => running.delete(one));
    running.add(one);
    handled.push(one);
  };
  try {
    while (handled.length < most) {
      const places = Math.min(atOnce - running.size, most - handled.length);
      const rows = await claim(places);
      for (const row of rows) start(row);
      const short = rows.length < places;
      if (running.size === 0 || (short && claimsAll)) break;
      if (short || running.size === atOnce) await Promise.race(running);
    }
  } finally {
    await Promise.allSettled(handled);
  }
  await Promise.all(handled);
  return counts;
}

/** Returns the delay after a failed attempt, which doubles each time. @param tries the number of attempts, from 1 */
export function pauseAfter(tries: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** (tries - 1), longestMs);
}
