import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { verifyAccessToken } from '../features/session/access-token.ts';
import type { AppEnv } from './context.ts';
import { createLimiter, type LimitName } from './rate-limit.ts';
import { readAccessCookie } from './session-cookies.ts';

/**
 * Lets only requests with a valid `pid_access` through, hands their claims on as `actor`, and limits the route
 * by identity. The token is trusted for its lifetime; a route that changes something asks the session's row in
 * its own batch.
 */
export function requireSession(deps: Deps, name: LimitName): MiddlewareHandler<AppEnv> {
  const limit = createLimiter(deps, name);
  return async function authenticated(c, next) {
    const token = readAccessCookie(c, deps);
    const claims = token && (await verifyAccessToken(deps, token, deps.now()));
    if (!claims) throw new AppError('unauthenticated');
    c.set('actor', claims);
    await limit(c, `identity ${claims.handle}`);
    return next();
  };
}
