import { type SQL, sql } from '../../db/database.ts';
import { type Invariants, recentLegs, violations } from '../ledger/invariants.ts';

/** The kinds of legs posted by deposits. */
export const depositKinds = ['deposit', 'deposit_reversal', 'debt'] as const;

/** The deposit of a leg. Each reversal or restoration has its own suffix. */
const depositOf = (ref: SQL) => sql`substr(${ref}, 1, instr(${ref} || '.', '.') - 1)`;

/**
 * Invariants of deposits with their legs, and of second payments.
 * @param after the last leg seen by an earlier check; 0 to read everything
 */
export function depositInvariants(after: number): Invariants {
  const recent = recentLegs(after);
  const scope =
    after === 0
      ? sql`deposits`
      : sql`(SELECT * FROM deposits WHERE id IN (SELECT ${depositOf(sql`r.ref`)} FROM ${recent} r
          WHERE r.kind IN (SELECT value FROM json_each(${JSON.stringify(depositKinds)}))))`;
  const isPosted = sql`t.status IN ('credited','reversed')`;
  return {
    depositOfLeg:
      violations(sql`SELECT l.seq AS what FROM ${recent} l LEFT JOIN deposits t ON t.id = ${depositOf(sql`l.ref`)}
      WHERE (l.kind = 'deposit' AND NOT coalesce(${isPosted} AND l.at = t.credited_at AND l.credit
          = iif(l.n = 1, t.account, iif(l.n = 2, t.app_account, (SELECT p.id FROM accounts p
            WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = t.asset))), 0))
        OR (l.kind IN ('deposit_reversal','debt') AND NOT coalesce(${isPosted}, 0))`),
    legsOfDeposit: violations(sql`SELECT t.id AS what FROM ${scope} t
      WHERE coalesce((SELECT sum(x.amount) FROM legs x WHERE x.kind = 'deposit' AND x.ref = t.id), 0)
        <> iif(${isPosted}, t.gross, 0)`),
    returnedOfDeposit:
      violations(sql`SELECT t.id AS what FROM ${scope} t JOIN deposit_parts p ON p.deposit = t.id
      WHERE min(max(t.returned - p.earlier, 0), p.amount) <> coalesce((SELECT sum(iif(x.credit = p.gateway, x.amount, -x.amount))
        FROM legs x WHERE x.kind = 'deposit_reversal' AND x.ref >= t.id AND x.ref < t.id || '/' AND x.n IN (p.n, p.n + 3)), 0)`),
    debtOfReversal:
      violations(sql`SELECT l.seq AS what FROM ${recent} l WHERE l.kind = 'debt' AND NOT EXISTS (SELECT 1 FROM legs x
      WHERE x.kind = 'deposit_reversal' AND x.ref = l.ref AND x.n = l.n AND x.debit = l.credit AND x.amount >= l.amount)`),
    // Each has a case, and exactly one correction after the case is closed.
    secondPayment: violations(sql`SELECT d.id AS what FROM ${recent} l JOIN adjustments d ON d.id = l.ref
        LEFT JOIN deposits t ON t.id = d.ref LEFT JOIN second_payments s ON (s.id, s.deposit, s.amount) = (d.id, t.id, d.amount)
      WHERE l.kind = 'second_payment' AND NOT coalesce((${isPosted} OR t.failure IS 'rejected') AND s.id IS NOT NULL, 0)`),
    endOfSecondPayment:
      violations(sql`SELECT s.id AS what FROM second_payments s JOIN deposits t ON t.id = s.deposit
        JOIN adjustments d ON d.id = s.id LEFT JOIN adjustments c ON c.ref = s.id AND c.kind = 'correction'
      WHERE s.id IN (SELECT iif(j.kind = 'correction', j.ref, j.id) FROM ${recent} l JOIN adjustments j ON j.id = l.ref)
        AND ((s.status = 'open') <> (c.id IS NULL) OR (c.debit, c.credit, c.amount)
          <> (d.credit, iif(s.status = 'credited', t.account, d.debit), s.amount))`),
  };
}
