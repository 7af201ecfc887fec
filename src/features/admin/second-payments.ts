import { first, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';
import type { SecondPayment } from '../deposit/schema.ts';
import {
  endSecondPayment,
  type SecondPaymentRow,
  selectSecondPayments,
  toSecondPayment,
} from '../deposit/second-payments.ts';
import { areActive, mayMove } from '../ledger/statements.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { deliverSoon } from '../webhook/deliver.ts';
import { type Decided, type DeskActor, decideAtDesk, type MoneyChange } from './desk.ts';
import type { Proposal } from './schema.ts';

interface Decision extends Decided {
  readonly id: string;
  readonly decision: 'credit' | 'return';
}

const outcomes = { credit: 'credited', return: 'returned' } as const;

/**
 * Credits a second payment of a deposit to the person in full, without a fee, or removes it from the books because the
 * operator refunds it at the provider. The person is notified by email, and the app by an event.
 * @throws AppError those of `decideAtDesk`; transaction_not_found, ledger_disabled, ledger_frozen; moved_on if it was
 *   already decided; wallet_frozen, wallet_closed
 */
export async function resolveSecondPayment(
  deps: Deps,
  actor: DeskActor,
  { id, decision, reason, approval }: Decision,
): Promise<SecondPayment | Proposal> {
  const read = selectSecondPayments(sql`id = ${id}`);
  // The person and amount never change; the batch itself reads the rest.
  const known = await first(deps.db, read);
  const status = outcomes[decision];
  const change: MoneyChange<SecondPaymentRow> = {
    action: 'second_payment.resolved',
    target: id,
    reason,
    detail: { decision, ...(known && { pid: pidOf(known.handle), deposit: known.deposit }) },
    from: sql`JOIN ledger m ON m.id = 1 LEFT JOIN second_payments s ON s.id = ${id} LEFT JOIN deposits d ON d.id = s.deposit`,
    requirements: {
      transaction_not_found: sql`s.id IS NOT NULL AND ${Number(known !== null)}`,
      ...mayMove,
      moved_on: sql`s.status = 'open'`,
      ...(decision === 'credit' && areActive(sql`d.account`)),
    },
    async change({ when, now }) {
      if (known === null) return [];
      const params = { pid: pidOf(known.handle), amount: String(known.amount) };
      const handle = sql`${known.handle}`;
      const notice = { kind: `second_payment_${status}` as const, handle, when, params, now };
      return [await noticeStatement(deps, notice), endSecondPayment({ id, status, now, when })];
    },
    read: () => read,
    money: {
      amount: known?.amount ?? 0,
      gainers: sql`SELECT handle FROM second_payments WHERE id = ${id}`,
      seen: sql`json_array(s.status)`,
      approval,
    },
  };
  return decideAtDesk(deps, actor, change, (row) => {
    // The command line sends no email and no events; the service's jobs do.
    if (actor !== 'operator') {
      sendSoon(deps);
      deliverSoon(deps);
    }
    return toSecondPayment(row);
  });
}
