import type { Deps } from '../../deps.ts';
import { getApp, listApps } from '../../features/app/app.ts';
import { appEndpoints } from '../../features/app/endpoints.ts';
import type { App } from '../../features/app/schema.ts';
import { listSecrets } from '../../features/app/secret.ts';
import { webhookEndpoints } from '../../features/webhook/endpoints.ts';
import { type AppOverview, readOverview } from '../../features/webhook/overview.ts';
import type { TestResult } from '../../features/webhook/schema.ts';
import { getWebhook } from '../../features/webhook/webhook.ts';
import type { AppContext } from '../../http/context.ts';
import { accountPaths, appPath } from '../../lib/page-paths.ts';
import { type Question, QuestionCard, QuestionDialog } from '../../ui/components/form.tsx';
import type { Answer, Member, Refusal } from '../account/member.tsx';
import type { Done } from '../account/shell.tsx';
import { readPage, renderAccount } from '../account/views.tsx';
import type { FormProblems } from '../shared/form-lines.ts';
import { EventsCard } from './events.tsx';
import { AppsPanel } from './list.tsx';
import { ResourcesCard } from './resources.tsx';
import { NewSecretCard, RevokeDialogs, SecretsCard, useRevokeQuestion } from './secrets.tsx';
import { BackToApps, DeleteAppCard, NewAppCard, SettingsCard, useDeleteQuestion } from './settings.tsx';
import { useDeleteWebhookQuestion, WebhookCard } from './webhook.tsx';

/** A form that was refused: what was typed, and what is wrong with it. */
export interface FormRefusal extends Refusal {
  readonly typed: URLSearchParams;
  readonly problems: FormProblems;
}

export const showApps: Answer = async (c, deps, member) => {
  const page = await listApps(deps, member.actor.sessionId, readPage(c, appEndpoints.listApps.query));
  const body = <AppsPanel {...{ page, isFirst: c.req.query('cursor') === undefined }} />;
  return renderAccount(c, deps, member, { tab: 'apps', body });
};

export const showNewApp: Answer<FormRefusal> = async (c, deps, member, refusal) => {
  const body = <NewAppCard typed={refusal?.typed} problems={refusal?.problems} />;
  const here = refusal && accountPaths.newApp;
  return renderAccount(c, deps, member, { tab: 'apps', body, refusal, here });
};

/** What the page of an app shows besides the app, when it is the answer to a form. */
interface Shown {
  readonly refusal?: FormRefusal;
  readonly done?: Done;
  readonly secret?: { readonly value: string; readonly label: 'newSecret' | 'newSigningSecret' };
  readonly test?: TestResult;
}

export const showApp: Answer = (c, deps, member) => showAppOf(c, deps, member, { id: idIn(c), shown: null });

/** @param shown null for the page itself, which the address alone describes */
export async function showAppOf(
  c: AppContext,
  deps: Deps,
  member: Member,
  { id, shown }: { id: string; shown: Shown | null },
): Promise<Response> {
  const { sessionId } = member.actor;
  const page = readPage(c, webhookEndpoints.listEvents.query);
  const parts = await readOverview(deps, { sessionId, appId: id, page });
  const isFirst = c.req.query('cursor') === undefined;
  const { refusal, done } = shown ?? {};
  return renderAccount(c, deps, member, {
    tab: 'apps',
    name: parts.app.name,
    body: <AppPanel {...parts} {...shown} isFirst={isFirst} />,
    refusal,
    done,
    here: shown ? appPath(id) : undefined,
  });
}

/** The page of an app. A new secret comes first, because it is shown this once. */
export function AppPanel(props: AppOverview & Shown & { readonly isFirst: boolean }) {
  const { app, secrets, webhook, events, isFirst, secret, test, refusal } = props;
  const { typed, problems } = refusal ?? {};
  return (
    <>
      <BackToApps />
      {secret && <NewSecretCard {...secret} />}
      <SettingsCard {...{ app, typed, problems }} />
      {app.type === 'web' && <SecretsCard appId={app.id} secrets={secrets} />}
      <ResourcesCard {...{ app, typed, problems }} />
      <WebhookCard {...{ appId: app.id, webhook, test, typed, problems }} />
      <EventsCard {...{ appId: app.id, page: events, isFirst, isActive: webhook?.status === 'active' }} />
      <DeleteAppCard app={app} />
      {app.type === 'web' && <RevokeDialogs appId={app.id} secrets={secrets} />}
      {webhook && <QuestionDialog question={useDeleteWebhookQuestion(app.id)} />}
      <QuestionDialog question={useDeleteQuestion(app)} />
    </>
  );
}

export const askToDelete: Answer = async (c, deps, member) => {
  const app = await getApp(deps, member.actor.sessionId, idIn(c));
  return renderAccount(c, deps, member, { tab: 'apps', name: app.name, body: <DeleteQuestion app={app} /> });
};

export function DeleteQuestion({ app }: { app: App }) {
  return <AppQuestion appId={app.id} question={useDeleteQuestion(app)} />;
}

export const askToRevoke: Answer = async (c, deps, member) => {
  const appId = idIn(c);
  const { data } = await listSecrets(deps, member.actor.sessionId, appId);
  const secret = data.find(({ id }) => id === c.req.query('secret'));
  if (!secret) return c.redirect(appPath(appId), 303);
  const body = <RevokeQuestion {...{ appId, secret, isOnly: data.length === 1 }} />;
  return renderAccount(c, deps, member, { tab: 'apps', body });
};

export function RevokeQuestion(props: Parameters<typeof useRevokeQuestion>[0]) {
  return <AppQuestion appId={props.appId} question={useRevokeQuestion(props)} />;
}

export const askToDeleteWebhook: Answer = async (c, deps, member) => {
  const appId = idIn(c);
  await getWebhook(deps, { sessionId: member.actor.sessionId, appId });
  return renderAccount(c, deps, member, { tab: 'apps', body: <DeleteWebhookQuestion appId={appId} /> });
};

export function DeleteWebhookQuestion({ appId }: { appId: string }) {
  return <AppQuestion appId={appId} question={useDeleteWebhookQuestion(appId)} />;
}

function AppQuestion({ appId, question }: { appId: string; question: Question }) {
  return <QuestionCard question={question} back={appPath(appId)} />;
}

/** The id in the address of an app's page. */
export function idIn(c: AppContext): string {
  return c.req.param('id') ?? '';
}
