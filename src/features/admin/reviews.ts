import { integer, run, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import { toDeposit } from '../deposit/deposit.ts';
import {
  acceptDeposit,
  needsPerson,
  type ReviewRow,
  rejectDeposit,
  selectReviewed,
} from '../deposit/review-statements.ts';
import type { FeeRules } from '../ledger/fee.ts';
import { price } from '../ledger/fees.ts';
import { areActive } from '../ledger/statements.ts';
import { deliverSoon } from '../webhook/deliver.ts';
import {
  type Decided,
  type DeskActor,
  decideAtDesk,
  deskState,
  type MoneyChange,
  requireDesk,
} from './desk.ts';
import type { Proposal, ReviewedDeposit } from './schema.ts';

function toReviewed(row: ReviewRow): ReviewedDeposit {
  const { handle, paid: paidAmount, paid_currency: paidCurrency } = row;
  return { ...toDeposit(row), pid: pidOf(handle), paidAmount, paidCurrency };
}

/**
 * Deposits that wait for a decision, newest first: deposits under review, and refunds that exceed the wallet's balance.
 * @throws AppError unauthenticated, not_fresh
 */
export async function listReviews(
  deps: Deps,
  actor: DeskActor,
  { limit, cursor }: PageQuery,
): Promise<Page<ReviewedDeposit>> {
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: selectReviewed(sql`${needsPerson} AND deposits.id < ${cursor ?? '~'}
      ORDER BY deposits.id DESC LIMIT ${integer(limit + 1)}`),
  });
  requireDesk(desk);
  return toPage(rows, limit, ({ id }) => id, toReviewed);
}

/** The subject of the decision, for the audit log: the deposit itself stores only the decision. */
function subjectOf(row: ReviewRow | undefined): Readonly<Record<string, string | number>> {
  if (!row) return {};
  const { handle, failure, gross: asked, paid, paid_currency: currency, payment } = row;
  const known = Object.entries({ pid: pidOf(handle), failure, asked, paid, currency, payment });
  return Object.fromEntries(known.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

interface Decision extends Decided {
  readonly id: string;
  readonly decision: 'credit' | 'reject';
  /** The total refunded by the provider, in minor units, if the operator bears the refund. */
  readonly returnedAmount?: number | undefined;
}

/**
 * Requires an amount for a refund that the operator bears, and accepts none otherwise.
 * @throws AppError validation_failed
 */
function expectReturned({ failure, returned, gross }: ReviewRow, v: Decision): void {
  const { decision, returnedAmount: given } = v;
  const isBorne = failure === 'refund_uncovered' && decision === 'credit';
  const isFit = isBorne ? given !== undefined && given >= returned && given <= gross : given === undefined;
  if (isFit) return;
  throw new AppError('validation_failed', [
    isBorne
      ? `returnedAmount must be between ${returned} and ${gross}`
      : 'returnedAmount is for a refund that the operator bears',
  ]);
}

/**
 * Credits the payment, less the fees shown at checkout, or rejects the deposit. For an uncovered refund, `credit` means
 * that the operator bears the part that the provider refunded and the accounts did not cover; `reject` is not possible.
 * @throws AppError those of `decideAtDesk`; transaction_not_found, ledger_disabled, ledger_frozen; moved_on if there is
 *   nothing to decide or the decision does not apply; validation_failed if the operator bears a refund and its amount
 *   is missing; wallet_frozen, wallet_closed, amount_too_small, amount_too_large
 */
export async function resolveDeposit(
  deps: Deps,
  actor: DeskActor,
  asked: Decision,
): Promise<ReviewedDeposit | Proposal> {
  const { id, decision, reason, approval, returnedAmount } = asked;
  const { known } = await run(deps.db, { known: selectReviewed(sql`deposits.id = ${id}`) });
  const [row] = known;
  if (row) expectReturned(row, asked);
  const paid = row?.status === 'review' && decision === 'credit' ? (row.paid ?? 0) : 0;
  const rules: FeeRules = row ? JSON.parse(row.fee_rules) : { app: null, platform: null };
  const cost = paid > 0 ? price(paid, rules, 'deposit').fees : { app: 0, platform: 0 };
  const isCredited = sql`(${decision} = 'credit' AND d.status = 'review')`;
  const change: MoneyChange<ReviewRow> = {
    action: 'deposit.resolved',
    target: id,
    reason,
    detail: { decision, ...(returnedAmount === undefined ? {} : { returnedAmount }), ...subjectOf(row) },
    from: sql`JOIN ledger m ON m.id = 1 LEFT JOIN deposits d ON d.id = ${id}`,
    requirements: {
      transaction_not_found: sql`d.id IS NOT NULL`,
      // A ledger that is not open is reported before a missing payment.
      moved_on: sql`(d.status = 'review' OR (${decision} = 'credit' AND d.failure IN ('refund_uncovered','contradicted')))
        AND (d.failure, d.payment, d.paid, d.returned) IS (${row?.failure ?? null}, ${row?.payment ?? null}, ${row?.paid ?? null}, ${integer(row?.returned ?? 0)})
        AND (NOT ${isCredited} OR m.mode <> 'open'
          OR (d.payment IS NOT NULL AND d.paid_currency IS d.asset AND d.paid IS ${integer(paid)}))`,
      ledger_disabled: sql`NOT ${isCredited} OR m.mode <> 'disabled'`,
      ledger_frozen: sql`NOT ${isCredited} OR m.mode = 'open'`,
      ...areActive(sql`iif(${isCredited}, d.account, NULL), iif(${isCredited}, d.app_account, NULL)`),
    },
    change: ({ when, now }) =>
      decision === 'credit'
        ? acceptDeposit({
            id,
            paid,
            returned: returnedAmount ?? 0,
            appFee: cost.app,
            platformFee: cost.platform,
            now,
            when,
          })
        : [rejectDeposit(id, now, when)],
    read: () => selectReviewed(sql`deposits.id = ${id}`),
    money: {
      amount: (row?.paid_currency === row?.asset && row?.paid) || row?.gross || 0,
      gainers: sql`SELECT handle FROM deposits WHERE id = ${id}
        UNION SELECT p.owner FROM deposits x JOIN apps p ON p.id = x.app_id WHERE x.id = ${id}`,
      seen: sql`json_array(d.status, d.failure, d.payment, d.paid, d.returned)`,
      approval,
    },
  };
  return decideAtDesk(deps, actor, change, (found) => {
    // The command line makes no calls to the provider; the service's job does.
    if (found.app_id !== null && actor !== 'operator') deliverSoon(deps);
    return toReviewed(found);
  });
}
