/** What a rate limiter's store answers to one request for a token. */
export interface Take {
  readonly allowed: boolean;
  /** Tokens left after this request, with fractions. */
  readonly left: number;
  /** Whole ones among them. */
  readonly remaining: number;
  /** Seconds until one more token is there (when refused) or until the bucket is full again (when allowed). */
  readonly resetSeconds: number;
  /** The shared store did not answer: this is what this process alone knows. */
  readonly blind?: true;
}

/** Keeps token buckets. Capacity is `limit`, refill is `limit` per minute; one `take` is atomic in its store. */
export interface BucketStore {
  /**
   * Answers at once where the store is in this process, and within `patienceMs` where it is not.
   * @param key names the bucket
   * @param patienceMs what is left of `storePatienceMs`
   */
  take(key: string, limit: number, now: number, patienceMs?: number): Take | Promise<Take>;
}

/** A bucket as it is stored: how full it was at a moment. Fractional tokens are kept. */
export interface Bucket {
  tokens: number;
  at: number;
}

/** How long a request waits for a store outside its process, all in all; on top comes what timers are late. */
export const storePatienceMs = 150;

/** An empty bucket is full again after this; so one that nobody touched for so long need not be kept. */
export const windowMs = 60_000;

/** Tokens in the bucket at `now`, at most `limit`. A clock that went back refills nothing. */
export function tokensAt(bucket: Bucket | undefined, limit: number, now: number): number {
  if (bucket === undefined) return limit;
  return Math.min(limit, bucket.tokens + (Math.max(0, now - bucket.at) * limit) / windowMs);
}

/** Takes one token out of `tokens`, and says what is left and when to come back. */
export function takeFrom(tokens: number, limit: number): Take {
  const allowed = tokens >= 1;
  const left = allowed ? tokens - 1 : tokens;
  const missing = allowed ? limit - left : 1 - left;
  return {
    allowed,
    left,
    remaining: Math.floor(left),
    resetSeconds: Math.max(1, Math.ceil(msToRefill(missing, limit) / 1000)),
  };
}

/** Milliseconds in which so many tokens arrive. */
export function msToRefill(tokens: number, limit: number): number {
  return (tokens * windowMs) / limit;
}
