import { sql } from '../../db/database.ts';
import { type Invariants, recentLegs, violations } from '../ledger/invariants.ts';

/** The kinds of legs posted by withdrawals. */
export const withdrawalKinds = ['withdrawal', 'withdrawal_end', 'withdrawal_return'] as const;

/**
 * Invariants of withdrawals with their legs: held once, then paid out or returned according to their status.
 * @param after the last leg seen by an earlier check; 0 to read everything
 */
export function withdrawalInvariants(after: number): Invariants {
  const recent = recentLegs(after);
  const scope =
    after === 0
      ? sql`withdrawals`
      : sql`(SELECT * FROM withdrawals WHERE id IN (SELECT r.ref FROM ${recent} r
          WHERE r.kind IN ('withdrawal','withdrawal_end','withdrawal_return')))`;
  const sumOfLegs = (kind: (typeof withdrawalKinds)[number], phase: string) =>
    sql`coalesce((SELECT sum(x.amount) FROM legs x WHERE x.kind = ${kind} AND x.ref = w.id AND x.phase = ${phase}), 0)`;
  const isPaid = sql`w.status IN ('paid','returned')`;
  const isVoid = sql`w.status IN ('failed','cancelled')`;
  return {
    withdrawalOfLeg:
      violations(sql`SELECT l.seq AS what FROM ${recent} l LEFT JOIN withdrawals w ON w.id = l.ref
        LEFT JOIN accounts c ON c.id = l.credit
      WHERE (l.kind = 'withdrawal' AND NOT coalesce(w.status <> 'quoted' AND l.phase = 'pending'
          AND l.debit = w.account AND l.at = w.held_at, 0))
        OR (l.kind = 'withdrawal_end' AND NOT coalesce(l.phase = iif(${isPaid}, 'post', iif(${isVoid}, 'void', NULL))
          AND l.debit = w.account AND l.at = w.ended_at, 0))
        OR (l.kind = 'withdrawal_return' AND NOT coalesce(w.status = 'returned' AND l.phase = 'posted'
          AND (l.credit = w.account OR c.kind = 'suspense') AND l.at = w.returned_at, 0))`),
    legsOfWithdrawal: violations(sql`SELECT w.id AS what FROM ${scope} w
      WHERE ${sumOfLegs('withdrawal', 'pending')} <> iif(w.status = 'quoted', 0, w.amount + w.fee)
        OR ${sumOfLegs('withdrawal_end', 'post')} <> iif(${isPaid}, w.amount + w.fee, 0)
        OR ${sumOfLegs('withdrawal_end', 'void')} <> iif(${isVoid}, w.amount + w.fee, 0)
        OR ${sumOfLegs('withdrawal_return', 'posted')} <> iif(w.status = 'returned', w.amount, 0)`),
  };
}
