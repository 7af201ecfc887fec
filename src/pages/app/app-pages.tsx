import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { appEndpoints } from '../../features/app/endpoints.ts';
import { grantEndpoints } from '../../features/grant/endpoints.ts';
import { webhookEndpoints } from '../../features/webhook/endpoints.ts';
import type { AppContext, AppEnv } from '../../http/context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { accountPaths, appPath, grantPath, grantPaths, appPaths as paths } from '../../lib/page-paths.ts';
import { askToEnd, end, saveLimits, showAllowed, showGrant } from '../grant/actions.tsx';
import { type Answer, forMembers } from '../member/member.tsx';
import {
  redeliver,
  register,
  remove,
  removeWebhook,
  revoke,
  rotate,
  save,
  saveResource,
  saveWebhook,
  test,
} from './actions.tsx';
import { askToDelete, askToDeleteWebhook, askToRevoke, showApp, showApps, showNewApp } from './views.tsx';

/** `/account/apps`: the apps that a person has registered, and those that they have allowed to act for them. Each page counts under the limit of the API's route. */
export function appPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  const at = (pageOf: (c: AppContext) => string) => (endpoint: Endpoint, answer: Answer) =>
    forMembers(deps, endpoint, pageOf, answer);
  const list = at(() => accountPaths.apps);
  const fresh = at(() => accountPaths.newApp);
  const app = at((c) => appPath(c.req.param('id') ?? ''));

  pages.get(accountPaths.apps, list(appEndpoints.listApps, showApps));
  pages.get(accountPaths.newApp, fresh(appEndpoints.listApps, showNewApp));
  pages.post(accountPaths.newApp, fresh(appEndpoints.createApp, register));
  const allowed = forMembers(deps, grantEndpoints.listGrants, () => accountPaths.allowed, showAllowed);
  const oneApp = app(appEndpoints.getApp, showApp);
  pages.get(paths.show, (c) => (c.req.path === accountPaths.allowed ? allowed(c) : oneApp(c)));
  const grant = at((c) => grantPath(c.req.param('id') ?? ''));
  pages.get(grantPaths.show, grant(grantEndpoints.listGrants, showGrant));
  pages.post(grantPaths.show, grant(grantEndpoints.limitGrant, saveLimits));
  pages.get(grantPaths.end, grant(grantEndpoints.listGrants, askToEnd));
  pages.post(grantPaths.end, grant(grantEndpoints.revokeGrant, end));

  pages.post(paths.show, app(appEndpoints.updateApp, save));
  pages.get(paths.remove, app(appEndpoints.getApp, askToDelete));
  pages.post(paths.remove, app(appEndpoints.deleteApp, remove));
  pages.post(paths.rotate, app(appEndpoints.rotateAppSecret, rotate));
  pages.get(paths.revoke, app(appEndpoints.listAppSecrets, askToRevoke));
  pages.post(paths.revoke, app(appEndpoints.revokeAppSecret, revoke));
  pages.post(paths.resources, app(appEndpoints.addResource, saveResource));
  pages.post(paths.webhook, app(webhookEndpoints.setWebhook, saveWebhook));
  pages.post(paths.test, app(webhookEndpoints.testWebhook, test));
  pages.get(paths.removeWebhook, app(webhookEndpoints.getWebhook, askToDeleteWebhook));
  pages.post(paths.removeWebhook, app(webhookEndpoints.deleteWebhook, removeWebhook));
  pages.post(paths.redeliver, app(webhookEndpoints.redeliverEvent, redeliver));

  return pages;
}
