import { sql } from 'drizzle-orm';
import { type Invariants, recentLegs, violations } from '../ledger/invariants.ts';

/** The kinds of legs that deposits post. */
export const depositKinds = ['deposit', 'deposit_reversal'] as const;

/**
 * What must hold of deposits with their legs, and of second payments.
 * @param after the last leg that an earlier check has seen; 0 reads everything
 */
export function depositInvariants(after: number): Invariants {
  const recent = recentLegs(after);
  const scope =
    after === 0
      ? sql`deposits`
      : sql`(SELECT * FROM deposits WHERE id IN (SELECT r.ref FROM ${recent} r
          WHERE r.kind IN ('deposit','deposit_reversal')))`;
  const sumOfLegs = (kind: string) =>
    sql`coalesce((SELECT sum(x.amount) FROM legs x WHERE x.kind = ${kind} AND x.ref = t.id), 0)`;
  const isPosted = sql`t.status IN ('credited','reversed')`;
  return {
    depositOfLeg: violations(sql`SELECT l.seq AS what FROM ${recent} l LEFT JOIN deposits t ON t.id = l.ref
      WHERE (l.kind = 'deposit' AND NOT coalesce(${isPosted} AND l.at = t.credited_at AND l.credit
          = iif(l.n = 1, t.account, iif(l.n = 2, t.app_account, (SELECT p.id FROM accounts p
            WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = t.asset))), 0))
        OR (l.kind = 'deposit_reversal' AND NOT coalesce(t.status = 'reversed' AND l.at = t.reversed_at, 0))`),
    legsOfDeposit: violations(sql`SELECT t.id AS what FROM ${scope} t
      WHERE ${sumOfLegs('deposit')} <> iif(${isPosted}, t.gross, 0)
        OR ${sumOfLegs('deposit_reversal')} <> iif(t.status = 'reversed', t.gross, 0)`),
    secondPayment: violations(sql`SELECT d.id AS what FROM ${recent} l JOIN adjustments d ON d.id = l.ref
        LEFT JOIN deposits t ON t.id = d.ref
      WHERE l.kind = 'second_payment' AND NOT coalesce(${isPosted} OR t.failure IS 'rejected', 0)`),
  };
}
