/** Scheduled work, kept as rows with `next_at` and `tries`. */
export interface DueWork<Row> {
  readonly atOnce: number;
  /** The number of rows that one run handles. */
  readonly most: number;
  /**
   * Claims due rows with one conditional UPDATE, which moves their time forward before anything is done, so that
   * each row has one worker. If a worker dies, its rows are due again at that time.
   */
  claim(limit: number): Promise<Row[]>;
  /** True if a claim below its limit means that nothing else is due. */
  readonly claimsAll: boolean;
  /** Returns whether it succeeded. Failures outside the service are handled; only a database failure rejects. */
  handle(row: Row): Promise<boolean>;
}

/**
 * Processes what is due. A slow row holds up only its own slot: the others continue. Nothing keeps running after this,
 * even when the database fails one.
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

/** Returns the pause after a failed attempt: twice as long each time. @param tries the number of attempts, from 1 */
export function pauseAfter(tries: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** (tries - 1), longestMs);
}
