import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';

describe('buckets in memory', () => {
  it('never admit fewer requests than their limit, or more than the limit plus the refill [D-63]', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), gaps, (limit, waits) => {
        const buckets = createMemoryBuckets();
        let now = 1_700_000_000_000;
        const startedAt = now;
        let passed = 0;
        for (const wait of waits) {
          now += wait;
          if (buckets.take('key', limit, now).allowed) passed += 1;
        }
        const seconds = (now - startedAt) / 1000;
        expect(passed).toBeLessThanOrEqual(limit + Math.floor((seconds * limit) / 60 + 1e-6));
        expect(passed).toBeGreaterThanOrEqual(Math.min(limit, waits.length));
      }),
    );
  });

  it('always admit a steady caller at the limit, and half the requests at twice the limit', () => {
    for (const limit of [5, 10, 20, 60]) {
      const buckets = createMemoryBuckets();
      let now = 0;
      let passed = 0;
      for (let request = 0; request < limit * 10; request += 1) {
        now += 60_000 / limit;
        expect(buckets.take('steady', limit, now).allowed).toBe(true);
      }
      for (let request = 0; request < limit * 20; request += 1) {
        now += 30_000 / limit;
        if (buckets.take('fast', limit, now).allowed) passed += 1;
      }
      expect(passed).toBeGreaterThanOrEqual(limit * 10);
      expect(passed).toBeLessThanOrEqual(limit * 11);
    }
  });

  it('keep fractions of a token, so two waits of half a token make one', () => {
    const buckets = createMemoryBuckets();
    for (let request = 0; request < 20; request += 1) expect(buckets.take('key', 20, 0).allowed).toBe(true);
    expect(buckets.take('key', 20, 1_500).allowed).toBe(false);
    expect(buckets.take('key', 20, 2_999).allowed).toBe(false);
    expect(buckets.take('key', 20, 3_000).allowed).toBe(true);
    expect(buckets.take('key', 20, 3_000).allowed).toBe(false);
  });

  it('do not refill when the clock goes back, and do not count time twice when it catches up [R-17]', () => {
    const buckets = createMemoryBuckets();
    const now = 10_000_000;
    for (let request = 0; request < 20; request += 1) buckets.take('key', 20, now);
    expect(buckets.take('key', 20, now - 3_600_000).allowed).toBe(false);
    expect(buckets.take('key', 20, now).allowed).toBe(false);
    expect(buckets.take('key', 20, now + 3_000).allowed).toBe(true);
  });

  it('are never dropped early, and an empty one stays empty across generations', () => {
    for (const start of [0, 1, 29_999, 59_999]) {
      const buckets = createMemoryBuckets();
      buckets.take('first', 1, 0);
      for (let request = 0; request < 60; request += 1) buckets.take('key', 60, start);
      for (let second = 1; second <= 180; second += 1) {
        const results = [
          buckets.take('key', 60, start + second * 1000),
          buckets.take('key', 60, start + second * 1000),
        ];
        expect(
          results.map(({ allowed }) => allowed),
          `${start} ${second}`,
        ).toEqual([true, false]);
      }
    }
  });
});
