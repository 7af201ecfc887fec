import type { MiddlewareHandler, Next } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { toBase64url } from '../lib/encoding.ts';
import type { AppContext, AppEnv, SizeOf } from './context.ts';
import { longestAddress, toAppError } from './errors.ts';
import { createObserver } from './observe.ts';
import { type AppOrigins, guardOrigin } from './origin.ts';

interface Hooks {
  readonly sizeOf?: SizeOf;
  /** Called after a request that revoked sessions or grants. */
  readonly onSessionsEnded?: () => void;
  /** Called after a request that may have caused events for webhooks. */
  readonly onEvents?: () => void;
}

/**
 * Runs before every route: assigns a request id, sets the default headers, and checks the host and the origin. This is
 * a single middleware, because each one costs about as much as a whole route.
 */
export function admit(
  deps: Deps,
  apps: AppOrigins,
  { sizeOf, onSessionsEnded, onEvents }: Hooks = {},
): MiddlewareHandler<AppEnv> {
  const logsRequests = deps.config.LOG_LEVEL === 'debug';
  const observe = createObserver(deps);
  return function admitted(c, next) {
    const startedAt = deps.metrics?.now() ?? 0;
    nameRequest(c, deps);
    closeAnswer(c, deps);
    c.set('sizeOf', sizeOf);
    const refuse = (thrown: unknown): never => {
      observe?.(c, startedAt, toAppError(thrown).status);
      throw thrown;
    };
    const go = async () => {
      try {
        await (logsRequests ? logged(c, next, deps) : next());
      } catch (thrown) {
        // An unknown path reaches only this handler; all other errors have been rendered.
        refuse(thrown);
      }
      observe?.(c, startedAt, c.res.status);
      if (c.get('endedSessions')) onSessionsEnded?.();
      if (c.get('causedEvents')) onEvents?.();
    };
    const finish = async (preflight: Response | null) => {
      if (!preflight) return void (await go());
      observe?.(c, startedAt, preflight.status);
      return preflight;
    };
    try {
      requireAddress(c);
      const answer = guardOrigin(c, deps, apps);
      if (answer instanceof Promise) return answer.then(finish, refuse);
      return answer ? finish(answer) : go();
    } catch (thrown) {
      return refuse(thrown);
    }
  };
}

/**
 * Bun takes the URL's host from this header without checking it, and joins two such headers with a comma. A host name
 * has at most 253 characters; parsing a much longer one, or a much longer query, would take milliseconds, before any
 * limit.
 */
function requireAddress(c: AppContext): void {
  const host = c.req.header('Host');
  if (host !== undefined && (host.length > 300 || host.includes(','))) throw new AppError('host_invalid');
  if (c.req.url.length > longestAddress)
    throw new AppError('validation_failed', [`the address must have at most ${longestAddress} characters`]);
  if (!URL.canParse(c.req.url)) throw new AppError('host_invalid');
}

/** The id appears in the response and in every log line about the request. */
function nameRequest(c: AppContext, deps: Deps): void {
  const id = toBase64url(deps.randomBytes(12));
  c.set('requestId', id);
  c.header('X-Request-Id', id);
}

/**
 * No browser should render, frame, sniff or store these responses, or load them into another origin's page without
 * CORS. Public responses override this. Nothing here sets a
 * Cross-Origin-Opener-Policy: it would cut a popup off from its opener, even on an intermediate redirect.
 */
function closeAnswer(c: AppContext, deps: Deps): void {
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Cache-Control', 'no-store');
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  if (deps.config.production) c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
}

async function logged(c: AppContext, next: Next, deps: Deps): Promise<void> {
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
