import type { Withdrawal, WithdrawalQuote } from '../../src/features/withdrawal/schema.ts';
import { type Browser, json } from './browser.ts';
import type { Target } from './target.ts';

/** Enables or disables withdrawals, like the operator. */
export async function allowWithdrawals(target: Pick<Target, 'rows'>, allowed = true): Promise<void> {
  await target.rows('UPDATE ledger SET withdrawals = CAST(? AS INTEGER)', [Number(allowed)]);
}

/** In the sandbox, an account's last digit determines the payout's outcome. */
export const accounts = {
  unknown: '1234567890',
  fails: '1234567891',
  stays: '1234567892',
  timesOut: '1234567893',
  returns: '1234567894',
  pays: '1234567895',
};

export function askWithdrawal(
  { fetch }: Pick<Browser, 'fetch'>,
  amount: unknown,
  accountNumber: string = accounts.pays,
): Promise<Response> {
  const destination = { bankCode: 'BCA', accountNumber };
  return fetch('/v1/fiat/withdrawals/inquiry', json('POST', { amount, destination }));
}

export function confirmWithdrawal(
  { fetch }: Pick<Browser, 'fetch'>,
  withdrawalId: string,
): Promise<Response> {
  return fetch('/v1/fiat/withdrawals/confirm', json('POST', { withdrawalId }));
}

/** Makes a quote, and returns its id. */
export async function quoteOf(browser: Browser, amount: number, accountNumber?: string): Promise<string> {
  const asked = await askWithdrawal(browser, amount, accountNumber);
  if (asked.status !== 200) throw new Error(`no quote: ${asked.status} ${await asked.text()}`);
  return ((await asked.json()) as WithdrawalQuote).withdrawalId;
}

/** Withdraws, and returns the held withdrawal. */
export async function withdraw(
  browser: Browser,
  amount: number,
  accountNumber?: string,
): Promise<Withdrawal> {
  const confirmed = await confirmWithdrawal(browser, await quoteOf(browser, amount, accountNumber));
  if (confirmed.status !== 200)
    throw new Error(`not withdrawn: ${confirmed.status} ${await confirmed.text()}`);
  return (await confirmed.json()) as Withdrawal;
}

/** Runs the scheduled jobs once. */
export async function runJobs(target: Pick<Target, 'request'>): Promise<void> {
  const answer = await target.request('/dev/scheduled', { method: 'POST' });
  if (answer.status !== 200) throw new Error(`the jobs answered ${answer.status}`);
  await answer.text();
}
