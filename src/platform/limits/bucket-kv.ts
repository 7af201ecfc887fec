import type { KVNamespace } from '@cloudflare/workers-types';
import { type Bucket, type BucketStore, tokensAt } from '../../lib/token-bucket.ts';
import { createMemoryBuckets } from './bucket-memory.ts';

/** The shortest lifetime that KV accepts; by then a bucket is full again. */
const kvTtlSeconds = 60;
const shareEveryMs = 1_000;

/**
 * Buckets in the isolate, shared between isolates through Workers KV, in the background of the request.
 *
 * Exact within an isolate and approximate across isolates: a bucket is shared only while it is below half, at most once
 * a second, and KV may be slow to return a write. A client that reaches n isolates gets at most n times the limit. If
 * KV fails, only the sharing stops.
 */
export function createKvBuckets(kv: KVNamespace, background: (work: Promise<unknown>) => void): BucketStore {
  const local = createMemoryBuckets();
  const sharing = createOncePerSecond();

  async function share(key: string, limit: number, mine: Bucket): Promise<void> {
    const name = `bucket:${key}`;
    const theirs = await kv.get<Bucket>(name, 'json');
    const tokens = Math.min(mine.tokens, tokensAt(theirs ?? undefined, limit, mine.at));
    local.lower(key, limit, { tokens, at: mine.at });
    await kv.put(name, JSON.stringify({ tokens, at: mine.at }), { expirationTtl: kvTtlSeconds });
  }

  return {
    take(key, limit, now) {
      const take = local.take(key, limit, now);
      if (take.left < limit / 2 && sharing.isDue(key, now)) {
        background(share(key, limit, { tokens: take.left, at: now }).catch(() => {}));
      }
      return take;
    },
  };
}

/**
 * Returns true at most once a second per key. Two generations of a second each drop old keys without a sweep. They need
 * no size limit, because the buckets keep the same keys for a minute.
 */
function createOncePerSecond(): { isDue(key: string, now: number): boolean } {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let current = Number.NEGATIVE_INFINITY;

  /** A request may carry the time of the previous second; if the clock went back further, everything is dropped. */
  function turn(now: number): void {
    const second = Math.floor(now / shareEveryMs);
    if (second === current || second === current - 1) return;
    old = second === current + 1 ? young : new Map();
    young = new Map();
    current = second;
  }

  return {
    isDue(key, now) {
      turn(now);
      const last = young.get(key) ?? old.get(key) ?? Number.NEGATIVE_INFINITY;
      if (now - last < shareEveryMs) return false;
      young.set(key, now);
      return true;
    },
  };
}
