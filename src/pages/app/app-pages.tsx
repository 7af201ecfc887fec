import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { createApp, deleteApp } from '../../features/app/app.ts';
import { appEndpoints } from '../../features/app/endpoints.ts';
import { addResource, removeResource } from '../../features/app/resource.ts';
import { appChanges, appInput, resourceInput, rotationInput } from '../../features/app/schema.ts';
import { revokeSecret, rotateSecret } from '../../features/app/secret.ts';
import { senderOf, updateApp } from '../../features/app/update.ts';
import { grantEndpoints } from '../../features/grant/endpoints.ts';
import { ledgerEndpoints } from '../../features/ledger/endpoints.ts';
import { readOperation, setFee } from '../../features/ledger/fees.ts';
import { feeInput } from '../../features/ledger/schema.ts';
import { sweepApp } from '../../features/ledger/sweep.ts';
import { webhookEndpoints } from '../../features/webhook/endpoints.ts';
import { redeliverEvent } from '../../features/webhook/events.ts';
import { webhookInput } from '../../features/webhook/schema.ts';
import { deleteWebhook, setWebhook, testWebhook } from '../../features/webhook/webhook.ts';
import { type AppContext, type AppEnv, clientInfo } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import {
  accountPaths,
  appPath,
  developerPaths as developers,
  grantPath,
  grantPaths,
  movedPaths,
  appPaths as paths,
} from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { withQuery } from '../../lib/with-query.ts';
import { askToEnd, end, saveLimits, showAllowed, showGrant } from '../grant/actions.tsx';
import { memberForm, refusedAt } from '../member/form.tsx';
import { type Answer, type Member, membersAt } from '../member/member.tsx';
import type { AppTopic, Done } from '../member/page.tsx';
import { linesOf, parseInput, textOf } from '../shared/form.ts';
import { formProblems } from './problems.ts';
import {
  askToDeleteWebhook,
  askToRevoke,
  type ShowTopic,
  showApps,
  showFees,
  showNewApp,
  showRemove,
  showSecrets,
  showSettings,
  showWebhook,
} from './views.tsx';

/**
 * `/developers`: the apps that a person has registered, and `/account/apps`: the apps that they have allowed. Each page
 * uses the limit of its API route.
 */
export function appPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const allowed = membersAt(deps, accountPaths.apps);
  const grant = membersAt(deps, (id) => grantPath(id));
  const [home, fresh] = [membersAt(deps, developers.home), membersAt(deps, developers.register)];

  pages.get(accountPaths.apps, allowed(grantEndpoints.listGrants, showAllowed));
  pages.get(grantPaths.show, grant(grantEndpoints.listGrants, showGrant));
  pages.post(grantPaths.show, grant(grantEndpoints.limitGrant, saveLimits));
  pages.get(grantPaths.end, grant(grantEndpoints.listGrants, askToEnd));
  pages.post(grantPaths.end, grant(grantEndpoints.revokeGrant, end));

  pages.get(developers.home, home(appEndpoints.listApps, showApps));
  pages.get(developers.register, fresh(appEndpoints.listApps, showNewApp));
  pages.post(developers.register, fresh(appEndpoints.createApp, register));
  addAppPages(pages, deps);
  for (const name of Object.keys(movedPaths) as (keyof typeof movedPaths)[])
    pages.get(movedPaths[name], (c) => movedTo(c, name));

  return pages;
}

/** The pages and forms of one app. */
function addAppPages(pages: Hono<AppEnv>, deps: Deps): void {
  const at = (topic: AppTopic) => membersAt(deps, (id) => appPath(id, topic));
  const [settings, secrets, webhook] = [at('settings'), at('secrets'), at('webhook')];
  const [fees, removal] = [at('fees'), at('remove')];

  pages.get(
    paths.settings,
    settings(appEndpoints.getApp, (member) => showSettings(member, null)),
  );
  pages.post(paths.settings, settings(appEndpoints.updateApp, save));
  pages.post(paths.resources, settings(appEndpoints.addResource, saveResource));
  pages.get(
    paths.secrets,
    secrets(appEndpoints.listAppSecrets, (member) => showSecrets(member, null)),
  );
  pages.post(paths.secrets, secrets(appEndpoints.rotateAppSecret, rotate));
  pages.get(paths.revoke, secrets(appEndpoints.listAppSecrets, askToRevoke));
  pages.post(paths.revoke, secrets(appEndpoints.revokeAppSecret, revoke));
  pages.get(
    paths.webhook,
    webhook(webhookEndpoints.getWebhook, (member) => showWebhook(member, null)),
  );
  pages.post(paths.webhook, webhook(webhookEndpoints.setWebhook, saveWebhook));
  pages.post(paths.test, webhook(webhookEndpoints.testWebhook, test));
  pages.get(paths.removeWebhook, webhook(webhookEndpoints.getWebhook, askToDeleteWebhook));
  pages.post(paths.removeWebhook, webhook(webhookEndpoints.deleteWebhook, removeWebhook));
  pages.post(paths.redeliver, webhook(webhookEndpoints.redeliverEvent, redeliver));
  pages.get(
    paths.fees,
    fees(ledgerEndpoints.listFees, (member) => showFees(member, null)),
  );
  pages.post(paths.fees, fees(ledgerEndpoints.setFee, saveFee));
  pages.post(paths.sweep, fees(ledgerEndpoints.sweepApp, sweep));
  pages.get(
    paths.remove,
    removal(appEndpoints.getApp, (member) => showRemove(member, null)),
  );
  pages.post(paths.remove, removal(appEndpoints.deleteApp, remove));
}

/** Former addresses appear in bookmarks and emails. */
function movedTo(c: AppContext, name: keyof typeof movedPaths): Response {
  return c.redirect(pathNow(c, name) + new URL(c.req.url).search, 301);
}

function pathNow(c: AppContext, name: keyof typeof movedPaths): string {
  if (name === 'register') return developers.register;
  const id = present(c.req.param('id'), 'the id in the path');
  return id === 'allowed' ? accountPaths.apps : appPath(id, name);
}

const doneWith = (id: string, topic: AppTopic, done: Done) => withQuery(appPath(id, topic), { done });

/** Registers an app. The response contains a web app's secret, which must not appear in a URL. */
export const register = memberForm({
  again: showNewApp,
  explain: formProblems,
  onError: refusedAt(developers.register),
  async act(member, form) {
    const input = parseInput(appInput, { ...withAddress(form), type: form.get('type') });
    const { id, secret } = await createApp(member.deps, member.actor, input);
    if (secret === null) return doneWith(id, 'settings', 'appCreated');
    return showSettings({ ...member, id }, { done: 'appCreated', secret: secret.value });
  },
});

/** Defaults derived from the address of a new app, unless entered: the redirect URI, the origin and the home page. */
function withAddress(form: URLSearchParams) {
  const fields = fieldsOf(form);
  const address = textOf(form, 'address').trim();
  if (address === '') return fields;
  const { origin = 'null' } = URL.parse(address) ?? {};
  const { redirectUris, allowedOrigins, homepageUrl } = fields;
  return {
    ...fields,
    redirectUris: redirectUris.length > 0 ? redirectUris : [address],
    allowedOrigins: allowedOrigins.length > 0 || origin === 'null' ? allowedOrigins : [origin],
    homepageUrl: homepageUrl ?? (origin === 'null' ? null : `${origin}/`),
  };
}

/** A form on one of an app's pages. */
function appForm(
  topic: AppTopic,
  show: ShowTopic,
  act: (member: Member, form: URLSearchParams) => Promise<string | Response>,
): Answer {
  return memberForm({
    act,
    again: (member, refusal) => show(member, { refusal }),
    explain: formProblems,
    onError: refusedAt(({ id }) => appPath(id, topic)),
  });
}

export const save = appForm('settings', showSettings, async ({ c, deps, actor, sessionId, id }, form) => {
  const changes = parseInput(appChanges, fieldsOf(form));
  await updateApp(deps, { sessionId, id, changes, ...senderOf(c, deps, actor.handle) });
  return doneWith(id, 'settings', 'appSaved');
});

export const remove = appForm('remove', showRemove, async ({ deps, sessionId, id: appId }) => {
  await deleteApp(deps, { sessionId, appId });
  return withQuery(developers.home, { done: 'appDeleted' });
});

export const rotate = appForm('secrets', showSecrets, async (member, form) => {
  const { c, deps, sessionId, id: appId } = member;
  const typed = { overlapSeconds: Number(form.get('overlapSeconds')) };
  const { overlapSeconds } = parseInput(rotationInput, typed);
  const { value } = await rotateSecret(deps, { sessionId, appId, overlapSeconds, client: clientInfo(c) });
  return showSecrets(member, { done: 'secretMade', secret: value });
});

export const revoke = appForm('secrets', showSecrets, async ({ c, deps, sessionId, id: appId }, form) => {
  const secretId = textOf(form, 'secret');
  const force = form.get('force') === 'true';
  await revokeSecret(deps, { sessionId, appId, secretId, force, client: clientInfo(c) });
  return doneWith(appId, 'secrets', 'secretRevoked');
});

/** Registers a resource, reads its proof again, or removes it, each with a separate form. */
export const saveResource = appForm(
  'settings',
  showSettings,
  async ({ c, deps, actor, sessionId, id: appId }, form) => {
    const { resource } = parseInput(resourceInput, { resource: form.get('resource')?.trim() });
    const change = form.has('remove') ? removeResource : addResource;
    await change(deps, { sessionId, handle: actor.handle, appId, resource, client: clientInfo(c) });
    return doneWith(appId, 'settings', 'appSaved');
  },
);

/**
 * Sets the webhook URL, enables or disables the webhook, or creates a new signing secret, each with a separate form.
 */
export const saveWebhook = appForm('webhook', showWebhook, async (member, form) => {
  const { deps, sessionId, id: appId } = member;
  const enabled = form.get('enabled');
  const rotates = form.has('rotateSecret');
  const input = parseInput(webhookInput, {
    url: form.get('url')?.trim(),
    ...(enabled === null ? {} : { enabled: enabled === 'true' }),
    ...(rotates ? { rotateSecret: true, overlapSeconds: Number(form.get('overlapSeconds')) } : {}),
  });
  const { secret, status } = await setWebhook(deps, { sessionId, appId, input });
  if (secret !== undefined) {
    const done = rotates ? 'webhookRotated' : 'webhookSaved';
    return showWebhook(member, { done, secret });
  }
  if (enabled === null) return doneWith(appId, 'webhook', 'webhookSaved');
  return doneWith(appId, 'webhook', status === 'active' ? 'webhookEnabled' : 'webhookDisabled');
});

export const test = appForm('webhook', showWebhook, async (member) => {
  const { deps, actor, sessionId, id: appId } = member;
  const { handle } = actor;
  return showWebhook(member, { test: await testWebhook(deps, { sessionId, handle, appId }) });
});

export const removeWebhook = appForm('webhook', showWebhook, async ({ deps, sessionId, id: appId }) => {
  await deleteWebhook(deps, { sessionId, appId });
  return doneWith(appId, 'webhook', 'webhookDeleted');
});

export const redeliver = appForm('webhook', showWebhook, async ({ deps, sessionId, id: appId }, form) => {
  await redeliverEvent(deps, { sessionId, appId, eventId: textOf(form, 'event') });
  return doneWith(appId, 'webhook', 'redelivered');
});

export const saveFee = appForm('fees', showFees, async ({ deps, sessionId, id: appId }, form) => {
  const number = (name: string) => Number(textOf(form, name).trim() || '0');
  const most = textOf(form, 'max').trim();
  const input = parseInput(feeInput, {
    ...{ fixed: number('fixed'), bps: number('bps'), min: number('min') },
    max: most === '' ? null : Number(most),
    payer: form.get('payer') ?? undefined,
  });
  const operation = readOperation(textOf(form, 'operation'));
  await setFee(deps, { sessionId, appId }, { operation, input, ifMatch: undefined });
  return doneWith(appId, 'fees', 'feeSaved');
});

/** Sweeps all of the app's revenue. */
export const sweep = appForm('fees', showFees, async ({ deps, sessionId, id: appId }) => {
  await sweepApp(deps, { sessionId, appId, amount: null, key: null });
  return doneWith(appId, 'fees', 'swept');
});

/** The settings fields, as the API accepts them. A logo is fetched again only if its address changes. */
function fieldsOf(form: URLSearchParams) {
  const logo = textOf(form, 'logoUrl');
  return {
    name: textOf(form, 'name'),
    redirectUris: linesOf(form.get('redirectUris')),
    postLogoutRedirectUris: linesOf(form.get('postLogoutRedirectUris')),
    allowedOrigins: linesOf(form.get('allowedOrigins')),
    scopes: form.getAll('scopes'),
    homepageUrl: form.get('homepageUrl')?.trim() || null,
    privacyUrl: form.get('privacyUrl')?.trim() || null,
    ...(logo !== textOf(form, 'logoBefore') && { logoUrl: logo || null }),
    backchannelLogoutUri: form.get('backchannelLogoutUri')?.trim() || null,
    idTokenAlg: form.get('idTokenAlg') ?? undefined,
    pkce: form.get('pkce') ?? undefined,
    deviceFlow: form.has('deviceFlow') ? form.get('deviceFlow') === 'true' : undefined,
  };
}
