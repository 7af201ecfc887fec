import { integer, purgeLimit, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { meets, type ReasonOf, type Requirements, verdictOf } from '../../db/decision.ts';
import { areInForce, heldLimit, type LimitsInForce } from '../ledger/limits.ts';
import { isOpen, mayMove, mode } from '../ledger/statements.ts';
import { columnsOfHold, columnsOfT, type TransferRow } from './statements.ts';

/** The actor who ends a hold. */
interface Ending {
  /** Without a prefix. */
  readonly id: string;
  readonly app: string | null;
  /** The actor, as a table of at most one row; its `handle` is null for an app that acts for itself. */
  readonly acting: SQL;
  readonly now: number;
}

/** The captured amount, with its fees under the hold's rules. */
export interface Capture extends Ending {
  /** The request id, by which a retry recognises its own change; random. */
  readonly requestId: string;
  readonly amount: number;
  readonly payerFee: number;
  readonly payeeFee: number;
  readonly appFee: number;
  readonly platformFee: number;
  readonly limits: LimitsInForce;
}

/** The first requirements for ending the hold `t`. */
const isTheirs = {
  caller_refused: ({ acting }) => sql`EXISTS (SELECT 1 FROM ${acting})`,
  transaction_not_found: ({ acting }) =>
    sql`t.held_at IS NOT NULL AND coalesce((SELECT w.handle FROM ${acting} w), t.payer) = t.payer`,
} satisfies Requirements<Ending>;
const notCaptured = { hold_captured: sql`t.status NOT IN ('confirmed','reversed')` };

/** Further requirements, on the wallets and identities of the payer (`a` and `p`) and of the payee (`b` and `i`). */
export const captureRequirements = {
  caller_refused: isTheirs.caller_refused,
  ...mayMove,
  transaction_not_found: isTheirs.transaction_not_found,
  ...notCaptured,
  hold_released: sql`(t.released_at < t.expires_at) IS NOT TRUE`,
  hold_expired: ({ now }) => sql`t.status = 'open' AND t.expires_at > ${now}`,
  capture_exceeds: ({ amount }) => sql`t.amount >= ${amount}`,
  wallet_frozen: sql`a.status = 'active' AND p.status = 'active'`,
  recipient_unavailable: sql`b.status = 'active' AND i.status = 'active'`,
  limits_changed: ({ limits }) => areInForce(limits),
  // The payer's limits were checked when the hold was made.
  recipient_limit: ({ amount, payeeFee }) =>
    sql`${heldLimit({ account: sql`t.payee_account`, amount: integer(amount - payeeFee) })} IS NULL`,
} satisfies Requirements<Capture>;

/** `ended` means that the hold was released or has expired. */
export const releaseRequirements = {
  ...isTheirs,
  ...notCaptured,
  ended: sql`t.status = 'open'`,
  ...mayMove,
} satisfies Requirements<Ending>;

const isNamed = ({ id, app }: Ending) => sql`t.id = ${id} AND t.app_id = ${app}`;
const found = (v: Ending) => sql`LEFT JOIN transfers t ON ${isNamed(v)}`;

/** The tables of a capture. @param hold joins `t`, which is the row itself for the change */
const involved = (hold = sql``) => sql`FROM ${mode} m ${hold}
  LEFT JOIN accounts a ON a.id = t.payer_account LEFT JOIN accounts b ON b.id = t.payee_account
  LEFT JOIN identities i ON i.handle = t.payee LEFT JOIN identities p ON p.handle = t.payer`;

/**
 * Pays from a hold and releases the rest; a trigger posts it. If it returns no row, `explainCapture` gives the reason.
 */
export function capture(v: Capture): Statement<TransferRow> {
  return statement(sql`UPDATE transfers AS t SET status = 'confirmed', confirmed_at = ${v.now}, confirmed_by = ${v.requestId},
      amount = ${v.amount}, payer_fee = ${v.payerFee}, payee_fee = ${v.payeeFee}, app_fee = ${v.appFee},
      platform_fee = ${v.platformFee}, debit_total = ${v.amount + v.payerFee}, net_amount = ${v.amount - v.payeeFee}
    WHERE ${isNamed(v)} AND EXISTS (SELECT 1 ${involved()} WHERE ${meets(captureRequirements, v)})
    RETURNING ${columnsOfHold}`);
}

/** The reason why a capture changed nothing; `ok` if it succeeded, but its response was lost. */
export function explainCapture(
  v: Capture,
): Statement<TransferRow & { readonly verdict: 'ok' | ReasonOf<typeof captureRequirements> | null }> {
  const verdict = verdictOf(captureRequirements, v, { ok: sql`t.confirmed_by = ${v.requestId}` });
  return statement(sql`SELECT ${columnsOfT}, ${verdict} AS verdict ${involved(found(v))}`);
}

/** The current hold. Its fees follow from rules that never change. */
export function readHold(v: Ending): Statement<TransferRow> {
  return statement(sql`SELECT ${columnsOfT} FROM transfers t WHERE ${isNamed(v)} AND ${meets(isTheirs, v)}`);
}

/** Returns the held money. `explainRelease` follows in the same batch. */
export function release(v: Ending): Statement<TransferRow> {
  return statement(sql`UPDATE transfers AS t SET status = 'cancelled', released_at = ${v.now}
    WHERE ${isNamed(v)} AND EXISTS (SELECT 1 FROM ${mode} m WHERE ${meets(releaseRequirements, v)})
    RETURNING ${columnsOfHold}`);
}

/** The outcome of a release: `ended`, or the reason why it was rejected. */
export function explainRelease(
  v: Ending,
): Statement<TransferRow & { readonly verdict: ReasonOf<typeof releaseRequirements> | null }> {
  return statement(
    sql`SELECT ${columnsOfT}, ${verdictOf(releaseRequirements, v)} AS verdict FROM ${mode} m ${found(v)}`,
  );
}

const isHeld = sql`status = 'open' AND held_at IS NOT NULL`;

/** Releases expired holds, a bounded number at a time. */
export function expireHolds(now: number): Statement {
  return statement(sql`UPDATE transfers SET status = 'cancelled', released_at = ${now}
    WHERE id IN (SELECT id FROM transfers WHERE ${isHeld} AND expires_at <= ${now} ORDER BY expires_at
      LIMIT ${integer(purgeLimit)}) AND ${isHeld} AND ${isOpen} RETURNING 1 AS released`);
}
