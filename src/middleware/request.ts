import type { MiddlewareHandler, Next } from 'hono';
import type { Deps } from '../deps.ts';
import { toBase64url } from '../lib/encoding.ts';
import type { AppContext, AppEnv } from './context.ts';

/** What every JSON answer is sent as. */
const jsonType = 'application/json; charset=utf-8';

/** Names the request in every answer and log line, and closes what no answer of ours may leave open. */
export function nameRequest(deps: Deps): MiddlewareHandler<AppEnv> {
  const logsRequests = deps.config.LOG_LEVEL === 'debug';
  return function named(c, next) {
    const id = toBase64url(deps.randomBytes(12));
    c.set('requestId', id);
    c.header('X-Request-Id', id);
    c.header('X-Content-Type-Options', 'nosniff');
    if (deps.config.production) c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    return logsRequests ? logged(deps, c, next) : next();
  };
}

async function logged(deps: Deps, c: AppContext, next: Next): Promise<void> {
  const startedAt = deps.now();
  await next();
  deps.log.debug('request', {
    requestId: c.get('requestId'),
    method: c.req.method,
    path: c.req.path,
    status: c.res.status,
    ms: deps.now() - startedAt,
  });
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
    // Hono's `json()` names no character set, and a route cannot tell it one without repeating itself.
    const { headers } = c.res;
    if (headers.get('Content-Type') === 'application/json') headers.set('Content-Type', jsonType);
  };
}
