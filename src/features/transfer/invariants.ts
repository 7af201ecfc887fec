import { integer, sql } from '../../db/database.ts';
import { type Invariants, recentLegs, violations } from '../ledger/invariants.ts';
import { accountOfNobody } from './statements.ts';

/** Maximum clock skew between the processes that confirm payments and those that revoke grants. */
const clockSkewMs = 10_000;

/** The kinds of legs posted by transfers. */
export const transferKinds = [
  'transfer',
  'transfer_reversal',
  'refund',
  'hold',
  'hold_capture',
  'hold_release',
] as const;

/**
 * Invariants of transfers with their legs, refunds and grants.
 * @param after the last leg seen by an earlier check; 0 to read everything
 */
export function transferInvariants(after: number): Invariants {
  const recent = recentLegs(after);
  const scope =
    after === 0
      ? sql`transfers`
      : sql`(SELECT * FROM transfers WHERE id IN (SELECT coalesce(o.refund_of, o.id)
          FROM ${recent} r JOIN transfers o ON o.id = r.ref WHERE r.kind IN (SELECT value FROM json_each(${JSON.stringify(transferKinds)}))
          UNION SELECT k.ref FROM ${recent} k WHERE k.kind = 'refund'))`;
  const sumOfLegs = (kind: string) =>
    sql`coalesce((SELECT sum(x.amount) FROM legs x WHERE x.kind = ${kind} AND x.ref = t.id), 0)`;
  const isPosted = sql`t.status IN ('confirmed','reversed') AND t.refund_of IS NULL`;
  return {
    documentOfLeg: violations(sql`SELECT l.seq AS what FROM ${recent} l LEFT JOIN transfers t ON t.id = l.ref
      WHERE (l.kind = 'transfer' AND NOT coalesce(${isPosted} AND l.at = t.confirmed_at AND l.debit = t.payer_account, 0))
        OR (l.kind = 'transfer_reversal' AND NOT coalesce(t.status = 'reversed' AND l.at = t.reversed_at, 0))
        OR (l.kind = 'refund' AND NOT coalesce(t.refund_of IS NOT NULL AND l.debit = t.payer_account
          AND l.credit = t.payee_account AND l.at = t.confirmed_at, 0))
        OR (l.kind = 'hold' AND NOT coalesce(l.phase = 'pending' AND l.at = t.held_at AND l.debit = t.payer_account, 0))
        OR (l.kind = 'hold_capture' AND NOT coalesce(l.phase = 'void' AND l.at = t.confirmed_at, 0))
        OR (l.kind = 'hold_release' AND NOT coalesce(l.phase = 'void' AND l.at = t.released_at, 0))`),
    legsOfTransfer: violations(sql`SELECT t.id AS what FROM ${scope} t
      WHERE ${sumOfLegs('transfer')} <> iif(${isPosted}, t.debit_total, 0)
        OR ${sumOfLegs('transfer_reversal')} <> iif(t.status = 'reversed', t.debit_total, 0)
        OR ${sumOfLegs('refund')} <> iif(t.refund_of IS NOT NULL, t.amount, 0)
        OR ${sumOfLegs('hold')} <> coalesce(t.held_total, 0)
        OR ${sumOfLegs('hold_capture')} <> iif(${isPosted}, coalesce(t.held_total, 0), 0)
        OR ${sumOfLegs('hold_release')} <> iif(t.status = 'cancelled', coalesce(t.held_total, 0), 0)`),
    refunded: violations(sql`SELECT t.id AS what FROM ${scope} t WHERE t.refunded > t.net_amount
      OR t.refunded <> coalesce((SELECT sum(r.amount) FROM transfers r WHERE r.refund_of = t.id), 0)`),
    fees: violations(sql`SELECT t.id AS what FROM ${scope} t WHERE t.app_fee + t.platform_fee <> t.payer_fee + t.payee_fee
      OR t.net_amount < 1 OR t.debit_total <> t.amount + t.payer_fee OR t.net_amount <> t.amount - t.payee_fee`),
    revokedGrant: violations(sql`SELECT t.id AS what FROM ${scope} t JOIN grants g ON g.id = t.grant_id
      WHERE coalesce(t.held_at, t.confirmed_at) > g.revoked_at + ${integer(clockSkewMs)}`),
    ownWallets: violations(sql`SELECT t.id AS what FROM ${scope} t JOIN accounts a ON a.id = t.payer_account
      JOIN accounts b ON b.id = t.payee_account LEFT JOIN accounts c ON c.id = t.app_account
      WHERE ((a.kind, a.owner, b.kind, b.owner) IS NOT ('wallet', t.payer, 'wallet', t.payee)
          AND NOT (t.payer_account = ${integer(accountOfNobody)} AND t.confirmed_at IS NULL))
        OR (t.app_account IS NOT NULL AND (c.kind, c.owner) IS NOT ('app', t.app_id))`),
    consented:
      violations(sql`SELECT t.id AS what FROM ${scope} t WHERE coalesce(t.held_at, t.confirmed_at) IS NOT NULL AND t.refund_of IS NULL
      AND t.app_id IS NOT NULL AND iif(t.needs_approval = 1, t.approval_id IS NULL, NOT EXISTS (
        SELECT 1 FROM grants g WHERE g.id = t.grant_id AND g.app_id = t.app_id AND g.handle = t.payer))`),
    ...(after === 0 ? { spentByGrant: spentByGrant() } : {}),
  };
}

/** The amounts and uses of grants, recomputed from all transfers. */
function spentByGrant() {
  return violations(sql`SELECT g.id AS what FROM grants g LEFT JOIN (
      SELECT grant_id, sum(coalesce(held_total, debit_total)) AS total, count(*) AS uses FROM transfers
      WHERE needs_approval = 0 AND (status IN ('confirmed','reversed') OR held_at IS NOT NULL) AND refund_of IS NULL GROUP BY grant_id) s
      ON s.grant_id = g.id
    WHERE g.spent_total <> coalesce(s.total, 0) OR g.uses <> coalesce(s.uses, 0)`);
}
