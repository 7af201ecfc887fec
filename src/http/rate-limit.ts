import type { MiddlewareHandler } from 'hono';
import { type Config, ConfigError } from '../config.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { addressKey } from '../lib/address.ts';
import type { Take } from '../lib/token-bucket.ts';
import type { AppContext, AppEnv } from './context.ts';

/** The callers that may be counted instead of the address. */
export type Counted = 'address' | 'session' | 'identity' | 'popup' | 'account';
/**
 * A device is counted instead of its account, with which its key starts. The key of an app's verified token
 * starts with the person. A client is a secret presented by an app, which nobody else can present; only the database
 * knows whether it is valid. An asker is a visitor of an app's page; anyone may have registered the app.
 */
export type CountedKey =
  | `${Counted | 'app' | 'client' | 'person'} ${string}`
  | `${'asker' | 'device' | 'token'} ${string} ${string}`;

/** Identifies the caller that a limit counts. The feature that knows the caller defines it. */
export interface CountedBy {
  readonly per: Counted;
  /**
   * Returns the caller to count, or null to count the address. With an actor, its guard provides the caller instead.
   */
  readonly key?: (c: AppContext, deps: Deps) => CountedKey | null | Promise<CountedKey | null>;
}

/** A limit, written next to its endpoint. A number means a limit with only `requests`. */
export interface Limit {
  /**
   * Requests per minute. This is also the size of the bucket, so a single minute may see up to twice as many requests
   * minus one.
   */
  readonly requests: number;
  /** The caller to count, if not the address. */
  readonly by?: CountedBy;
  /** Requests per minute for an address, regardless of the number of callers; ten times the limit by default. */
  readonly ceiling?: number;
  /** Determines whether in-process buckets replace a store that does not respond. */
  readonly storeDown?: 'refuse';
  /** The endpoint whose bucket this one shares. */
  readonly bucket?: string;
}

/** The part of an endpoint needed by a limiter. */
interface Limited {
  readonly method: string;
  readonly path: string;
  readonly limit?: number | Limit;
}

/** A limit that rejects requests if its store does not respond. */
export function failClosed(requests: number): Limit {
  return { requests, storeDown: 'refuse' };
}

/** Unknown paths under /v1: an address has one bucket for all reads, and one for all writes. */
export const unknownPathLimits = { 'GET /v1/*': 60, 'POST /v1/*': 20 } as const;

/** Requests without a valid token to endpoints that need one. */
export const anonymousLimit = { name: 'unauthenticated', requests: 600 } as const;

/** A fully specified limit. */
export function policyOf(limit: number | Limit): Limit & { readonly ceiling: number } {
  const policy = typeof limit === 'number' ? { requests: limit } : limit;
  return { ceiling: policy.requests * 10, ...policy };
}

/** The name of an endpoint's bucket, as in RATE_LIMITS and docs/rate-limits.md. */
export function bucketName({ method, path, limit }: Limited): string {
  return (typeof limit === 'object' && limit.bucket) || `${method} ${path}`;
}

/**
 * Takes a token for one request and reports the bucket's state in `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * With `own`, the caller is counted separately, so that people behind one address do not exhaust each other's limits.
 * The ceiling then applies to the address; for a device, to all devices of the account; for a token, to all of the
 * person's tokens at the app. Without `own`, the address is counted.
 * @throws AppError rate_limited, with `Retry-After`; unavailable, if the limit fails closed and its store is down
 */
export type Limiter = (c: AppContext, own: CountedKey | null) => Promise<void>;

/** The limiter of an endpoint. @throws Error if the endpoint has no limit */
export function endpointLimiter(deps: Deps, endpoint: Limited): Limiter {
  if (!endpoint.limit) throw new Error(`${bucketName(endpoint)} has no limit`);
  return limiter(deps, bucketName(endpoint), endpoint.limit);
}

/** A limiter for any limit; `name` distinguishes its buckets from others. */
export function limiter(deps: Deps, name: string, limit: number | Limit): Limiter {
  const { RATE_LIMITS } = deps.config;
  if (RATE_LIMITS === 'off') return async () => {};
  const policy = policyOf(limit);
  const raised = RATE_LIMITS === 'on' ? undefined : (RATE_LIMITS[name] ?? RATE_LIMITS['*']);
  const requests = raised ?? policy.requests;
  const ceiling = Math.ceil((policy.ceiling * requests) / policy.requests);

  return async function limited(c, own) {
    const now = deps.now();
    const address = `address ${addressKey(c.env.address)}`;
    const kind = own?.slice(0, own.indexOf(' '));
    const sized = own !== null && kind === 'client' ? c.get('sizeOf')?.(own) : null;
    const bucket = sized
      ? { name: 'default', key: `${name} sized ${sized.app}`, limit: sized.requests }
      : {
          name: 'default',
          key: `${name} ${own ?? address}`,
          limit: kind === 'client' ? ceiling : requests,
        };
    const owner = kind === 'device' ? 'account' : kind === 'token' ? 'person' : 'address';
    const shared =
      owner === 'address' || own === null
        ? // Callers with a secret, and visitors of apps' pages, do not share a bucket with others at the same address.
          {
            name: 'address',
            key: `${name} ceiling ${kind === 'client' || kind === 'asker' ? `${kind}s ` : ''}${address}`,
            limit: ceiling,
          }
        : {
            name: owner,
            key: `${name} ceiling ${own.slice(0, own.lastIndexOf(' '))}`,
            limit: requests * 10,
          };
    const isAlone = own === null || sized || kind === 'app' || kind === 'person';
    for (const one of isAlone ? [bucket] : isNamed(kind) ? [shared, bucket] : [bucket, shared]) {
      const taken = deps.buckets.take(one.key, one.limit, now);
      const take = taken instanceof Promise ? await taken : taken;
      if (one === bucket || !take.allowed || mustRefuse(take, policy)) report(c, one, take, policy);
    }
  };
}

/**
 * Returns whether the caller's id is unverified. The address is then counted first, so that a flood from the address
 * neither empties other callers' buckets nor creates new ones. Verified callers are counted first, so that a flood from
 * one does not affect the others at the same address.
 */
function isNamed(kind: string | undefined): boolean {
  return kind === 'account' || kind === 'popup' || kind === 'client';
}

/** Limits an endpoint per caller; unidentified callers are counted by network address. */
export function rateLimit(deps: Deps, endpoint: Limited): MiddlewareHandler<AppEnv> {
  const limit = endpointLimiter(deps, endpoint);
  const { by } = policyOf(endpoint.limit ?? 0);
  return async function rateLimited(c, next) {
    await limit(c, by?.key ? await keyOf(by.key, c) : null);
    return next();
  };

  async function keyOf(key: NonNullable<CountedBy['key']>, c: AppContext): Promise<CountedKey | null> {
    try {
      return await key(c, deps);
    } catch (error) {
      await limit(c, null);
      throw error;
    }
  }
}

/** Limits unknown paths by address and kind of method, regardless of the path, because callers choose paths. */
export function limitUnknownPaths(deps: Deps): (c: AppContext) => Promise<void> {
  const reads = limiter(deps, 'GET /v1/*', unknownPathLimits['GET /v1/*']);
  const writes = limiter(deps, 'POST /v1/*', unknownPathLimits['POST /v1/*']);
  return async function limitedByMethod(c) {
    if (!c.req.path.startsWith('/v1')) return;
    await (['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) ? reads : writes)(c, null);
  };
}

/** Limits requests without a valid token by address, whatever the endpoint. */
export function limitAnonymous(deps: Deps): Limiter {
  return limiter(deps, anonymousLimit.name, anonymousLimit.requests);
}

/** @throws ConfigError if RATE_LIMITS contains an unknown limit, because a typo would go unnoticed */
export function checkLimitNames({ RATE_LIMITS }: Config, endpoints: readonly Limited[]): void {
  if (typeof RATE_LIMITS === 'string') return;
  const limited = endpoints.filter(({ limit }) => limit !== undefined).map(bucketName);
  const known = new Set(['*', ...limited, ...Object.keys(unknownPathLimits), anonymousLimit.name]);
  if (Object.keys(RATE_LIMITS).every((name) => known.has(name))) return;
  throw new ConfigError([
    'RATE_LIMITS must name limits as docs/rate-limits.md does, such as "GET /v1/auth/idp"',
  ]);
}

function mustRefuse(take: Take, policy: Limit): boolean {
  return take.blind === true && policy.storeDown === 'refuse';
}

function report(
  c: AppContext,
  { name, limit }: { readonly name: string; readonly limit: number },
  take: Take,
  policy: Limit,
): void {
  if (mustRefuse(take, policy)) {
    const reason = 'the store of the rate limits does not answer';
    throw new AppError('unavailable', null, { reason, retryAfterSeconds: 1, isLogged: true });
  }
  c.header('RateLimit-Policy', `"${name}";q=${limit};w=60`);
  c.header('RateLimit', `"${name}";r=${take.remaining};t=${take.resetSeconds}`);
  if (!take.allowed) throw new AppError('rate_limited', null, { retryAfterSeconds: take.resetSeconds });
}
