import type { Overview, ReviewedDeposit, Unexplained } from '../src/features/admin/schema.ts';
import type { Report } from '../src/features/reconcile/schema.ts';
import { isoTime } from '../src/lib/id.ts';
import { DeskPage } from '../src/pages/desk/desk.tsx';
import { DeskShell } from '../src/pages/desk/shell.tsx';
import { AccountCorner } from '../src/pages/member/page.tsx';
import { deskFrameTexts } from '../src/pages/messages/desk-frame.ts';
import { useTexts } from '../src/ui/view.ts';
import { app, appId, logo } from './app-samples.ts';
import { lines } from './desk-people-states.tsx';
import type { PageState } from './page-state.tsx';

const day = 86_400_000;

function overview(now: number, change: Partial<Overview> = {}): Overview {
  return {
    ledger: { mode: 'open', withdrawals: true, reason: null, updatedAt: isoTime(now - day) },
    reviews: 0,
    stuck: [],
    stuckWithdrawals: [],
    proposals: [],
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
    proposals: [
      {
        id: 'prp_01k9zn2c5v8j3k7m1q4s6w0y9b',
        action: 'ledger.adjusted',
        target: 'adj_01k9zn2c5v8j3k7m1q4s6w0y9a',
        detail: { from: 'suspense', to: 'budi.santoso@pid', amount: 25_000_000 },
        asset: 'IDR',
        amount: 25_000_000,
        gainers: ['budi.santoso@pid'],
        reason: 'A transfer without a reference, letter 118',
        maker: 'ayu.lestari@pid',
        createdAt: isoTime(now - day),
        expiresAt: isoTime(now + 2 * day),
        outcome: null,
        decidedBy: null,
        decidedAt: null,
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
  returnedAmount: 0,
  appId: null,
  createdAt: isoTime(now - day),
  expiresAt: isoTime(now),
  creditedAt: null,
  pid: 'ayu.lestari@pid',
  paidAmount: 45_000,
  paidCurrency: 'IDR',
});

const report = (now: number): Report => ({
  ...{ id: 'rep_06bk3n8q5x7c9v2k4m6r8t0w1y', source: 'midtrans', status: 'read', sha256: '9b74c9897bac770f' },
  ...{ firstDay: '2026-11-19', lastDay: '2026-11-21', decidedBy: null, decidedAt: null },
  summary: {
    ...{ lines: 1_204, skipped: 31, differences: [] },
    outcomes: [
      { outcome: 'matched', count: 1_201, gross: 61_250_000, fee: 428_750 },
      { outcome: 'unknown_payment', count: 3, gross: 150_000, fee: 1_050 },
    ],
  },
  createdAt: isoTime(now - 600_000),
});

const unexplained = (now: number): Unexplained => ({
  count: 3,
  data: [
    ['withdrawal', 'wdr_01k9zmb0x4e6w9q2r5t8y1c3v7', 'submitted', 250_000, 'budi.santoso@pid', 2 * day],
    ['second_payment', 'adj_01k9zp7c5v8j3k7m1q4s6w0y9a', 'open', 50_000, 'ayu.lestari@pid', day],
    ['suspense', 'withdrawal_return', 'open', 25_000, null, day / 2],
  ].map(([kind, id, status, amount, pid, age]) => ({
    ...{ kind, id, status, asset: 'IDR', amount, pid, since: isoTime(now - Number(age)), resolve: null },
  })) as Unexplained['data'],
});

const options = { wide: true, corner: <AccountCorner /> };
const typed = new URLSearchParams({ act: 'adjust', from: 'suspense', to: 'ayu', amount: '2.5' });
const problems = { amount: ['Whole rupiah, such as 120000 or 120.000.'] };
const requestKey = 'sample';

function Proposed() {
  return <>{useTexts(deskFrameTexts).doneProposed}</>;
}

/** The admin desk. */
export const deskStates: Record<string, PageState> = {
  desk: {
    options,
    body: (now) => (
      <DeskShell tab="overview" isAdministrator done={<Proposed />}>
        <DeskPage
          feeCap={{ bps: 1000, fixed: 10_000 }}
          overview={overview(now)}
          reviews={[]}
          reports={[]}
          unexplained={{ count: 0, data: [] }}
          restricted={{ data: [] }}
          app={null}
          named={[]}
          appId={undefined}
          lines={lines(now)}
          requestKey={requestKey}
        />
      </DeskShell>
    ),
  },
  'desk-in-trouble': {
    options,
    body: (now) => (
      <DeskShell
        tab="overview"
        isAdministrator
        stopped={{ mode: 'frozen', reason: 'balanced: IDR', at: isoTime(now), isViolation: true }}
      >
        <DeskPage
          feeCap={{ bps: 1000, fixed: 10_000 }}
          overview={troubled(now)}
          reviews={[review(now)]}
          reports={[report(now)]}
          unexplained={unexplained(now)}
          restricted={{
            data: [
              { id: appId, name: 'Toko Demo', reason: 'not_checked', grants: null },
              { id: appId, name: 'Toko Demo', reason: 'fee_not_covered', grants: 3 },
            ],
          }}
          app={{ ...app(now), owner: 'ayu.lestari@pid', tokenLimit: 2_000, logo }}
          named={[]}
          appId={appId}
          lines={[]}
          {...{ requestKey, typed, problems }}
        />
      </DeskShell>
    ),
  },
};
