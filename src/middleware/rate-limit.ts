import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { addressKey } from '../lib/address.ts';
import type { Take } from '../lib/token-bucket.ts';
import type { AppContext, AppEnv } from './context.ts';
import { readRefreshCookie } from './session-cookies.ts';

/**
 * Requests a minute for each method and path (interface section 8, and our own for what it leaves open).
 * A bucket holds this many and refills at this rate, so some minute may see up to twice as many less one.
 */
const limits = {
  'POST /v1/auth/login': 20,
  'GET /v1/auth/:provider': 100,
  'GET /v1/auth/:provider/callback': 100,
  'GET /v1/auth/providers': 60,
  'GET /v1/auth/claim': 60,
  'GET /v1/auth/claim/handles/:handle': 60,
  'POST /v1/auth/claim': 10,
  'DELETE /v1/auth/claim': 20,
  'POST /v1/auth/refresh': 10,
  'POST /v1/auth/logout': 20,
  'GET /v1/auth/session': 60,
  'GET /v1/credentials': 60,
  'DELETE /v1/credentials/:id': 20,
  'POST /dev/credentials': 20,
} as const;

export type LimitName = keyof typeof limits;

const ceilingFactor = 10;

/**
 * Takes a token for one request and tells the caller where it stands by `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * With `own`, a session or an identity is counted by itself, so that people behind one address do not use up
 * each other's tokens; their address then has a ceiling of ten times the limit. Without, the address is counted.
 * @throws AppError rate_limited, with `Retry-After`
 */
export type Limiter = (c: AppContext, own: string | null) => Promise<void>;

export function createLimiter(deps: Deps, name: LimitName): Limiter {
  const { RATE_LIMITS } = deps.config;
  if (RATE_LIMITS === 'off') return async () => {};
  const raised = RATE_LIMITS === 'on' ? undefined : (RATE_LIMITS[name] ?? RATE_LIMITS['*']);
  const limit = raised ?? limits[name];
  const ceiling = limit * ceilingFactor;

  return async function limited(c, own) {
    const now = deps.now();
    const address = addressKey(c.env.address);
    const taken = deps.buckets.take(`${name} ${own ?? `address ${address}`}`, limit, now);
    report(c, 'default', limit, taken instanceof Promise ? await taken : taken);
    if (own === null) return;
    // The caller's own bucket came first, so that one who floods takes nothing from the others at that address.
    const shared = deps.buckets.take(`${name} ceiling ${address}`, ceiling, now);
    const over = shared instanceof Promise ? await shared : shared;
    if (!over.allowed) report(c, 'address', ceiling, over);
  };
}

/** Limits a route by address. */
export function rateLimit(deps: Deps, name: LimitName): MiddlewareHandler<AppEnv> {
  const limit = createLimiter(deps, name);
  return async function limitedByAddress(c, next) {
    await limit(c, null);
    return next();
  };
}

/** Limits a route by the session of the refresh token that came along; without one of ours, by address. */
export function rateLimitBySession(deps: Deps, name: LimitName): MiddlewareHandler<AppEnv> {
  const limit = createLimiter(deps, name);
  return async function limitedBySession(c, next) {
    const token = readRefreshCookie(c, deps);
    await limit(c, token && `session ${token.sessionId}`);
    return next();
  };
}

function report(c: AppContext, policy: string, limit: number, take: Take): void {
  c.header('RateLimit-Policy', `"${policy}";q=${limit};w=60`);
  c.header('RateLimit', `"${policy}";r=${take.remaining};t=${take.resetSeconds}`);
  if (!take.allowed) throw new AppError('rate_limited', null, { retryAfterSeconds: take.resetSeconds });
}
