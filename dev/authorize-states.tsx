import { appScopes } from '../src/features/app/schema.ts';
import type { ConsentScreen } from '../src/features/oauth/authorize/step.ts';
import type { LogoutRequest } from '../src/features/oauth/logout/logout-request.ts';
import { CancelForm, ConsentCard } from '../src/pages/authorize/cards.tsx';
import { ConfirmCard, SignedOutCard } from '../src/pages/logout/cards.tsx';
import { consentScript } from '../src/pages/scripts/authorize.ts';
import { LeadOnCard } from '../src/pages/shared/lead-on.tsx';
import { SignInCard } from '../src/pages/sign-in/sign-in-card.tsx';
import { logo } from './app-samples.ts';
import type { PageState } from './page-state.tsx';
import * as samples from './samples.ts';

const screen: ConsentScreen = {
  app: 'Warung Kopi',
  homepage: null,
  privacy: null,
  logo: null,
  doubt: null,
  callsItself: null,
  host: 'shop.example.com',
  origin: 'https://shop.example.com',
  scopes: ['openid', 'profile'],
  resource: null,
  handle: 'ayu.lestari',
  proof: 'proof',
};

function consent(change: Partial<ConsentScreen> = {}): PageState {
  return {
    options: { script: consentScript },
    body: () => <ConsentCard screen={{ ...screen, ...change }} request="0123abcd" signIn="/signin" />,
  };
}

const leaving: LogoutRequest = {
  sessionId: 'ses_1',
  handle: screen.handle,
  app: screen.app,
  fits: false,
  returnTo: null,
  isStrayed: false,
};

function logout(change: Partial<LogoutRequest> = {}): PageState {
  const request = { ...leaving, ...change };
  return { body: () => <ConfirmCard {...{ request, hidden: {}, action: '/dev/pages' }} /> };
}

/** The states of the pages that ask for an app's access. */
export const authorizeStates: Readonly<Record<string, PageState>> = {
  'authorize-sign-in': {
    body: () => (
      <SignInCard
        providers={samples.providers}
        place={{ host: screen.origin, app: screen.app }}
        {...samples.ownWays}
      >
        <CancelForm request="0123abcd" />
      </SignInCard>
    ),
  },
  authorize: consent(),
  'authorize-logo': consent({
    homepage: 'https://shop.example.com/',
    privacy: 'https://shop.example.com/privacy',
    logo,
    scopes: ['openid', 'profile', 'email', 'wallet:read', 'fiat:transfer'],
  }),
  'authorize-everything': consent({
    app: 'Maria Wilhelmina Constantia van der Waals’ Warung & Toko Kelontong',
    doubt: 'unchecked',
    origin: 'http://127.0.0.1:53211',
    host: '127.0.0.1:53211',
    scopes: appScopes,
    resource: 'https://api.warung.example.com',
  }),
  'authorize-native': consent({
    doubt: 'new',
    origin: 'com.example.warung.kopi.app.for.phones:',
    host: 'com.example.warung.kopi.app.for.phones:',
    scopes: ['openid'],
  }),
  'authorize-unregistered': consent({
    app: 'agent.example.com',
    doubt: 'unregistered',
    callsItself: 'Helpful Agent',
    origin: 'http://127.0.0.1:53211',
    host: '127.0.0.1:53211',
    scopes: ['openid', 'profile', 'offline_access'],
    resource: 'https://mcp.warung.example.com',
  }),
  logout: logout({ returnTo: screen.origin }),
  'logout-strayed': logout({ isStrayed: true }),
  'logout-no-app': logout({ app: null }),
  'logout-done': { body: () => <SignedOutCard returnTo={null} /> },
  'logout-done-app': { body: () => <SignedOutCard returnTo={screen.origin} /> },
  'authorize-lead-on': {
    body: () => <LeadOnCard title="Back to the app" url="/dev/pages" origin={screen.origin} />,
  },
};
