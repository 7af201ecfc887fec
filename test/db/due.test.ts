import { describe, expect, it } from 'vitest';
import { pauseAfter, workOff } from '../../src/db/due.ts';

/** An in-memory queue, and the work of each row, which ends on request. */
function queueOf(rows: number[]) {
  const waiting = [...rows];
  const finish = new Map<number, (worked: boolean | Error) => void>();
  const claims: number[] = [];
  return {
    claims,
    claim: async (limit: number) => {
      claims.push(limit);
      return waiting.splice(0, limit);
    },
    handle: (row: number) =>
      new Promise<boolean>((resolve, reject) => {
        finish.set(row, (worked) => (worked instanceof Error ? reject(worked) : resolve(worked)));
      }),
    end: async (row: number, worked: boolean | Error = true) => {
      await expect.poll(() => finish.has(row)).toBe(true);
      finish.get(row)?.(worked);
    },
  };
}

describe('due work', () => {
  it('is processed alongside a slow row without exceeding its concurrency limit', async () => {
    const { claim, claims, handle, end } = queueOf([1, 2, 3, 4]);
    const counts = workOff({ atOnce: 2, most: 10, claimsAll: true, claim, handle });
    for (const row of [2, 3, 4]) await end(row);
    await end(1, false);
    expect(await counts).toEqual({ done: 3, failed: 1 });
    expect(claims).toEqual([2, 1, 1, 1]);
  });

  it('is limited to a fixed number of rows per run', async () => {
    const { claim, claims, handle, end } = queueOf([1, 2, 3, 4]);
    const counts = workOff({ atOnce: 2, most: 3, claimsAll: true, claim, handle });
    for (const row of [1, 2, 3]) await end(row);
    expect(await counts).toEqual({ done: 3, failed: 0 });
    expect(claims).toEqual([2, 1]);
  });

  it('is claimed again after each row if a claim may leave due rows behind', async () => {
    const { claim, claims, handle, end } = queueOf([1]);
    const counts = workOff({ atOnce: 2, most: 10, claimsAll: false, claim, handle });
    await end(1);
    expect(await counts).toEqual({ done: 1, failed: 0 });
    expect(claims).toEqual([2, 2]);
  });

  it('stops entirely if the database fails for one row', async () => {
    const { claim, handle, end } = queueOf([1, 2, 3]);
    let isOver = false;
    const counts = workOff({ atOnce: 2, most: 10, claimsAll: true, claim, handle }).finally(() => {
      isOver = true;
    });
    const failed = expect(counts).rejects.toThrow('down');
    await end(1, new Error('down'));
    expect(isOver).toBe(false);
    await end(2);
    await failed;
  });

  it('is retried after a delay that doubles each time, up to a limit', () => {
    expect([1, 2, 3, 4, 5].map((tries) => pauseAfter(tries, 10, 100))).toEqual([10, 20, 40, 80, 100]);
  });
});
