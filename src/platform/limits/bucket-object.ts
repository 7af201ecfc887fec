import { DurableObject } from 'cloudflare:workers';
import { msToRefill, type Take } from '../../lib/token-bucket.ts';
import type { SharedBuckets } from './bucket-guard.ts';
import { createMemoryBuckets } from './bucket-memory.ts';

/** The part of a Durable Object namespace used here. */
export interface BucketNamespace {
  getByName(name: string): SharedBuckets;
}

/**
 * Each object keeps the buckets whose keys hash to it. With one object per key, each new client would create an object,
 * and the first use of a name causes a worldwide lookup.
 */
const shards = 16;

/** Buckets in Durable Objects, exact across all isolates. */
export function createObjectBuckets(objects: BucketNamespace): SharedBuckets {
  return {
    take: (key, limit, now) => objects.getByName(`buckets-${hash(key) % shards}`).take(key, limit, now),
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/**
 * Keeps buckets only in memory. The runtime drops an idle object after ten seconds unless a timer is pending, so a
 * timer is pending until every bucket is full.
 */
export class RateLimitBuckets extends DurableObject {
  readonly #buckets = createMemoryBuckets();
  #fullAt = 0;
  #isHeld = false;

  take(key: string, limit: number, now: number): Take {
    const take = this.#buckets.take(key, limit, now);
    this.#fullAt = Math.max(this.#fullAt, Date.now() + msToRefill(limit - take.left, limit));
    if (!this.#isHeld) this.#hold();
    return take;
  }

  #hold(): void {
    this.#isHeld = true;
    setTimeout(() => {
      this.#isHeld = false;
      if (Date.now() < this.#fullAt) this.#hold();
    }, this.#fullAt - Date.now());
  }
}
