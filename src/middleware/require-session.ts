import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { verifyAccessToken } from '../features/session/access-token.ts';
import type { AppEnv } from './context.ts';
import { readAccessCookie } from './session-cookies.ts';

/**
 * Lets only requests with a valid `pid_access` through, and hands their claims on as `actor`. The token is
 * trusted for its lifetime; a route that changes something asks the session's row in its own batch.
 */
export function requireSession(deps: Deps): MiddlewareHandler<AppEnv> {
  return async function authenticated(c, next) {
    const token = readAccessCookie(c, deps);
    const claims = token && (await verifyAccessToken(deps, token, deps.now()));
    if (!claims) throw new AppError('unauthenticated');
    c.set('actor', claims);
    return next();
  };
}
