import { clientInfo } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { createApp, deleteApp, getApp, listApps } from './app.ts';
import { appEndpoints } from './endpoints.ts';
import { addResource, removeResource } from './resource.ts';
import { listSecrets, revokeSecret, rotateSecret } from './secret.ts';
import { updateApp } from './update.ts';

/** The apps that a person has registered, and their secrets. An app of somebody else is 404 throughout. */
export const appRoutes = routesOf(appEndpoints, {
  /** Registers an app; the answer shows its first secret, once. 409 for the 51st. */
  createApp: ({ deps, actor, body }) => createApp(deps, actor.sessionId, body),

  /** The person's apps, the newest first. */
  listApps: ({ deps, actor, query }) => listApps(deps, actor.sessionId, query),

  /** One app. */
  getApp: ({ deps, actor, params }) => getApp(deps, actor.sessionId, params.id),

  /** Changes the given fields and returns the app. 403 for a change of an address without a recent sign-in. */
  updateApp: ({ c, deps, actor: { sessionId }, body: changes, params: { id } }) =>
    updateApp(deps, { sessionId, id, changes, client: clientInfo(c) }),

  /** Deletes an app for good. 403 unless the sign-in is recent; safe to repeat. */
  deleteApp: ({ deps, actor: { sessionId }, params: { id: appId } }) => deleteApp(deps, { sessionId, appId }),

  /** Replaces the secret of a web app; the former ones end after the overlap. 403 unless the sign-in is recent. */
  rotateAppSecret: ({ c, deps, actor: { sessionId }, body: { overlapSeconds }, params: { id: appId } }) =>
    rotateSecret(deps, { sessionId, appId, client: clientInfo(c), overlapSeconds }),

  /** The secrets that are still good, without their values. */
  listAppSecrets: ({ deps, actor, params }) => listSecrets(deps, actor.sessionId, params.id),

  /** Ends one secret at once. 400 for the only one unless `force=true`; 403 unless the sign-in is recent. */
  revokeAppSecret: ({ c, deps, actor: { sessionId }, params: { id: appId, secretId }, query: { force } }) =>
    revokeSecret(deps, { sessionId, appId, client: clientInfo(c), secretId, force: force === 'true' }),

  /** Registers a resource that its origin proves, and answers the app. 403 unless the sign-in is recent; 409 for one of another app. */
  addResource: ({ c, deps, actor: { sessionId }, body: { resource }, params: { id: appId } }) =>
    addResource(deps, { sessionId, appId, resource, client: clientInfo(c) }),

  /** Ends a resource. 403 unless the sign-in is recent; safe to repeat. */
  removeResource: ({ c, deps, actor: { sessionId }, query: { resource }, params: { id: appId } }) =>
    removeResource(deps, { sessionId, appId, resource, client: clientInfo(c) }),
});
