import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { listActivity } from './activity.ts';
import { listActivityEndpoint } from './endpoints.ts';

/** What happened to one's own identity. */
export function activityRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Sign-ins, ended sessions, linked and unlinked credentials of the signed-in person, the newest first. */
  serve(routes, deps, listActivityEndpoint, async (c, { actor, query }) =>
    sendJson(c, await listActivity(deps, actor.sessionId, query)),
  );

  return routes;
}
