import { type Deposit, depositStatuses } from '../src/features/deposit/schema.ts';
import { type Withdrawal, withdrawalStatuses } from '../src/features/withdrawal/schema.ts';
import { isoTime } from '../src/lib/id.ts';
import { depositTexts, walletTexts, withdrawalTexts } from '../src/pages/messages/wallet.ts';
import { DepositCard, DepositsCard, TopUpCard } from '../src/pages/wallet/deposit.tsx';
import { ConfirmWithdrawalCard, WithdrawalsCard, WithdrawCard } from '../src/pages/wallet/withdraw-cards.tsx';
import { useTexts } from '../src/ui/view.ts';
import { accountState, type PageState, stepState } from './page-state.tsx';
import { wallet } from './wallet-states.tsx';

const minute = 60_000;

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

/** The states of top-ups and withdrawals. */
export const gatewayStates: Record<string, PageState> = {
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
