import { getApp, listApps } from '../../features/app/app.ts';
import { appEndpoints } from '../../features/app/endpoints.ts';
import type { App } from '../../features/app/schema.ts';
import { listSecrets } from '../../features/app/secret.ts';
import { webhookEndpoints } from '../../features/webhook/endpoints.ts';
import { type AppOverview, readOverview } from '../../features/webhook/overview.ts';
import type { TestResult } from '../../features/webhook/schema.ts';
import { getWebhook } from '../../features/webhook/webhook.ts';
import type { Page } from '../../lib/page.ts';
import { accountPaths, appPath } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { LinkButton, type Question, QuestionCard, QuestionDialog } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials, Moment } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import type { Answer, Member, Refusal } from '../member/member.tsx';
import { type Done, listQuery, renderMember } from '../member/page.tsx';
import { appTexts } from '../messages/app.ts';
import { NewSecretCard, RevokeDialogs, SecretsCard, useRevokeQuestion } from './secrets.tsx';
import {
  BackToApps,
  DeleteAppCard,
  NewAppCard,
  ResourcesCard,
  SettingsCard,
  useDeleteQuestion,
} from './settings.tsx';
import { EventsCard, useDeleteWebhookQuestion, WebhookCard } from './webhook.tsx';

export const showApps: Answer = async (member) => {
  const query = listQuery(member, appEndpoints.listApps.query);
  const page = await listApps(member.deps, member.sessionId, query);
  return renderMember(member, { tab: 'apps', body: <AppsPanel {...{ page, isFirst: query.isFirst }} /> });
};

export const showNewApp: Answer = async (member, refusal) => {
  const body = <NewAppCard typed={refusal?.typed} problems={refusal?.problems} />;
  return renderMember(member, { tab: 'apps', body, refusal, here: refusal && accountPaths.newApp });
};

/** Additions to an app's page when it responds to a form. */
interface Shown {
  readonly refusal?: Refusal;
  readonly done?: Done;
  readonly secret?: { readonly value: string; readonly label: 'newSecret' | 'newSigningSecret' };
  readonly test?: TestResult;
}

export const showApp: Answer = (member) => showAppOf(member, null);

/** @param shown null for the page itself, which its URL fully describes */
export async function showAppOf(member: Member, shown: Shown | null): Promise<Response> {
  const { deps, sessionId, id: appId } = member;
  const query = listQuery(member, webhookEndpoints.listEvents.query);
  const parts = await readOverview(deps, { sessionId, appId, page: query });
  const { refusal, done } = shown ?? {};
  const body = <AppPanel {...parts} {...shown} isFirst={query.isFirst} />;
  const here = shown ? appPath(appId) : undefined;
  return renderMember(member, { tab: 'apps', name: parts.app.name, body, refusal, done, here });
}

/** An app's page. A new secret comes first, because it is shown only once. */
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

export const askToDelete: Answer = async (member) => {
  const app = await getApp(member.deps, member.sessionId, member.id);
  return renderMember(member, { tab: 'apps', name: app.name, body: <DeleteQuestion app={app} /> });
};

export function DeleteQuestion({ app }: { app: App }) {
  return <AppQuestion appId={app.id} question={useDeleteQuestion(app)} />;
}

export const askToRevoke: Answer = async (member) => {
  const { c, deps, sessionId, id: appId } = member;
  const { data } = await listSecrets(deps, sessionId, appId);
  const secret = data.find(({ id }) => id === c.req.query('secret'));
  if (!secret) return c.redirect(appPath(appId), 303);
  const body = <RevokeQuestion {...{ appId, secret, isOnly: data.length === 1 }} />;
  return renderMember(member, { tab: 'apps', body });
};

export function RevokeQuestion(props: Parameters<typeof useRevokeQuestion>[0]) {
  return <AppQuestion appId={props.appId} question={useRevokeQuestion(props)} />;
}

export const askToDeleteWebhook: Answer = async (member) => {
  const { deps, sessionId, id: appId } = member;
  await getWebhook(deps, { sessionId, appId });
  return renderMember(member, { tab: 'apps', body: <DeleteWebhookQuestion appId={appId} /> });
};

export function DeleteWebhookQuestion({ appId }: { appId: string }) {
  return <AppQuestion appId={appId} question={useDeleteWebhookQuestion(appId)} />;
}

function AppQuestion({ appId, question }: { appId: string; question: Question }) {
  return <QuestionCard question={question} back={appPath(appId)} />;
}

/** The apps that the person has registered, newest first. */
export function AppsPanel({ page, isFirst }: { page: Page<App>; isFirst: boolean }) {
  const texts = useTexts(appTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="apps">
      <p>
        <a href={accountPaths.allowed}>{texts.allowed}</a>
      </p>
      {page.data.length === 0 ? (
        <Empty title={texts.empty} advice={texts.emptyAdvice} />
      ) : (
        <ul class="plain">
          {page.data.map((app) => (
            <AppItem app={app} />
          ))}
        </ul>
      )}
      <Pager path={accountPaths.apps} nextCursor={page.nextCursor} isFirst={isFirst}>
        <LinkButton href={accountPaths.newApp} look="main" text={texts.register} />
      </Pager>
    </Card>
  );
}

function AppItem({ app }: { app: App }) {
  const texts = useTexts(appTexts);
  return (
    <li class="item">
      <Initials name={app.name} />
      <div>
        <p>
          <a href={appPath(app.id)}>
            <strong>{app.name}</strong>
          </a>{' '}
          {app.status === 'suspended' && <span class="badge">{texts.suspended}</span>}
        </p>
        <p class="quiet">
          {texts[app.type]}
          {' · '}
          <Moment text={texts.created} at={app.createdAt} as="day" />
        </p>
      </div>
    </li>
  );
}
