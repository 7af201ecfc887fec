import { type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { actingSession } from '../session/acting-session.ts';
import type { adjustments, ledger } from './tables.ts';

/** True if money may move; a condition in the statement that moves it, so that a freeze stops every later statement. */
export const isOpen: SQL = sql`(SELECT mode FROM ledger WHERE id = 1) = 'open'`;

/** The ledger row. */
export const mode: SQL = sql`(SELECT mode, reason, limits FROM ledger WHERE id = 1)`;

/** The same condition on the ledger row `m`, for lists of requirements. */
export const mayMove = { ledger_disabled: sql`m.mode <> 'disabled'`, ledger_frozen: sql`m.mode = 'open'` };

/** The key of an operator account. */
export function systemAccount(kind: 'platform' | 'gateway' | 'payout' | 'suspense'): SQL {
  return sql`(SELECT id FROM accounts WHERE owner = 'system' AND kind = ${kind} AND asset = 'IDR')`;
}

/** Opens the wallet of the acting session's identity, unless it exists. */
export function insertWallet(sessionId: string, now: number): Statement {
  return statement(sql`INSERT INTO accounts (kind, owner, asset, created_at)
    SELECT 'wallet', s.handle, 'IDR', ${now} FROM ${actingSession(sessionId, now)} s WHERE true
    ON CONFLICT (owner, kind, asset) DO NOTHING`);
}

/** Opens wallets without a request from their owners. @param handles a SELECT of `handle` */
export function insertWalletOf(handles: SQL, now: number): Statement {
  return statement(sql`INSERT INTO accounts (kind, owner, asset, created_at)
    SELECT 'wallet', s.handle, 'IDR', ${now} FROM (${handles}) s WHERE true ON CONFLICT (owner, kind, asset) DO NOTHING`);
}

/** Opens the account that collects an app's fees, unless it exists. @param apps a SELECT of `id` */
export function insertAppAccounts(apps: SQL, now: number): Statement {
  return statement(sql`INSERT INTO accounts (kind, owner, asset, created_at)
    SELECT 'app', id, 'IDR', ${now} FROM (${apps}) WHERE true ON CONFLICT (owner, kind, asset) DO NOTHING`);
}

/**
 * Moves money with a document other than a transfer; a trigger posts it.
 * @param rows a SELECT of the columns of `adjustments`, in their order; the SELECT contains every condition
 */
export function adjust(rows: SQL): Statement<Pick<Row<typeof adjustments>, 'id'>> {
  return statement(sql`INSERT INTO adjustments (id, kind, debit, credit, amount, ref, reason, actor, idempotency_key,
      request_hash, at)
    SELECT * FROM (${rows}) WHERE true ON CONFLICT DO NOTHING RETURNING id`);
}

interface ModeChange {
  readonly mode: Row<typeof ledger>['mode'];
  readonly reason: string | null;
  readonly now: number;
  /** A further condition on the ledger row. */
  readonly when?: SQL;
}

/** Freezes or opens the ledger. */
export function setMode({ mode: next, reason, now, when = sql`1` }: ModeChange): Statement<{ mode: string }> {
  return statement(sql`UPDATE ledger SET mode = ${next}, reason = ${reason}, updated_at = ${now}
    WHERE id = 1 AND mode <> ${next} AND ${when} RETURNING mode`);
}

/** Stores the progress of the hourly account check. */
export function setChecked(account: number): Statement {
  return statement(sql`UPDATE ledger SET checked_account = ${account} WHERE id = 1`);
}

/** Changes the given ledger switches. */
export function setSwitches(v: {
  readonly mode: Row<typeof ledger>['mode'] | null;
  readonly withdrawals: boolean | null;
  readonly reason: string;
  readonly now: number;
  readonly when: SQL;
}): Statement {
  const next = sql`coalesce(${v.mode}, mode)`;
  return statement(sql`UPDATE ledger SET mode = ${next}, withdrawals = coalesce(CAST(${v.withdrawals === null ? null : Number(v.withdrawals)} AS INTEGER), withdrawals),
      reason = iif(${next} = 'open', NULL, iif(${v.mode} IS NULL, reason, ${v.reason})), updated_at = ${v.now}
    WHERE id = 1 AND ${v.when}`);
}

/** Freezes or unfreezes a wallet. */
export function setWalletStatus(
  handle: string,
  { status, when }: { status: 'active' | 'frozen'; when: SQL },
): Statement {
  return statement(
    sql`UPDATE accounts SET status = ${status} WHERE owner = ${handle} AND kind = 'wallet' AND ${when}`,
  );
}

/** Requirements for the source and target accounts of a movement. @param ids a list of values */
export function areActive(ids: SQL) {
  const none = (status: string) =>
    sql`NOT EXISTS (SELECT 1 FROM accounts s WHERE s.id IN (${ids}) AND s.status = ${status})`;
  return { wallet_closed: none('closed'), wallet_frozen: none('frozen') };
}
