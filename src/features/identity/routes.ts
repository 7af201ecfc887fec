import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { identityEndpoints } from './endpoints.ts';
import { getPublicIdentity } from './identity.ts';

/** What the public may know of identities. */
export function identityRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** An identity by its PID, for anybody. 404 also for a closed one. */
  serve(routes, deps, identityEndpoints.getIdentity, async (c, { params }) =>
    sendJson(c, await getPublicIdentity(deps, params.pid)),
  );

  return routes;
}
