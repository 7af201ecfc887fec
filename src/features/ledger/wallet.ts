import { first, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { actingCaller, type Caller, explainCaller } from '../grant/acting-caller.ts';
import { actingSession } from '../session/acting-session.ts';
import { heldColumns, toBalance } from './balance.ts';
import { type LimitedRow, toLimits, usedColumn } from './limits.ts';
import { balanceWhen } from './lines.ts';
import { futureText, type Wallet } from './schema.ts';
import { insertWallet, mode } from './statements.ts';
import type { accounts, ledger } from './tables.ts';

type Account = Row<typeof accounts>;
type WalletRow = Pick<Account, 'owner' | 'status' | 'created_at'> & LimitedRow;

/** Opens the person's wallet, or returns the existing one. @throws AppError session_ended */
export async function createWallet(deps: Deps, sessionId: string): Promise<Wallet> {
  const now = deps.now();
  const { wallet } = await run(deps.db, {
    change: [insertWallet(sessionId, now)],
    wallet:
      statement<WalletRow>(sql`SELECT a.owner, a.status, a.created_at, ${heldColumns}, ${usedColumn(deps.config.limits, now)}
      FROM ${actingSession(sessionId, now)} s JOIN accounts a ON a.owner = s.handle AND a.kind = 'wallet'`),
  });
  const [row] = wallet;
  if (!row) throw new AppError('session_ended');
  return toWallet(deps, row);
}

/** The ledger mode: open, frozen or disabled. */
export async function readMode(deps: Deps): Promise<Row<typeof ledger>['mode']> {
  const row = await first(
    deps.db,
    statement<Pick<Row<typeof ledger>, 'mode'>>(sql`SELECT m.mode FROM ${mode} m`),
  );
  return row?.mode ?? 'disabled';
}

/** The caller's wallet. @throws AppError wallet_not_found, and those of `explainCaller` */
export async function getWallet(deps: Deps, caller: Caller): Promise<Wallet> {
  return toWallet(deps, await readWallet(deps, caller));
}

async function readWallet(deps: Deps, caller: Caller): Promise<WalletRow> {
  const now = deps.now();
  const row = await first(
    deps.db,
    statement<{
      [Column in keyof WalletRow]: WalletRow[Column] | null;
    }>(sql`SELECT a.owner, a.status, a.created_at,
        ${heldColumns}, ${usedColumn(deps.config.limits, now)}
      FROM ${actingCaller(caller, now)} w
        LEFT JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'`),
  );
  if (row === null) throw await explainCaller(deps, caller);
  if (row.owner === null) throw new AppError('wallet_not_found');
  return row as WalletRow;
}

/** A person's wallet as shown on the admin desk. */
export function selectWallet(deps: Deps, handle: string, now: number): Statement<WalletRow> {
  return statement(sql`SELECT a.owner, a.status, a.created_at, ${heldColumns}, ${usedColumn(deps.config.limits, now)}
    FROM accounts a WHERE a.owner = ${handle} AND a.kind = 'wallet'`);
}

export function toWallet({ config }: Deps, row: WalletRow): Wallet {
  return {
    pid: pidOf(row.owner),
    status: row.status,
    balances: [toBalance(row)],
    limits: toLimits(config.limits, row),
    createdAt: isoTime(row.created_at),
  };
}

/** Reads the caller's current wallet. @throws AppError those of `getWallet` */
export async function getBalance(deps: Deps, caller: Caller) {
  return { ...toBalance(await readWallet(deps, caller)), asOf: isoTime(deps.now()) };
}

/**
 * Reads the balance of the caller's wallet after the last movement at or before a time.
 * @throws AppError validation_failed for a time in the future, and those of `getWallet`
 */
export async function getBalanceAt(deps: Deps, caller: Caller, at: number) {
  const now = deps.now();
  if (at > now) throw new AppError('validation_failed', [futureText]);
  const row = await first(
    deps.db,
    statement<{
      id: number | null;
      balance: number;
    }>(sql`SELECT a.id, ${balanceWhen(sql`a.id`, sql`at <= ${at}`)} AS balance
      FROM ${actingCaller(caller, now)} w
        LEFT JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'`),
  );
  if (row === null) throw await explainCaller(deps, caller);
  if (row.id === null) throw new AppError('wallet_not_found');
  return { asset: 'IDR', scale: 0, balance: row.balance, at: isoTime(at) };
}
