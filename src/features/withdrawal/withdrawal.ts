import { all, integer, only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime } from '../../lib/id.ts';
import { type Page, toPage } from '../../lib/page.ts';
import { payoutGatewayNamed } from '../gateway/configured.ts';
import { actingHandle, actingSessionStatement } from '../session/acting-session.ts';
import { asSent, settle } from './payout.ts';
import { type Withdrawal, type WithdrawalsQuery, withdrawalStatuses } from './schema.ts';
import { cancel, columnsOfW, type WithdrawalRow } from './statements.ts';

export interface Own {
  readonly sessionId: string;
  readonly id: string;
}

export function toWithdrawal(row: WithdrawalRow): Withdrawal {
  const { id, asset, amount, fee, ended_at, returned_at } = row;
  return {
    id,
    status: withdrawalStatuses.find((status) => status === row.status) ?? 'held',
    asset,
    amount,
    fees: feesOfRow(fee),
    totalDebit: amount + fee,
    destination: row.destination_hint,
    provider: row.gateway,
    failure: row.status === 'failed' ? row.failure : null,
    waitsFor: row.status === 'held' && row.owes ? 'debt' : null,
    createdAt: isoTime(row.held_at ?? row.created_at),
    endedAt: ended_at === null ? null : isoTime(ended_at),
    returnedAt: returned_at === null ? null : isoTime(returned_at),
  };
}

/** The operator's fee, which the person pays on top. */
export function feesOfRow(fee: number): Withdrawal['fees'] {
  return { payer: fee, payee: 0, app: 0, platform: fee, total: fee };
}

/** Confirmed withdrawals. @param where a condition on `w`, and any clauses after it */
export function selectWithdrawals(where: SQL): Statement<WithdrawalRow> {
  return statement(sql`SELECT ${columnsOfW} FROM withdrawals w WHERE w.status <> 'quoted' AND ${where}`);
}

function ownRow({ sessionId, id }: Own, now: number): Statement<WithdrawalRow> {
  return selectWithdrawals(sql`w.id = ${id} AND w.handle = ${actingHandle(sessionId, now)}`);
}

async function requireRow(deps: Deps, own: Own): Promise<WithdrawalRow> {
  const now = deps.now();
  const { acting, rows } = await run(deps.db, {
    acting: actingSessionStatement(own.sessionId, now),
    rows: ownRow(own, now),
  });
  if (acting.length === 0) throw new AppError('session_ended');
  const [row] = rows;
  if (!row) throw new AppError('transaction_not_found');
  return row;
}

/** Returns one of the person's withdrawals. @throws AppError session_ended, transaction_not_found */
export async function getWithdrawal(deps: Deps, own: Own): Promise<Withdrawal> {
  return toWithdrawal(await requireRow(deps, own));
}

/** Lists the person's withdrawals, newest first. @throws AppError session_ended */
export async function listWithdrawals(
  deps: Deps,
  sessionId: string,
  { status, cursor = '~', limit }: WithdrawalsQuery,
): Promise<Page<Withdrawal>> {
  const now = deps.now();
  const isWanted = status === undefined ? sql`1` : sql`w.status = ${status}`;
  const { acting, rows } = await run(deps.db, {
    acting: actingSessionStatement(sessionId, now),
    rows: selectWithdrawals(sql`w.handle = ${actingHandle(sessionId, now)} AND w.id < ${cursor}
      AND ${isWanted} ORDER BY w.id DESC LIMIT ${integer(limit + 1)}`),
  });
  if (acting.length === 0) throw new AppError('session_ended');
  return toPage(rows, limit, ({ id }) => id, toWithdrawal);
}

/**
 * Returns the held money, unless the payout was or may have been sent. Safe to repeat.
 * @throws AppError session_ended, ledger_disabled, ledger_frozen, transaction_not_found, withdrawal_final, in this order
 */
export async function cancelWithdrawal(deps: Deps, own: Own): Promise<Withdrawal> {
  const now = deps.now();
  const { modes, acting, rows } = await run(deps.db, {
    change: [cancel({ ...own, now })],
    modes: statement<{ mode: 'open' | 'frozen' | 'disabled' }>(sql`SELECT mode FROM ledger WHERE id = 1`),
    acting: actingSessionStatement(own.sessionId, now),
    rows: ownRow(own, now),
  });
  if (acting.length === 0) throw new AppError('session_ended');
  const [row] = rows;
  if (row?.status !== 'cancelled') {
    const { mode } = only(modes);
    if (mode !== 'open') throw new AppError(`ledger_${mode}`);
    throw new AppError(row ? 'withdrawal_final' : 'transaction_not_found');
  }
  deps.log.info('withdrawal.cancelled', { id: row.id });
  return toWithdrawal(row);
}

/**
 * Queries the provider about a submitted withdrawal, and applies the response.
 * @throws AppError session_ended, transaction_not_found, gateway_not_configured, gateway_unavailable; ledger_disabled
 *   or ledger_frozen if money would move
 */
export async function syncWithdrawal(deps: Deps, own: Own): Promise<Withdrawal> {
  const row = await requireRow(deps, own);
  if (row.status !== 'submitted' && row.status !== 'paid') return toWithdrawal(row);
  const gateway = await payoutGatewayNamed(deps, row.gateway);
  if (gateway === null) throw new AppError('gateway_not_configured');
  const answer = await gateway.getPayout(asSent(row)).catch((cause) => {
    throw new AppError('gateway_unavailable', null, { cause });
  });
  const outcome = await settle(deps, row, answer);
  if (outcome === 'open') return toWithdrawal(row);
  const [ledger] = await all(
    deps.db,
    statement<{ mode: 'open' | 'frozen' | 'disabled' }>(sql`SELECT mode FROM ledger WHERE id = 1`),
  );
  if (outcome === 'stopped' && ledger && ledger.mode !== 'open') throw new AppError(`ledger_${ledger.mode}`);
  return getWithdrawal(deps, own);
}
