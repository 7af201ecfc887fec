import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { all, statement } from './db/database.ts';
import type { Deps, DevClock } from './deps.ts';
import { claimRoutes } from './features/claim/routes.ts';
import { credentialRoutes } from './features/credential/routes.ts';
import { idpRoutes } from './features/idp/routes.ts';
import { sessionRoutes } from './features/session/routes.ts';
import { signingKeyRoutes } from './features/signing-key/routes.ts';
import type { AppEnv } from './middleware/context.ts';
import { renderError, renderNotFound } from './middleware/errors.ts';
import { guardOrigin } from './middleware/origin.ts';
import { apiHeaders, nameRequest } from './middleware/request.ts';

export type App = Hono<AppEnv>;

/** The whole service: every route group and page, the guards in front of them, and the one error renderer. */
export function createApp(deps: Deps, _clock?: DevClock): App {
  const app: App = new Hono<AppEnv>();
  app.onError(renderError(deps));
  app.notFound(renderNotFound);
  app.use(nameRequest(deps), apiHeaders(), guardOrigin(deps));

  app.route('/', sessionRoutes(deps));
  app.route('/', idpRoutes(deps));
  app.route('/', claimRoutes(deps));
  app.route('/', credentialRoutes(deps));
  app.route('/', signingKeyRoutes(deps));

  /** Whether the process runs. Asks nothing else, so that a locked database does not restart it. */
  app.get('/healthz', (c) => c.json({ status: 'ok' }));

  /** Whether the service can do its work: the database answers. */
  app.get('/readyz', async (c) => {
    await all(deps.db, statement(sql`SELECT id FROM settings WHERE id = 1`));
    return c.json({ status: 'ok' });
  });

  return app;
}
