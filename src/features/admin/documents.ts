import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { mayMove } from '../ledger/statements.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { noticeOf } from '../withdrawal/notice.ts';
import { nextLook } from '../withdrawal/payout.ts';
import type { Withdrawal } from '../withdrawal/schema.ts';
import { columnsOfW, mayResolve, resolve, type WithdrawalRow } from '../withdrawal/statements.ts';
import { toWithdrawal } from '../withdrawal/withdrawal.ts';
import { type Decided, type DeskActor, decideAtDesk, type MoneyChange } from './desk.ts';
import type { Proposal } from './schema.ts';

interface WithdrawalDecision extends Decided {
  readonly id: string;
  /**
   * `failed` returns the money of a withdrawal that is held, has been unknown to the provider for a day, or was later
   * denied by the provider.
   */
  readonly outcome: 'paid' | 'failed';
}

/**
 * Settles a withdrawal as an administrator decided after checking the provider's dashboard. The owner is notified by
 * email.
 * @throws AppError those of `decideAtDesk`; transaction_not_found, ledger_disabled, ledger_frozen; moved_on if the
 *   withdrawal's state does not allow this decision; wallet_frozen
 */
export async function resolveWithdrawal(
  deps: Deps,
  actor: DeskActor,
  { id, outcome, reason, approval }: WithdrawalDecision,
): Promise<Withdrawal | Proposal> {
  const read = statement<WithdrawalRow>(sql`SELECT ${columnsOfW} FROM withdrawals w
    WHERE w.id = ${id} AND w.status <> 'quoted'`);
  // The owner and amount never change; the batch itself reads the rest.
  const known = await first(deps.db, read);
  const change: MoneyChange<WithdrawalRow> = {
    action: 'withdrawal.resolved',
    target: id,
    reason,
    detail: { outcome },
    from: sql`JOIN ledger m ON m.id = 1 LEFT JOIN withdrawals d ON d.id = ${id} AND d.status <> 'quoted'`,
    requirements: {
      transaction_not_found: sql`d.id IS NOT NULL AND ${Number(known !== null)}`,
      ...mayMove,
      moved_on: sql`d.status IS ${known?.status ?? null} AND ${mayResolve(id, outcome)}`,
      wallet_frozen: sql`d.status <> 'paid' OR ${outcome} <> 'failed'
        OR (SELECT status FROM accounts WHERE id = d.account) <> 'frozen'`,
    },
    async change({ when, now }) {
      const nextAt = outcome === 'paid' ? nextLook(now, now) : null;
      const isPaid = known?.status === 'paid';
      const kind = isPaid ? 'withdrawal_returned' : (`withdrawal_${outcome}` as const);
      const isTold = known !== null && !(isPaid && outcome === 'paid');
      const mails = isTold ? [await noticeStatement(deps, noticeOf(known, { kind, when, now }))] : [];
      return [...mails, resolve({ id, outcome, nextAt, now, when })];
    },
    read: () => read,
    money: {
      amount: known ? known.amount + known.fee : 0,
      gainers: sql`SELECT handle FROM withdrawals WHERE id = ${id}`,
      seen: sql`json_array(d.status, d.failure, d.payout)`,
      approval,
    },
  };
  return decideAtDesk(deps, actor, change, (row) => {
    // The command line cannot send email; the service's job does.
    if (actor !== 'operator') sendSoon(deps);
    return toWithdrawal(row);
  });
}
