import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode, messageByCode } from '../../errors.ts';
import { type AppContext, type AppEnv, isNavigation } from '../../http/context.ts';
import type { Actor, Endpoint } from '../../http/endpoint.ts';
import { comesFromBrowser, isSafeOrFromPage } from '../../http/origin.ts';
import { type CountedBy, endpointLimiter, type Limiter, limitAnonymous } from '../../http/rate-limit.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { type AccessClaims, verifyAccessToken } from './access-token.ts';
import {
  carriesKey,
  carriesKeyOf,
  readAccessCookie,
  readRefreshCookie,
  sessionCookieNames,
} from './cookies.ts';
import type { RefreshToken } from './refresh-token.ts';
import { RefreshRefused } from './session.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** The verified access token's claims, if an endpoint requires a session. */
    actor: AccessClaims;
  }
}

/**
 * The claims of `pid_access`, or null if it is invalid, or a browser sent it without the key of its session. Sibling
 * hosts can plant an access token and receive their visitors' tokens, but only this host can set and receive the key.
 * @throws AppError unauthenticated if there are two tokens
 */
async function readAccess(c: AppContext, deps: Deps): Promise<AccessClaims | null> {
  const token = readAccessCookie(c, deps);
  const claims = token === null ? null : await verifyAccessToken(deps, token, deps.now());
  // Older browsers send no Fetch Metadata with navigations.
  const needsKey = comesFromBrowser(c) || isNavigation(c);
  return claims !== null && needsKey && !carriesKeyOf(c, deps, claims.sessionId) ? null : claims;
}

/**
 * The access token's claims, or null if there is no acceptable token.
 *
 * A program with only this token may only read. A change needs a page of an allowed origin, for which a browser sends
 * the key, or the refresh cookie of the same session, which browsers only send to /v1/auth.
 * @throws AppError unauthenticated if there are two tokens; origin_not_allowed for a change by a program
 */
export async function readActor(c: AppContext, deps: Deps): Promise<AccessClaims | null> {
  const claims = await readAccess(c, deps);
  if (claims === null || isSafeOrFromPage(c)) return claims;
  if (readRefreshCookie(c, deps)?.sessionId === claims.sessionId) return claims;
  throw new AppError('origin_not_allowed', null, { reason: 'an access token without an origin' });
}

/**
 * A person signed in with a valid `pid_access`, counted by identity; requests without a valid token are counted
 * by address. The token is trusted for its lifetime; an endpoint that changes something checks the session's row in
 * its own batch.
 */
export const member: Actor<AccessClaims> = {
  cookies: ['pid_access'],
  countedBy: { per: 'identity' },
  guard: (deps, limit) => memberGuard(deps, limit, () => 'unauthenticated'),
};

function memberGuard(deps: Deps, limit: Limiter | null, refusal: (c: AppContext) => ErrorCode) {
  const countAnonymous = limitAnonymous(deps);
  return async function requireMember(c: AppContext): Promise<AccessClaims> {
    let claims: AccessClaims | null = null;
    try {
      claims = await readActor(c, deps);
      if (claims === null) throw new AppError(refusal(c));
    } catch (error) {
      await countAnonymous(c, null);
      throw error;
    }
    c.set('session', claims.sessionId);
    if (limit) await limit(c, `identity ${claims.handle}`);
    return claims;
  };
}

/**
 * A member at a path to which browsers also send `pid_refresh`: a 401 indicates whether a refresh can help. A
 * third-party app's page gets the same response as a page without a grant, counted by address, whether or not anyone is
 * signed in.
 */
export const visitor: Actor<AccessClaims> = {
  ...member,
  guard(deps, limit) {
    const requireMember = memberGuard(deps, limit, (c) =>
      carries(c, deps, 'access') || carries(c, deps, 'refresh') ? 'unauthenticated' : 'no_session',
    );
    const countAddress = limitAnonymous(deps);
    async function requireGranter(c: AppContext): Promise<AccessClaims> {
      await countAddress(c, null);
      const claims = await readActor(c, deps).catch(() => null);
      if (claims === null) throw new AppError('origin_not_first_party');
      return claims;
    }
    return (c) =>
      c.get('app') === undefined || c.get('isFirstPartyApp') ? requireMember(c) : requireGranter(c);
  },
};

/**
 * A refresh token's sender, counted by its session, or by address if the token is not ours. A request without a token
 * costs nothing and is not counted, so that signed-out visitors behind one address cannot exhaust its limit.
 */
export const renewer: Actor<RefreshToken> = {
  cookies: ['pid_refresh'],
  countedBy: { per: 'session' },
  guard(deps, limit) {
    return async function requireRefreshToken(c) {
      if (!carries(c, deps, 'refresh')) throw new AppError('no_session', messageByCode.refresh_refused);
      await limit?.(c, sessionKey(c, deps));
      const presented = readRefreshCookie(c, deps);
      if (presented === null) throw new RefreshRefused('no token of ours', false);
      return presented;
    };
  },
};

/** The same for navigations; null if there is no token. */
export const returner: Actor<RefreshToken | null> = {
  ...renewer,
  guard(deps, limit) {
    return async function readReturner(c) {
      if (!carries(c, deps, 'refresh')) return null;
      const key = sessionKey(c, deps);
      await limit?.(c, key);
      // Two cookies with the same name are treated as none.
      const token = key && readRefreshCookie(c, deps);
      // The origin is not checked: only browsers navigate, and older ones send no Origin header when they do.
      return token && carriesKey(c, deps, token) ? token : null;
    };
  },
};

function carries(c: AppContext, deps: Deps, name: 'access' | 'refresh'): boolean {
  return cookieValues(c.req.header('Cookie'), sessionCookieNames(deps.config)[name]).some(Boolean);
}

/** Admits only members, for pages; endpoints declare their actor. */
export function requireMember(deps: Deps, endpoint?: Endpoint): MiddlewareHandler<AppEnv> {
  const guard = member.guard(deps, endpoint ? endpointLimiter(deps, endpoint) : null);
  return async function authenticated(c, next) {
    c.set('actor', await guard(c));
    return next();
  };
}

/** Counts by the refresh token's session or, without a valid token, by address. */
export const bySession: CountedBy = { per: 'session', key: sessionKey };

/** Counts by the access token's identity or, without a valid token, by address. */
export const byIdentity: CountedBy = {
  per: 'identity',
  async key(c, deps) {
    const actor = await readActor(c, deps);
    return actor && `identity ${actor.handle}`;
  },
};

function sessionKey(c: AppContext, deps: Deps): `session ${string}` | null {
  const { refresh } = sessionCookieNames(deps.config);
  // Two cookies with the same name identify no session: the endpoint rejects them, and here they are counted by
  // address.
  const isDoubled = cookieValues(c.req.header('Cookie'), refresh).length > 1;
  const token = isDoubled ? null : readRefreshCookie(c, deps);
  return token && `session ${token.sessionId}`;
}

/**
 * This browser's session, from a valid access token or one of our refresh tokens, for navigations that complete an
 * earlier request of the same session. The batch checks whether the session is live.
 * @throws AppError unauthenticated if there is none, or the tokens belong to different sessions
 */
export async function browserSession(c: AppContext, deps: Deps): Promise<string> {
  const refresh = readRefreshCookie(c, deps)?.sessionId;
  const access = (await readAccess(c, deps))?.sessionId;
  const sessionId = access ?? refresh;
  if (sessionId === undefined) throw new AppError('unauthenticated');
  if (refresh !== undefined && refresh !== sessionId) {
    throw new AppError('unauthenticated', null, { reason: 'the cookies are of different sessions' });
  }
  return sessionId;
}

/** The session of the request's access token, or null. @throws AppError those of `readActor` */
export async function readActingSession(c: AppContext, deps: Deps): Promise<string | null> {
  return (await readActor(c, deps))?.sessionId ?? null;
}
