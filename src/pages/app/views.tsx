import type { Child } from 'hono/jsx';
import { getApp, listApps } from '../../features/app/app.ts';
import { appEndpoints } from '../../features/app/endpoints.ts';
import type { App, SecretList } from '../../features/app/schema.ts';
import { listSecrets } from '../../features/app/secret.ts';
import { listFees } from '../../features/ledger/fees.ts';
import { getAppBalance } from '../../features/ledger/sweep.ts';
import { webhookEndpoints } from '../../features/webhook/endpoints.ts';
import { type AppOverview, readOverview } from '../../features/webhook/overview.ts';
import type { TestResult } from '../../features/webhook/schema.ts';
import type { Page } from '../../lib/page.ts';
import { appPath, developerPaths } from '../../lib/page-paths.ts';
import { Card, Empty } from '../../ui/components/card.tsx';
import { LinkButton, QuestionCard, QuestionDialog } from '../../ui/components/form.tsx';
import { Pager } from '../../ui/components/list.tsx';
import { Initials, Moment } from '../../ui/components/text.tsx';
import { useTexts } from '../../ui/view.ts';
import type { Answer, Member, Refusal } from '../member/member.tsx';
import { type AppTopic, type Done, listQuery, renderMember } from '../member/page.tsx';
import { appTexts } from '../messages/app.ts';
import { FeesPanel } from './fees.tsx';
import { NewSecretCard, RevokeDialogs, SecretsCard, useRevokeQuestion } from './secrets.tsx';
import { NewAppCard, ResourcesCard, SettingsCard, useDeleteQuestion } from './settings.tsx';
import { StartCard } from './start.tsx';
import { EventsCard, useDeleteWebhookQuestion, WebhookCard } from './webhook.tsx';

const list = { tab: 'apps', developer: { app: null, topic: 'settings' } } as const;

export const showApps: Answer = async (member) => {
  const query = listQuery(member, appEndpoints.listApps.query);
  const page = await listApps(member.deps, member.sessionId, query);
  const name = appTexts[member.locale].heading;
  return renderMember(member, { ...list, name, body: <AppsPanel {...{ page, isFirst: query.isFirst }} /> });
};

export const showNewApp: Answer = async (member, refusal) => {
  const body = <NewAppCard typed={refusal?.typed} problems={refusal?.problems} />;
  const name = appTexts[member.locale].register;
  return renderMember(member, { ...list, name, body, refusal, here: refusal && developerPaths.register });
};

/** Additions to a page in its response to a form. */
interface Shown {
  readonly refusal?: Refusal;
  readonly done?: Done;
  readonly secret?: string;
  readonly test?: TestResult;
}

/** Shows one of an app's pages. @param shown null for the page itself, which its URL fully describes */
export type ShowTopic = (member: Member, shown: Shown | null) => Promise<Response>;

interface Topic {
  readonly app: App;
  readonly topic: AppTopic;
  readonly shown?: Shown | null;
}

function render(member: Member, { app, topic, shown = null }: Topic, body: Child): Promise<Response> {
  const here = shown ? appPath(app.id, topic) : undefined;
  const { refusal, done } = shown ?? {};
  return renderMember(member, {
    ...{ tab: 'apps', developer: { app, topic }, name: app.name, body, refusal, done, here },
  });
}

export const showSettings: ShowTopic = async (member, shown) => {
  const { c, deps, sessionId, id } = member;
  const app = await getApp(deps, sessionId, id);
  const isNew = shown?.secret !== undefined || c.req.query('done') === 'appCreated';
  const secret = shown?.secret ?? null;
  const { typed, problems } = shown?.refusal ?? {};
  return render(
    member,
    { app, topic: 'settings', shown },
    <>
      {isNew && <StartCard {...{ app, secret, service: deps.config.origin }} />}
      <SettingsCard {...{ app, typed, problems }} />
      <ResourcesCard {...{ app, typed, problems }} />
    </>,
  );
};

export const showSecrets: ShowTopic = async (member, shown) => {
  const { c, deps, sessionId, id } = member;
  const [app, { data: secrets }] = await Promise.all([
    getApp(deps, sessionId, id),
    listSecrets(deps, sessionId, id),
  ]);
  if (app.type !== 'web') return c.redirect(appPath(id), 303);
  const body = <SecretsPanel {...{ appId: id, secrets, secret: shown?.secret ?? null }} />;
  return render(member, { app, topic: 'secrets', shown }, body);
};

interface SecretsPanelProps {
  readonly appId: string;
  readonly secrets: SecretList['data'];
  /** A new secret, which comes first, because it is shown only once. */
  readonly secret: string | null;
}

export function SecretsPanel({ appId, secrets, secret }: SecretsPanelProps) {
  return (
    <>
      {secret !== null && <NewSecretCard value={secret} label="newSecret" />}
      <SecretsCard {...{ appId, secrets }} />
      <RevokeDialogs {...{ appId, secrets }} />
    </>
  );
}

export const showWebhook: ShowTopic = async (member, shown) => {
  const { deps, sessionId, id: appId } = member;
  const query = listQuery(member, webhookEndpoints.listEvents.query);
  const { app, ...parts } = await readOverview(deps, { sessionId, appId, page: query });
  const body = <WebhookPanel {...{ appId, ...parts, ...shown, isFirst: query.isFirst }} />;
  return render(member, { app, topic: 'webhook', shown }, body);
};

type WebhookPanelProps = Omit<AppOverview, 'app'> &
  Shown & { readonly appId: string; readonly isFirst: boolean };

export function WebhookPanel({ appId, webhook, events, isFirst, secret, test, refusal }: WebhookPanelProps) {
  const { typed, problems } = refusal ?? {};
  return (
    <>
      {secret !== undefined && <NewSecretCard value={secret} label="newSigningSecret" />}
      <WebhookCard {...{ appId, webhook, test, typed, problems }} />
      <EventsCard {...{ appId, page: events, isFirst, isActive: webhook?.status === 'active' }} />
      {webhook && <QuestionDialog question={useDeleteWebhookQuestion(appId)} />}
    </>
  );
}

export const showFees: ShowTopic = async (member, shown) => {
  const { deps, sessionId, id: appId } = member;
  const [app, fees, balance] = await Promise.all([
    getApp(deps, sessionId, appId),
    listFees(deps, { sessionId, appId }, false),
    getAppBalance(deps, { sessionId, appId }),
  ]);
  const { typed, problems } = shown?.refusal ?? {};
  const body = <FeesPanel {...{ appId, fees, balance, typed, problems }} />;
  return render(member, { app, topic: 'fees', shown }, body);
};

export const showRemove: ShowTopic = async (member, shown) => {
  const app = await getApp(member.deps, member.sessionId, member.id);
  return render(member, { app, topic: 'remove', shown }, <DeleteQuestion app={app} />);
};

export function DeleteQuestion({ app }: { app: App }) {
  return <QuestionCard question={useDeleteQuestion(app)} back={appPath(app.id)} />;
}

export const askToRevoke: Answer = async (member) => {
  const { c, deps, sessionId, id: appId } = member;
  const [app, { data }] = await Promise.all([
    getApp(deps, sessionId, appId),
    listSecrets(deps, sessionId, appId),
  ]);
  const secret = data.find(({ id }) => id === c.req.query('secret'));
  if (!secret) return c.redirect(appPath(appId, 'secrets'), 303);
  const body = <RevokeQuestion {...{ appId, secret, isOnly: data.length === 1 }} />;
  return render(member, { app, topic: 'secrets' }, body);
};

export function RevokeQuestion(props: Parameters<typeof useRevokeQuestion>[0]) {
  return <QuestionCard question={useRevokeQuestion(props)} back={appPath(props.appId, 'secrets')} />;
}

export const askToDeleteWebhook: Answer = async (member) => {
  const { deps, sessionId, id: appId } = member;
  const { app } = await readOverview(deps, { sessionId, appId, page: { limit: 1 } });
  return render(member, { app, topic: 'webhook' }, <DeleteWebhookQuestion appId={appId} />);
};

export function DeleteWebhookQuestion({ appId }: { appId: string }) {
  return <QuestionCard question={useDeleteWebhookQuestion(appId)} back={appPath(appId, 'webhook')} />;
}

/** The apps that the person has registered, newest first. */
export function AppsPanel({ page, isFirst }: { page: Page<App>; isFirst: boolean }) {
  const texts = useTexts(appTexts);
  return (
    <Card heading={texts.heading} lead={texts.lead} id="apps">
      {page.data.length === 0 ? (
        <Empty title={texts.empty} advice={texts.emptyAdvice} />
      ) : (
        <ul class="plain">
          {page.data.map((app) => (
            <AppItem app={app} />
          ))}
        </ul>
      )}
      <Pager path={developerPaths.home} nextCursor={page.nextCursor} isFirst={isFirst}>
        <LinkButton href={developerPaths.register} look="main" text={texts.register} />
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
          {app.status === 'suspended' && <span class="badge bad">{texts.suspended}</span>}
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
