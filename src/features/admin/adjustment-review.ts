import { run, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { maxAmount } from '../ledger/schema.ts';
import { type DeskActor, deskState, requireDesk } from './desk.ts';
import { accountNamed } from './money.ts';
import type { AdjustmentInput } from './schema.ts';

interface AccountRow {
  readonly owner: string;
  readonly kind: string;
  readonly name: string | null;
  readonly status: string;
  readonly may_overdraw: number;
  readonly debt: number;
  readonly available: number;
}

/** An account of a correction: a person's wallet, an app's, or one of the operator's. */
export interface Side {
  /** A PID, an app's id, or an operator account as the API names it. */
  readonly account: string;
  /** The name of the person or app; null for an operator account. */
  readonly name: string | null;
}

type Moved = Side & { readonly before: number; readonly after: number };

/** The effect that a correction would have now. */
export interface AdjustmentReview {
  readonly from: Moved;
  readonly to: Moved;
  readonly amount: number;
  readonly needsSecond: boolean;
}

/** Why it would be rejected, by field. */
export type AdjustmentProblems = Partial<
  Record<
    'from' | 'to' | 'amount',
    'same' | 'wallet_not_found' | 'wallet_frozen' | 'wallet_closed' | 'uncovered'
  >
>;

const columns = sql`a.owner, a.kind, a.status, a.may_overdraw, a.debt,
  a.credits_posted - a.debits_posted - a.debits_pending AS available,
  iif(a.kind = 'wallet', (SELECT display_name FROM profiles WHERE handle = a.owner),
    (SELECT name FROM apps WHERE id = a.owner)) AS name`;

const selectAccount = (where: SQL) =>
  statement<AccountRow>(sql`SELECT ${columns} FROM (SELECT * FROM accounts WHERE ${where}) a`);

/**
 * Returns both accounts before and after a correction, which moves nothing yet, or why it would be rejected.
 * @throws AppError unauthenticated, not_fresh, amount_too_large
 */
export async function reviewAdjustment(
  deps: Deps,
  actor: DeskActor,
  input: Pick<AdjustmentInput, 'from' | 'to' | 'amount'>,
): Promise<AdjustmentReview | { readonly problems: AdjustmentProblems; readonly available: number }> {
  const { amount } = input;
  if (amount > maxAmount) throw new AppError('amount_too_large');
  const { desk, from, to } = await run(deps.db, {
    desk: deskState(deps, actor),
    from: selectAccount(accountNamed(input.from)),
    to: selectAccount(accountNamed(input.to)),
  });
  requireDesk(desk);
  const [[debit], [credit]] = [from, to];
  const problems = { ...problemsOf(input, debit, credit) };
  if (!debit || !credit || Object.keys(problems).length > 0)
    return { problems, available: debit?.available ?? 0 };
  return {
    from: { ...sideOf(debit), before: debit.available, after: debit.available - amount },
    // Incoming money settles a debt first.
    to: {
      ...sideOf(credit),
      before: credit.available,
      after: credit.available + Math.max(0, amount - credit.debt),
    },
    amount,
    needsSecond: amount > deps.config.DESK_SECOND_ABOVE,
  };
}

function problemsOf(
  { from, to, amount }: Pick<AdjustmentInput, 'from' | 'to' | 'amount'>,
  debit: AccountRow | undefined,
  credit: AccountRow | undefined,
): AdjustmentProblems {
  if (from === to) return { to: 'same' };
  if (!debit || !credit)
    return { ...(!debit && { from: 'wallet_not_found' }), ...(!credit && { to: 'wallet_not_found' }) };
  if (debit.status !== 'active')
    return { from: debit.status === 'frozen' ? 'wallet_frozen' : 'wallet_closed' };
  if (credit.status === 'frozen') return { to: 'wallet_frozen' };
  if (credit.status === 'closed' && credit.debt < amount) return { to: 'wallet_closed' };
  return debit.may_overdraw === 0 && debit.available < amount ? { amount: 'uncovered' } : {};
}

/** The account names of the API: those for the bank and for provider fees are their owners. */
function sideOf({ owner, kind, name }: Pick<AccountRow, 'owner' | 'kind' | 'name'>): Side {
  const account = kind === 'wallet' ? pidOf(owner) : owner === 'system' ? kind : owner;
  return { account, name };
}

/** A correction that was made; null if there is none with this id. */
export async function readAdjustment(
  deps: Deps,
  id: string,
): Promise<{ readonly from: Side; readonly to: Side; readonly amount: number } | null> {
  const side = (column: SQL) =>
    statement<AccountRow & { amount: number }>(sql`SELECT ${columns}, j.amount
      FROM adjustments j JOIN accounts a ON a.id = ${column} WHERE j.id = ${id}`);
  const { from, to } = await run(deps.db, { from: side(sql`j.debit`), to: side(sql`j.credit`) });
  const [[debit], [credit]] = [from, to];
  return debit && credit ? { from: sideOf(debit), to: sideOf(credit), amount: debit.amount } : null;
}
