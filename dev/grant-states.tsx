import { AppError } from '../src/errors.ts';
import type { Grant } from '../src/features/grant/schema.ts';
import { isoTime } from '../src/lib/id.ts';
import { EndQuestion, problemsOf } from '../src/pages/grant/actions.tsx';
import { AllowedPanel, GrantPanel } from '../src/pages/grant/cards.tsx';
import { useView } from '../src/ui/view.ts';
import { accountState, type PageState } from './page-state.tsx';

const day = 86_400_000;

function grant(now: number, change: Partial<Grant> = {}): Grant {
  return {
    id: 'grt_01kz00000000000000000000ab',
    app: { id: 'app_01kz00000000000000000000ab', name: 'Toko Demo' },
    scopes: ['fiat:transfer', 'offline_access', 'openid', 'profile', 'wallet:read'],
    resources: ['https://api.toko.example.com/'],
    hosts: ['toko.example.com', 'www.toko.example.com'],
    limits: {
      perTransfer: 50_000,
      perPeriod: 200_000,
      periodDays: 30,
      total: null,
      maxUses: null,
      payees: ['toko.demo@pid'],
      feeBps: 70,
      feeFixed: 0,
    },
    spent: { period: 85_000, total: 1_250_000, uses: 31 },
    expiresAt: isoTime(now + 90 * day),
    lastUsedAt: isoTime(now - 3 * 3_600_000),
    createdAt: isoTime(now - 200 * day),
    ...change,
  };
}

const noLimits = {
  ...{ perTransfer: null, perPeriod: null, periodDays: null, total: null, maxUses: null, payees: null },
  ...{ feeBps: 0, feeFixed: 0 },
};

const longName = { id: 'app_1', name: 'Perusahaan Perdagangan Bersama Sejahtera Selamanya Sdn. Bhd.' };
const signInOnly = { app: longName, scopes: ['email', 'openid'], expiresAt: null, lastUsedAt: null };
const none = { data: [], nextCursor: null };

/** An error as shown in the form. */
function Refused({ now }: { now: number }) {
  const { locale } = useView();
  const typed = new URLSearchParams({
    perTransfer: '5,5',
    feePercent: '7%%',
    payees: 'ada@pid\nno body@pid',
  });
  const error = new AppError('validation_failed', [
    'limits.perTransfer must be a whole number from 1 to 1000000000000',
    'limits.feeBps must be a whole number from 0 to 10000',
    'limits.payees.1 must be a PID',
    'expiresAt must be in the future',
  ]);
  return <GrantPanel grant={grant(now)} typed={typed} problems={problemsOf(error, typed, locale) ?? {}} />;
}

/** The states of the pages for allowed apps. */
export const grantStates: Record<string, PageState> = {
  'account-allowed': accountState('apps', (now) => (
    <AllowedPanel page={{ data: [grant(now), grant(now, signInOnly)], nextCursor: 'x' }} isFirst />
  )),
  'account-allowed-none': accountState('apps', () => <AllowedPanel page={none} isFirst />, {
    done: 'grantEnded',
  }),
  'account-grant': accountState('apps', (now) => <GrantPanel grant={grant(now)} />, { done: 'grantSaved' }),
  'account-grant-none': accountState('apps', (now) => (
    <GrantPanel grant={grant(now, { limits: noLimits })} />
  )),
  'account-grant-sign-in-only': accountState('apps', (now) => <GrantPanel grant={grant(now, signInOnly)} />),
  'account-grant-problems': accountState('apps', (now) => <Refused now={now} />),
  'account-grant-end': accountState('apps', (now) => <EndQuestion grant={grant(now)} />),
};
