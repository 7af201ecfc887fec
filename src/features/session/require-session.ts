import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import type { Actor, Endpoint } from '../../http/endpoint.ts';
import { type CountedBy, endpointLimiter, limitAnonymous } from '../../http/rate-limit.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { type AccessClaims, verifyAccessToken } from './access-token.ts';
import { readAccessCookie, readRefreshCookie, sessionCookieNames } from './cookies.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** The verified access token's claims, where an endpoint requires a session. */
    actor: AccessClaims;
  }
}

/** Who is signed in according to the access token, or null, also for an invalid token. @throws AppError unauthenticated when there are two */
export async function readActor(c: AppContext, deps: Deps): Promise<AccessClaims | null> {
  const token = readAccessCookie(c, deps);
  return token === null ? null : verifyAccessToken(deps, token, deps.now());
}

/**
 * A person who is signed in, by a valid `pid_access`, counted by identity; requests without a valid token are counted
 * by address. The token is trusted for its lifetime; an endpoint that changes something checks the session's row in
 * its own batch.
 */
export const member: Actor<AccessClaims> = {
  cookies: ['pid_access'],
  countedBy: { per: 'identity' },
  guard(deps, limit) {
    const refuseAnonymous = limitAnonymous(deps);
    return async function requireMember(c) {
      let claims: AccessClaims | null = null;
      try {
        claims = await readActor(c, deps);
        if (claims === null) throw new AppError('unauthenticated');
      } catch (error) {
        await refuseAnonymous(c, null);
        throw error;
      }
      c.set('actor', claims);
      if (limit) await limit(c, `identity ${claims.handle}`);
      return claims;
    };
  },
};

/** Lets only members through, for pages; endpoints name their actor. */
export function requireMember(deps: Deps, endpoint?: Endpoint): MiddlewareHandler<AppEnv> {
  const guard = member.guard(deps, endpoint ? endpointLimiter(deps, endpoint) : null);
  return async function authenticated(c, next) {
    await guard(c);
    return next();
  };
}

/** Counts by the session of the refresh token; without one of ours, by address. */
export const bySession: CountedBy = {
  per: 'session',
  key(c, deps) {
    const { refresh } = sessionCookieNames(deps.config);
    // Two cookies of one name identify no session: the endpoint refuses them, and here their address is counted.
    const isDoubled = cookieValues(c.req.header('Cookie'), refresh).length > 1;
    const token = isDoubled ? null : readRefreshCookie(c, deps);
    return token && `session ${token.sessionId}`;
  },
};

/**
 * The session of this browser, by a valid access token or a refresh token of ours, for navigations that finish what
 * another request of the same session began. The batch checks whether it is live.
 * @throws AppError unauthenticated when there is none, or the two name different ones
 */
export async function browserSession(c: AppContext, deps: Deps): Promise<string> {
  const refresh = readRefreshCookie(c, deps)?.sessionId;
  const token = readAccessCookie(c, deps);
  const access = token === null ? undefined : (await verifyAccessToken(deps, token, deps.now()))?.sessionId;
  const sessionId = access ?? refresh;
  if (sessionId === undefined) throw new AppError('unauthenticated');
  if (refresh !== undefined && refresh !== sessionId) {
    throw new AppError('unauthenticated', null, { reason: 'the cookies are of different sessions' });
  }
  return sessionId;
}

/** The session of the request's access token, or null. @throws AppError unauthenticated when there are two */
export async function readActingSession(c: AppContext, deps: Deps): Promise<string | null> {
  const token = readAccessCookie(c, deps);
  return token && ((await verifyAccessToken(deps, token, deps.now()))?.sessionId ?? null);
}
