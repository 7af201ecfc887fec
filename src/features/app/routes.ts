import { clientInfo } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { createApp, deleteApp, getApp, listApps } from './app.ts';
import { appEndpoints } from './endpoints.ts';
import { addResource, removeResource } from './resource.ts';
import { listSecrets, revokeSecret, rotateSecret } from './secret.ts';
import { senderOf, updateApp } from './update.ts';

/** A person's apps and their secrets. Another person's app is always 404. */
export const appRoutes = routesOf(appEndpoints, {
  /** Registers an app. The response contains its first secret, which is shown only once. 409 for the 51st app. */
  createApp: ({ deps, actor, body }) => createApp(deps, actor, body),

  /** The person's apps, newest first. */
  listApps: ({ deps, actor, query }) => listApps(deps, actor.sessionId, query),

  /** One app. */
  getApp: ({ deps, actor, params }) => getApp(deps, actor.sessionId, params.id),

  /** Changes the given fields and returns the app. 403 for an address change without a recent sign-in. */
  updateApp: ({ c, deps, actor: { sessionId, handle }, body: changes, params: { id } }) =>
    updateApp(deps, { sessionId, id, changes, ...senderOf(c, deps, handle) }),

  /** Permanently deletes an app. 403 unless the sign-in is recent; safe to repeat. */
  deleteApp: ({ deps, actor: { sessionId }, params: { id: appId } }) => deleteApp(deps, { sessionId, appId }),

  /** Replaces a web app's secret. Previous secrets expire after the overlap. 403 unless the sign-in is recent. */
  rotateAppSecret: ({ c, deps, actor: { sessionId }, body: { overlapSeconds }, params: { id: appId } }) =>
    rotateSecret(deps, { sessionId, appId, client: clientInfo(c), overlapSeconds }),

  /** The valid secrets, without their values. */
  listAppSecrets: ({ deps, actor, params }) => listSecrets(deps, actor.sessionId, params.id),

  /** Revokes one secret immediately. 400 for the only one unless `force=true`; 403 unless the sign-in is recent. */
  revokeAppSecret: ({ c, deps, actor: { sessionId }, params: { id: appId, secretId }, query: { force } }) =>
    revokeSecret(deps, { sessionId, appId, client: clientInfo(c), secretId, force: force === 'true' }),

  /** Registers a resource that its origin proves, and returns the app. 403 unless the sign-in is recent; 409 for another app's. */
  addResource: ({ c, deps, actor: { sessionId, handle }, body: { resource }, params: { id: appId } }) =>
    addResource(deps, { sessionId, handle, appId, resource, client: clientInfo(c) }),

  /** Removes a resource. 403 unless the sign-in is recent; safe to repeat. */
  removeResource: ({ c, deps, actor: { sessionId, handle }, query: { resource }, params: { id: appId } }) =>
    removeResource(deps, { sessionId, handle, appId, resource, client: clientInfo(c) }),
});
