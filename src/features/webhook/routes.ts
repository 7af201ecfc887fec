import { routesOf } from '../../http/serve.ts';
import { webhookEndpoints } from './endpoints.ts';
import { listEvents, redeliverEvent } from './events.ts';
import { deleteWebhook, getWebhook, setWebhook, testWebhook } from './webhook.ts';

/** Where an app hears what concerns it, and what it heard. */
export const webhookRoutes = routesOf(webhookEndpoints, {
  /** Sets the endpoint. 400 for an address that is not public, 403 unless the sign-in is recent. */
  setWebhook: ({ deps, actor: { sessionId }, body: input, params: { id: appId } }) =>
    setWebhook(deps, { sessionId, appId, input }),

  /** The endpoint, without its secret. */
  getWebhook: ({ deps, actor: { sessionId }, params: { id: appId } }) =>
    getWebhook(deps, { sessionId, appId }),

  /** Deletes the endpoint. Safe to repeat. */
  deleteWebhook: ({ deps, actor: { sessionId }, params: { id: appId } }) =>
    deleteWebhook(deps, { sessionId, appId }),

  /** Sends `ping` once, and answers what came of it. */
  testWebhook: ({ deps, actor: { sessionId }, params: { id: appId } }) =>
    testWebhook(deps, { sessionId, appId }),

  /** The events of the last 30 days with their deliveries, the newest first. */
  listEvents: ({ deps, actor: { sessionId }, params: { id: appId }, query: page }) =>
    listEvents(deps, { sessionId, appId, page }),

  /** Delivers an event once more. 400 while the endpoint is disabled or there is none. */
  redeliverEvent: ({ deps, actor: { sessionId }, params: { id: appId, eventId } }) =>
    redeliverEvent(deps, { sessionId, appId, eventId }),
});
