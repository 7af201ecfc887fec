import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';
import { recordAudit } from '../activity/statements.ts';
import type { PaymentStatus } from '../gateway/gateway.ts';
import { isOpen } from '../ledger/statements.ts';
import { noticeStatement } from '../mail/mail.ts';
import { ofBorne } from './review-statements.ts';
import type { DepositRow } from './statements.ts';

/** The total reversed by the provider, split between the accounts and the operator, who bears the rest. */
interface Taken {
  readonly returned: number;
  readonly borne: number;
}

/**
 * Splits the amount that the provider reports as reversed; undefined if a part is missing or impossible. The operator's
 * part is debited from no account. Restored money goes to the accounts first.
 */
export function takenOf({ gross, borne }: DepositRow, { state, returned }: PaymentStatus): Taken | undefined {
  if (state === 'paid' || state === 'captured') return { returned: 0, borne: 0 };
  const isNamed = returned !== undefined && returned > 0 && returned <= gross;
  const all = state === 'partly_refunded' ? returned : gross;
  if (all === undefined || (state === 'partly_refunded' && !isNamed) || borne === null) return undefined;
  return { returned: Math.max(all - borne, 0), borne: Math.min(all, borne) };
}

/**
 * Debits the amount that the provider has reversed, or restores the amount that it has restored, with a line in the
 * audit log. A trigger posts the difference, and the person is notified of any debt by email. Only the newest check has
 * an effect, so a late response changes nothing.
 * @param row as claimed by the check
 * @param taken the total, in minor units
 */
export async function changeReturned(
  deps: Deps,
  row: DepositRow,
  { taken: { returned, borne }, state, now }: { taken: Taken; state: PaymentStatus['state']; now: number },
): Promise<Statement[]> {
  const { id, tries, handle, returned: before } = row;
  if (returned === before && borne === row.borne) return [];
  // The trigger refers to the change by the number of the check.
  const reference = `${id}.${tries}`;
  const isSame: SQL = sql`id = ${id} AND tries = ${tries} AND returned = ${integer(before)}
    AND borne IS ${row.borne} AND status IN ('credited','reversed') AND ${isOpen}`;
  return [
    recordAudit({
      actor: 'system',
      action: returned > before ? 'deposit.reversed' : 'deposit.restored',
      target: id,
      detail: { state, before, returned, ...(borne ? { borne } : {}) },
      when: sql`EXISTS (SELECT 1 FROM deposits WHERE ${isSame})`,
      now,
    }),
    statement(sql`UPDATE deposits SET returned = ${integer(returned)}, failure = ${ofBorne}, updated_at = ${now},
        status = iif(gross = ${integer(returned)}, 'reversed', 'credited'),
        reversed_at = iif(gross = ${integer(returned)}, ${integer(now)}, NULL)
      WHERE ${isSame} AND returned <> ${integer(returned)}`),
    statement(sql`UPDATE deposits SET borne = ${integer(borne)}, failure = ${borne === 0 ? null : 'refund_borne'}
      WHERE id = ${id} AND tries = ${tries} AND returned = ${integer(returned)} AND borne IS ${row.borne}
        AND borne IS NOT ${integer(borne)} AND ${isOpen}`),
    await noticeStatement(deps, {
      kind: 'wallet_debt',
      handle: sql`${handle}`,
      when: sql`EXISTS (SELECT 1 FROM legs WHERE kind = 'debt' AND ref = ${reference} AND n = 1)`,
      params: { pid: pidOf(handle), reversal: reference },
      now,
    }),
  ];
}

/**
 * Puts a credited deposit up for review: `refund_uncovered` is a part that the provider does not specify,
 * `contradicted` a response that cannot be true.
 */
export function leaveToPerson(
  { id }: DepositRow,
  v: { failure: 'refund_uncovered' | 'contradicted'; state: PaymentStatus['state']; now: number },
): Statement[] {
  const { failure, state, now } = v;
  const isNew: SQL = sql`id = ${id} AND status IN ('credited','reversed') AND failure IS NOT ${failure} AND ${isOpen}`;
  return [
    recordAudit({
      ...{ actor: 'system', action: `deposit.${failure}`, target: id, detail: { state }, now },
      when: sql`EXISTS (SELECT 1 FROM deposits WHERE ${isNew})`,
    }),
    statement(sql`UPDATE deposits SET failure = ${failure} WHERE ${isNew}`),
  ];
}
