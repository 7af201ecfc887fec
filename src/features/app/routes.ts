import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { createApp, deleteApp, getApp, listApps, updateApp } from './app.ts';
import { appEndpoints } from './endpoints.ts';
import { listSecrets, revokeSecret, rotateSecret } from './secret.ts';

/** The apps that a person has registered, and their secrets. An app of somebody else is 404 throughout. */
export function appRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Registers an app; the answer shows its first secret, once. 409 for the 51st. */
  serve(routes, deps, appEndpoints.createApp, async (c, { actor, body }) =>
    sendJson(c, await createApp(deps, actor.sessionId, body)),
  );

  /** The person's apps, the newest first. */
  serve(routes, deps, appEndpoints.listApps, async (c, { actor, query }) =>
    sendJson(c, await listApps(deps, actor.sessionId, query)),
  );

  /** One app. */
  serve(routes, deps, appEndpoints.getApp, async (c, { actor, params }) =>
    sendJson(c, await getApp(deps, actor.sessionId, params.id)),
  );

  /** Changes what is given, and answers the app. 400 for what its type does not allow. */
  serve(routes, deps, appEndpoints.updateApp, async (c, { actor, body, params }) =>
    sendJson(c, await updateApp(deps, { sessionId: actor.sessionId, id: params.id, changes: body })),
  );

  /** Deletes an app for good. 403 unless the sign-in is recent; safe to repeat. */
  serve(routes, deps, appEndpoints.deleteApp, async (c, { actor, params }) => {
    await deleteApp(deps, { sessionId: actor.sessionId, appId: params.id });
    return c.body(null, 204);
  });

  /** Replaces the secret of a web app; the former ones end after the overlap. 403 unless the sign-in is recent. */
  serve(routes, deps, appEndpoints.rotateAppSecret, async (c, { actor, body, params }) => {
    const { overlapSeconds } = body;
    const change = { sessionId: actor.sessionId, appId: params.id, client: clientInfo(c) };
    return sendJson(c, await rotateSecret(deps, { ...change, overlapSeconds }));
  });

  /** The secrets that are still good, without their values. */
  serve(routes, deps, appEndpoints.listAppSecrets, async (c, { actor, params }) =>
    sendJson(c, await listSecrets(deps, actor.sessionId, params.id)),
  );

  /** Ends one secret at once. 400 for the only one unless `force=true`; 403 unless the sign-in is recent. */
  serve(routes, deps, appEndpoints.revokeAppSecret, async (c, { actor, params, query }) => {
    const { id: appId, secretId } = params;
    const change = { sessionId: actor.sessionId, appId, client: clientInfo(c) };
    await revokeSecret(deps, { ...change, secretId, force: query.force === 'true' });
    return c.body(null, 204);
  });

  return routes;
}
