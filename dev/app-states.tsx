import type { Child } from 'hono/jsx';
import { AppError } from '../src/errors.ts';
import { appPath } from '../src/lib/page-paths.ts';
import { FeesPanel } from '../src/pages/app/fees.tsx';
import { formProblems } from '../src/pages/app/problems.ts';
import { NewAppCard, ResourcesCard, SettingsCard } from '../src/pages/app/settings.tsx';
import { StartCard } from '../src/pages/app/start.tsx';
import {
  AppsPanel,
  DeleteQuestion,
  DeleteWebhookQuestion,
  RevokeQuestion,
  SecretsPanel,
  WebhookPanel,
} from '../src/pages/app/views.tsx';
import { type AppTopic, SignInAgain } from '../src/pages/member/page.tsx';
import { accountScript } from '../src/pages/scripts/account.ts';
import { useView } from '../src/ui/view.ts';
import * as samples from './app-samples.ts';
import { type AccountParts, accountState, type PageState } from './page-state.tsx';

function state(panel: (now: number) => Child, { script = '', ...shell }: AccountParts = {}): PageState {
  const developer = { app: null, topic: 'settings' } as const;
  return accountState('apps', panel, { developer, script: accountScript + script, ...shell });
}

/** A page about the app. */
function about(topic: AppTopic, panel: (now: number) => Child, parts?: AccountParts): PageState {
  return state(panel, {
    developer: { app: { id: samples.appId, name: 'Toko Demo', type: 'web' }, topic },
    ...parts,
  });
}

const sample = (now: number) => samples.app(now);

function settings(change: Partial<ReturnType<typeof sample>> = {}, parts?: AccountParts): PageState {
  return about('settings', (now) => <Settings app={{ ...sample(now), ...change }} />, parts);
}

function Settings(props: Parameters<typeof SettingsCard>[0]) {
  return (
    <>
      <SettingsCard {...props} />
      <ResourcesCard {...props} />
    </>
  );
}

function secrets(change: Partial<Parameters<typeof SecretsPanel>[0]> = {}, parts?: AccountParts): PageState {
  const panel = (now: number) => (
    <SecretsPanel appId={samples.appId} secrets={samples.secrets(now)} secret={null} {...change} />
  );
  return about('secrets', panel, parts);
}

type WebhookProps = Parameters<typeof WebhookPanel>[0];

function webhook(
  change: (now: number) => Partial<WebhookProps> = () => ({}),
  parts?: AccountParts,
): PageState {
  const panel = (now: number) => (
    <WebhookPanel
      appId={samples.appId}
      webhook={samples.webhook(now)}
      events={{ data: samples.events(now), nextCursor: 'x' }}
      isFirst
      {...change(now)}
    />
  );
  return about('webhook', panel, parts);
}

function fees(available: number, data: Parameters<typeof FeesPanel>[0]['fees']['data']): PageState {
  const balance = { asset: 'IDR', scale: 0, available, held: 0, balance: available, debt: 0 } as const;
  const panel = () => <FeesPanel appId={samples.appId} fees={{ data, platform: [] }} balance={balance} />;
  return about('fees', panel);
}

const created = (type: 'web' | 'spa' | 'native', secret: string | null) =>
  about(
    'settings',
    (now) => <StartCard app={{ ...sample(now), type }} service="https://id.example.com" secret={secret} />,
    { done: 'appCreated' },
  );

const opened = (id: string) => ({ script: `document.getElementById('${id}').showModal();` });
const again = <SignInAgain path={appPath(samples.appId)} />;
const nothing = { data: [], nextCursor: null };

/** The states of developers' pages. */
export const appStates = {
  developers: state((now) => <AppsPanel page={{ data: samples.apps(now), nextCursor: 'x' }} isFirst />),
  'developers-none': state(() => <AppsPanel page={nothing} isFirst />),
  'developers-deleted': state(() => <AppsPanel page={nothing} isFirst />, { done: 'appDeleted' }),
  'developers-register': state(() => <NewAppCard />),
  'developers-register-problems': state(() => <Refused show={(refusal) => <NewAppCard {...refusal} />} />),
  'app-created': created('web', samples.secret),
  'app-created-spa': created('spa', null),
  'app-created-native': created('native', null),
  'app-settings': settings(),
  'app-suspended': settings({ status: 'suspended' }),
  'app-settings-problems': about('settings', (now) => (
    <Refused show={(refusal) => <Settings app={sample(now)} {...refusal} />} />
  )),
  'app-sign-in-again': settings({}, { problem: again }),
  'app-secrets': secrets(),
  'app-new-secret': secrets({ secret: samples.secret }, { done: 'secretMade' }),
  'app-no-secret': secrets({ secrets: [] }),
  'app-revoke': about('secrets', (now) => {
    const [secret] = samples.secrets(now);
    return secret && <RevokeQuestion appId={samples.appId} secret={secret} isOnly />;
  }),
  'app-revoke-dialog': secrets({}, opened('revoke-sec_0')),
  'app-webhook': webhook(),
  'app-webhook-none': webhook(() => ({ webhook: null, events: nothing })),
  'app-signing-secret': webhook(() => ({ secret: samples.signingSecret }), { done: 'webhookRotated' }),
  'app-test-taken': webhook(() => ({ test: { status: 204, durationMs: 35, error: null } })),
  'app-test-refused': webhook(() => ({
    test: { status: 500, durationMs: 35, error: 'the receiver answered 500' },
  })),
  'app-test-unanswered': webhook(() => ({
    test: { status: null, durationMs: null, error: 'no answer in time' },
  })),
  'app-webhook-failing': webhook((now) => ({ webhook: samples.failing(now) })),
  'app-webhook-disabled': webhook((now) => ({ webhook: { ...samples.failing(now), status: 'disabled' } })),
  'app-webhook-delete': about('webhook', () => <DeleteWebhookQuestion appId={samples.appId} />),
  'app-webhook-delete-dialog': webhook(undefined, opened('delete-webhook')),
  'app-fees': fees(182_500, [
    {
      ...{ operation: 'transfer', fixed: 500, bps: 70, min: 1_000, max: 25_000, payer: 'payee', version: 2 },
      createdAt: '2026-11-20T08:15:00.000Z',
    },
  ]),
  'app-fees-none': fees(0, []),
  'app-delete': about('remove', (now) => <DeleteQuestion app={sample(now)} />),
} satisfies Record<string, PageState>;

interface Refusal {
  readonly typed: URLSearchParams;
  readonly problems: NonNullable<ReturnType<typeof formProblems>>;
}

/** A rejected form in the page's language. */
function Refused({ show }: { show(refusal: Refusal): Child }) {
  const error = new AppError('validation_failed', samples.problems);
  const problems = formProblems(error, samples.typed, useView().locale) ?? {};
  return <>{show({ typed: samples.typed, problems })}</>;
}
