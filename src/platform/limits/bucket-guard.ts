import type { Logger } from '../../deps.ts';
import {
  type BucketStore,
  msToRefill,
  storePatienceMs,
  type Take,
  takeFrom,
  windowMs,
} from '../../lib/token-bucket.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { createMemoryBuckets } from './bucket-memory.ts';

/** A store outside this process, which may be slow or fail. */
export interface SharedBuckets {
  take(key: string, limit: number, now: number, asker?: Asker): Promise<Take>;
}

/** The signal of the request waiting for a token. If the request has given up, the store should not use a token. */
export interface Asker {
  hasLeft: boolean;
}

/** The delay after a failure until one request tries the store again. */
const pauseMs = 1_000;
const logEveryMs = 60_000;
const mostRefusals = 10_000;

/**
 * Shields requests from a shared store that is slow or fails: one request a second waits for it, at most its patience,
 * and buckets in this process handle the others, marked as blind.
 *
 * A rejection is cached until the next token is due. A flood therefore costs the store one call per token instead of
 * one per request.
 */
export function createGuardedBuckets(shared: SharedBuckets, log: Logger): BucketStore {
  const own = createMemoryBuckets();
  const refusedUntil = new Map<string, number>();
  let down = false;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function blindly(key: string, limit: number, now: number): Take {
    return { ...own.take(key, limit, now), blind: true };
  }

  function failed(error: unknown, now: number): void {
    down = true;
    triedAt = now;
    if (isWithin(loggedAt, logEveryMs, now)) return;
    loggedAt = now;
    log.error('rate_limit.store_failed', { error });
  }

  function remember(key: string, limit: number, { left }: Take, now: number): void {
    if (refusedUntil.size >= mostRefusals) refusedUntil.clear();
    refusedUntil.set(key, now + Math.floor(msToRefill(1 - left, limit)));
  }

  async function ask(key: string, limit: number, now: number): Promise<Take> {
    const asker: Asker = { hasLeft: false };
    try {
      const take = await withTimeout(
        shared.take(key, limit, now, asker),
        storePatienceMs,
        'the rate limit store',
      );
      down = false;
      if (!take.allowed) remember(key, limit, take, now);
      return take;
    } catch (error) {
      asker.hasLeft = true;
      failed(error, now);
      return blindly(key, limit, now);
    }
  }

  return {
    take(key, limit, now) {
      const until = refusedUntil.get(key) ?? 0;
      if (until > now && until - now <= windowMs) {
        return takeFrom(1 - ((until - now) * limit) / windowMs, limit);
      }
      if (down) {
        if (isWithin(triedAt, pauseMs, now)) return blindly(key, limit, now);
        triedAt = now;
      }
      return ask(key, limit, now);
    },
  };
}

/** Returns whether `now` is less than `span` after `start`; false if the clock went back. */
function isWithin(start: number, span: number, now: number): boolean {
  return now >= start && now - start < span;
}
