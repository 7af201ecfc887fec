import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogFields } from '../../src/deps.ts';
import type { Take } from '../../src/lib/token-bucket.ts';
import { createGuardedBuckets, type SharedBuckets } from '../../src/platform/limits/bucket-guard.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';

const start = 1_800_000_000_000;

/** A store that responds according to `behave`, and counts its calls. */
function guarded(behave: (take: () => Take) => Promise<Take>) {
  const memory = createMemoryBuckets();
  const asked: string[] = [];
  const told: [string, LogFields | undefined][] = [];
  const shared: SharedBuckets = {
    take(key, limit, now) {
      asked.push(key);
      return behave(() => memory.take(key, limit, now));
    },
  };
  const note = (event: string, fields?: LogFields) => void told.push([event, fields]);
  const buckets = createGuardedBuckets(shared, { debug: note, info: note, warn: note, error: note });
  const take = async (key: string, limit: number, now: number) => buckets.take(key, limit, now);
  return { take, buckets, asked, told };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a shared store that responds', () => {
  it('decides without logging', async () => {
    const { take, told } = guarded(async (answer) => answer());
    const takes = await Promise.all(Array.from({ length: 30 }, () => take('key', 20, start)));
    expect(takes.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(takes.filter(({ blind }) => blind)).toEqual([]);
    expect(told).toEqual([]);
  });

  it('is called only once per token during a flood, and never grants one late', async () => {
    const { take, asked } = guarded(async (answer) => answer());
    const passedAt: number[] = [];
    for (let ms = 0; ms < 30_000; ms += 10) {
      if ((await take('key', 20, start + ms)).allowed) passedAt.push(ms);
    }
    expect(passedAt.slice(20)).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27].map((second) => second * 1000));
    expect(asked.length).toBeLessThanOrEqual(40);
  });

  it('rejects each key separately and predicts when to retry', async () => {
    const { take, buckets } = guarded(async (answer) => answer());
    for (let request = 0; request < 6; request += 1) await take('key', 5, start);
    expect(buckets.take('key', 5, start + 4_500)).toMatchObject({
      allowed: false,
      remaining: 0,
      resetSeconds: 8,
    });
    expect((await take('other', 5, start + 4_500)).allowed).toBe(true);
    expect((await take('key', 5, start + 12_000)).allowed).toBe(true);
  });

  it('is called again after the clock jumps far back', async () => {
    const { take, asked } = guarded(async (answer) => answer());
    for (let request = 0; request < 6; request += 1) await take('key', 5, start);
    await take('key', 5, start - 3_600_000);
    expect(asked).toHaveLength(7);
  });
});

describe('a shared store that fails [R-14]', () => {
  it('is replaced by exact buckets in the process, which mark their responses', async () => {
    const { take } = guarded(() => Promise.reject(new Error('the store is down')));
    const takes = await Promise.all(Array.from({ length: 200 }, () => take('key', 20, start)));
    expect(takes.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(takes.every(({ blind }) => blind)).toBe(true);
  });

  it('is retried by one request a second and logged once a minute', async () => {
    const { take, asked, told } = guarded(() => Promise.reject(new Error('the store is down')));
    for (let ms = 0; ms < 150_000; ms += 100) await take('key', 1_000_000, start + ms);
    expect(asked).toHaveLength(150);
    expect(told.map(([event]) => event)).toEqual(Array.from({ length: 3 }, () => 'rate_limit.store_failed'));
    expect(told[0]?.[1]?.['error']).toMatchObject({ message: 'the store is down' });
  });

  it('decides again as soon as it responds', async () => {
    let fails = true;
    const { take } = guarded(async (answer) => {
      if (fails) throw new Error('the store is down');
      return answer();
    });
    expect((await take('key', 20, start)).blind).toBe(true);
    fails = false;
    expect((await take('key', 20, start + 500)).blind).toBe(true);
    expect((await take('key', 20, start + 1_000)).blind).toBeUndefined();
    expect((await take('key', 20, start + 1_001)).blind).toBeUndefined();
  });

  it('is treated as failed if it throws synchronously', async () => {
    const { take } = guarded(() => {
      throw new Error('no such binding');
    });
    expect((await take('key', 20, start)).blind).toBe(true);
  });
});

describe('a shared store that is slow [R-14]', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** Advances time only as far as the work waits, and returns the total wait. */
  async function waitedMs(work: Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    for (await settle(); !isDone; await settle()) vi.advanceTimersToNextTimer();
    await done;
    return performance.now() - startedAt;
  }

  it('delays a request by at most 200 ms, and later ones not at all', async () => {
    const { take, told } = guarded(async (answer) => {
      await wait(1_000);
      return answer();
    });
    const first = Promise.all(Array.from({ length: 50 }, () => take('key', 20, start)));
    expect(await waitedMs(first)).toBe(100);
    expect((await first).every(({ blind }) => blind)).toBe(true);
    const next = Promise.all(Array.from({ length: 50 }, () => take('key', 20, start + 1)));
    expect(await waitedMs(next)).toBe(0);
    expect(told).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toHaveLength(1);
  });
});

describe('a shared store that responds while the event loop is busy', () => {
  const busyFor = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; );
  };

  it('is not treated as failed, because its response is waiting to be read', async () => {
    const { take, told } = guarded(async (answer) => {
      await readFile(import.meta.filename);
      return answer();
    });
    const asked = take('key', 20, start);
    busyFor(300);
    expect((await asked).blind).toBeUndefined();
    expect(told).toEqual([]);
  });

  it('is not treated as failed, even if every turn of the loop is late', async () => {
    const { take, told } = guarded(async (answer) => {
      for (let turn = 0; turn < 5; turn += 1) {
        await wait(0);
        busyFor(60);
      }
      return answer();
    });
    expect((await take('key', 20, start)).blind).toBeUndefined();
    expect(told).toEqual([]);
  });
});
