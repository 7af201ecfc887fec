import type { Deps } from '../../deps.ts';
import { createApp, deleteApp } from '../../features/app/app.ts';
import { addResource, removeResource } from '../../features/app/resource.ts';
import { appChanges, appInput, resourceInput, rotationInput } from '../../features/app/schema.ts';
import { revokeSecret, rotateSecret } from '../../features/app/secret.ts';
import { updateApp } from '../../features/app/update.ts';
import { redeliverEvent } from '../../features/webhook/events.ts';
import { webhookInput } from '../../features/webhook/schema.ts';
import { deleteWebhook, setWebhook, testWebhook } from '../../features/webhook/webhook.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, clientInfo } from '../../http/context.ts';
import { localeOf } from '../../http/locale.ts';
import { accountPaths, appPath } from '../../lib/page-paths.ts';
import { refusalOf, refused } from '../account/actions.tsx';
import type { Answer, Member } from '../account/member.tsx';
import type { Done } from '../account/shell.tsx';
import { linesOf } from '../shared/form-lines.ts';
import { parseInput } from '../shared/parse-input.ts';
import { withQuery } from '../shared/paths.ts';
import { formProblems } from './problems.ts';
import { type FormRefusal, idIn, showAppOf, showNewApp } from './views.tsx';

/** Registers an app. The answer shows the secret of a web app, which no address may hold. */
export const register: Answer = async (c, deps, member) => {
  const form = await readForm(c);
  try {
    const input = parseInput(appInput, { ...fieldsOf(form), type: form.get('type') });
    const { id, secret } = await createApp(deps, member.actor.sessionId, input);
    if (secret === null) return doneWith(c, id, 'appCreated');
    const shown = { done: 'appCreated', secret: { value: secret.value, label: 'newSecret' } } as const;
    return await showAppOf(c, deps, member, { id, shown });
  } catch (error) {
    return showNewApp(c, deps, member, formRefusal(c, error, form));
  }
};

/** What a form of an app's page is about. */
interface AppForm {
  readonly sessionId: string;
  readonly appId: string;
  readonly form: URLSearchParams;
}

/** Handles a form of an app's page, and shows the page again with a refusal. */
function appForm(
  act: (c: AppContext, deps: Deps, about: AppForm & { readonly member: Member }) => Promise<Response>,
): Answer {
  return async (c, deps, member) => {
    const appId = idIn(c);
    const form = await readForm(c);
    try {
      return await act(c, deps, { sessionId: member.actor.sessionId, appId, form, member });
    } catch (error) {
      return showAppOf(c, deps, member, { id: appId, shown: { refusal: formRefusal(c, error, form) } });
    }
  };
}

export const save = appForm(async (c, deps, { sessionId, appId, form }) => {
  await updateApp(deps, {
    sessionId,
    id: appId,
    changes: parseInput(appChanges, fieldsOf(form)),
    client: clientInfo(c),
  });
  return doneWith(c, appId, 'appSaved');
});

export const remove = appForm(async (c, deps, { sessionId, appId }) => {
  await deleteApp(deps, { sessionId, appId });
  return c.redirect(withQuery(accountPaths.apps, { done: 'appDeleted' }), 303);
});

export const rotate = appForm(async (c, deps, { sessionId, appId, form, member }) => {
  const { overlapSeconds } = parseInput(rotationInput, {
    overlapSeconds: Number(form.get('overlapSeconds')),
  });
  const { value } = await rotateSecret(deps, { sessionId, appId, overlapSeconds, client: clientInfo(c) });
  const shown = { done: 'secretMade', secret: { value, label: 'newSecret' } } as const;
  return showAppOf(c, deps, member, { id: appId, shown });
});

export const revoke = appForm(async (c, deps, { sessionId, appId, form }) => {
  const secretId = form.get('secret') ?? '';
  const force = form.get('force') === 'true';
  await revokeSecret(deps, { sessionId, appId, secretId, force, client: clientInfo(c) });
  return doneWith(c, appId, 'secretRevoked');
});

/** Registers a resource or reads its proof again, or ends it: each a form of its own. */
export const saveResource = appForm(async (c, deps, { sessionId, appId, form }) => {
  const { resource } = parseInput(resourceInput, { resource: form.get('resource')?.trim() });
  const change = form.has('remove') ? removeResource : addResource;
  await change(deps, { sessionId, appId, resource, client: clientInfo(c) });
  return doneWith(c, appId, 'appSaved');
});

/** Sets the webhook's address, enables or disables it, or makes a new signing secret: each a form of its own. */
export const saveWebhook = appForm(async (c, deps, { sessionId, appId, form, member }) => {
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
    const shown = { done, secret: { value: secret, label: 'newSigningSecret' } } as const;
    return showAppOf(c, deps, member, { id: appId, shown });
  }
  if (enabled === null) return doneWith(c, appId, 'webhookSaved');
  return doneWith(c, appId, status === 'active' ? 'webhookEnabled' : 'webhookDisabled');
});

export const test = appForm(async (c, deps, { sessionId, appId, member }) => {
  const result = await testWebhook(deps, { sessionId, appId });
  return showAppOf(c, deps, member, { id: appId, shown: { test: result } });
});

export const removeWebhook = appForm(async (c, deps, { sessionId, appId }) => {
  await deleteWebhook(deps, { sessionId, appId });
  return doneWith(c, appId, 'webhookDeleted');
});

export const redeliver = appForm(async (c, deps, { sessionId, appId, form }) => {
  await redeliverEvent(deps, { sessionId, appId, eventId: form.get('event') ?? '' });
  return doneWith(c, appId, 'redelivered');
});

/** The fields of the settings, as the API takes them. */
function fieldsOf(form: URLSearchParams) {
  return {
    name: form.get('name') ?? '',
    redirectUris: linesOf(form.get('redirectUris')),
    allowedOrigins: linesOf(form.get('allowedOrigins')),
    scopes: form.getAll('scopes'),
    homepageUrl: form.get('homepageUrl')?.trim() || null,
    backchannelLogoutUri: form.get('backchannelLogoutUri')?.trim() || null,
    idTokenAlg: form.get('idTokenAlg') ?? undefined,
  };
}

function doneWith(c: AppContext, id: string, done: Done): Response {
  return c.redirect(withQuery(appPath(id), { done }), 303);
}

function formRefusal(c: AppContext, error: unknown, typed: URLSearchParams): FormRefusal {
  const problems = formProblems(error, typed, localeOf(c));
  const refusal = problems === null ? refusalOf(c, error, appPath(idIn(c))) : refused(c, error);
  return { ...refusal, typed, problems: problems ?? {} };
}
