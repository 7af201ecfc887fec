import type { KVNamespace } from '@cloudflare/workers-types';
import { type Bucket, type BucketStore, tokensAt } from '../lib/token-bucket.ts';
import { createMemoryBuckets } from './bucket-memory.ts';

/** KV refuses shorter lifetimes; a bucket is full again after a minute anyway. */
const kvTtlSeconds = 60;
const shareEveryMs = 1_000;

/**
 * Buckets in the isolate, shared between isolates through Workers KV, in the background of the request.
 *
 * Exact in one isolate. Across isolates approximate: a bucket is read and written in KV only while it is
 * below half, at most once a second a key, and KV itself may show a write late. So n isolates that one
 * client reaches at once admit at most n times the limit. A KV that fails only ends the sharing.
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
 * Says yes at most once a second a key. Two generations of a second each forget the others without a sweep. There
 * is no bound on their number: the buckets themselves keep the same keys, and for a minute.
 */
function createOncePerSecond(): { isDue(key: string, now: number): boolean } {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let current = Number.NEGATIVE_INFINITY;

  /** A request may carry a moment of the second before; a clock that went back further starts afresh. */
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
