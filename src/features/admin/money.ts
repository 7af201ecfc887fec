import { first, integer, type Row, type SQL, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, handleOf, isoTime } from '../../lib/id.ts';
import { present } from '../../lib/present.ts';
import { secretHash } from '../../lib/secret.ts';
import {
  type FeeChange,
  insertFee,
  isInForce,
  isSameFee,
  isSeen,
  readFee,
  requirePayer,
  toFee,
} from '../ledger/fees.ts';
import { type Fee, maxAmount } from '../ledger/schema.ts';
import { adjust, areActive, mayMove } from '../ledger/statements.ts';
import type { adjustments } from '../ledger/tables.ts';
import { sendSoon } from '../mail/mail.ts';
import { reversalRequirements, reverse } from '../transfer/statements.ts';
import {
  changeAtDesk,
  type Decided,
  type DeskActor,
  decideAtDesk,
  isProposal,
  type MoneyChange,
  type Reasoned,
} from './desk.ts';
import { type Reversed, reportReversal } from './reversal.ts';
import type { Adjustment, AdjustmentInput, Proposal, ReversedTransfer } from './schema.ts';

/**
 * Reverses a whole transfer: the recipient, the app and the operator return what they received, including fees.
 * @throws AppError those of `decideAtDesk`; ledger_disabled, ledger_frozen, transaction_not_found; moved_on if it was
 *   already reversed or refunded; wallet_closed, insufficient_internal_credit
 */
export async function reverseTransfer(
  deps: Deps,
  actor: DeskActor,
  { id: transfer, reason, approval }: Decided & { readonly id: string },
): Promise<ReversedTransfer | Proposal> {
  const id = transfer.replace(/^trf_/, '');
  const read = statement<Omit<Reversed, 'id' | 'payer'> & { payer: string | null; at: number | null }>(
    // Returns a row even if there is no such transfer; the verdict then reports that.
    sql`SELECT t.payer, t.payee, t.debit_total AS paid, t.net_amount AS received, t.reversed_at AS at
      FROM settings g LEFT JOIN transfers t ON t.id = ${id} WHERE g.id = 1`,
  );
  // The parties and their amounts never change; the batch itself reads the rest.
  const known = present(await first(deps.db, read), 'the settings');
  const { payer } = known;
  const change: MoneyChange<{ at: number | null }> = {
    action: 'transfer.reversed',
    target: `trf_${id}`,
    reason,
    detail: {},
    from: sql`JOIN ledger m ON m.id = 1 LEFT JOIN transfers t ON t.id = ${id}`,
    requirements: reversalRequirements,
    change: async (batch) => [
      ...(payer === null ? [] : await reportReversal(deps, { ...known, id, payer }, { ...batch, reason })),
      reverse({ id, now: batch.now, when: batch.when }),
    ],
    read: () => read,
    money: {
      amount: known.paid ?? 0,
      gainers: sql`SELECT payer AS handle FROM transfers WHERE id = ${id}`,
      seen: sql`json_array(t.status, t.refunded)`,
      approval,
    },
  };
  const answer = await decideAtDesk(deps, actor, change, ({ at }) => ({
    id: `trf_${id}`,
    status: 'reversed' as const,
    reversedAt: isoTime(at ?? 0),
  }));
  if (actor !== 'operator') sendSoon(deps);
  return answer;
}

/** The owner and kind of an operator account. Accounts for the bank and for provider fees have the provider's kind. */
const ofOperator = (name: string): [owner: string, kind: string] =>
  /^(bank|provider_fee)$/.test(name) ? [name, 'gateway'] : ['system', name];

/** The owner and kind of an account name that matches `accountPattern`. */
export function accountNamed(name: string): SQL {
  const handle = handleOf(name);
  const [owner, kind] =
    handle !== null ? [handle, 'wallet'] : name.startsWith('app_') ? [name, 'app'] : ofOperator(name);
  return sql`owner = ${owner} AND kind = ${kind} AND asset = 'IDR'`;
}

/** The owner of an account, as a SELECT of `handle`; no row for an operator account. */
function ownerOf(name: string): SQL {
  const handle = handleOf(name);
  return handle === null
    ? sql`SELECT owner AS handle FROM apps WHERE id = ${name}`
    : sql`SELECT ${handle} AS handle`;
}

interface NewAdjustment extends AdjustmentInput, Pick<Decided, 'approval'> {
  /** The required `Idempotency-Key`. */
  readonly key: string | null;
}

/**
 * Moves money manually from one account to another. A retry with the same key returns the same adjustment.
 * @throws AppError amount_too_large, validation_failed, those of `decideAtDesk`; idempotency_key_required,
 * idempotency_key_reused, ledger_disabled, ledger_frozen, wallet_not_found, wallet_frozen, wallet_closed, insufficient_internal_credit
 */
export async function adjustAccounts(
  deps: Deps,
  actor: DeskActor,
  { from, to, amount, reason, key, approval }: NewAdjustment,
): Promise<{ answer: Adjustment | Proposal; isReplayed: boolean }> {
  if (amount > maxAmount) throw new AppError('amount_too_large');
  if (from === to) throw new AppError('validation_failed', ['to must be another account than from']);
  const id = approval?.proposal.target ?? createId('adj', deps.now(), deps.randomBytes);
  /** The key of the administrator who proposed the adjustment. */
  const author = (by: SQL) => (approval ? sql`${approval.proposal.maker}` : by);
  const hash = secretHash(JSON.stringify(['correction', from, to, amount, reason]));
  const change: MoneyChange<Row<typeof adjustments>> = {
    action: 'ledger.adjusted',
    target: id,
    reason,
    detail: { from, to, amount },
    from: sql`JOIN ledger m ON m.id = 1
      LEFT JOIN adjustments k ON k.actor = ${author(sql`w.handle`)} AND k.idempotency_key IS NOT NULL AND k.idempotency_key = ${key}
      LEFT JOIN (SELECT * FROM accounts WHERE ${accountNamed(from)}) d ON true
      LEFT JOIN (SELECT * FROM accounts WHERE ${accountNamed(to)}) c ON true`,
    requirements: {
      idempotency_key_required: sql`${key} IS NOT NULL`,
      same: sql`k.request_hash IS NOT ${hash}`,
      idempotency_key_reused: sql`k.id IS NULL`,
      ...mayMove,
      wallet_not_found: sql`d.id IS NOT NULL AND c.id IS NOT NULL`,
      // A closed wallet accepts only money that settles its debt.
      ...areActive(sql`d.id, iif(c.status = 'closed' AND c.debt >= ${integer(amount)}, NULL, c.id)`),
      insufficient_internal_credit: sql`d.may_overdraw <> 0
        OR d.credits_posted - d.debits_posted - d.debits_pending >= ${integer(amount)}`,
    },
    change: ({ when, actor: by, now }) => [
      adjust(sql`SELECT ${id}, 'correction', d.id, c.id, ${integer(amount)}, NULL, ${reason}, ${author(by)}, ${key}, ${hash},
          ${integer(now)}
        FROM (SELECT * FROM accounts WHERE ${accountNamed(from)}) d
          JOIN (SELECT * FROM accounts WHERE ${accountNamed(to)}) c WHERE ${when}`),
    ],
    read: ({ actor: by }) =>
      statement<Row<typeof adjustments>>(sql`SELECT * FROM adjustments
        WHERE id = ${id} OR (actor = ${author(by)} AND idempotency_key = ${key})`),
    money: {
      amount,
      gainers: ownerOf(to),
      seen: sql`json_array()`,
      key,
      approval,
    },
  };
  const made = await decideAtDesk(deps, actor, change, (row) => ({
    answer: { id: row.id, from, to, asset: 'IDR', amount: row.amount, createdAt: isoTime(row.at) },
    isReplayed: row.id !== id,
  }));
  return isProposal(made) ? { answer: made, isReplayed: false } : made;
}

/**
 * Sets the operator's own fee for an operation, unless it is unchanged. Existing inquiries keep their fee.
 * @throws AppError validation_failed, unauthenticated, not_fresh, fee_changed
 */
export async function setPlatformFee(
  deps: Deps,
  actor: DeskActor,
  { operation, input, ifMatch, reason }: FeeChange & Reasoned,
): Promise<Fee> {
  requirePayer(operation, input);
  const scope = sql`'platform'`;
  const { fixed, bps, min, max, payer } = input;
  const row = await changeAtDesk(deps, actor, {
    action: 'fee.changed',
    target: operation,
    reason,
    detail: { fixed, bps, min, payer, ...(max === null ? {} : { max }) },
    from: sql`LEFT JOIN fee_versions f ON ${isInForce(scope, operation)}`,
    requirements: { same: sql`(${isSameFee(input)}) IS NOT TRUE`, fee_changed: isSeen(ifMatch) },
    change: ({ when, actor: by, now }) => [
      insertFee({
        of: sql`SELECT ${scope} AS scope, ${by} AS actor WHERE ${when}`,
        operation,
        input,
        ifMatch,
        now,
      }),
    ],
    read: () => readFee(scope, { operation, input }),
  });
  return toFee(row);
}
