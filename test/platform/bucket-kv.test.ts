import type { KVNamespace } from '@cloudflare/workers-types';
import { describe, expect, it } from 'vitest';
import { createKvBuckets } from '../../src/platform/limits/bucket-kv.ts';

interface Stored {
  value: string;
  ttl: number | undefined;
}

/**
 * A stand-in for Workers KV, because the real one cannot be made to fail or slow down. It is a map that counts its
 * calls. The suite that runs in workerd uses the real one.
 */
function fakeKv(behave: () => Promise<void> = async () => {}) {
  const entries = new Map<string, Stored>();
  const gets: string[] = [];
  const puts: string[] = [];
  const kv = {
    async get(name: string) {
      gets.push(name);
      await behave();
      return JSON.parse(entries.get(name)?.value ?? 'null');
    },
    async put(name: string, value: string, { expirationTtl }: { expirationTtl?: number } = {}) {
      puts.push(name);
      await behave();
      entries.set(name, { value, ttl: expirationTtl });
    },
  };
  return { kv: kv as unknown as KVNamespace, entries, gets, puts };
}

/** One isolate's buckets, and a way to wait for their background work. */
function isolate(kv: KVNamespace) {
  const pending: Promise<unknown>[] = [];
  const buckets = createKvBuckets(kv, (work) => void pending.push(work));
  const take = async (key: string, limit: number, now: number) => buckets.take(key, limit, now);
  return { take, settle: () => Promise.all(pending), pending };
}

const start = 1_800_000_000_000;

describe('buckets shared through KV', () => {
  it('do not use KV while a bucket is at least half full', async () => {
    const { kv, gets, puts } = fakeKv();
    const { take, settle } = isolate(kv);
    for (let request = 0; request < 10; request += 1) await take('key', 20, start);
    await settle();
    expect([gets, puts]).toEqual([[], []]);
    await take('key', 20, start);
    await settle();
    expect([gets, puts]).toEqual([['bucket:key'], ['bucket:key']]);
  });

  it('read and write a key below half at most once a second, regardless of the number of requests [D-64]', async () => {
    const { kv, gets, puts, entries } = fakeKv();
    const { take, settle } = isolate(kv);
    for (let ms = 0; ms < 5_000; ms += 10) await take('key', 20, start + ms);
    await settle();
    expect(puts.length).toBeGreaterThanOrEqual(4);
    expect(puts.length).toBeLessThanOrEqual(5);
    expect(gets.length).toBe(puts.length);
    // KV rejects shorter lifetimes than this one.
    expect(entries.get('bucket:key')?.ttl).toBe(60);
  });

  it('write a key at most once a second while 50,000 others are written [D-64]', async () => {
    const { kv, puts } = fakeKv();
    const { take, settle } = isolate(kv);
    const written = () => puts.filter((name) => name === 'bucket:key').length;
    const half = start + 500;
    for (let other = 0; other < 50_000; other += 1) {
      const now = half + Math.floor(other / 51);
      await take(`other-${other}`, 1, now);
      if (other % 100 === 0) await take('key', 1, now);
    }
    await settle();
    expect(puts).toHaveLength(50_001);
    expect(written()).toBe(1);
    await take('key', 1, half + 1_000);
    await settle();
    expect(written()).toBe(2);
  });

  it('are still shared after the clock jumps far back', async () => {
    const { kv, puts } = fakeKv();
    const { take, settle } = isolate(kv);
    await take('key', 1, start);
    await take('key', 1, start - 1);
    await settle();
    expect(puts).toHaveLength(1);
    await take('key', 1, start - 3_600_000);
    await settle();
    expect(puts).toHaveLength(2);
  });

  it('keep keys separate', async () => {
    const { kv, puts } = fakeKv();
    const { take, settle } = isolate(kv);
    for (let request = 0; request < 20; request += 1)
      await Promise.all([take('one', 20, start), take('other', 20, start)]);
    await settle();
    expect(puts.sort()).toEqual(['bucket:one', 'bucket:other']);
  });

  it('share used tokens with another isolate and never give tokens back', async () => {
    const { kv } = fakeKv();
    const one = isolate(kv);
    for (let request = 0; request < 20; request += 1) await one.take('key', 20, start);
    await one.settle();
    await one.take('key', 20, start + 1_000);
    await one.settle();
    const other = isolate(kv);
    for (let request = 0; request < 11; request += 1)
      expect((await other.take('key', 20, start + 1_100)).allowed).toBe(true);
    await other.settle();
    expect((await other.take('key', 20, start + 1_100)).allowed).toBe(false);
    // The first isolate has nothing left, and the second one's view does not change that.
    expect((await one.take('key', 20, start + 1_200)).allowed).toBe(false);
  });

  it('refill the value stored in KV over time', async () => {
    const { kv } = fakeKv();
    const one = isolate(kv);
    for (let request = 0; request < 20; request += 1) await one.take('key', 20, start);
    await one.settle();
    const other = isolate(kv);
    let passed = 0;
    for (let request = 0; request < 30; request += 1) {
      if ((await other.take('key', 20, start + 60_000)).allowed) passed += 1;
      await other.settle();
    }
    expect(passed).toBe(20);
  });

  it('are exact in one isolate while KV fails, without an error for any request [R-14]', async () => {
    const { kv, gets } = fakeKv(() => Promise.reject(new Error('KV is down')));
    const { take, settle } = isolate(kv);
    const takes = await Promise.all(Array.from({ length: 200 }, () => take('key', 20, start)));
    await settle();
    expect(takes.filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(gets).toHaveLength(1);
    expect((await take('key', 20, start + 3_000)).allowed).toBe(true);
  });

  it('do not wait for a slow KV [R-14]', async () => {
    const slow = Promise.withResolvers<void>();
    const { kv, gets } = fakeKv(() => slow.promise);
    const { take, settle, pending } = isolate(kv);
    for (let request = 0; request < 50; request += 1) await take('key', 20, start + request);
    // Only now does KV respond.
    expect([gets.length, pending.length > 0]).toEqual([1, true]);
    slow.resolve();
    await settle();
  });

  it('keep tokens that refilled while KV was slow', async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { kv, gets } = fakeKv(() => slow);
    const { take, settle } = isolate(kv);
    for (let request = 0; request < 10; request += 1) await take('key', 10, start);
    expect((await take('key', 10, start + 42_000)).remaining).toBe(6);
    expect(gets).toHaveLength(1);
    release();
    await settle();
    expect((await take('key', 10, start + 42_000)).remaining).toBe(5);
  });

  it('ignore an invalid value', async () => {
    const { kv, entries } = fakeKv();
    for (const value of ['null', '{}', '{"tokens":"many","at":null}', '"text"']) {
      entries.set('bucket:key', { value, ttl: 60 });
      const { take, settle } = isolate(kv);
      let passed = 0;
      for (let request = 0; request < 30; request += 1) {
        if ((await take('key', 20, start)).allowed) passed += 1;
        await settle();
      }
      expect(passed, value).toBeLessThanOrEqual(20);
      expect(passed, value).toBeGreaterThanOrEqual(11);
    }
  });
});
