import type { Overview, ReviewedDeposit } from '../features/admin/schema.ts';
import { isoTime } from '../lib/time.ts';
import { AccountCorner } from '../pages/account/shell.tsx';
import { DeskPage } from '../pages/desk/desk.tsx';
import type { PageState } from './page-state.tsx';

const day = 86_400_000;

function overview(now: number, change: Partial<Overview> = {}): Overview {
  return {
    ledger: { mode: 'open', withdrawals: true, reason: null, updatedAt: isoTime(now - day) },
    reviews: 0,
    stuck: [],
    stuckWithdrawals: [],
    lastViolation: null,
    queues: { mails: 0, events: 3 },
    accounts: [
      { kind: 'platform', balance: 1_250_000 },
      { kind: 'gateway', balance: -48_700_000 },
      { kind: 'payout', balance: 0 },
      { kind: 'suspense', balance: 25_000 },
    ],
    day: isoTime(now).slice(0, 10),
    totals: [
      { kind: 'deposit', count: 118, amount: 23_450_000 },
      { kind: 'withdrawal', count: 7, amount: 4_100_000 },
    ],
    ...change,
  };
}

const troubled = (now: number): Overview =>
  overview(now, {
    ledger: { mode: 'frozen', withdrawals: false, reason: 'balanced: IDR', updatedAt: isoTime(now) },
    reviews: 1,
    stuck: [
      {
        kind: 'withdrawal',
        status: 'submitted',
        count: 1,
        oldestAt: isoTime(now - 2 * day),
        ids: ['wdr_01k9zmb0x4e6w9q2r5t8y1c3v7'],
      },
    ],
    stuckWithdrawals: [
      {
        id: 'wdr_01k9zmb0x4e6w9q2r5t8y1c3v7',
        pid: 'budi.santoso@pid',
        status: 'submitted',
        failure: 'unknown',
        asset: 'IDR',
        amount: 250_000,
        heldAt: isoTime(now - 2 * day),
      },
    ],
    lastViolation: { at: isoTime(now), reason: 'balanced: IDR' },
    totals: [],
  });

const review = (now: number): ReviewedDeposit => ({
  id: 'dep_01k9zkq3v7h5m2n8p4r6t0x2ya',
  status: 'review',
  asset: 'IDR',
  amount: 50_000,
  fees: { app: 0, platform: 0, total: 0 },
  netAmount: 50_000,
  method: 'qris',
  provider: 'midtrans',
  checkoutUrl: null,
  failure: 'amount_mismatch',
  appId: null,
  createdAt: isoTime(now - day),
  expiresAt: isoTime(now),
  creditedAt: null,
  pid: 'ayu.lestari@pid',
  paidAmount: 45_000,
  paidCurrency: 'IDR',
});

const options = { wide: true, corner: <AccountCorner /> };
const typed = new URLSearchParams({ act: 'adjust', from: 'suspense', to: 'ayu', amount: '2.5' });
const requestKey = 'sample';

/** The desk of administrators. */
export const deskStates: Record<string, PageState> = {
  desk: {
    options,
    body: (now) => (
      <DeskPage
        feeCap={{ bps: 1000, fixed: 10_000 }}
        overview={overview(now)}
        reviews={[]}
        lines={[
          {
            at: isoTime(now),
            actor: 'ayu.lestari',
            action: 'wallet.status',
            target: 'budi',
            detail: { status: 'frozen', reason: 'Reported stolen' },
          },
        ]}
        {...{ requestKey, isDone: true }}
      />
    ),
  },
  'desk-in-trouble': {
    options,
    body: (now) => (
      <DeskPage
        feeCap={{ bps: 1000, fixed: 10_000 }}
        overview={troubled(now)}
        reviews={[review(now)]}
        lines={[]}
        problem={<p>to must be a PID, the id of an app, platform, gateway, payout or suspense</p>}
        {...{ requestKey, typed }}
      />
    ),
  },
};
