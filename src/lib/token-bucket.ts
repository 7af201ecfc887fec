/** The response of a bucket store to one request. */
export interface Take {
  readonly allowed: boolean;
  /** The tokens left after this request. */
  readonly left: number;
  /** The number of whole tokens left. */
  readonly remaining: number;
  /** Seconds until the next token (if rejected), or until the bucket is full (if allowed). */
  readonly resetSeconds: number;
  /** True if the shared store did not respond, so only this process counted. */
  readonly blind?: true;
}

/** Token buckets with `limit` tokens, refilled by `limit` per minute. A `take` is atomic in its store. */
export interface BucketStore {
  /** Resolves immediately in this process, or within `storePatienceMs` with a shared store. */
  take(key: string, limit: number, now: number): Take | Promise<Take>;
}

/** The fill level of a bucket at a given time, with fractions. */
export interface Bucket {
  tokens: number;
  at: number;
}

/** The maximum time that a request waits for each of its two buckets in a shared store, apart from timer delays. */
export const storePatienceMs = 100;

/** The time until an empty bucket is full again, after which an idle bucket can be dropped. */
export const windowMs = 60_000;

/** The tokens in the bucket at `now`, at most `limit`. A clock that goes back refills nothing. */
export function tokensAt(bucket: Bucket | undefined, limit: number, now: number): number {
  if (bucket === undefined) return limit;
  return Math.min(limit, bucket.tokens + (Math.max(0, now - bucket.at) * limit) / windowMs);
}

/** Takes one token out of `tokens`. */
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

export function msToRefill(tokens: number, limit: number): number {
  return (tokens * windowMs) / limit;
}
