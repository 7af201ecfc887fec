import type { Overview } from '../features/admin/schema.ts';
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
    reviews: 2,
    stuck: [{ kind: 'withdrawal', status: 'submitted', count: 1, oldestAt: isoTime(now - 2 * day) }],
    lastViolation: { at: isoTime(now), reason: 'balanced: IDR' },
    totals: [],
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
        overview={overview(now)}
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
        overview={troubled(now)}
        lines={[]}
        problem={<p>to must be a PID, the id of an app, platform, gateway, payout or suspense</p>}
        {...{ requestKey, typed }}
      />
    ),
  },
};
