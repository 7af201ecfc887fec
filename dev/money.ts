import { first, integer, only, run, sql, statement } from '../src/db/database.ts';
import type { Deps } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import {
  adjust,
  insertWalletOf,
  isOpen,
  setSwitches,
  systemAccount,
} from '../src/features/ledger/statements.ts';
import { createInquiry } from '../src/features/transfer/inquiry.ts';
import { confirmTransfer } from '../src/features/transfer/transfer.ts';
import { createId, handleOf, pidOf } from '../src/lib/id.ts';
import type { MoneyInput } from './schema.ts';

/**
 * Adds sandbox money to a person's wallet, opening it if necessary. With `once`, only the first call for a person adds
 * money.
 * @throws AppError ledger_frozen, ledger_disabled, recipient_unavailable, wallet_frozen
 */
export async function giveMoney(
  deps: Deps,
  { to, amount, once }: MoneyInput,
): Promise<{ pid: string; balance: number }> {
  const now = deps.now();
  const handle = handleOf(to);
  const key = once ? `welcome ${handle}` : null;
  const { wallet } = await run(deps.db, {
    change: [
      insertWalletOf(
        sql`SELECT i.handle FROM identities i WHERE i.handle = ${handle} AND i.status = 'active'
          AND ${isOpen}`,
        now,
      ),
      adjust(sql`SELECT ${createId('adj', now, deps.randomBytes)}, 'correction', ${systemAccount('gateway')}, a.id,
          ${integer(amount)}, NULL, 'sandbox money', 'operator', ${key}, ${key}, ${integer(now)}
        FROM accounts a WHERE a.owner = ${handle} AND a.kind = 'wallet' AND a.status = 'active' AND ${isOpen}`),
    ],
    wallet: statement<{
      mode: 'open' | 'frozen' | 'disabled';
      status: 'active' | 'frozen' | 'closed' | null;
      balance: number;
    }>(sql`SELECT m.mode, a.status, a.credits_posted - a.debits_posted AS balance FROM ledger m
      LEFT JOIN accounts a ON a.owner = ${handle} AND a.kind = 'wallet' WHERE m.id = 1`),
  });
  const row = only(wallet);
  if (row.mode !== 'open') throw new AppError(`ledger_${row.mode}`);
  if (handle === null || row.status === null) throw new AppError('recipient_unavailable');
  if (row.status !== 'active') throw new AppError('wallet_frozen');
  return { pid: pidOf(handle), balance: row.balance };
}

/** Gives two people wallets with a history: deposits, and payments between them. Both may withdraw. */
export async function seedMoney(
  deps: Deps,
  from: { handle: string; sessionId: string },
  to: string,
): Promise<void> {
  const known = await first(
    deps.db,
    statement<{ id: number }>(
      sql`SELECT a.id FROM accounts a WHERE a.owner = ${from.handle} AND a.kind = 'wallet'`,
    ),
  );
  if (known !== null) return;
  const on = { mode: null, withdrawals: true, reason: 'demo', now: deps.now(), when: sql`1` };
  await run(deps.db, { change: [setSwitches(on)] });
  await giveMoney(deps, { to: pidOf(from.handle), amount: 500_000, once: false });
  await giveMoney(deps, { to: pidOf(to), amount: 50_000, once: false });
  const caller = { by: 'person', ...from, appId: null, grantId: null, scopes: null } as const;
  for (const [amount, memo] of [
    [25_000, 'Nasi goreng'],
    [120_000, 'Konser'],
  ] as const) {
    const { id } = await createInquiry(deps, caller, { to: pidOf(to), amount, asset: 'IDR', memo });
    await confirmTransfer(deps, caller, { inquiryId: id });
  }
}
