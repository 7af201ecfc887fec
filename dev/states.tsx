import { AppError, type ErrorCode } from '../src/errors.ts';
import { accountPaths } from '../src/lib/page-paths.ts';
import { ActivityPanel } from '../src/pages/account/activity.tsx';
import { CredentialsPanel, UnlinkCard } from '../src/pages/account/credentials.tsx';
import { LinkCard } from '../src/pages/account/link-pages.tsx';
import { ProfilePanel } from '../src/pages/account/profile.tsx';
import { SessionsPanel } from '../src/pages/account/sessions.tsx';
import { ClaimCard, type ClaimCardProps, ClaimedCard, SureCard } from '../src/pages/claim/claim-card.tsx';
import { noProblems } from '../src/pages/claim/claim-form.ts';
import { ClaimLinkCard } from '../src/pages/claim/link-pages.tsx';
import { ErrorCard } from '../src/pages/error.tsx';
import { RenewCard } from '../src/pages/member/member.tsx';
import { SignInAgain } from '../src/pages/member/page.tsx';
import { accountTexts, profileTexts } from '../src/pages/messages/account.ts';
import { claimLinkTexts, problemTexts } from '../src/pages/messages/claim.ts';
import { errorTexts } from '../src/pages/messages/errors.ts';
import { walletTexts } from '../src/pages/messages/wallet.ts';
import { accountScript } from '../src/pages/scripts/account.ts';
import { claimScript } from '../src/pages/scripts/claim.ts';
import { copyScript } from '../src/pages/scripts/copy.ts';
import { countdownScript } from '../src/pages/scripts/countdown.ts';
import { ContinueCard, SignInCard } from '../src/pages/sign-in/sign-in-card.tsx';
import { Toast } from '../src/ui/components/card.tsx';
import { useTexts } from '../src/ui/view.ts';
import { appStates } from './app-states.tsx';
import { approvalStates } from './approval-states.tsx';
import { authorizeStates } from './authorize-states.tsx';
import { ComponentsPage } from './components-page.tsx';
import { deskPeopleStates } from './desk-people-states.tsx';
import { deskStates } from './desk-states.tsx';
import { deviceStates } from './device-states.tsx';
import { emailStates } from './email-states.tsx';
import { gatewayStates } from './gateway-states.tsx';
import { grantStates } from './grant-states.tsx';
import { accountState, type PageState } from './page-state.tsx';
import { passkeyStates } from './passkey-states.tsx';
import { popupRequest, popupStates } from './popup-states.tsx';
import * as samples from './samples.ts';
import { walletStates } from './wallet-states.tsx';

const shop = { host: 'shop.example.com', app: 'Toko Demo' };
const [one, ...others] = samples.providers;

const signIn: Record<string, PageState> = {
  'sign-in': { body: () => <SignInCard providers={samples.providers} place={shop} {...samples.ownWays} /> },
  'sign-in-one-way': {
    body: () => <SignInCard providers={one ? [one] : []} place={{ host: shop.host }} {...samples.ownWays} />,
  },
  'sign-in-to-account': {
    body: () => <SignInCard providers={others} place="account" {...samples.ownWays} />,
  },
  'sign-in-signed-out': {
    body: () => (
      <SignInCard providers={samples.providers} place="account" notice={<SignedOut />} {...samples.ownWays} />
    ),
  },
  'sign-in-continue': {
    body: () => (
      <ContinueCard pid="ayu.lestari@pid" name="Ayu Lestari" place={shop} next="/dev/pages" other="/signin" />
    ),
  },
  'sign-in-in-app': {
    body: () => <SignInCard providers={samples.providers} place={shop} isInApp {...samples.ownWays} />,
  },
  'sign-in-not-configured': { body: () => <SignInCard providers={[]} place={shop} /> },
};

function SignedOut() {
  return <Toast>{useTexts(accountTexts).signedOut}</Toast>;
}

function claimState(change: (now: number) => Partial<ClaimCardProps>): PageState {
  return {
    options: { script: claimScript },
    body: (now) => (
      <ClaimCard
        preview={samples.preview(now)}
        providerName="Google"
        entry={samples.entry}
        problems={noProblems}
        suggestions={[]}
        {...change(now)}
      />
    ),
  };
}

const claim: Record<string, PageState> = {
  claim: claimState(() => ({})),
  'claim-free': claimState(() => ({ isFree: true })),
  'claim-taken': claimState(() => ({
    problems: { ...noProblems, handle: ['PID already taken'] },
    suggestions: ['ayu.lestari2', 'ayu.lestari3', 'ayu.lestari.84'],
  })),
  'claim-problems': claimState(() => ({
    entry: { ...samples.entry, handle: 'Ayu__Lestari!', displayName: 'n'.repeat(65) },
    problems: {
      handle: [
        'handle must contain only letters a-z, digits, dots, underscores and hyphens',
        'handle must not have two separators in a row',
      ],
      displayName: ['displayName must be shorter than or equal to 64 characters'],
      general: [],
    },
  })),
  'claim-email-conflict': claimState(() => ({
    problems: { ...noProblems, general: [errorTexts.en.email_conflict] },
  })),
  'claim-nobody-known': claimState((now) => ({
    preview: { ...samples.preview(now), email: null, displayName: null, provider: 'passkey' },
    providerName: 'Passkey',
    entry: { ...samples.entry, handle: '', displayName: '' },
  })),
  'claim-in-popup': claimState(() => ({ request: popupRequest })),
  'claim-sure': { body: () => <SureCard entry={samples.entry} /> },
  'claim-done': {
    options: { script: copyScript },
    body: () => <ClaimedCard pid="ayu.lestari@pid" name="Ayu Lestari" place={shop} next="/dev/pages" />,
  },
  'claim-long-names': claimState((now) => ({
    preview: {
      ...samples.preview(now),
      displayName: 'Maria Wilhelmina Constantia van der Waals-Sastroamidjojo de la Cruz',
      email: 'maria.wilhelmina.constantia.van.der.waals@department.of.something.example.com',
    },
    entry: { ...samples.entry, handle: 'maria.wilhelmina.constantia.va' },
  })),
};

const waiting = (now: number) => ({ ...samples.preview(now), provider: 'github' });
const actor = { handle: 'ayu.lestari', displayName: 'Ayu Lestari' };

function linkState(problem: boolean, mustSignIn = false): PageState {
  return { body: (now) => <LinkQuestion {...{ now, problem, mustSignIn }} /> };
}

function LinkQuestion({ now, problem, mustSignIn }: { now: number; problem: boolean; mustSignIn: boolean }) {
  const text = useTexts(claimLinkTexts).mineMissing;
  return (
    <ClaimLinkCard
      {...{ waiting: waiting(now), actor, mustSignIn, returnTo: null }}
      providerName="GitHub"
      ticketId="0123456789abcdef"
      problem={problem ? { text } : null}
    />
  );
}

const link: Record<string, PageState> = {
  'claim-link': linkState(false),
  'claim-link-problem': linkState(true),
  'claim-link-sign-in-again': linkState(false, true),
  'link-on-the-way': { body: () => <LinkCard url="/dev/pages" /> },
};

function errorState(
  code: ErrorCode,
  retryAfterSeconds?: number,
  back?: string,
  isOfCodes = false,
): PageState {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const error = new AppError(code, null, { ...wait, isOfCodes });
  return {
    options: { script: countdownScript },
    body: () => (
      <ErrorCard {...{ error, back }} requestId="q3Zk0vN8y1aXbT5c" isRepeatable={back === undefined} />
    ),
  };
}

const errors: Record<string, PageState> = {
  'error-400': errorState('state_invalid'),
  'error-400-list': {
    body: () => (
      <ErrorCard
        error={new AppError('validation_failed', ['response_type must be code', 'scope must include openid'])}
        requestId="q3Zk0vN8y1aXbT5c"
        isRepeatable
      />
    ),
  },
  'error-400-redirect': errorState('redirect_uri_unknown'),
  'error-400-gone': errorState('authorize_gone'),
  'error-401': errorState('unauthenticated'),
  'error-403': errorState('origin_not_allowed'),
  'error-403-fresh': errorState('not_fresh'),
  'error-403-suspended': errorState('identity_suspended'),
  'error-403-app': errorState('app_suspended'),
  'error-404': errorState('not_found'),
  'error-409': errorState('email_conflict'),
  'error-410': errorState('ticket_gone'),
  'error-429': errorState('rate_limited', 42),
  'error-429-form': errorState('rate_limited', 300, accountPaths.sessions),
  'error-429-codes': errorState('rate_limited', 3598, '/v1/auth/email/register', true),
  'error-500': errorState('internal'),
  'error-502': errorState('provider_failed'),
  'error-503': errorState('unavailable', 5),
  'error-503-provider': errorState('provider_not_configured'),
};

const { names } = samples;
const openDialog = `${accountScript}document.querySelector('dialog').showModal();`;
const all = (now: number) => <CredentialsPanel credentials={samples.credentials(now)} names={names} />;
const activityOf = (now: number) => ({ data: samples.activity(now), nextCursor: 'x' });
const sessionsOf = (now: number) => ({ data: samples.sessions(now), nextCursor: 'x' });

const account: Record<string, PageState> = {
  'account-credentials': accountState('credentials', all),
  'account-credentials-last': accountState('credentials', (now) => (
    <CredentialsPanel credentials={samples.credentials(now).slice(0, 1)} names={names} linkable={others} />
  )),
  'account-back': accountState('credentials', all, {
    back: { href: 'https://shop.example.com/orders', place: shop },
  }),
  'account-unlinked': accountState('credentials', all, { done: 'unlinked' }),
  'account-unlink-dialog': accountState('credentials', all, { script: openDialog }),
  'account-unlink-page': accountState('credentials', () => (
    <UnlinkCard id="crd_1" provider="google" names={names} />
  )),
  'account-sign-in-again': accountState('credentials', all, {
    problem: <SignInAgain path={accountPaths.credentials} />,
  }),
  'account-sessions': accountState('sessions', (now) => (
    <SessionsPanel page={sessionsOf(now)} isFirst names={names} />
  )),
  'account-sessions-only-this': accountState('sessions', (now) => (
    <SessionsPanel
      page={{ data: samples.sessions(now).slice(0, 1), nextCursor: null }}
      isFirst
      names={names}
    />
  )),
  'account-end-others-dialog': accountState(
    'sessions',
    (now) => <SessionsPanel page={sessionsOf(now)} isFirst names={names} />,
    { script: openDialog },
  ),
  'account-profile': accountState('profile', (now) => <ProfilePanel me={samples.me(now)} />),
  'account-profile-saved': accountState('profile', (now) => <ProfilePanel me={samples.me(now)} />, {
    done: 'saved',
  }),
  'account-profile-problems': accountState('profile', (now) => <ProfileProblems now={now} />),
  'account-activity': accountState('activity', (now) => (
    <ActivityPanel page={activityOf(now)} isFirst names={names} />
  )),
  'account-activity-older': accountState('activity', (now) => (
    <ActivityPanel page={activityOf(now)} isFirst={false} names={names} />
  )),
  'account-activity-empty': accountState('activity', () => (
    <ActivityPanel page={{ data: [], nextCursor: null }} isFirst names={names} />
  )),
  'account-renewal': { body: () => <RenewCard path={accountPaths.credentials} isRepeat={false} /> },
  'account-repeat': accountState('credentials', all, { done: 'repeat' }),
};

function ProfileProblems({ now }: { now: number }) {
  return (
    <ProfilePanel
      me={samples.me(now)}
      typed={new URLSearchParams({ displayName: 'n'.repeat(65), stepUpAmount: 'a lot' })}
      problems={{
        displayName: [useTexts(problemTexts).nameLong],
        stepUpAmount: [useTexts(walletTexts).badAmount],
        handle: [useTexts(profileTexts).wrongHandle],
      }}
    />
  );
}

/** Every state by its name in `/dev/pages/<name>`. */
export const pageStates: Readonly<Record<string, PageState>> = {
  components: { options: { wide: true, script: accountScript }, body: () => <ComponentsPage /> },
  ...signIn,
  ...authorizeStates,
  ...deviceStates,
  ...popupStates,
  ...emailStates,
  ...passkeyStates,
  ...claim,
  ...link,
  ...errors,
  ...account,
  ...appStates,
  ...grantStates,
  ...walletStates,
  ...gatewayStates,
  ...deskStates,
  ...deskPeopleStates,
  ...approvalStates,
};
