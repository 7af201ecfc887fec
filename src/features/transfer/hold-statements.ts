import { integer, purgeLimit, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { isOpen } from '../ledger/statements.ts';
import { columnsOfHold, columnsOfT, type TransferRow } from './statements.ts';

/** Who ends a hold. */
interface Ending {
  /** Without a prefix. */
  readonly id: string;
  readonly app: string;
  /** Who acts, as a table of one row or none; its `handle` is null for an app that acts for itself. */
  readonly acting: SQL;
  readonly now: number;
}

/** What is captured, with the fees of that amount by the rules of the hold. */
export interface Capture extends Ending {
  /** The request, so that its repeat finds its own work; random. */
  readonly op: string;
  readonly amount: number;
  readonly payerFee: number;
  readonly payeeFee: number;
  readonly appFee: number;
  readonly platformFee: number;
}

/** The hold is one of the app and of the person for whom it acts. */
const isTheirs = ({ id, app, acting }: Ending) =>
  sql`id = ${id} AND app_id = ${app} AND EXISTS (SELECT 1 FROM ${acting} w WHERE coalesce(w.handle, payer) = payer)`;

const isHeld = sql`status = 'open' AND held_at IS NOT NULL`;

/** Pays from a hold, which releases the rest: a trigger posts. No row: `explainCapture` says why. */
export function capture(v: Capture): Statement<TransferRow> {
  return statement(sql`UPDATE transfers SET status = 'confirmed', confirmed_at = ${v.now}, confirmed_by = ${v.op},
      amount = ${v.amount}, payer_fee = ${v.payerFee}, payee_fee = ${v.payeeFee}, app_fee = ${v.appFee},
      platform_fee = ${v.platformFee}, debit_total = ${v.amount + v.payerFee}, net_amount = ${v.amount - v.payeeFee}
    WHERE ${isTheirs(v)} AND ${isHeld} AND expires_at > ${v.now} AND amount >= ${v.amount} AND ${isOpen}
      AND EXISTS (SELECT 1 FROM accounts a JOIN identities p ON p.handle = a.owner AND p.status = 'active'
        WHERE a.id = payer_account AND a.status = 'active')
      AND EXISTS (SELECT 1 FROM accounts b JOIN identities i ON i.handle = b.owner AND i.status = 'active'
        WHERE b.id = payee_account AND b.status = 'active') RETURNING ${columnsOfHold}`);
}

export type CaptureVerdict =
  | 'ok'
  | 'caller_refused'
  | 'ledger_disabled'
  | 'ledger_frozen'
  | 'transaction_not_found'
  | 'hold_captured'
  | 'hold_released'
  | 'hold_expired'
  | 'capture_exceeds'
  | 'wallet_frozen'
  | 'recipient_unavailable';

/** Why a capture changed nothing; `ok` when it did and its answer was lost; null for no reason. The order is fixed. */
export function explainCapture(v: Capture): Statement<TransferRow & { verdict: CaptureVerdict | null }> {
  return statement(sql`SELECT ${columnsOfT}, CASE
      WHEN t.confirmed_by = ${v.op} THEN 'ok'
      WHEN NOT EXISTS (SELECT 1 FROM ${v.acting}) THEN 'caller_refused'
      WHEN m.mode <> 'open' THEN 'ledger_' || m.mode
      WHEN t.id IS NULL THEN 'transaction_not_found'
      WHEN t.status IN ('confirmed','reversed') THEN 'hold_captured'
      WHEN t.released_at < t.expires_at THEN 'hold_released'
      WHEN t.status = 'cancelled' OR t.expires_at <= ${v.now} THEN 'hold_expired'
      WHEN t.amount < ${v.amount} THEN 'capture_exceeds'
      WHEN a.status <> 'active' OR p.status IS NOT 'active' THEN 'wallet_frozen'
      WHEN b.status <> 'active' OR i.status IS NOT 'active' THEN 'recipient_unavailable'
      END AS verdict
    FROM ledger m LEFT JOIN (${selectHold(v)}) t ON true
      LEFT JOIN accounts a ON a.id = t.payer_account LEFT JOIN accounts b ON b.id = t.payee_account
      LEFT JOIN identities i ON i.handle = t.payee LEFT JOIN identities p ON p.handle = t.payer WHERE m.id = 1`);
}

const selectHold = (v: Ending) => sql`SELECT * FROM transfers WHERE ${isTheirs(v)} AND held_at IS NOT NULL`;

/** The hold as it is: its fees follow from rules that never change. */
export function readHold(v: Ending): Statement<TransferRow> {
  return statement(sql`SELECT ${columnsOfT} FROM (${selectHold(v)}) t`);
}

/** Gives back what is held. */
export function release(v: Ending): Statement<TransferRow> {
  return statement(sql`UPDATE transfers SET status = 'cancelled', released_at = ${v.now}
    WHERE ${isTheirs(v)} AND ${isHeld} AND ${isOpen} RETURNING ${columnsOfHold}`);
}

/** Gives back what was held for too long, a bounded number at a time. */
export function expireHolds(now: number): Statement {
  return statement(sql`UPDATE transfers SET status = 'cancelled', released_at = ${now}
    WHERE id IN (SELECT id FROM transfers WHERE ${isHeld} AND expires_at <= ${now} ORDER BY expires_at
      LIMIT ${integer(purgeLimit)}) AND ${isHeld} AND ${isOpen} RETURNING 1 AS released`);
}
