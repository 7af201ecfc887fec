import { type SQL, sql } from 'drizzle-orm';
import { first, only, run, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { noticeOf } from './notice.ts';
import { nextLook } from './payout.ts';
import type { Withdrawal } from './schema.ts';
import { columnsOfW, mayResolve, resolve, type WithdrawalRow } from './statements.ts';
import { toWithdrawal } from './withdrawal.ts';

interface Resolution {
  readonly id: string;
  /** `failed` gives the money back: of one that is held, or that the provider has not known for a day. */
  readonly outcome: 'paid' | 'failed';
  /** The line of the audit log, which it writes if `when` holds. */
  readonly audit: (when: SQL) => Statement;
}

/**
 * Ends a withdrawal as the operator decided, after a look at the provider's own pages.
 * @returns null when it is in no state in which this can be decided
 * @throws AppError transaction_not_found, ledger_disabled, ledger_frozen
 */
export async function resolveWithdrawal(
  deps: Deps,
  { id, outcome, audit }: Resolution,
): Promise<Withdrawal | null> {
  const now = deps.now();
  const row = await first(
    deps.db,
    statement<WithdrawalRow>(sql`SELECT ${columnsOfW} FROM withdrawals w
      WHERE w.id = ${id} AND w.status <> 'quoted'`),
  );
  if (row === null) throw new AppError('transaction_not_found');
  const when = mayResolve(id, outcome);
  const nextAt = outcome === 'paid' ? nextLook(now, now) : null;
  const { changed, modes } = await run(deps.db, {
    change: [
      audit(when),
      await noticeStatement(deps, noticeOf(row, { kind: `withdrawal_${outcome}`, when, now })),
    ],
    changed: resolve({ id, outcome, nextAt, now }),
    modes: statement<{ mode: 'open' | 'frozen' | 'disabled' }>(sql`SELECT mode FROM ledger WHERE id = 1`),
  });
  const [done] = changed;
  if (!done) {
    const { mode } = only(modes);
    if (mode !== 'open') throw new AppError(`ledger_${mode}`);
    return null;
  }
  deps.log.warn('withdrawal.resolved', { id, outcome, status: done.status });
  sendSoon(deps);
  return toWithdrawal(done);
}
