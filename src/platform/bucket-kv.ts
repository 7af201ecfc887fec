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
  const sharedAt = new Map<string, number>();

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
      if (take.left < limit / 2 && now - (sharedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= shareEveryMs) {
        if (sharedAt.size >= 10_000) sharedAt.clear();
        sharedAt.set(key, now);
        background(share(key, limit, { tokens: take.left, at: now }).catch(() => {}));
      }
      return take;
    },
  };
}
