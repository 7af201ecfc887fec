import type { MiddlewareHandler, Next } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { toBase64url } from '../lib/encoding.ts';
import type { AppContext, AppEnv, SizeOf } from './context.ts';
import { type AppOrigins, guardOrigin } from './origin.ts';

interface Hooks {
  readonly sizeOf?: SizeOf;
  /** Called after a request that ended sessions or grants. */
  readonly onSessionsEnded?: () => void;
}

/**
 * Runs before every route: gives the request an id and its response the default headers, and checks its host and
 * origin.
 * One middleware, because each one costs about as much as a whole route.
 */
export function admit(
  deps: Deps,
  apps: AppOrigins,
  { sizeOf, onSessionsEnded }: Hooks = {},
): MiddlewareHandler<AppEnv> {
  const logsRequests = deps.config.LOG_LEVEL === 'debug';
  return function admitted(c, next) {
    nameRequest(c, deps);
    closeAnswer(c, deps);
    c.set('sizeOf', sizeOf);
    // Bun takes the URL's host from this header without checking it, and joins two of them with a comma.
    if (!URL.canParse(c.req.url) || c.req.header('Host')?.includes(',')) throw new AppError('host_invalid');
    const go = async () => {
      await (logsRequests ? logged(c, next, deps) : next());
      if (c.get('endedSessions')) onSessionsEnded?.();
    };
    const answer = guardOrigin(c, deps, apps);
    if (answer instanceof Promise) return answered(answer, go);
    return answer ? Promise.resolve(answer) : go();
  };
}

/** The response to a preflight, or the route's. */
async function answered(
  answer: Promise<Response | null>,
  go: () => Promise<void>,
): Promise<Response | undefined> {
  const preflight = await answer;
  if (preflight) return preflight;
  await go();
  return undefined;
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
