import {
  type Bucket,
  type BucketStore,
  type Take,
  takeFrom,
  tokensAt,
  windowMs,
} from '../../lib/token-bucket.ts';

export interface MemoryBuckets extends BucketStore {
  take(key: string, limit: number, now: number): Take;
  /** Lowers a bucket to the level seen by another isolate; never raises it. */
  lower(key: string, limit: number, bucket: Bucket): void;
}

/**
 * Buckets in this process. A bucket untouched for a minute is full, like a missing one, so two generations of a minute
 * each drop idle buckets without a sweep.
 */
export function createMemoryBuckets(): MemoryBuckets {
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let turnsAt = 0;

  function find(key: string, now: number): Bucket | undefined {
    if (now >= turnsAt) {
      old = now >= turnsAt + windowMs ? new Map() : young;
      young = new Map();
      turnsAt = now + windowMs;
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
    lower(key, limit, bucket) {
      const mine = young.get(key) ?? old.get(key);
      if (mine) mine.tokens = Math.min(mine.tokens, tokensAt(bucket, limit, mine.at));
    },
  };
}
