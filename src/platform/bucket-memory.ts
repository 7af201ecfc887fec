import { type Bucket, type BucketStore, takeFrom, tokensAt } from '../lib/token-bucket.ts';

const generationMs = 60_000;

export interface MemoryBuckets extends BucketStore {
  take(key: string, limit: number, now: number): ReturnType<typeof takeFrom>;
  /** Lowers a bucket to what another isolate saw of it; never raises it. */
  lower(key: string, bucket: Bucket): void;
}

/**
 * Buckets in this process: exact here, unknown elsewhere. A bucket nobody touched for a minute is full, which
 * is what an absent one is, so two generations of a minute each forget the idle ones without any sweep.
 */
export function createMemoryBuckets(): MemoryBuckets {
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let turnsAt = 0;

  function find(key: string, now: number): Bucket | undefined {
    if (now >= turnsAt) {
      old = now >= turnsAt + generationMs ? new Map() : young;
      young = new Map();
      turnsAt = now + generationMs;
    }
    return young.get(key) ?? old.get(key);
  }

  return {
    take(key, limit, now) {
      const bucket = find(key, now);
      const take = takeFrom(tokensAt(bucket, limit, now), limit);
      young.set(key, { tokens: take.left, at: Math.max(now, bucket?.at ?? 0) });
      return take;
    },
    lower(key, bucket) {
      const mine = young.get(key);
      if (mine && bucket.tokens < mine.tokens) mine.tokens = bucket.tokens;
    },
  };
}
