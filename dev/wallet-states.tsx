import type { Transaction, Wallet } from '../src/features/ledger/schema.ts';
import type { Receipt } from '../src/features/transfer/receipt.ts';
import type { Inquiry, Transfer } from '../src/features/transfer/schema.ts';
import { isoTime } from '../src/lib/id.ts';
import { accountPaths } from '../src/lib/page-paths.ts';
import { errorTexts } from '../src/pages/messages/errors.ts';
import { walletTexts } from '../src/pages/messages/wallet.ts';
import { copyScript } from '../src/pages/scripts/copy.ts';
import { receiptScript } from '../src/pages/scripts/receipt.ts';
import { sendScript } from '../src/pages/scripts/send.ts';
import { HoldsCard } from '../src/pages/wallet/holds.tsx';
import { LimitsCard } from '../src/pages/wallet/limits.tsx';
import { MovementCard } from '../src/pages/wallet/movement.tsx';
import { OpenCard } from '../src/pages/wallet/open.tsx';
import { BalanceCard } from '../src/pages/wallet/overview.tsx';
import { RefundCard, RefundReview } from '../src/pages/wallet/refund.tsx';
import { RequestCard } from '../src/pages/wallet/request.tsx';
import { BadLinkCard, SendCard } from '../src/pages/wallet/send.tsx';
import { ConfirmCard } from '../src/pages/wallet/send-confirm.tsx';
import { StatementCard } from '../src/pages/wallet/statement.tsx';
import { useTexts } from '../src/ui/view.ts';
import { accountState, type PageState, stepState } from './page-state.tsx';

const minute = 60_000;
const actions = [
  { path: accountPaths.send, text: 'send' },
  { path: accountPaths.request, text: 'request' },
  { path: accountPaths.topUp, text: 'topUp' },
] as const;
const none = { data: [], nextCursor: null };

export function wallet(status: Wallet['status'] = 'active', held = 0, debt = 0): Wallet {
  const balance = debt > 0 ? 0 : 12_345_678;
  const balances = [{ asset: 'IDR', scale: 0, balance, held, available: balance - held, debt }];
  return { pid: 'ayu.lestari@pid', status, balances, limits: null, createdAt: '2026-01-04T08:00:00.000Z' };
}

/** A right-to-left name and message, which must not reverse the text around them. */
const mixed = { pid: 'maria.wilhelmina.constantia.va@pid', displayName: 'שלום Maria Wilhelmina Constantia' };

function line(now: number, change: Partial<Transaction>): Transaction {
  return {
    id: 'trf_01kz00000000000000000000ab',
    kind: 'transfer',
    direction: 'out',
    asset: 'IDR',
    amount: 25_500,
    fees: 500,
    balanceAfter: 12_345_678,
    counterparty: shop,
    reference: { type: 'transfer', id: 'trf_01kz00000000000000000000ab' },
    memo: 'Nasi goreng',
    appId: null,
    createdAt: isoTime(now - 3 * minute),
    ...change,
  };
}

const lines = (now: number): Transaction[] => [
  line(now, {}),
  line(now, { direction: 'in', amount: 1_000_000_000_000, fees: 0, counterparty: mixed, memo: 'ל־25 במאי!' }),
  line(now, {
    kind: 'refund',
    direction: 'in',
    amount: 9_000,
    fees: 0,
    memo: null,
    createdAt: isoTime(now - 1440 * minute),
  }),
  line(now, {
    kind: 'sweep',
    direction: 'in',
    fees: 0,
    counterparty: null,
    memo: null,
    createdAt: isoTime(now - 4320 * minute),
  }),
];

function receipt(now: number, change: Partial<Transaction>, transfer: Partial<Transfer> = {}): Receipt {
  const movement = { ...line(now, change), legs: [] };
  const { id, amount, fees, memo, createdAt } = movement;
  const made: Transfer = {
    ...{
      id,
      inquiryId: null,
      refundOf: null,
      status: 'completed',
      asset: 'IDR',
      appId: null,
      memo,
      createdAt,
    },
    ...{ from: 'ayu.lestari@pid', to: 'toko.demo@pid', amount: amount - fees, totalDebit: amount },
    ...{ fees: { payer: fees, payee: 0, app: 0, platform: fees, total: fees }, netAmount: amount - fees },
    ...{ refundedTotal: 0, refundable: 0, heldUntil: null },
    ...transfer,
  };
  const refunds =
    made.refundedTotal === 0 ? [] : [{ id: 'trf_01kz00000000000000000000cd', amount: made.refundedTotal }];
  return { line: movement, transfer: movement.counterparty && made, refunds, app: null, canMail: true };
}

const own = { pid: 'ayu.lestari@pid', displayName: 'Ayu Lestari' };

function movementState(change: Partial<Transaction>, transfer?: Partial<Transfer>): PageState {
  return stepState(
    (now) => <MovementCard {...{ receipt: receipt(now, change, transfer), own }} />,
    receiptScript,
  );
}

function RefusedRefund({ now }: { now: number }) {
  const typed = new URLSearchParams({ amount: '99.000' });
  const problems = { amount: [useTexts(errorTexts).refund_exceeds] };
  return <RefundCard {...{ receipt: received(now), typed, problems }} />;
}

const received = (now: number) =>
  receipt(now, { direction: 'in', amount: 25_000, fees: 0 }, { refundedTotal: 5_000, refundable: 20_000 });

function RefusedRequest() {
  const typed = new URLSearchParams({ amount: '0', memo: '<b>' });
  const { badAmount, badMemo } = useTexts(walletTexts);
  return (
    <RequestCard {...{ url: null, amount: 0, typed, problems: { amount: [badAmount], memo: [badMemo] } }} />
  );
}

const shop = { pid: 'toko.demo@pid', displayName: 'Toko Demo' };
const link = 'https://id.example.com/account/wallet/send?to=ayu.lestari%40pid';

const hold = (now: number) => ({
  id: '01kz00000000000000000000ab',
  payee: 'warung.kopi',
  debit_total: 126_125,
  expires_at: now + 6 * 1440 * minute,
  app_name: 'Warung Kopi',
});

function inquiry(now: number, change: Partial<Inquiry> = {}): Inquiry {
  return {
    id: 'inq_01kz00000000000000000000ab',
    status: 'open',
    from: 'ayu.lestari@pid',
    to: mixed,
    asset: 'IDR',
    amount: 250_000,
    fees: { payer: 2_250, payee: 0, app: 0, platform: 2_250, total: 2_250 },
    totalDebit: 252_250,
    netAmount: 250_000,
    sufficientFunds: true,
    requiresApproval: false,
    hold: false,
    memo: 'ל־25 במאי!',
    expiresAt: isoTime(now + 5 * minute),
    ...change,
  };
}

function RefusedForm() {
  const { badAmount, badMemo } = useTexts(walletTexts);
  const typed = new URLSearchParams({ to: 'nobody', amount: '2,5', memo: 'x\u202ey' });
  const problems = { to: [useTexts(errorTexts).recipient_unavailable], amount: [badAmount], memo: [badMemo] };
  return <SendCard {...{ wallet: wallet(), typed, problems }} />;
}

function confirmState(change: Partial<Inquiry>): PageState {
  return stepState((now) => <ConfirmCard inquiry={inquiry(now, change)} wallet={wallet()} topUp={10_000} />);
}

/** The wallet pages' states. */
export const walletStates: Record<string, PageState> = {
  'account-wallet': accountState('wallet', (now) => (
    <>
      <BalanceCard {...{ wallet: wallet('active', 50_000), isPaused: false, actions }} />
      <StatementCard page={{ data: lines(now), nextCursor: 'x' }} filter={{}} isFirst />
    </>
  )),
  'account-movement': movementState({}),
  'account-movement-in': stepState(
    (now) => <MovementCard {...{ receipt: received(now), own }} />,
    receiptScript,
  ),
  'account-movement-names': movementState({
    direction: 'in',
    amount: 1_000_000_000_000,
    counterparty: mixed,
    memo: 'ל־25 במאי!',
  }),
  'account-movement-deposit': movementState({
    ...{ kind: 'deposit', direction: 'in', counterparty: null, memo: null },
    reference: { type: 'deposit', id: 'dep_01kz00000000000000000000ab' },
  }),
  'account-refund': stepState((now) => <RefundCard receipt={received(now)} />),
  'account-refund-review': stepState((now) => (
    <RefundReview
      {...{ receipt: received(now), wallet: wallet(), token: 'x' }}
      typed={new URLSearchParams({ amount: '20000', memo: 'Kurang satu' })}
    />
  )),
  'account-refund-problems': stepState((now) => <RefusedRefund now={now} />),
  'account-wallet-limits': accountState('wallet', () => (
    <LimitsCard
      limits={{
        level: 'unverified',
        payment: 1_000_000,
        held: { most: 2_000_000, left: 0 },
        day: { most: 5_000_000, left: 3_874_500 },
        month: { most: 40_000_000, left: 12_345_678 },
      }}
    />
  )),
  'account-wallet-holds': accountState('wallet', (now) => (
    <>
      <BalanceCard {...{ wallet: wallet('active', 252_250), isPaused: false, actions }} />
      <HoldsCard holds={[hold(now), { ...hold(now), app_name: mixed.displayName }]} />
    </>
  )),
  'account-wallet-new': accountState('wallet', () => <OpenCard />),
  'account-wallet-empty': accountState(
    'wallet',
    () => (
      <>
        <BalanceCard {...{ wallet: { ...wallet(), balances: [] }, isPaused: false, actions }} />
        <StatementCard page={none} filter={{}} isFirst />
      </>
    ),
    { done: 'walletOpened' },
  ),
  'account-wallet-frozen': accountState('wallet', () => (
    <>
      <BalanceCard {...{ wallet: wallet('frozen'), isPaused: false, actions }} />
      <StatementCard
        page={none}
        filter={{ kind: 'refund', from: '2026-11-01', until: '2026-11-20' }}
        isFirst
      />
    </>
  )),
  'account-wallet-debt': accountState('wallet', () => (
    <>
      <BalanceCard {...{ wallet: wallet('active', 0, 75_000), isPaused: false, actions }} />
      <StatementCard
        page={none}
        filter={{ kind: 'refund', from: '2026-11-01', until: '2026-11-20' }}
        isFirst
      />
    </>
  )),
  'account-wallet-paused': accountState('wallet', () => (
    <BalanceCard {...{ wallet: wallet(), isPaused: true, actions }} />
  )),
  'account-send': stepState(() => <SendCard wallet={wallet()} recent={[shop, mixed, own]} />, sendScript),
  'account-send-asked': stepState(
    () => <SendCard wallet={wallet()} asked={{ to: mixed, amount: 250_000, memo: 'ל־25 במאי!' }} />,
    sendScript,
  ),
  'account-send-bad-link': stepState(() => <BadLinkCard reason="badAmount" />),
  'account-send-no-wallet': stepState(() => <OpenCard next="x" />),
  'account-request': stepState(
    () => <RequestCard url={`${link}&amount=250000&memo=${'Makan+siang+'.repeat(9)}`} amount={250_000} />,
    receiptScript,
  ),
  'account-request-problems': stepState(() => <RefusedRequest />),
  'account-send-problems': stepState(() => <RefusedForm />),
  'account-send-confirm': confirmState({}),
  'account-send-payee-fee': confirmState({
    netAmount: 247_750,
    fees: { payer: 0, payee: 2_250, app: 0, platform: 2_250, total: 2_250 },
    totalDebit: 250_000,
    memo: null,
  }),
  'account-send-too-little': confirmState({ sufficientFunds: false, totalDebit: 12_347_928 }),
  'account-send-gone': confirmState({ status: 'expired' }),
  'account-send-sent': stepState(
    (now) => <MovementCard {...{ receipt: receipt(now, {}), own }} isSent />,
    copyScript + receiptScript,
  ),
};
