import type { Inquiry, Transfer } from '../../src/features/transfer/schema.ts';
import { type Browser, json } from './browser.ts';
import { type Member, newMember } from './people.ts';
import type { Target } from './target.ts';

/** The account for the amount owed by providers; money enters and leaves through it. */
export const gateway = 2;
/** The account for money without a known owner. */
export const suspense = 4;

let count = 0;

async function newAccount(
  target: Pick<Target, 'rows'>,
  kind: 'wallet' | 'app',
  owner: string,
): Promise<number> {
  await target.rows(
    `INSERT INTO accounts (kind, owner, asset, created_at) VALUES (?, ?, 'IDR', 1) ON CONFLICT DO NOTHING`,
    [kind, owner],
  );
  const rows = await target.rows<{ id: number }>('SELECT id FROM accounts WHERE owner = ? AND kind = ?', [
    owner,
    kind,
  ]);
  return rows[0]?.id ?? 0;
}

/** Moves money between accounts, like an operator's correction. */
export async function adjust(
  target: Pick<Target, 'rows'>,
  { from, to, amount, at = 1 }: { from: number; to: number; amount: number; at?: number },
): Promise<void> {
  count += 1;
  await target.rows(
    `INSERT INTO adjustments (id, kind, debit, credit, amount, reason, actor, at)
      VALUES (?, 'correction', ?, ?, CAST(? AS INTEGER), 'test', 'operator', ?)`,
    [`adj_test_${count}_${Math.floor(performance.now() * 1000)}`, from, to, amount, at],
  );
}

/** Lets an account owe this amount, as after its provider reversed spent money. Incoming money settles the debt. */
export async function owe(target: Pick<Target, 'rows'>, account: number, amount: number): Promise<void> {
  count += 1;
  await target.rows(
    `INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
      SELECT 'debt', 'debt_test_' || ?, 1, id, ?, CAST(? AS INTEGER), 1 FROM accounts WHERE owner = 'debts'`,
    [count, account, amount],
  );
  await adjust(target, { from: account, to: gateway, amount });
}

/** A handle's wallet with this balance. @returns its account */
export async function fundedWallet(
  target: Pick<Target, 'rows'>,
  handle: string,
  amount: number,
): Promise<number> {
  const account = await newAccount(target, 'wallet', handle);
  if (amount > 0) await adjust(target, { from: gateway, to: account, amount });
  return account;
}

/** The account that collects an app's fees. */
export function appAccount(target: Pick<Target, 'rows'>, app: string): Promise<number> {
  return newAccount(target, 'app', app);
}

/** A new person with a wallet, opened as they would open it. */
export async function newHolder(target: Target, amount = 0): Promise<Member> {
  const member = await newMember(target);
  const opened = await member.browser.fetch('/v1/wallet', { method: 'POST' });
  if (opened.status !== 200) throw new Error(`no wallet: ${opened.status} ${await opened.text()}`);
  await fundedWallet(target, member.handle, amount);
  return member;
}

/** Makes a transfer inquiry. */
export function inquire(from: Browser, to: string, amount: unknown, fields: object = {}): Promise<Response> {
  return from.fetch('/v1/fiat/transfers/inquiry', json('POST', { to: `${to}@pid`, amount, ...fields }));
}

export function confirmInquiry(from: Browser, inquiryId: string, fields: object = {}): Promise<Response> {
  return from.fetch('/v1/fiat/transfers/confirm', json('POST', { inquiryId, ...fields }));
}

/** Pays, and returns the transfer. */
export async function pay(from: Member, to: Member, amount: number, fields: object = {}): Promise<Transfer> {
  const asked = await inquire(from.browser, to.handle, amount, fields);
  const { id } = (await asked.json()) as Inquiry;
  const paid = await confirmInquiry(from.browser, id);
  if (paid.status !== 200) throw new Error(`not paid: ${paid.status} ${await paid.text()}`);
  return (await paid.json()) as Transfer;
}

export function giveBack(by: Browser, id: string, key: string, fields: object = {}): Promise<Response> {
  const { headers, ...init } = json('POST', fields);
  return by.fetch(`/v1/fiat/transfers/${id}/refund`, {
    ...init,
    headers: { ...headers, 'Idempotency-Key': key },
  });
}

/** Returns the balance of a wallet or an app's account. */
export async function balanceOf(target: Pick<Target, 'rows'>, owner: string): Promise<number> {
  const rows = await target.rows<{ balance: number }>(
    'SELECT credits_posted - debits_posted AS balance FROM accounts WHERE owner = ?',
    [owner],
  );
  return rows[0]?.balance ?? 0;
}
