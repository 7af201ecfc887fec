import { type SQL, sql } from '../../db/database.ts';
import { pidOf } from '../../lib/id.ts';
import type { noticeStatement } from '../mail/mail.ts';
import type { WithdrawalRow } from './statements.ts';

export type WithdrawalNotice =
  | 'withdrawal_held'
  | 'withdrawal_paid'
  | 'withdrawal_failed'
  | 'withdrawal_returned';

interface Occasion {
  readonly kind: WithdrawalNotice;
  /** Evaluated inside the batch. */
  readonly when: SQL;
  readonly now: number;
}

/** The parameters of the owner's email about a withdrawal. */
export function noticeOf(
  row: Pick<WithdrawalRow, 'handle' | 'amount' | 'destination_hint'>,
  { kind, when, now }: Occasion,
): Parameters<typeof noticeStatement>[1] {
  const { handle, amount, destination_hint: destination } = row;
  return {
    kind,
    handle: sql`${handle}`,
    when,
    params: { pid: pidOf(handle), amount: String(amount), destination },
    now,
  };
}
