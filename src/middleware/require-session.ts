import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { verifyAccessToken } from '../features/session/access-token.ts';
import type { AppEnv } from './context.ts';
import { createLimiter, type LimitName, limitStrangers } from './rate-limit.ts';
import { readAccessCookie } from './session-cookies.ts';

/**
 * Lets only requests with a valid `pid_access` through, hands their claims on as `actor`, and limits the route
 * by identity; requests without a valid token are counted by address. The token is trusted for its lifetime; a
 * route that changes something asks the session's row in its own batch.
 * @param name the route's limit; without one it is not limited
 */
export function requireSession(deps: Deps, name?: LimitName): MiddlewareHandler<AppEnv> {
  const limit = name && createLimiter(deps, name);
  const limitStranger = limitStrangers(deps);
  return async function authenticated(c, next) {
    const token = readAccessCookie(c, deps);
    const claims = token && (await verifyAccessToken(deps, token, deps.now()));
    if (!claims) {
      await limitStranger(c, null);
      throw new AppError('unauthenticated');
    }
    c.set('actor', claims);
    if (limit) await limit(c, `identity ${claims.handle}`);
    return next();
  };
}
