import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { isOpen } from '../ledger/statements.ts';
import { columns, type DepositRow } from './statements.ts';

/** Deposits waiting for a decision, as a condition. */
export const needsPerson: SQL = sql`(deposits.status = 'review' OR deposits.failure IN ('refund_uncovered','contradicted'))`;

/** The failure of a credited deposit that needs no decision. */
export const ofBorne: SQL = sql`iif(borne IS NOT 0, 'refund_borne', NULL)`;

export interface ReviewRow extends DepositRow {
  readonly paid: number | null;
  readonly paid_currency: string | null;
  readonly fee_rules: string;
}

/** Deposits with the paid amount. @param where a condition, with order and limit */
export function selectReviewed(where: SQL): Statement<ReviewRow> {
  return statement(
    sql`SELECT ${columns}, deposits.paid, deposits.paid_currency, deposits.fee_rules FROM deposits WHERE ${where}`,
  );
}

/**
 * Credits the payment of a reviewed deposit, accepts that the operator bears a refund, or records a contradiction. A
 * credited deposit is checked again, because a refund or another payment may have arrived during the review.
 */
export function acceptDeposit(v: {
  readonly id: string;
  readonly paid: number;
  /** The total reversed by the provider; the operator bears the part not debited from the accounts. */
  readonly returned: number;
  readonly appFee: number;
  readonly platformFee: number;
  readonly now: number;
  readonly when: SQL;
}): Statement[] {
  const { id, now, when } = v;
  return [
    statement(sql`UPDATE deposits SET gross = ${integer(v.paid)}, app_fee = ${integer(v.appFee)},
        platform_fee = ${integer(v.platformFee)}, net = ${integer(v.paid - v.appFee - v.platformFee)}, status = 'credited',
        failure = NULL, credited_at = ${now}, updated_at = ${now}, next_at = ${now}
      WHERE id = ${id} AND status = 'review' AND paid = ${integer(v.paid)} AND ${isOpen} AND ${when}`),
    statement(sql`UPDATE deposits SET borne = ${integer(v.returned)} - returned
      WHERE id = ${id} AND failure = 'refund_uncovered' AND ${when}`),
    statement(sql`UPDATE deposits SET failure = ${ofBorne}
      WHERE id = ${id} AND status IN ('credited','reversed') AND failure IN ('refund_uncovered','contradicted') AND ${when}`),
  ];
}

/**
 * Closes a deposit under review without crediting it. The money received by the provider never enters the books,
 * because the provider refunds it. One more check puts the order's other payments in suspense.
 */
export function rejectDeposit(id: string, now: number, when: SQL): Statement {
  return statement(sql`UPDATE deposits SET status = 'failed', failure = 'rejected', updated_at = ${now}, next_at = ${now}
    WHERE id = ${id} AND status = 'review' AND ${when}`);
}
