/** What a rate limiter's store answers to one request for a token. */
export interface Take {
  readonly allowed: boolean;
  /** Whole tokens left after this request. */
  readonly remaining: number;
  /** Seconds until one more token is there (when refused) or until the bucket is full again (when allowed). */
  readonly resetSeconds: number;
}

/** Keeps token buckets. Capacity is `limit`, refill is `limit` per minute; one `take` is atomic in its store. */
export interface BucketStore {
  take(key: string, limit: number, now: number): Take | Promise<Take>;
}

/** A bucket as it is stored: how full it was at a moment. Fractional tokens are kept. */
export interface Bucket {
  tokens: number;
  at: number;
}

const windowMs = 60_000;

/** Tokens in the bucket at `now`, at most `limit`. A clock that went back refills nothing. */
export function tokensAt(bucket: Bucket | undefined, limit: number, now: number): number {
  if (bucket === undefined) return limit;
  return Math.min(limit, bucket.tokens + (Math.max(0, now - bucket.at) * limit) / windowMs);
}

/** Takes one token out of `tokens`, and says what is left and when to come back. */
export function takeFrom(tokens: number, limit: number): Take & { readonly left: number } {
  const allowed = tokens >= 1;
  const left = allowed ? tokens - 1 : tokens;
  const missing = allowed ? limit - left : 1 - left;
  return {
    allowed,
    left,
    remaining: Math.floor(left),
    resetSeconds: Math.max(1, Math.ceil((missing * windowMs) / limit / 1000)),
  };
}
