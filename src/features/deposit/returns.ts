import { type SQL, sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import { recordAudit, recordOnce } from '../activity/statements.ts';
import type { PaymentStatus } from '../gateway/gateway.ts';
import { isOpen } from '../ledger/statements.ts';
import type { DepositRow } from './statements.ts';

/** The part of a deposit that the provider has taken back in all; undefined when a part is not named, or cannot be one. */
export function returnedOf({ gross }: DepositRow, { state, returned }: PaymentStatus): number | undefined {
  if (state === 'paid' || state === 'captured') return 0;
  if (state !== 'partly_refunded') return gross;
  return returned !== undefined && returned > 0 && returned <= gross ? returned : undefined;
}

/** A person has decided that the operator bears a refund: a repeat of its notification takes nothing from the wallet. */
const isBorne = sql`failure IS 'refund_borne'`;

/**
 * Takes back what the provider has taken back, or gives again what it has given again, with a line in the audit log. A trigger
 * posts the difference to what was known. Only the newest look counts, so an answer that comes late changes nothing.
 * @param row as the look has claimed it
 * @param returned in all, in minor units
 */
export function changeReturned(
  row: DepositRow,
  { returned, state, now }: { returned: number; state: PaymentStatus['state']; now: number },
): Statement[] {
  const { id, tries, returned: before } = row;
  const isNew: SQL = sql`id = ${id} AND tries = ${tries} AND returned = ${integer(before)} AND returned <> ${integer(returned)}
    AND status IN ('credited','reversed') AND NOT ${isBorne} AND ${isOpen}`;
  return [
    recordAudit({
      actor: 'system',
      action: returned > before ? 'deposit.reversed' : 'deposit.restored',
      target: id,
      detail: { state, before, returned },
      when: sql`EXISTS (SELECT 1 FROM deposits WHERE ${isNew})`,
      now,
    }),
    statement(sql`UPDATE deposits SET returned = ${integer(returned)}, failure = NULL, updated_at = ${now},
        status = iif(gross = ${integer(returned)}, 'reversed', 'credited'),
        reversed_at = iif(gross = ${integer(returned)}, ${integer(now)}, NULL)
      WHERE ${isNew}`),
  ];
}

/**
 * Leaves a credited deposit to a person: `refund_uncovered` is a part that the provider does not name, `contradicted` an answer
 * that cannot be true of it.
 */
export function leaveToPerson(
  { id }: DepositRow,
  v: { failure: 'refund_uncovered' | 'contradicted'; state: PaymentStatus['state']; now: number },
): Statement[] {
  const { failure, state, now } = v;
  return [
    recordOnce({ action: `deposit.${failure}`, target: id, detail: { state }, now }),
    statement(sql`UPDATE deposits SET failure = ${failure}
      WHERE id = ${id} AND status IN ('credited','reversed') AND NOT ${isBorne} AND ${isOpen}`),
  ];
}
