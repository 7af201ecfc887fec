import type { MiddlewareHandler } from 'hono';
import { type Config, ConfigError } from '../config.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { readRefreshCookie, sessionCookieNames } from '../features/session/cookies.ts';
import { addressKey } from '../lib/address.ts';
import { cookieValues } from '../lib/cookie.ts';
import { canonicalEmail } from '../lib/email.ts';
import { isPopupId } from '../lib/id.ts';
import { secretHash } from '../lib/secret.ts';
import { storePatienceMs, type Take } from '../lib/token-bucket.ts';
import { jsonBody } from './body.ts';
import type { AppContext, AppEnv } from './context.ts';

/** Who may be counted besides the address. */
type Counted = 'session' | 'identity' | 'popup' | 'account' | 'grant' | 'code' | 'app' | 'provider';

export interface LimitPolicy {
  /** Requests a minute. A bucket holds this many, so some minute may see up to twice as many less one. */
  readonly limit: number;
  /** Who is counted, where it is neither the session or identity that asks nor the address. */
  readonly per?: readonly Counted[];
  /** What all of those together may use up; ten times the limit for each address unless given. */
  readonly ceiling?: { readonly limit: number; readonly per: 'address' | 'app' };
  /** A store that does not answer is replaced by buckets in the process, unless too much is at stake. */
  readonly storeDown?: 'refuse';
}

export type LimitRow = number | LimitPolicy;

/** A limit that refuses when its store does not answer. */
export const closed = (limit: number) => ({ limit, storeDown: 'refuse' }) as const;

/** Both the account and the address that asks, so that neither many accounts nor many addresses help a guesser. */
const guessable = {
  ...closed(10),
  per: ['account'],
  ceiling: { limit: 10, per: 'address' },
} satisfies LimitPolicy;

/** Requests a minute for each method and path that is served; every provider counts as `idp`. */
export const limits = {
  'POST /v1/auth/login': 20,
  'GET /v1/auth/idp': 100,
  'GET /v1/auth/idp/callback': 100,
  'GET /v1/auth/providers': 60,
  'GET /v1/auth/claim': 60,
  'GET /v1/auth/claim/handles/:handle': 60,
  'POST /v1/auth/claim': closed(10),
  'DELETE /v1/auth/claim': 20,
  'POST /v1/auth/claim/link': 20,
  'GET /v1/auth/email/register': 60,
  'POST /v1/auth/email/register': guessable,
  'GET /v1/auth/email/verify': 60,
  'POST /v1/auth/email/verify': guessable,
  'POST /v1/auth/email/resend': guessable,
  'GET /v1/auth/email/login': 60,
  'POST /v1/auth/email/login': guessable,
  'GET /v1/auth/email/forgot': 60,
  'POST /v1/auth/email/forgot': guessable,
  'GET /v1/auth/email/reset': 60,
  'POST /v1/auth/email/reset': guessable,
  'POST /v1/auth/refresh': 10,
  'POST /v1/auth/logout': 20,
  'GET /v1/auth/session': 60,
  'GET /v1/credentials': 60,
  'PATCH /v1/credentials/:id': 20,
  'POST /v1/credentials/email': 10,
  'POST /v1/credentials/email/verify': closed(10),
  'PUT /v1/credentials/email/password': closed(10),
  'DELETE /v1/credentials/:id': 20,
  'POST /v1/credentials/link': 20,
  'POST /v1/auth/passkey/options': 10,
  'POST /v1/auth/passkey/verify': 10,
  'POST /v1/auth/passkey/register/options': 10,
  'POST /v1/auth/passkey/register/verify': 10,
  'GET /v1/credentials/passkey': 60,
  'POST /v1/credentials/passkey/options': 10,
  'POST /v1/credentials/passkey/verify': 10,
  'GET /v1/sessions': 60,
  'DELETE /v1/sessions': 20,
  'DELETE /v1/sessions/:id': 20,
  'GET /v1/me': 60,
  'PATCH /v1/me': 20,
  'DELETE /v1/me': 20,
  'GET /v1/me/export': 60,
  'GET /v1/me/activity': 60,
  'GET /v1/identities/:pid': 60,
  'PATCH /v1/admin/identities/:handle': 20,
  'POST /v1/popup/requests': 30,
  'POST /v1/popup/requests/:id/poll': { limit: 120, per: ['popup'] },
  'POST /v1/popup/requests/:id/cancel': { limit: 30, per: ['popup'] },
  'GET /popup/login': { limit: 60, per: ['popup'] },
  'GET /popup/done': { limit: 60, per: ['popup'] },
  'POST /popup/requests/:id/beat': { limit: 300, per: ['popup'] },
  'POST /popup/requests/:id/decision': { limit: 20, per: ['popup'] },
} satisfies Record<string, LimitRow>;

/** Whatever else is asked under /v1: all reads of an address share one bucket, and all writes another. */
export const otherLimits = { 'GET /v1/*': 60, 'POST /v1/*': 20 } satisfies Record<string, LimitRow>;

/** What comes to signed-in routes without a valid token: as much as an address may ask of one of them in all. */
export const strangers = { name: 'unauthenticated', limit: 600 };

export type LimitName = keyof typeof limits;

/** What a limit means in full. */
export function policyOf(name: LimitName): ReturnType<typeof toPolicy> {
  return toPolicy(limits[name]);
}

/** What a row of the tables means in full. */
export function toPolicy(row: LimitRow): LimitPolicy & { ceiling: NonNullable<LimitPolicy['ceiling']> } {
  const policy = typeof row === 'number' ? { limit: row } : row;
  return { ceiling: { limit: policy.limit * 10, per: 'address' }, ...policy };
}

/**
 * Takes a token for one request and tells the caller where it stands by `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * With `own`, a session or an identity is counted by itself, so that people behind one address do not use up
 * each other's tokens; their address, or the app that is given as `shared`, then has the policy's ceiling. Without,
 * the address is counted.
 * @throws AppError rate_limited, with `Retry-After`; unavailable, when the policy refuses to act blindly
 */
export type Limiter = (
  c: AppContext,
  own: `${Counted} ${string}` | null,
  shared?: `app ${string}`,
) => Promise<void>;

export function createLimiter(deps: Deps, name: LimitName): Limiter {
  return limiter(deps, name, limits[name]);
}

/** A limiter of any policy; `name` tells its buckets from those of others. */
export function limiter(deps: Deps, name: string, row: LimitRow): Limiter {
  const { RATE_LIMITS } = deps.config;
  if (RATE_LIMITS === 'off') return async () => {};
  const policy = toPolicy(row);
  const raised = RATE_LIMITS === 'on' ? undefined : (RATE_LIMITS[name] ?? RATE_LIMITS['*']);
  const limit = raised ?? policy.limit;
  const ceiling = Math.ceil((policy.ceiling.limit * limit) / policy.limit);

  return async function limited(c, own, app) {
    const now = deps.now();
    const address = `address ${addressKey(c.env.address)}`;
    const taken = deps.buckets.take(`${name} ${own ?? address}`, limit, now, storePatienceMs);
    report(c, 'default', limit, taken instanceof Promise ? await taken : taken, policy);
    if (own === null) return;
    // The caller's own bucket came first, so that one who floods takes nothing from the others at that address.
    const patienceLeft =
      taken instanceof Promise ? Math.max(0, storePatienceMs - (deps.now() - now)) : storePatienceMs;
    const shared = deps.buckets.take(`${name} ceiling ${app ?? address}`, ceiling, now, patienceLeft);
    const over = shared instanceof Promise ? await shared : shared;
    if (!over.allowed || mustRefuse(over, policy)) report(c, policy.ceiling.per, ceiling, over, policy);
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
  const cookie = sessionCookieNames(deps.config).refresh;
  return async function limitedBySession(c, next) {
    // Two cookies of one name are nobody's session: the route refuses them, and here their address is counted.
    const isDoubled = cookieValues(c.req.header('Cookie'), cookie).length > 1;
    const token = isDoubled ? null : readRefreshCookie(c, deps);
    await limit(c, token && `session ${token.sessionId}`);
    return next();
  };
}

/**
 * Limits a route by the popup it is about: openers that wait for theirs behind one address do not get into each
 * other's way. What cannot be a popup's id is counted by address.
 */
export function rateLimitByPopup(deps: Deps, name: LimitName): MiddlewareHandler<AppEnv> {
  const limit = createLimiter(deps, name);
  return async function limitedByPopup(c, next) {
    const id = c.req.param('id') ?? c.req.query('c');
    await limit(c, isPopupId(id) ? `popup ${id}` : null);
    return next();
  };
}

/**
 * Limits a route by the account that its JSON body names and by the address, before the body is judged any further.
 * One that cannot be read, or names nobody, counts for its address.
 */
export function rateLimitByAccount(deps: Deps, name: LimitName): MiddlewareHandler<AppEnv> {
  const limit = createLimiter(deps, name);
  const read = jsonBody();
  return async function limitedByAccount(c, next) {
    let body: { email?: unknown } | null;
    try {
      await read(c, async () => {});
      body = await c.req.json();
    } catch (error) {
      await limit(c, null);
      throw error;
    }
    await limit(c, accountOf(body?.email));
    return next();
  };
}

/** Who is counted for an address of mail that somebody typed: nobody, unless it is one. */
export function accountOf(email: unknown): `account ${string}` | null {
  const address = typeof email === 'string' ? canonicalEmail(email) : null;
  return address === null ? null : `account ${secretHash(address)}`;
}

/** Limits what no route answers by address and kind of method, whatever the path: paths are the caller's choice. */
export function limitOthers(deps: Deps): (c: AppContext) => Promise<void> {
  const reads = limiter(deps, 'GET /v1/*', otherLimits['GET /v1/*']);
  const writes = limiter(deps, 'POST /v1/*', otherLimits['POST /v1/*']);
  return async function limitedByMethod(c) {
    if (!c.req.path.startsWith('/v1')) return;
    await (['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) ? reads : writes)(c, null);
  };
}

/** Limits requests without a valid token by address, whatever signed-in route they ask. */
export function limitStrangers(deps: Deps): Limiter {
  return limiter(deps, strangers.name, strangers.limit);
}

/** @throws ConfigError when RATE_LIMITS names a limit that does not exist: a slip there would go unnoticed */
export function checkLimitNames({ RATE_LIMITS }: Config): void {
  if (typeof RATE_LIMITS === 'string') return;
  const known = new Set(['*', ...Object.keys(limits), ...Object.keys(otherLimits), strangers.name]);
  if (Object.keys(RATE_LIMITS).every((name) => known.has(name))) return;
  throw new ConfigError([
    'RATE_LIMITS must name limits as docs/rate-limits.md does, such as "GET /v1/auth/idp"',
  ]);
}

function mustRefuse(take: Take, policy: LimitPolicy): boolean {
  return take.blind === true && policy.storeDown === 'refuse';
}

function report(c: AppContext, name: string, limit: number, take: Take, policy: LimitPolicy): void {
  if (mustRefuse(take, policy)) {
    const reason = 'the store of the rate limits does not answer';
    throw new AppError('unavailable', null, { reason, retryAfterSeconds: 1, told: true });
  }
  c.header('RateLimit-Policy', `"${name}";q=${limit};w=60`);
  c.header('RateLimit', `"${name}";r=${take.remaining};t=${take.resetSeconds}`);
  if (!take.allowed) throw new AppError('rate_limited', null, { retryAfterSeconds: take.resetSeconds });
}
