import { Hono, type MiddlewareHandler } from 'hono';
import type { Deps, DevClock } from '../deps.ts';
import { AppError } from '../errors.ts';
import { listCredentials } from '../features/credential/credential.ts';
import { listProviders } from '../features/idp/idp.ts';
import { sessionOf, verifyAccessToken } from '../features/session/access-token.ts';
import { cookieScope, readAccessCookie, sessionCookieNames } from '../features/session/cookies.ts';
import { requireSession } from '../features/session/require-session.ts';
import { sendJson } from '../http/answer.ts';
import { jsonBody, readForm, validationError, validBody } from '../http/body.ts';
import { type AppContext, type AppEnv, clientInfo, isNavigation } from '../http/context.ts';
import { isLoopbackHost } from '../lib/origin.ts';
import { readReturnTo } from '../pages/shared/return-to.ts';
import { renderPage } from '../ui/page.tsx';
import { sandboxAuthorizeRoutes } from './authorize-routes.tsx';
import { addDemoCredential, seedDemo } from './demo.ts';
import { galleryRoutes } from './gallery-routes.tsx';
import { sandboxGithubRoutes } from './github-routes.ts';
import { IndexPage } from './index-page.tsx';
import { sandboxInstance, sandboxInstances } from './instance.ts';
import { mailboxRoutes } from './mail-routes.tsx';
import { sandboxOidcRoutes } from './oidc-routes.ts';
import { type ClockState, clockInput } from './schema.ts';
import { WelcomePage } from './welcome.tsx';
import { welcomeScript } from './welcome-script.ts';

/**
 * What development has beyond the service, all under `/dev`. Never mounted in production.
 * @param runScheduled the jobs that a cron or a timer runs elsewhere
 */
export function sandboxRoutes(
  deps: Deps,
  clock?: DevClock,
  runScheduled?: () => Promise<unknown>,
): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  for (const entrance of ['/', '/dev', '/signin']) routes.use(entrance, stayAtBaseUrl(deps));
  routes.get('/', (c) => c.redirect('/dev'));
  routes.use('/dev', onlyHere);
  routes.use('/dev/*', onlyHere);
  for (const instance of sandboxInstances(deps)) {
    routes.route('/', sandboxAuthorizeRoutes(deps, instance));
    const serve = instance.id === 'github' ? sandboxGithubRoutes : sandboxOidcRoutes;
    routes.route('/', serve(deps, instance));
  }
  routes.route('/', galleryRoutes(deps));
  routes.route('/', mailboxRoutes(deps));
  if (clock) routes.route('/', clockRoutes(clock));

  /** Everything there is in development. */
  routes.get('/dev', (c) =>
    renderPage(
      c,
      deps,
      { title: 'Development', wide: true, developer: true },
      <IndexPage
        providers={listProviders(deps).data.map(({ id, name }) => ({
          id,
          name,
          sandbox: sandboxInstance(deps, id) !== null,
        }))}
        clock={clock ? clockState(clock) : null}
        hasClaims={deps.config.INTERFACE_REVISION === 'claim'}
        accessCookie={sessionCookieNames(deps.config).access}
      />,
    ),
  );

  /** Where a sign-in lands unless CLIENT_SUCCESS_URL says otherwise: a small client of the API. */
  routes.get('/dev/welcome', async (c) => {
    const token = readAccessCookie(c, deps);
    const claims = token && (await verifyAccessToken(deps, token, deps.now()));
    const returnTo = readReturnTo(c.req.query('returnTo'));
    const page = { title: 'Welcome', wide: true, developer: true, script: welcomeScript };
    return renderPage(
      c,
      deps,
      page,
      <WelcomePage
        session={claims ? sessionOf(deps, claims) : null}
        credentials={claims ? await listCredentials(deps, claims.handle) : []}
        mustClaim={c.req.query('claim') === '1'}
        returnTo={returnTo}
      />,
    );
  });

  /** One more credential for the signed-in person, to be unlinked. */
  routes.post('/dev/credentials', requireSession(deps), async (c) => {
    const added = await addDemoCredential(deps, c.get('actor'));
    return isNavigation(c) ? c.redirect('/dev/welcome', 303) : sendJson(c, added);
  });

  /** Makes the demo data; safe to repeat. */
  routes.post('/dev/seed', async (c) => {
    const context = { client: clientInfo(c), scope: cookieScope(deps.config), replaces: null, popup: null };
    const pid = await seedDemo(deps, context);
    return isNavigation(c) ? c.redirect('/dev', 303) : sendJson(c, { data: [{ pid }] });
  });

  /** Runs the scheduled jobs now and answers what each did: `wrangler dev` fires no cron. */
  if (runScheduled) {
    routes.post('/dev/scheduled', async (c) => sendJson(c, { data: await runScheduled() }));
  }

  return routes;
}

/**
 * Leads a person who came under another name of this machine (127.0.0.1 for localhost) to BASE_URL: the provider
 * sends them back there, and cookies set under the other name would not come along.
 */
function stayAtBaseUrl(deps: Deps): MiddlewareHandler<AppEnv> {
  const base = new URL(deps.config.origin);
  return async function led(c, next) {
    const url = URL.parse(c.req.url);
    const elsewhere = url !== null && url.hostname !== base.hostname && isLoopbackHost(url.hostname);
    if (c.req.method !== 'GET' || !elsewhere || !isNavigation(c)) return next();
    return c.redirect(`${base.origin}${url.pathname}${url.search}`);
  };
}

/**
 * Answers only under a name of this machine: the sandbox lets anyone in, so neither a service that was put on
 * the network by mistake nor a foreign name that resolves to 127.0.0.1 (DNS rebinding) may reach it.
 */
const onlyHere: MiddlewareHandler<AppEnv> = (c, next) => {
  if (!isLoopbackHost(URL.parse(c.req.url)?.hostname ?? '')) throw new AppError('not_found');
  return next();
};

/** Moves the service's clock, to see what expires. The browser's own clock, and so its cookies, stay as they are. */
function clockRoutes(clock: DevClock): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  routes.get('/dev/clock', (c) => sendJson(c, clockState(clock)));

  routes.post('/dev/clock', async (c, next) => (isNavigation(c) ? advanceByForm(c, clock) : next()));

  routes.post('/dev/clock', jsonBody(), validBody(clockInput), (c) => {
    clock.advance(c.req.valid('json').advanceSeconds * 1000);
    return sendJson(c, clockState(clock));
  });

  return routes;
}

async function advanceByForm(c: AppContext, clock: DevClock): Promise<Response> {
  const input = clockInput.safeParse(Object.fromEntries(await readForm(c)));
  if (!input.success) throw validationError(input.error.issues);
  clock.advance(input.data.advanceSeconds * 1000);
  return c.redirect('/dev', 303);
}

function clockState(clock: DevClock): ClockState {
  return { now: new Date(clock.now()).toISOString(), offsetSeconds: clock.offset() / 1000 };
}
