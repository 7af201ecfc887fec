import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { validQuery } from '../../http/body.ts';
import type { AppEnv } from '../../http/context.ts';
import { requireSession } from '../session/require-session.ts';
import { listActivity } from './activity.ts';
import { activityPageQuery } from './schema.ts';

/** What happened to one's own identity. */
export function activityRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Sign-ins, ended sessions, linked and unlinked credentials of the signed-in person, the newest first. */
  routes.get(
    '/v1/me/activity',
    requireSession(deps, 'GET /v1/me/activity'),
    validQuery(activityPageQuery),
    async (c) => sendJson(c, await listActivity(deps, c.get('actor').sessionId, c.req.valid('query'))),
  );

  return routes;
}
