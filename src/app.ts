import { Hono } from 'hono';
import type { Deps, DevClock } from './deps.ts';
import { claimRoutes } from './features/claim/routes.ts';
import { credentialRoutes } from './features/credential/routes.ts';
import { checkReadiness } from './features/identity/readiness.ts';
import { idpRoutes } from './features/idp/routes.ts';
import { sandboxRoutes } from './features/sandbox/routes.tsx';
import { sessionRoutes } from './features/session/routes.ts';
import { signingKeyRoutes } from './features/signing-key/routes.ts';
import { admit } from './middleware/admit.ts';
import { sendJson } from './middleware/answer.ts';
import type { AppEnv } from './middleware/context.ts';
import { renderError, renderNotFound } from './middleware/errors.ts';
import { claimPages } from './pages/claim-pages.tsx';
import { errorPage } from './pages/error.tsx';
import { signInPages } from './pages/sign-in.tsx';

export type App = Hono<AppEnv>;

/** Set by `define` in wrangler.toml: the production build carries no sandbox at all, whatever its settings say. */
declare const PERIDOT_SANDBOX: boolean;

/** The whole service: every route group and page, the guards in front of them, and the one error renderer. */
export function createApp(deps: Deps, clock?: DevClock): App {
  const app: App = new Hono<AppEnv>();
  app.onError(renderError(deps, errorPage(deps)));
  app.notFound(renderNotFound);
  app.use(admit(deps));

  // Pages stand before the API: at an address they share they answer browsers and pass everyone else on.
  app.route('/', signInPages(deps));
  app.route('/', claimPages(deps));
  if ((typeof PERIDOT_SANDBOX === 'undefined' || PERIDOT_SANDBOX) && !deps.config.production) {
    app.route('/', sandboxRoutes(deps, clock));
  }

  app.route('/', sessionRoutes(deps));
  app.route('/', idpRoutes(deps));
  app.route('/', claimRoutes(deps));
  app.route('/', credentialRoutes(deps));
  app.route('/', signingKeyRoutes(deps));

  /** Whether the process runs. Asks nothing else, so that a locked database does not restart it. */
  app.get('/healthz', (c) => sendJson(c, { status: 'ok' }));

  /** Whether the service can do its work: the database answers. */
  app.get('/readyz', async (c) => {
    await checkReadiness(deps);
    return sendJson(c, { status: 'ok' });
  });

  return app;
}
