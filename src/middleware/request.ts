import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { toBase64url } from '../lib/encoding.ts';
import type { AppEnv } from './context.ts';

/** Names the request in every answer and log line, and closes what no answer of ours may leave open. */
export function nameRequest(deps: Deps): MiddlewareHandler<AppEnv> {
  return async function named(c, next) {
    const id = toBase64url(deps.randomBytes(12));
    c.set('requestId', id);
    c.header('X-Request-Id', id);
    c.header('X-Content-Type-Options', 'nosniff');
    if (deps.config.production) c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    const startedAt = deps.now();
    await next();
    deps.log.debug('request', {
      requestId: id,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: deps.now() - startedAt,
    });
  };
}

/**
 * Headers of answers that no browser should render, frame or keep. Nothing here names a Cross-Origin-Opener-Policy:
 * it would cut a popup from its opener, even on a redirect in between.
 */
export function apiHeaders(): MiddlewareHandler<AppEnv> {
  return async function apiHeadersSet(c, next) {
    c.header('Cache-Control', 'no-store');
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    c.header('Referrer-Policy', 'no-referrer');
    await next();
  };
}
