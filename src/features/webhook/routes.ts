import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import type { AppEnv } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { webhookEndpoints } from './endpoints.ts';
import { listEvents, redeliverEvent } from './events.ts';
import { deleteWebhook, getWebhook, setWebhook, testWebhook } from './webhook.ts';

/** Where an app hears what concerns it, and what it heard. */
export function webhookRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Sets the endpoint. 400 for an address that is not public, 403 unless the sign-in is recent. */
  serve(routes, deps, webhookEndpoints.setWebhook, async (c, { actor, body, params }) =>
    sendJson(c, await setWebhook(deps, { sessionId: actor.sessionId, appId: params.id, input: body })),
  );

  /** The endpoint, without its secret. */
  serve(routes, deps, webhookEndpoints.getWebhook, async (c, { actor, params }) =>
    sendJson(c, await getWebhook(deps, { sessionId: actor.sessionId, appId: params.id })),
  );

  /** Deletes the endpoint. Safe to repeat. */
  serve(routes, deps, webhookEndpoints.deleteWebhook, async (c, { actor, params }) => {
    await deleteWebhook(deps, { sessionId: actor.sessionId, appId: params.id });
    return c.body(null, 204);
  });

  /** Sends `ping` once, and answers what came of it. */
  serve(routes, deps, webhookEndpoints.testWebhook, async (c, { actor, params }) =>
    sendJson(c, await testWebhook(deps, { sessionId: actor.sessionId, appId: params.id })),
  );

  /** The events of the last 30 days with their deliveries, the newest first. */
  serve(routes, deps, webhookEndpoints.listEvents, async (c, { actor, params, query }) =>
    sendJson(c, await listEvents(deps, { sessionId: actor.sessionId, appId: params.id, page: query })),
  );

  /** Delivers an event once more. 400 while the endpoint is disabled or there is none. */
  serve(routes, deps, webhookEndpoints.redeliverEvent, async (c, { actor, params }) => {
    const { id: appId, eventId } = params;
    await redeliverEvent(deps, { sessionId: actor.sessionId, appId, eventId });
    return c.body(null, 204);
  });

  return routes;
}
