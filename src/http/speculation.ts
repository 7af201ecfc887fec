import type { MiddlewareHandler } from 'hono';
import { AppError } from '../errors.ts';
import { type AppEnv, headerOf } from './context.ts';

/**
 * For GET routes that consume a code or a state: a HEAD request (from link checkers and previews) is answered without
 * running the route, and a prefetch is rejected.
 */
export function rejectSpeculation(): MiddlewareHandler<AppEnv> {
  return async function navigated(c, next) {
    if (c.req.raw.method === 'HEAD') return c.body(null, 204);
    const purpose = `${headerOf(c, 'Sec-Purpose')} ${headerOf(c, 'Purpose')}`;
    if (/prefetch|prerender|preview/i.test(purpose)) throw new AppError('prefetch_refused');
    return next();
  };
}
