import type { ApprovalScreen } from '../src/features/approval/approval.ts';
import type { PopupRequest } from '../src/features/popup/popup.ts';
import { isoTime } from '../src/lib/id.ts';
import { ApprovalCard, CannotPayCard, OtherPersonCard, StepUpCard } from '../src/pages/approval/cards.tsx';
import { ChoiceCard, EndCard } from '../src/pages/popup/cards.tsx';
import { passkeyScript } from '../src/pages/scripts/passkey.ts';
import { inPopup, type PageState } from './page-state.tsx';
import * as samples from './samples.ts';

const request: PopupRequest = {
  id: 'mYx0Zk3nQ7uWb1VhT5sLrA',
  kind: 'approval',
  origin: 'https://shop.example.com',
  appId: 'app_sample',
  app: 'Warung Kopi',
  doubt: null,
  digest: 'digest',
  link: null,
  scopes: null,
  prompt: null,
  handle: 'ayu.lestari',
  shownHandle: null,
  status: 'opened',
  reason: null,
  secondsLeft: 120,
};

function screen(now: number, change: Partial<ApprovalScreen> = {}): ApprovalScreen {
  return {
    request,
    terms: {
      amount: 125_000,
      app: { id: 'app_01kz00000000000000000000ab', name: 'Warung Kopi' },
      asset: 'IDR',
      expiresAt: isoTime(now + 240_000),
      fees: { app: 500, payee: 0, payer: 1500, platform: 1000, total: 1500 },
      from: 'ayu.lestari@pid',
      inquiryId: 'inq_01kz00000000000000000000ab',
      memo: 'Kopi susu, dua',
      netAmount: 125_000,
      operation: 'transfer',
      origin: request.origin,
      to: { displayName: 'Warung Kopi Jalan Melati', pid: 'warung.kopi@pid' },
      totalDebit: 126_500,
    },
    acting: 'ayu.lestari',
    available: 480_000,
    blocked: null,
    needsStepUp: false,
    stepUpAmount: 100_000,
    ways: ['idp', 'email'],
    ...change,
  };
}

/** Names in right-to-left script, with markup, resembling another site, and of maximum length. */
function strange(now: number): ApprovalScreen {
  const { terms, ...plain } = screen(now);
  const app = { ...terms.app, name: 'https://bank.example.com</strong> · Bank' };
  const displayName = `שלום ${'Wilhelmina Constantia '.repeat(2)}مرحبا`;
  const to = { displayName, pid: 'maria.wilhelmina.constantia.va@pid' };
  return { ...plain, terms: { ...terms, app, to, memo: '<b>מתנה</b> 100%' } };
}

function end(change: Partial<PopupRequest>): PageState {
  return { body: () => <EndCard request={{ ...request, ...change }} /> };
}

const open: Readonly<Record<string, PageState>> = {
  approval: { body: (now) => <ApprovalCard screen={screen(now)} token="token" /> },
  'approval-hold': {
    body: (now) => {
      const { terms, ...rest } = screen(now);
      return <ApprovalCard screen={{ ...rest, terms: { ...terms, operation: 'hold' } }} token="token" />;
    },
  },
  'approval-unchecked': {
    body: (now) => (
      <ApprovalCard screen={screen(now, { request: { ...request, doubt: 'unchecked' } })} token="token" />
    ),
  },
  'approval-strange-names': { body: (now) => <ApprovalCard screen={strange(now)} token="token" /> },
  'approval-sign-in': { body: () => <ChoiceCard request={request} providers={samples.providers} /> },
  'approval-other-person': { body: (now) => <OtherPersonCard screen={screen(now, { acting: 'budi' })} /> },
  'approval-low-balance': {
    body: (now) => <CannotPayCard screen={screen(now, { available: 111_500 })} topUp={15_000} />,
  },
  'approval-low-balance-no-gateway': {
    body: (now) => <CannotPayCard screen={screen(now, { available: 20_000 })} topUp={null} />,
  },
  'approval-ledger-frozen': {
    body: (now) => <CannotPayCard screen={screen(now, { blocked: 'ledger' })} topUp={null} />,
  },
  'approval-wallet-frozen': {
    body: (now) => <CannotPayCard screen={screen(now, { blocked: 'wallet' })} topUp={null} />,
  },
  'approval-no-wallet': {
    body: (now) => (
      <CannotPayCard screen={screen(now, { blocked: 'no_wallet', available: 0 })} topUp={null} />
    ),
  },
  'approval-own-wallet': {
    body: (now) => <CannotPayCard screen={screen(now, { blocked: 'own_wallet' })} topUp={null} />,
  },
  'approval-step-up': {
    body: (now) => <StepUpCard screen={screen(now)} providers={samples.providers} />,
  },
  'approval-step-up-passkey': {
    options: { script: passkeyScript },
    body: (now) => <StepUpCard screen={screen(now, { ways: ['passkey'] })} providers={samples.providers} />,
  },
};

/** The states of the approval popup. */
export const approvalStates: Readonly<Record<string, PageState>> = {
  ...inPopup(open),
  'approval-done': end({ status: 'approved' }),
  'approval-denied': end({ status: 'denied' }),
  'approval-expired': end({ status: 'expired' }),
  'approval-lapsed': end({ status: 'lapsed' }),
  'approval-changed': end({ status: 'invalid', reason: 'terms_changed' }),
  'approval-tampered': end({ status: 'invalid', reason: 'tampered' }),
};
