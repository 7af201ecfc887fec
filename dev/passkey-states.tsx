import type { Child } from 'hono/jsx';
import type { CredentialKind } from '../src/lib/credential-kinds.ts';
import { accountPaths } from '../src/lib/page-paths.ts';
import { CredentialsPanel } from '../src/pages/account/credentials.tsx';
import { SignInAgain } from '../src/pages/member/page.tsx';
import { PasskeySection } from '../src/pages/passkey/account.tsx';
import { accountScript } from '../src/pages/scripts/account.ts';
import { passkeyScript } from '../src/pages/scripts/passkey.ts';
import { SignInCard } from '../src/pages/sign-in/sign-in-card.tsx';
import { accountState, type PageState } from './page-state.tsx';
import * as samples from './samples.ts';

type Saying = 'cancelled' | 'refused' | 'unknown' | 'none' | 'exists';

/** Simulates the page's script in a browser with or without passkeys, then the outcome of a ceremony. */
function scriptOf({ isKnown = true, saying }: { isKnown?: boolean; saying?: Saying }): string {
  // Only shows the buttons: nobody is signed in, and no authenticator is used.
  const patch = isKnown
    ? 'PublicKeyCredential.isConditionalMediationAvailable = undefined;'
    : "Object.defineProperty(globalThis, 'PublicKeyCredential', { value: undefined });";
  const say = `{
    const root = document.querySelector('[data-passkey]');
    root.querySelector('[role=status]').textContent = JSON.parse(root.dataset.texts).${saying};
  }`;
  return `if (globalThis.PublicKeyCredential) { ${patch} }${passkeyScript}${saying === undefined ? '' : say}`;
}

function signIn(world: Parameters<typeof scriptOf>[0], lastUsed?: CredentialKind): PageState {
  const next = '/dev/pages';
  return {
    options: { script: scriptOf(world) },
    body: () => (
      <SignInCard
        providers={samples.providers}
        place={{ host: 'shop.example.com' }}
        passkey={{ next, claim: next }}
        email={{ way: { returnTo: null, popup: null, toLink: false } }}
        lastUsed={lastUsed ?? null}
      />
    ),
  };
}

function invitation(): PageState {
  const panel = (now: number) => (
    <CredentialsPanel credentials={samples.credentials(now).slice(2, 4)} names={samples.names} mayInvite />
  );
  return accountState('credentials', panel, { script: scriptOf({}) + accountScript });
}

function account(world: Parameters<typeof scriptOf>[0], problem?: Child): PageState {
  const panel = (now: number) => (
    <CredentialsPanel credentials={samples.passkeys(now)} names={samples.names}>
      <PasskeySection />
    </CredentialsPanel>
  );
  return accountState('credentials', panel, { script: scriptOf(world) + accountScript, problem });
}

/** The passkey states of the sign-in page and the credentials page. */
export const passkeyStates: Readonly<Record<string, PageState>> = {
  'sign-in-passkey': signIn({}),
  'sign-in-passkey-last': signIn({}, 'passkey'),
  'sign-in-google-last': signIn({}, 'google'),
  'sign-in-passkey-cancelled': signIn({ saying: 'cancelled' }),
  'sign-in-passkey-refused': signIn({ saying: 'refused' }),
  'sign-in-passkey-unknown': signIn({ saying: 'unknown' }),
  'sign-in-passkey-unsupported': signIn({ isKnown: false }),
  'account-invitation': invitation(),
  'account-passkeys': account({}),
  'account-passkeys-exists': account({ saying: 'exists' }),
  'account-passkeys-unsupported': account({ isKnown: false }),
  'account-passkeys-none-found': account({ saying: 'none' }, <SignInAgain path={accountPaths.credentials} />),
};
