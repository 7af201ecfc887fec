import { Hono } from 'hono';
import type { Deps, DevClock } from './deps.ts';
import { accountRoutes } from './features/account/routes.ts';
import { activityRoutes } from './features/activity/routes.ts';
import { adminRoutes } from './features/admin/routes.ts';
import { claimRoutes } from './features/claim/routes.ts';
import { credentialRoutes } from './features/credential/routes.ts';
import { emailRoutes } from './features/email/routes.ts';
import { checkReadiness } from './features/identity/readiness.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { linkRoutes } from './features/idp/link-routes.ts';
import { idpRoutes } from './features/idp/routes.ts';
import { popupRoutes } from './features/popup/routes.ts';
import { sandboxRoutes } from './features/sandbox/routes.tsx';
import { sessionRoutes } from './features/session/routes.ts';
import { signingKeyRoutes } from './features/signing-key/routes.ts';
import { admit } from './middleware/admit.ts';
import { sendJson } from './middleware/answer.ts';
import type { AppEnv } from './middleware/context.ts';
import { renderError, renderNotFound } from './middleware/errors.ts';
import { checkLimitNames, limitOthers } from './middleware/rate-limit.ts';
import { accountPages } from './pages/account-pages.tsx';
import { claimLinkPages } from './pages/claim-link-pages.tsx';
import { claimPages } from './pages/claim-pages.tsx';
import { emailPages } from './pages/email/email-pages.ts';
import { errorOfCode, errorPage } from './pages/error.tsx';
import { linkPages } from './pages/link-pages.tsx';
import { popupPages } from './pages/popup/popup-pages.tsx';
import { sessionPages } from './pages/session-pages.ts';
import { signInPages } from './pages/sign-in.tsx';

export type App = Hono<AppEnv>;

/** Set by `define` in wrangler.toml: the production build carries no sandbox at all, whatever its settings say. */
declare const PERIDOT_SANDBOX: boolean;

/** The whole service: every route group and page, the guards in front of them, and the one error renderer. */
export function createApp(deps: Deps, clock?: DevClock, runScheduled?: () => Promise<unknown>): App {
  checkLimitNames(deps.config);
  const app: App = new Hono<AppEnv>();
  app.onError(renderError(deps, errorPage(deps)));
  const limitUnknown = limitOthers(deps);
  app.notFound(async (c) => {
    await limitUnknown(c);
    return renderNotFound(c);
  });
  app.use(admit(deps));

  const hasClaims = deps.config.INTERFACE_REVISION === 'claim';
  if ((typeof PERIDOT_SANDBOX === 'undefined' || PERIDOT_SANDBOX) && !deps.config.production) {
    app.route('/', sandboxRoutes(deps, clock, runScheduled));
  }
  // Pages stand before the API: at an address they share they answer browsers and pass everyone else on.
  app.route('/', signInPages(deps));
  app.route('/', popupPages(deps));
  app.route('/', linkPages(deps));
  app.route('/', sessionPages(deps));
  app.route('/', accountPages(deps));
  if (hasClaims) app.route('/', claimPages(deps));
  if (hasClaims) app.route('/', claimLinkPages(deps));
  app.route('/', emailPages(deps));

  /** An error page that cannot be opened again, in another language. */
  app.get('/error/:code', (c) => {
    throw errorOfCode(c.req.param('code'));
  });

  app.route('/', sessionRoutes(deps));
  app.route('/', idpRoutes(deps));
  app.route('/', linkRoutes(deps));
  if (hasClaims) app.route('/', claimRoutes(deps));
  app.route('/', popupRoutes(deps));
  app.route('/', emailRoutes(deps));
  app.route('/', credentialRoutes(deps));
  app.route('/', identityRoutes(deps));
  app.route('/', activityRoutes(deps));
  app.route('/', accountRoutes(deps));
  app.route('/', adminRoutes(deps));
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
