import { integer, only, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { jakartaDay, startOfDay } from '../../lib/jakarta.ts';
import { stringList } from '../../lib/present.ts';
import { needsPerson } from '../deposit/review-statements.ts';
import type { ledger } from '../ledger/tables.ts';
import type { withdrawals as withdrawalTable } from '../withdrawal/tables.ts';
import { type DeskActor, deskState, requireDesk } from './desk.ts';
import type { Overview } from './schema.ts';
import { isWaiting, selectProposals, toProposal } from './second.ts';
import { lastViolation } from './stopped.ts';
import { countCases, isStuck, waitsForDebt } from './unexplained.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const mostNamed = 20;

type Count = { count: number };

/**
 * Returns the state of the service: its switches, open decisions, and a day's totals.
 * @param day a date in Jakarta; defaults to today
 * @throws AppError unauthenticated, not_fresh
 */
export async function readOverview(deps: Deps, actor: DeskActor, day?: string): Promise<Overview> {
  const now = deps.now();
  const shown = day ?? jakartaDay(now);
  const { desk, ledgerRow, violation, accounts, totals, stuck, toDecide, proposals, reviews, ...queues } =
    await run(deps.db, {
      desk: deskState(deps, actor),
      ledgerRow: statement<Row<typeof ledger>>(sql`SELECT * FROM ledger WHERE id = 1`),
      reviews: counted(sql`deposits WHERE ${needsPerson}`),
      stuck: countCases(now),
      toDecide: stuckWithdrawals(now),
      proposals: selectProposals(sql`${isWaiting(deps, now)}
        ORDER BY desk_decisions.id LIMIT ${integer(mostNamed)}`),
      violation: lastViolation,
      mails: counted(sql`mails WHERE next_at IS NOT NULL`),
      events: counted(sql`(SELECT 1 FROM webhook_events WHERE next_at IS NOT NULL AND type <> 'logout'
        UNION ALL SELECT 1 FROM webhook_events WHERE next_at IS NOT NULL AND type = 'logout')`),
      deposits: counted(sql`deposits WHERE next_at IS NOT NULL AND next_at <= ${now}`),
      withdrawals: counted(sql`withdrawals WHERE next_at IS NOT NULL AND next_at <= ${now}`),
      accounts: statement<{
        kind: string;
        balance: number;
      }>(sql`SELECT iif(owner = 'system', kind, owner) AS kind,
        credits_posted - debits_posted AS balance FROM accounts WHERE owner IN ('system','debts','bank','provider_fee') ORDER BY id`),
      totals: dayTotals(startOfDay(shown)),
    });
  requireDesk(desk);
  const { mode, withdrawals, reason, updated_at } = only(ledgerRow);
  const [last] = violation;
  return {
    ledger: { mode, withdrawals: withdrawals === 1, reason, updatedAt: isoTime(updated_at) },
    reviews: only(reviews).count,
    stuck: stuck.map(({ oldest, ids, ...row }) => ({
      ...row,
      oldestAt: isoTime(oldest),
      // Ids start with their creation time.
      ids: stringList(ids).sort(),
    })),
    stuckWithdrawals: toDecide.map(({ handle, held_at, ...row }) => ({
      ...row,
      pid: pidOf(handle),
      heldAt: isoTime(held_at),
    })),
    proposals: proposals.map(toProposal),
    lastViolation: last ? { at: isoTime(last.at), reason: JSON.parse(last.detail).reason } : null,
    queues: Object.fromEntries(Object.entries(queues).map(([name, rows]) => [name, only(rows).count])),
    accounts,
    day: shown,
    totals,
  };
}

function counted(rows: SQL): Statement<Count> {
  return statement(sql`SELECT count(*) AS count FROM ${rows}`);
}

type StuckWithdrawal = Pick<
  Row<typeof withdrawalTable>,
  'id' | 'handle' | 'status' | 'failure' | 'asset' | 'amount'
> & { held_at: number };

function stuckWithdrawals(now: number): Statement<StuckWithdrawal> {
  const read = sql`SELECT w.id, w.handle, w.status, iif(${waitsForDebt}, 'debt', w.failure) AS failure, w.asset, w.amount,
      w.held_at FROM withdrawals w`;
  return statement(sql`${read} WHERE ${isStuck(now)} UNION ALL ${read} WHERE w.failure = 'contradicted'
    ORDER BY held_at, id LIMIT ${integer(mostNamed)}`);
}

/** Sums a day's movements through the provider accounts, to match the providers' reports. */
function dayTotals(from: number): Statement<{ kind: string; count: number; amount: number }> {
  return statement(sql`SELECT l.kind, count(DISTINCT l.ref) AS count, sum(l.amount) AS amount
    FROM accounts a JOIN entries e ON e.account = a.id AND e.way IN (0, 1, 2, 3, 4) AND e.at >= ${integer(from)} AND e.at < ${integer(from + dayMs)}
      JOIN legs l ON l.seq = e.leg
    WHERE a.owner = 'system' AND a.kind IN ('gateway','payout') GROUP BY l.kind ORDER BY l.kind`);
}
