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
} as const;

export type LimitName = keyof typeof limits;

/**
 * What a limit counts by. A session or an identity is counted by itself, so that people behind one address do
 * not use up each other's tokens; their address has a ceiling of ten times the limit.
 */
export type LimitBy = 'address' | 'session' | 'identity';

const ceilingFactor = 10;

/**
 * Limits a route. Answers 429 with `Retry-After`, and tells every caller where it stands by `RateLimit-Policy`
 * and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). Use it after `requireSession` when counting by identity.
 */
export function rateLimit(deps: Deps, name: LimitName, by: LimitBy = 'address'): MiddlewareHandler<AppEnv> {
  const { RATE_LIMITS } = deps.config;
  if (RATE_LIMITS === 'off') return (_, next) => next();
  const raised = RATE_LIMITS === 'on' ? undefined : (RATE_LIMITS[name] ?? RATE_LIMITS['*']);
  const limit = raised ?? limits[name];
  const policy = `"default";q=${limit};w=60`;
  const ceiling = limit * ceilingFactor;
  const ceilingPolicy = `"address";q=${ceiling};w=60`;

  return async function limited(c, next) {
    const now = deps.now();
    const address = addressKey(c.env.address);
    const own = ownKey(c, deps, by);
    const taken = deps.buckets.take(`${name} ${own ?? `address ${address}`}`, limit, now);
    const take = taken instanceof Promise ? await taken : taken;
    c.header('RateLimit-Policy', policy);
    c.header('RateLimit', `"default";r=${take.remaining};t=${take.resetSeconds}`);
    refuseOver(take);
    // After the caller's own bucket, so that one who floods takes nothing from the others at that address.
    if (own !== null) {
      const shared = deps.buckets.take(`${name} ceiling ${address}`, ceiling, now);
      const over = shared instanceof Promise ? await shared : shared;
      if (!over.allowed) {
        c.header('RateLimit-Policy', ceilingPolicy);
        c.header('RateLimit', `"address";r=0;t=${over.resetSeconds}`);
      }
      refuseOver(over);
    }
    return next();
  };
}

function refuseOver(take: Take): void {
  if (!take.allowed) throw new AppError('rate_limited', null, { retryAfterSeconds: take.resetSeconds });
}

function ownKey(c: AppContext, deps: Deps, by: LimitBy): string | null {
  if (by === 'identity') return `identity ${c.get('actor').handle}`;
  if (by === 'address') return null;
  const token = readRefreshCookie(c, deps);
  return token && `session ${token.sessionId}`;
}
