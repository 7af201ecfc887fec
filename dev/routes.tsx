import type { MiddlewareHandler } from 'hono';
import type { Deps, DevClock } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import { sendJson } from '../src/http/answer.ts';
import { type AppEnv, isNavigation } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { isLoopbackAddress } from '../src/lib/loopback.ts';
import { isLoopbackHost } from '../src/lib/origin.ts';
import { signInPath } from '../src/lib/page-paths.ts';
import { sandboxAuthorizeRoutes } from './authorize-routes.tsx';
import { galleryRoutes } from './gallery-routes.tsx';
import { sandboxGatewayRoutes } from './gateway-routes.tsx';
import { sandboxGithubRoutes } from './github-routes.ts';
import { clockRoutes, indexRoutes } from './index-routes.tsx';
import { sandboxInstances } from './instance.ts';
import { mailboxRoutes } from './mail-routes.tsx';
import { sandboxOidcRoutes } from './oidc-routes.ts';
import { receiverRoutes } from './receiver-routes.tsx';
import { welcomeRoutes } from './welcome-routes.tsx';

/** Headers with which a proxy shows that it forwards a request (RFC 7239 and its predecessors). */
const proxyHeaders = [
  'Forwarded',
  'Via',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Real-IP',
] as const;

/**
 * The development tools under `/dev`, never mounted in production.
 * @param runScheduled the jobs otherwise run by cron or a timer
 */
export function sandboxRoutes(deps: Deps, clock?: DevClock, runScheduled?: () => Promise<unknown>) {
  const routes = new Routes();
  for (const entrance of ['/', '/dev', signInPath]) routes.use(entrance, stayAtBaseUrl(deps));
  routes.get('/', (c) => c.redirect('/dev'));
  routes.use('/dev', onlyHere);
  routes.use('/dev/*', onlyHere);
  for (const instance of sandboxInstances(deps)) {
    routes.route('/', sandboxAuthorizeRoutes(deps, instance));
    const serve = instance.id === 'github' ? sandboxGithubRoutes : sandboxOidcRoutes;
    routes.route('/', serve(deps, instance));
  }
  routes.route('/', sandboxGatewayRoutes(deps));
  routes.route('/', galleryRoutes(deps));
  routes.route('/', mailboxRoutes(deps));
  routes.route('/', receiverRoutes(deps));
  routes.route('/', indexRoutes(deps, clock));
  if (clock) routes.route('/', clockRoutes(clock));
  routes.route('/', welcomeRoutes(deps));

  /** Runs the scheduled jobs now and returns their results, because `wrangler dev` does not run cron triggers. */
  if (runScheduled) {
    routes.post('/dev/scheduled', async (c) => sendJson(c, { data: await runScheduled() }));
  }

  return routes;
}

/**
 * Redirects other names of this machine (such as 127.0.0.1 for localhost) to BASE_URL: the provider redirects people
 * there, where cookies set under another name would be missing.
 */
function stayAtBaseUrl(deps: Deps): MiddlewareHandler<AppEnv> {
  const base = new URL(deps.config.origin);
  return async function redirected(c, next) {
    const url = URL.parse(c.req.url);
    const elsewhere = url !== null && url.hostname !== base.hostname && isLoopbackHost(url.hostname);
    if (c.req.method !== 'GET' || !elsewhere || !isNavigation(c)) return next();
    return c.redirect(`${base.origin}${url.pathname}${url.search}`);
  };
}

/**
 * Responds only to clients on this machine, and only under one of its names. The sandbox lets anyone in, so it must not
 * be reachable through a service exposed by mistake, another name that resolves to 127.0.0.1 (DNS rebinding), or a
 * proxy on this machine, which may send any Host and whose clients may be anywhere. `wrangler dev` reports every client
 * as local, so scripts/dev.ts listens only on this machine.
 */
const onlyHere: MiddlewareHandler<AppEnv> = (c, next) => {
  const isLocal = isLoopbackAddress(c.env.address) && !proxyHeaders.some((name) => c.req.header(name));
  if (!isLocal || !isLoopbackHost(URL.parse(c.req.url)?.hostname ?? '')) throw new AppError('not_found');
  return next();
};
