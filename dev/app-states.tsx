import type { Child } from 'hono/jsx';
import { AppError } from '../src/errors.ts';
import { appPath } from '../src/lib/page-paths.ts';
import { formProblems } from '../src/pages/app/app-pages.tsx';
import { NewAppCard } from '../src/pages/app/settings.tsx';
import {
  AppPanel,
  AppsPanel,
  DeleteQuestion,
  DeleteWebhookQuestion,
  RevokeQuestion,
} from '../src/pages/app/views.tsx';
import { SignInAgain } from '../src/pages/member/page.tsx';
import { accountScript } from '../src/pages/scripts/account.ts';
import { useView } from '../src/ui/view.ts';
import * as samples from './app-samples.ts';
import { type AccountParts, accountState, type PageState } from './page-state.tsx';

function state(panel: (now: number) => Child, { script = '', ...shell }: AccountParts = {}): PageState {
  return accountState('apps', panel, { script: accountScript + script, ...shell });
}

type Panel = Parameters<typeof AppPanel>[0];

function one(change: (now: number) => Partial<Panel> = () => ({}), parts?: AccountParts): PageState {
  return state(
    (now) => (
      <AppPanel
        app={samples.app(now)}
        secrets={samples.secrets(now)}
        webhook={samples.webhook(now)}
        events={{ data: samples.events(now), nextCursor: 'x' }}
        isFirst
        {...change(now)}
      />
    ),
    parts,
  );
}

const opened = (id: string) => ({ script: `document.getElementById('${id}').showModal();` });
const again = <SignInAgain path={appPath(samples.appId)} />;
const noEvents = { data: [], nextCursor: null };

/** The app pages' states. */
export const appStates = {
  'account-apps': state((now) => <AppsPanel page={{ data: samples.apps(now), nextCursor: 'x' }} isFirst />),
  'account-apps-none': state(() => <AppsPanel page={noEvents} isFirst />),
  'account-apps-deleted': state(() => <AppsPanel page={noEvents} isFirst />, { done: 'appDeleted' }),
  'account-app-new': state(() => <NewAppCard />),
  'account-app-new-problems': state(() => <Refused show={(refusal) => <NewAppCard {...refusal} />} />),
  'account-app': one(),
  'account-app-new-secret': one(
    () => ({ secret: { value: samples.secret, label: 'newSecret' }, webhook: null, events: noEvents }),
    { done: 'appCreated' },
  ),
  'account-app-only-secret': one((now) => ({ secrets: samples.secrets(now).slice(0, 1) })),
  'account-app-no-secret': one(() => ({ secrets: [] })),
  'account-app-spa': one((now) => ({
    app: { ...samples.app(now), type: 'spa' },
    webhook: null,
    events: noEvents,
  })),
  'account-app-suspended': one((now) => ({ app: { ...samples.app(now), status: 'suspended' } })),
  'account-app-problems': state((now) => (
    <Refused
      show={(refusal) => (
        <AppPanel
          app={samples.app(now)}
          secrets={samples.secrets(now)}
          webhook={null}
          events={noEvents}
          isFirst
          refusal={{ status: 400, ...refusal }}
        />
      )}
    />
  )),
  'account-app-sign-in-again': one(undefined, { problem: again }),
  'account-app-signing-secret': one(
    () => ({ secret: { value: samples.signingSecret, label: 'newSigningSecret' } }),
    { done: 'webhookRotated' },
  ),
  'account-app-test-taken': one(() => ({ test: { status: 204, durationMs: 35, error: null } })),
  'account-app-test-refused': one(() => ({
    test: { status: 500, durationMs: 35, error: 'the receiver answered 500' },
  })),
  'account-app-test-unanswered': one(() => ({
    test: { status: null, durationMs: null, error: 'no answer in time' },
  })),
  'account-app-webhook-failing': one((now) => ({ webhook: samples.failing(now) })),
  'account-app-webhook-disabled': one((now) => ({
    webhook: { ...samples.failing(now), status: 'disabled' },
  })),
  'account-app-delete': state((now) => <DeleteQuestion app={samples.app(now)} />),
  'account-app-delete-dialog': one(undefined, opened('delete-app')),
  'account-app-revoke': state((now) => {
    const [secret] = samples.secrets(now);
    return secret && <RevokeQuestion appId={samples.appId} secret={secret} isOnly />;
  }),
  'account-app-revoke-dialog': one(undefined, opened('revoke-sec_0')),
  'account-app-webhook-delete': state(() => <DeleteWebhookQuestion appId={samples.appId} />),
  'account-app-webhook-delete-dialog': one(undefined, opened('delete-webhook')),
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
