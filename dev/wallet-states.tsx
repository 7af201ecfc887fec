import { type Deposit, depositStatuses } from '../src/features/deposit/schema.ts';
import type { Transaction, Wallet } from '../src/features/ledger/schema.ts';
import type { Inquiry } from '../src/features/transfer/schema.ts';
import { type Withdrawal, withdrawalStatuses } from '../src/features/withdrawal/schema.ts';
import { isoTime } from '../src/lib/id.ts';
import { accountPaths } from '../src/lib/page-paths.ts';
import { errorTexts } from '../src/pages/messages/errors.ts';
import { depositTexts, walletTexts, withdrawalTexts } from '../src/pages/messages/wallet.ts';
import { DepositCard, DepositsCard, TopUpCard } from '../src/pages/wallet/deposit.tsx';
import { HoldsCard } from '../src/pages/wallet/holds.tsx';
import { LimitsCard } from '../src/pages/wallet/limits.tsx';
import { BalanceCard, OpenCard } from '../src/pages/wallet/overview.tsx';
import { ConfirmCard, SendCard } from '../src/pages/wallet/send.tsx';
import { StatementCard } from '../src/pages/wallet/statement.tsx';
import { ConfirmWithdrawalCard, WithdrawalsCard, WithdrawCard } from '../src/pages/wallet/withdraw-cards.tsx';
import { useTexts } from '../src/ui/view.ts';
import { accountState, type PageState, stepState } from './page-state.tsx';

const minute = 60_000;
const actions = [
  { path: accountPaths.send, text: 'send' },
  { path: accountPaths.topUp, text: 'topUp' },
] as const;
const none = { data: [], nextCursor: null };

function wallet(status: Wallet['status'] = 'active', held = 0, debt = 0): Wallet {
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
    counterparty: { pid: 'toko.demo@pid', displayName: 'Toko Demo' },
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
  line(now, { kind: 'refund', direction: 'in', amount: 9_000, fees: 0, memo: null }),
  line(now, { kind: 'sweep', direction: 'in', fees: 0, counterparty: null, memo: null }),
];

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

function deposit(now: number, status: Deposit['status']): Deposit {
  const id = 'dep_01kz00000000000000000000ab';
  return {
    id,
    status,
    asset: 'IDR',
    amount: 1_250_000,
    fees: { app: 0, platform: 2_250, total: 2_250 },
    netAmount: 1_247_750,
    method: 'qris',
    provider: 'midtrans',
    checkoutUrl: status === 'pending' ? `/dev/gateway/${id}` : null,
    failure: null,
    returnedAmount: 0,
    appId: null,
    createdAt: isoTime(now - 3 * minute),
    expiresAt: isoTime(now + 60 * minute),
    creditedAt: null,
  };
}

function RefusedTopUp() {
  const { badAmount } = useTexts(depositTexts);
  const typed = new URLSearchParams({ amount: 'lots', method: 'va' });
  return <TopUpCard provider="sandbox" token="x" typed={typed} problems={{ amount: [badAmount] }} />;
}

function RefusedForm() {
  const { badAmount, badMemo } = useTexts(walletTexts);
  const typed = new URLSearchParams({ to: 'nobody', amount: '2,5', memo: 'x\u202ey' });
  const problems = { to: [useTexts(errorTexts).recipient_unavailable], amount: [badAmount], memo: [badMemo] };
  return <SendCard {...{ wallet: wallet(), typed, problems }} />;
}

function confirmState(change: Partial<Inquiry>): PageState {
  return stepState((now) => <ConfirmCard inquiry={inquiry(now, change)} wallet={wallet()} />);
}

const banks = [
  { code: 'BCA', name: 'Bank Central Asia' },
  { code: 'BNI', name: 'Bank Negara Indonesia' },
];
const holder = 'Maria Wilhelmina Constantia van der Veen';
const quote = (now: number) => ({
  withdrawalId: 'wdr_01kz00000000000000000000ab',
  accountHolderName: holder,
  destination: 'MANDIRI ••••4321',
  asset: 'IDR',
  amount: 250_000,
  fees: { payer: 2_500, payee: 0, app: 0, platform: 2_500, total: 2_500 },
  totalDebit: 252_500,
  expiresAt: isoTime(now + 5 * minute),
});

function withdrawalsOf(now: number): Withdrawal[] {
  const createdAt = isoTime(now - 3 * minute);
  return [...withdrawalStatuses, 'held' as const].map((status, at) => ({
    ...quote(now),
    id: 'wdr_01kz00000000000000000000ab',
    status,
    waitsFor: at === withdrawalStatuses.length ? 'debt' : null,
    provider: 'sandbox',
    failure: status === 'failed' ? 'The account is closed' : null,
    createdAt,
    endedAt: null,
    returnedAt: null,
  }));
}

function RefusedWithdrawal() {
  const { badAccount } = useTexts(withdrawalTexts);
  const typed = new URLSearchParams({ bank: 'BNI', account: '12', amount: 'lots' });
  const problems = { account: [badAccount], amount: [useTexts(walletTexts).badAmount] };
  return <WithdrawCard {...{ wallet: wallet(), banks, typed, problems }} />;
}

/** The wallet pages' states. */
export const walletStates: Record<string, PageState> = {
  'account-top-up': stepState(() => <TopUpCard provider="midtrans" token="x" />),
  'account-top-up-none': stepState(() => <TopUpCard provider={null} token="x" />),
  'account-top-up-problems': stepState(() => <RefusedTopUp />),
  ...Object.fromEntries(
    depositStatuses.map((status) => [
      `account-deposit-${status}`,
      stepState((now) => <DepositCard deposit={deposit(now, status)} />),
    ]),
  ),
  'account-deposits': accountState('wallet', (now) => (
    <DepositsCard
      deposits={depositStatuses.map((status) => deposit(now, status))}
      second={[
        {
          ...{ id: 'adj_01k9zp7c5v8j3k7m1q4s6w0y9a', status: 'open', depositId: deposit(now, 'credited').id },
          ...{
            pid: 'ayu.lestari@pid',
            asset: 'IDR',
            amount: 50_000,
            createdAt: isoTime(now),
            decidedAt: null,
          },
        },
      ]}
    />
  )),
  'account-wallet': accountState('wallet', (now) => (
    <>
      <BalanceCard {...{ wallet: wallet('active', 50_000), isPaused: false, actions }} />
      <StatementCard page={{ data: lines(now), nextCursor: 'x' }} filter={{}} isFirst />
    </>
  )),
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
  'account-send': stepState(() => <SendCard wallet={wallet()} />),
  'account-send-problems': stepState(() => <RefusedForm />),
  'account-send-confirm': confirmState({}),
  'account-send-payee-fee': confirmState({
    netAmount: 247_750,
    fees: { payer: 0, payee: 2_250, app: 0, platform: 2_250, total: 2_250 },
    totalDebit: 250_000,
    memo: null,
  }),
  'account-send-too-little': confirmState({ sufficientFunds: false }),
  'account-send-gone': confirmState({ status: 'expired' }),
  'account-send-sent': confirmState({ status: 'confirmed' }),
  'account-withdrawals': accountState('wallet', (now) => (
    <WithdrawalsCard withdrawals={withdrawalsOf(now)} isOffered />
  )),
  'account-withdraw': stepState(() => <WithdrawCard {...{ wallet: wallet(), banks }} />),
  'account-withdraw-problems': stepState(() => <RefusedWithdrawal />),
  'account-withdraw-confirm': stepState((now) => (
    <ConfirmWithdrawalCard quote={quote(now)} wallet={wallet()} />
  )),
  'account-withdraw-too-little': stepState((now) => (
    <ConfirmWithdrawalCard quote={quote(now)} wallet={{ ...wallet(), balances: [] }} />
  )),
  'account-withdraw-gone': stepState(() => <ConfirmWithdrawalCard quote={null} wallet={wallet()} />),
};
