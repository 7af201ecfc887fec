import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { getPublicIdentity } from './identity.ts';

/** What the public may know of identities. */
export function identityRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** An identity by its PID, for anybody. 404 also for a closed one. */
  routes.get('/v1/identities/:pid', rateLimit(deps, 'GET /v1/identities/:pid'), async (c) =>
    sendJson(c, await getPublicIdentity(deps, c.req.param('pid'))),
  );

  return routes;
}
