import { AppError } from '../../errors.ts';
import { routesOf } from '../../http/serve.ts';
import type { Caller } from '../grant/acting-caller.ts';
import { webhookEndpoints } from './endpoints.ts';
import { listEvents, redeliverEvent } from './events.ts';
import { deleteWebhook, getWebhook, setWebhook, testWebhook } from './webhook.ts';

/** An app's webhook and its events. */
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

  /** Sends `ping` once, and returns the result. */
  testWebhook: ({ deps, actor: { sessionId, handle }, params: { id: appId } }) =>
    testWebhook(deps, { sessionId, handle, appId }),

  /** The events of the last 30 days with their deliveries, newest first. */
  listEvents: ({ deps, actor, params: { id: appId }, query: page }) =>
    listEvents(deps, { sessionId: ownerOf(actor, appId), appId, page }),

  /** Delivers an event again. 400 while the endpoint is disabled or missing. */
  redeliverEvent: ({ deps, actor: { sessionId }, params: { id: appId, eventId } }) =>
    redeliverEvent(deps, { sessionId, appId, eventId }),
});

/** The session of the person who may own the app; null for the app itself. */
function ownerOf({ by, handle, sessionId, appId }: Caller<string | null>, id: string): string | null {
  if (by === 'person') return sessionId;
  if (handle !== null) throw new AppError('origin_not_allowed', null, { reason: 'an app for a person' });
  if (appId !== id) throw new AppError('app_not_found');
  return null;
}
