import type { Hono } from 'hono';
import type { Deps, DevClock } from '../src/deps.ts';
import { listProviders } from '../src/features/idp/list.ts';
import { cookieScope, sessionCookieNames } from '../src/features/session/cookies.ts';
import type { SignInContext } from '../src/features/sign-in/context.ts';
import { sendJson } from '../src/http/answer.ts';
import { jsonBody, readForm, validBody } from '../src/http/body.ts';
import { type AppContext, type AppEnv, clientInfo, isNavigation } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { isoTime } from '../src/lib/id.ts';
import { parseInput } from '../src/pages/shared/form.ts';
import { renderPage } from '../src/ui/page.tsx';
import { seedDemo } from './demo.ts';
import { IndexPage } from './index-page.tsx';
import { sandboxInstance } from './instance.ts';
import { giveMoney } from './money.ts';
import { appOfPage } from './page-app.ts';
import { type ClockState, clockInput, moneyInput, shopInput } from './schema.ts';
import { connectShop } from './shop.ts';

/** `/dev`: the overview, and loading the demo data. */
export function indexRoutes(deps: Deps, clock?: DevClock): Hono<AppEnv> {
  const routes = new Routes();

  routes.get('/dev', (c) => {
    const providers = listProviders(deps).data.map(({ id, name }) => ({
      id,
      name,
      sandbox: sandboxInstance(deps, id) !== null,
    }));
    return renderPage(
      c,
      deps,
      { title: 'Development', wide: true, developer: true },
      <IndexPage
        providers={providers}
        clock={clock ? clockState(clock) : null}
        hasClaims={deps.config.INTERFACE_REVISION === 'claim'}
        examples={deps.config.EXAMPLE_APPS}
        administrators={deps.config.ADMIN_PIDS}
        support={deps.config.SUPPORT_PIDS}
        origin={deps.config.origin}
        accessCookie={sessionCookieNames(deps.config).access}
      />,
    );
  });

  /** Creates the demo data. Safe to repeat. */
  routes.post('/dev/seed', async (c) => {
    const pid = await seedDemo(deps, seedContext(c, deps));
    return isNavigation(c) ? c.redirect('/dev', 303) : sendJson(c, { data: [{ pid }] });
  });

  /** Connects the demo shop started by `npm run dev`. */
  routes.post('/dev/shop', jsonBody(), validBody(shopInput), async (c) =>
    sendJson(c, await connectShop(deps, seedContext(c, deps), c.req.valid('json'))),
  );

  /** Registers an app for the requesting page, on any port of this machine. */
  routes.post('/dev/app', async (c) =>
    sendJson(c, await appOfPage(deps, seedContext(c, deps), c.req.header('Origin') ?? deps.config.origin)),
  );

  /** Adds sandbox money to a wallet. */
  routes.post('/dev/money', jsonBody(), validBody(moneyInput), async (c) => {
    return sendJson(c, await giveMoney(deps, c.req.valid('json')));
  });

  return routes;
}

/** For people who sign in without a browser. */
function seedContext(c: AppContext, deps: Deps): SignInContext {
  return { client: clientInfo(c), scope: cookieScope(deps.config), replaces: null, popup: null };
}

/** Moves the service's clock to show how things expire. The browser's clock, and so its cookies, do not move. */
export function clockRoutes(clock: DevClock): Hono<AppEnv> {
  const routes = new Routes();

  routes.get('/dev/clock', (c) => sendJson(c, clockState(clock)));

  routes.post('/dev/clock', async (c, next) => (isNavigation(c) ? advanceByForm(c, clock) : next()));

  routes.post('/dev/clock', jsonBody(), validBody(clockInput), (c) => {
    clock.advance(c.req.valid('json').advanceSeconds * 1000);
    return sendJson(c, clockState(clock));
  });

  return routes;
}

async function advanceByForm(c: AppContext, clock: DevClock): Promise<Response> {
  const { advanceSeconds } = parseInput(clockInput, Object.fromEntries(await readForm(c)));
  clock.advance(advanceSeconds * 1000);
  return c.redirect('/dev', 303);
}

function clockState(clock: DevClock): ClockState {
  return { now: isoTime(clock.now()), offsetSeconds: clock.offset() / 1000 };
}
