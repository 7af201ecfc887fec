import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { createApp, deleteApp } from '../../features/app/app.ts';
import { appEndpoints } from '../../features/app/endpoints.ts';
import { addResource, removeResource } from '../../features/app/resource.ts';
import { appChanges, appInput, resourceInput, rotationInput } from '../../features/app/schema.ts';
import { revokeSecret, rotateSecret } from '../../features/app/secret.ts';
import { updateApp } from '../../features/app/update.ts';
import { grantEndpoints } from '../../features/grant/endpoints.ts';
import { webhookEndpoints } from '../../features/webhook/endpoints.ts';
import { redeliverEvent } from '../../features/webhook/events.ts';
import { webhookInput } from '../../features/webhook/schema.ts';
import { deleteWebhook, setWebhook, testWebhook } from '../../features/webhook/webhook.ts';
import { type AppEnv, clientInfo, type Locale } from '../../http/context.ts';
import { accountPaths, appPath, grantPath, grantPaths, appPaths as paths } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { fill } from '../../ui/view.ts';
import { askToEnd, end, saveLimits, showAllowed, showGrant } from '../grant/actions.tsx';
import { doneAt, type Explain, memberForm, refusedAt } from '../member/form.tsx';
import { type Answer, type Member, membersAt } from '../member/member.tsx';
import type { Done } from '../member/page.tsx';
import { appTexts, webhookTexts } from '../messages/app.ts';
import { linesOf, parseInput, problemIn, textOf } from '../shared/form.ts';
import {
  askToDelete,
  askToDeleteWebhook,
  askToRevoke,
  showApp,
  showAppOf,
  showApps,
  showNewApp,
} from './views.tsx';

/**
 * `/account/apps`: the apps that a person has registered, and those that they have allowed to act for them. Each page counts
 * toward its API route's limit.
 */
export function appPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();
  const [list, fresh] = [membersAt(deps, accountPaths.apps), membersAt(deps, accountPaths.newApp)];
  const [app, grant] = [membersAt(deps, (id) => appPath(id)), membersAt(deps, (id) => grantPath(id))];

  pages.get(accountPaths.apps, list(appEndpoints.listApps, showApps));
  pages.get(accountPaths.newApp, fresh(appEndpoints.listApps, showNewApp));
  pages.post(accountPaths.newApp, fresh(appEndpoints.createApp, register));
  const allowed = membersAt(deps, accountPaths.allowed)(grantEndpoints.listGrants, showAllowed);
  const oneApp = app(appEndpoints.getApp, showApp);
  pages.get(paths.show, (c) => (c.req.path === accountPaths.allowed ? allowed(c) : oneApp(c)));
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

/** The error texts next to the form's fields, in the page's language; null if a different entry would not help. */
export const formProblems: Explain = (error, form, locale) => {
  if (error.code !== 'validation_failed') return null;
  const problems: Record<string, string[]> = {};
  for (const text of [error.texts].flat()) {
    const [, field = '', index] = /^(\w+)(?:\.(\d+))?/.exec(text) ?? [];
    const entry = linesOf(form.get(field))[Number(index)] ?? textOf(form, field);
    problems[field] = [...(problems[field] ?? []), sayProblem(text, { field, entry, locale })];
  }
  return problems;
};

/** The API texts never change, so the pages translate them by text. Unknown ones are shown unchanged. */
function sayProblem(text: string, about: { field: string; entry: string; locale: Locale }): string {
  const { field, entry, locale } = about;
  const texts = appTexts[locale];
  if (/must have at most/.test(text)) return texts.tooMany;
  if (/must not repeat/.test(text)) return texts.repeated;
  if (/must be an https URL/.test(text)) return fill(texts.badUri, { entry });
  if (/must be an https or loopback origin/.test(text)) return fill(texts.badOrigin, { entry });
  if (/must be proven/.test(text)) return texts.notProven;
  if (/URL of another service/.test(text)) return fill(texts.badResource, { entry });
  if (/must be a public https URL/.test(text)) return webhookTexts[locale].badUrl;
  if (field === 'logoUrl') return texts.badLogo;
  return field === 'name' ? problemIn(locale, text.replace('name', 'displayName')) : text;
}

const doneWith = (id: string, done: Done) => withQuery(appPath(id), { done });

/** Registers an app. The response shows a web app's secret, which no URL may contain. */
export const register = memberForm({
  again: showNewApp,
  explain: formProblems,
  onError: refusedAt(accountPaths.apps),
  async act(member, form) {
    const input = parseInput(appInput, { ...fieldsOf(form), type: form.get('type') });
    const { id, secret } = await createApp(member.deps, member.sessionId, input);
    if (secret === null) return doneWith(id, 'appCreated');
    const shown = { done: 'appCreated', secret: { value: secret.value, label: 'newSecret' } } as const;
    return showAppOf({ ...member, id }, shown);
  },
});

/** A form on an app's page. */
function appForm(act: (member: Member, form: URLSearchParams) => Promise<string | Response>): Answer {
  return memberForm({
    act,
    again: (member, refusal) => showAppOf(member, { refusal }),
    explain: formProblems,
    onError: refusedAt(({ id }) => appPath(id)),
  });
}

export const save = appForm(async ({ c, deps, sessionId, id }, form) => {
  const changes = parseInput(appChanges, fieldsOf(form));
  await updateApp(deps, { sessionId, id, changes, client: clientInfo(c) });
  return doneWith(id, 'appSaved');
});

export const remove = appForm(async ({ deps, sessionId, id: appId }) => {
  await deleteApp(deps, { sessionId, appId });
  return doneAt('apps', 'appDeleted');
});

export const rotate = appForm(async (member, form) => {
  const { c, deps, sessionId, id: appId } = member;
  const typed = { overlapSeconds: Number(form.get('overlapSeconds')) };
  const { overlapSeconds } = parseInput(rotationInput, typed);
  const { value } = await rotateSecret(deps, { sessionId, appId, overlapSeconds, client: clientInfo(c) });
  return showAppOf(member, { done: 'secretMade', secret: { value, label: 'newSecret' } });
});

export const revoke = appForm(async ({ c, deps, sessionId, id: appId }, form) => {
  const secretId = textOf(form, 'secret');
  const force = form.get('force') === 'true';
  await revokeSecret(deps, { sessionId, appId, secretId, force, client: clientInfo(c) });
  return doneWith(appId, 'secretRevoked');
});

/** Registers a resource, reads its proof again, or ends it, each with a separate form. */
export const saveResource = appForm(async ({ c, deps, sessionId, id: appId }, form) => {
  const { resource } = parseInput(resourceInput, { resource: form.get('resource')?.trim() });
  const change = form.has('remove') ? removeResource : addResource;
  await change(deps, { sessionId, appId, resource, client: clientInfo(c) });
  return doneWith(appId, 'appSaved');
});

/** Sets the webhook URL, enables or disables the webhook, or makes a new signing secret, each with a separate form. */
export const saveWebhook = appForm(async (member, form) => {
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
    return showAppOf(member, { done, secret: { value: secret, label: 'newSigningSecret' } });
  }
  if (enabled === null) return doneWith(appId, 'webhookSaved');
  return doneWith(appId, status === 'active' ? 'webhookEnabled' : 'webhookDisabled');
});

export const test = appForm(async (member) => {
  const { deps, sessionId, id: appId } = member;
  return showAppOf(member, { test: await testWebhook(deps, { sessionId, appId }) });
});

export const removeWebhook = appForm(async ({ deps, sessionId, id: appId }) => {
  await deleteWebhook(deps, { sessionId, appId });
  return doneWith(appId, 'webhookDeleted');
});

export const redeliver = appForm(async ({ deps, sessionId, id: appId }, form) => {
  await redeliverEvent(deps, { sessionId, appId, eventId: textOf(form, 'event') });
  return doneWith(appId, 'redelivered');
});

/** The settings fields, as the API accepts them. A logo is fetched again only when its address changes. */
function fieldsOf(form: URLSearchParams) {
  const logo = textOf(form, 'logoUrl');
  return {
    name: textOf(form, 'name'),
    redirectUris: linesOf(form.get('redirectUris')),
    allowedOrigins: linesOf(form.get('allowedOrigins')),
    scopes: form.getAll('scopes'),
    homepageUrl: form.get('homepageUrl')?.trim() || null,
    privacyUrl: form.get('privacyUrl')?.trim() || null,
    ...(logo !== textOf(form, 'logoBefore') && { logoUrl: logo || null }),
    backchannelLogoutUri: form.get('backchannelLogoutUri')?.trim() || null,
    idTokenAlg: form.get('idTokenAlg') ?? undefined,
  };
}
