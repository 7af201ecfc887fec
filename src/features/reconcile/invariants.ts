import { sql } from '../../db/database.ts';
import { type Invariants, recentLegs, violations } from '../ledger/invariants.ts';

/** The kinds of legs posted by report lines. */
export const reconcileKinds = ['provider_fee', 'provider_payout'] as const;

/** The report invariants: one leg per matching line, and no others. @param after as in `ledgerInvariants` */
export function reconcileInvariants(after: number): Invariants {
  return {
    reported: violations(sql`SELECT l.seq AS what FROM ${recentLegs(after)} l
      WHERE l.kind IN ('provider_fee','provider_payout') AND NOT EXISTS (SELECT 1 FROM report_lines r
        WHERE r.key = l.ref AND r.outcome = 'matched' AND l.amount = iif(l.kind = 'provider_fee', abs(r.fee), r.gross))`),
    ...(after === 0
      ? {
          reportPosted: violations(sql`SELECT r.report AS what FROM report_lines r WHERE r.outcome = 'matched'
              AND (r.fee <> 0 OR r.kind = 'arrival') AND NOT EXISTS (SELECT 1 FROM legs l WHERE l.ref = r.key
                AND l.kind = iif(r.kind = 'arrival', 'provider_payout', 'provider_fee'))
            UNION ALL SELECT p.reference FROM provider_payouts p WHERE p.net <> (SELECT sum(r.gross - r.fee) FROM report_lines r
              WHERE r.source = p.source AND r.payout = p.reference
                AND r.outcome NOT IN ('known','doubled','changed','currency','too_late'))`),
        }
      : {}),
  };
}
