import type { PopupRequest } from '../src/features/popup/popup.ts';
import {
  ChoiceCard,
  ContinueCard,
  EndCard,
  NoRequestCard,
  StartCard,
  WaitCard,
} from '../src/pages/popup/cards.tsx';
import { inPopup, type PageState } from './page-state.tsx';
import * as samples from './samples.ts';

export const popupRequest: PopupRequest = {
  id: 'mYx0Zk3nQ7uWb1VhT5sLrA',
  kind: 'login',
  origin: 'https://shop.example.com',
  appId: null,
  app: null,
  doubt: null,
  digest: 'digest',
  link: null,
  scopes: null,
  prompt: null,
  handle: null,
  shownHandle: null,
  status: 'opened',
  reason: null,
  secondsLeft: 300,
};
const request = popupRequest;
const linking: PopupRequest = { ...request, link: 'google', shownHandle: 'ayu.lestari' };
const scopes = '["openid","profile","email","offline_access","wallet:read"]';
const asks: PopupRequest = { ...request, app: 'Warung Kopi', scopes };
const google = { id: 'google', name: 'Google' };

function end(status: PopupRequest['status'], of = request): PageState {
  return { body: () => <EndCard request={{ ...of, status }} /> };
}

const open: Readonly<Record<string, PageState>> = {
  popup: { body: () => <ChoiceCard request={request} providers={samples.providers} /> },
  'popup-of-app': {
    body: () => <ChoiceCard request={{ ...request, app: 'Warung Kopi' }} providers={samples.providers} />,
  },
  'popup-for-tokens': {
    body: () => <ContinueCard request={asks} pid="ayu.lestari@pid" token="token" />,
  },
  'popup-for-tokens-unchecked': {
    body: () => (
      <ContinueCard request={{ ...asks, doubt: 'unchecked' }} pid="ayu.lestari@pid" token="token" />
    ),
  },
  'popup-for-tokens-sign-in': {
    body: () => <ChoiceCard request={{ ...asks, doubt: 'unchecked' }} providers={samples.providers} />,
  },
  'popup-refused': {
    body: () => (
      <ChoiceCard
        {...{ request, providers: samples.providers, email: 'ayu.lestari@example.com' }}
        problems={{ password: 'Invalid email or password' }}
      />
    ),
  },
  'popup-not-configured': { body: () => <ChoiceCard request={request} providers={[]} /> },
  'popup-continue': { body: () => <ContinueCard request={request} pid="ayu.lestari@pid" token="token" /> },
  'popup-again': {
    body: () => (
      <ChoiceCard
        request={{ ...request, prompt: 'login', shownHandle: 'ayu.lestari' }}
        providers={samples.providers}
      />
    ),
  },
  'popup-link': {
    options: { withoutScript: { seconds: 0, url: '/dev/pages' } },
    body: () => <StartCard request={linking} provider={google} href="/dev/pages" />,
  },
  'popup-link-sign-in': { body: () => <ChoiceCard request={linking} providers={samples.providers} /> },
};

/** The states of the login popup. */
export const popupStates: Readonly<Record<string, PageState>> = {
  ...inPopup(open),
  'popup-waiting': {
    options: { withoutScript: { seconds: 2, url: '/dev/pages/popup-waiting' } },
    body: () => <WaitCard />,
  },
  'popup-no-request': { body: () => <NoRequestCard /> },
  'popup-signed-in': end('approved'),
  'popup-linked': end('approved', linking),
  'popup-cancelled': end('denied'),
  'popup-ended': end('expired'),
};
