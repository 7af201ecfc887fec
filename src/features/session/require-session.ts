import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import { createLimiter, type LimitName, limitStrangers } from '../../http/rate-limit.ts';
import { type AccessClaims, verifyAccessToken } from './access-token.ts';
import { readAccessCookie, readRefreshCookie } from './cookies.ts';

/** Who is signed in, as the access token says, or null. Unlike a doubled one, a token that is not valid refuses nothing. */
export async function readActor(c: AppContext, deps: Deps): Promise<AccessClaims | null> {
  const token = readAccessCookie(c, deps);
  return token === null ? null : verifyAccessToken(deps, token, deps.now());
}

/**
 * Lets only requests with a valid `pid_access` through, hands their claims on as `actor`, and limits the route
 * by identity; requests without a valid token are counted by address. The token is trusted for its lifetime; a
 * route that changes something asks the session's row in its own batch.
 * @param name the route's limit; without one it is not limited
 */
export function requireSession(deps: Deps, name?: LimitName): MiddlewareHandler<AppEnv> {
  const limit = name && createLimiter(deps, name);
  const limitStranger = limitStrangers(deps);

  async function refuse(c: AppContext, error: unknown): Promise<never> {
    await limitStranger(c, null);
    throw error;
  }

  return async function authenticated(c, next) {
    let claims: AccessClaims | null = null;
    try {
      claims = await readActor(c, deps);
    } catch (error) {
      return refuse(c, error);
    }
    if (claims === null) return refuse(c, new AppError('unauthenticated'));
    c.set('actor', claims);
    if (limit) await limit(c, `identity ${claims.handle}`);
    return next();
  };
}

/**
 * The session that this browser has, by a valid access token or a refresh token of ours, for navigations that end
 * what another request of the same session began. Whether it is live is for the batch to ask.
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

/** The session of the access token that came along, or null. @throws AppError unauthenticated when there are two */
export async function readActingSession(c: AppContext, deps: Deps): Promise<string | null> {
  const token = readAccessCookie(c, deps);
  return token && ((await verifyAccessToken(deps, token, deps.now()))?.sessionId ?? null);
}
