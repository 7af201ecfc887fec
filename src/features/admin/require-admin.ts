import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppEnv } from '../../http/context.ts';

/**
 * Lets only the identities in ADMIN_PIDS through, after `requireSession` and before the body is read, so that
 * nobody else learns what such a route takes.
 * @throws AppError admin_only
 */
export function requireAdmin(deps: Deps): MiddlewareHandler<AppEnv> {
  return function administered(c, next) {
    if (!deps.config.ADMIN_PIDS.includes(`${c.get('actor').handle}@pid`)) throw new AppError('admin_only');
    return next();
  };
}
