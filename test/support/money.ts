import type { Target } from './target.ts';

/** The account that owes us what providers have taken; money enters and leaves through it. */
export const gateway = 2;

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

/** Moves money between accounts as a correction by the operator does. */
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

/** The wallet of a handle, with this much in it. @returns its account */
export async function fundedWallet(
  target: Pick<Target, 'rows'>,
  handle: string,
  amount: number,
): Promise<number> {
  const account = await newAccount(target, 'wallet', handle);
  if (amount > 0) await adjust(target, { from: gateway, to: account, amount });
  return account;
}

/** The account that takes the fees of an app. */
export function appAccount(target: Pick<Target, 'rows'>, app: string): Promise<number> {
  return newAccount(target, 'app', app);
}
