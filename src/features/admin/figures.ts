import { integer, only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { gaugeText } from '../../lib/metrics.ts';
import { queuesOf } from '../webhook/queues.ts';
import { type CaseCount, countCases } from './unexplained.ts';
import { caseKinds } from './unexplained-schema.ts';

const modes = ['open', 'frozen', 'disabled'];

/**
 * Rows that are due at a certain time, by the index that contains only such rows. A logout token waits like an event.
 */
const queues = {
  journal: sql`(SELECT NULL AS next_at FROM pid_journal)`,
  mail: sql`mails WHERE next_at IS NOT NULL`,
  webhooks: sql`webhook_events WHERE next_at IS NOT NULL AND type <> 'logout'`,
  logouts: sql`webhook_events WHERE next_at IS NOT NULL AND type = 'logout'`,
  deposits: sql`deposits WHERE next_at IS NOT NULL`,
  withdrawals: sql`withdrawals WHERE next_at IS NOT NULL`,
};

interface Queue {
  readonly queue: string;
  readonly length: number;
  /** The time since which the oldest row is due; null if none is due. */
  readonly due: number | null;
}

interface Account {
  readonly account: string;
  readonly credits: number;
  readonly debits: number;
}

/** The metrics that `/metrics` reads from the database, in one batch, as Prometheus text. */
export async function databaseFigures(deps: Deps): Promise<string> {
  const now = deps.now();
  const { ledger, legs, accounts, cases, waiting, late } = await run(deps.db, {
    ledger: statement<{ mode: string; withdrawals: number }>(
      sql`SELECT mode, withdrawals FROM ledger WHERE id = 1`,
    ),
    legs: statement<{ seq: number | null }>(sql`SELECT max(seq) AS seq FROM legs`),
    accounts: statement<Account>(sql`SELECT iif(owner = 'system', kind, owner) AS account,
        credits_posted AS credits, debits_posted AS debits
      FROM accounts WHERE owner IN ('system','debts','bank','provider_fee') ORDER BY id`),
    cases: countCases(now),
    waiting: selectQueues(now),
    late: selectLateEvent(now),
  });
  const { mode, withdrawals } = only(ledger);
  return [
    ledgerFigures({ mode, withdrawals, legs: only(legs).seq ?? 0, accounts }),
    caseFigures(cases, now),
    queueFigures(
      waiting.map((row) => (row.queue === 'webhooks' ? { ...row, due: only(late).due } : row)),
      now,
    ),
  ].join('');
}

interface Ledger {
  readonly mode: string;
  readonly withdrawals: number;
  readonly legs: number;
  readonly accounts: readonly Account[];
}

function ledgerFigures({ mode, withdrawals, legs, accounts }: Ledger): string {
  const name = (what: string) => `peridot_ledger_${what}`;
  const byAccount = (column: 'credits' | 'debits') =>
    byKey(
      accounts,
      ({ account }) => account,
      (one) => one[column],
    );
  return (
    gaugeText(
      { name: name('mode'), help: '1 for the mode that the ledger is in.', label: 'mode' },
      byKey(
        modes,
        (one) => one,
        (one) => Number(one === mode),
      ),
    ) +
    gaugeText({ name: name('withdrawals_allowed'), help: '1 while withdrawals are on.' }, withdrawals) +
    gaugeText({ name: name('legs_total'), help: 'Movements of money so far.', isTotal: true }, legs) +
    gaugeText(
      {
        name: name('credits_total'),
        help: 'Rupiah that an account of the service got.',
        label: 'account',
        isTotal: true,
      },
      byAccount('credits'),
    ) +
    gaugeText(
      {
        name: name('debits_total'),
        help: 'Rupiah that an account of the service gave.',
        label: 'account',
        isTotal: true,
      },
      byAccount('debits'),
    )
  );
}

/** Unexplained cases, by kind. */
function caseFigures(cases: readonly CaseCount[], now: number): string {
  const ofKind = (kind: string) => cases.filter((one) => one.kind === kind);
  const ageOf = ({ oldest }: CaseCount) => (now - oldest) / 1000;
  return (
    gaugeText(
      { name: 'peridot_unexplained', help: 'Cases about money that wait for an explanation.', label: 'kind' },
      byKey(
        caseKinds,
        (kind) => kind,
        (kind) => ofKind(kind).reduce((sum, { count }) => sum + count, 0),
      ),
    ) +
    gaugeText(
      { name: 'peridot_unexplained_oldest_seconds', help: 'The age of the oldest of them.', label: 'kind' },
      byKey(
        caseKinds,
        (kind) => kind,
        (kind) => Math.max(0, ...ofKind(kind).map(ageOf)),
      ),
    )
  );
}

function selectQueues(now: number): Statement<Queue> {
  const each = Object.entries(queues).map(
    ([name, rows]): SQL => sql`SELECT ${name} AS queue, count(*) AS length,
      min(iif(next_at <= ${integer(now)}, next_at, NULL)) AS due FROM ${rows}`,
  );
  // D1 allows five terms in a compound SELECT.
  const union = (terms: readonly SQL[]) => sql.join([...terms], sql` UNION ALL `);
  return statement(
    sql`SELECT * FROM (${union(each.slice(0, 3))}) UNION ALL SELECT * FROM (${union(each.slice(3))})`,
  );
}

/**
 * The oldest due event of a responsive receiver. Events for other receivers wait on purpose, and anybody can register a
 * receiver that never responds.
 */
function selectLateEvent(now: number): Statement<Pick<Queue, 'due'>> {
  return statement(sql`WITH RECURSIVE ${queuesOf('events')}
    SELECT min((SELECT min(d.next_at) FROM webhook_events d
      WHERE d.app_id = q.app_id AND d.next_at <= ${integer(now)} AND d.type <> 'logout')) AS due
    FROM queues AS q JOIN webhooks w ON w.app_id = q.app_id AND w.status = 'active' AND w.failures = 0
      AND w.paused_until <= ${integer(now)} AND w.fresh_from IS NULL`);
}

function queueFigures(rows: readonly Queue[], now: number): string {
  return (
    gaugeText(
      { name: 'peridot_queue_length', help: 'Rows that wait for their time.', label: 'queue' },
      byKey(
        rows,
        ({ queue }) => queue,
        ({ length }) => length,
      ),
    ) +
    gaugeText(
      {
        name: 'peridot_queue_overdue_seconds',
        help: 'How long the oldest row has been due.',
        label: 'queue',
      },
      byKey(
        rows,
        ({ queue }) => queue,
        ({ due }) => (due === null ? 0 : Math.max(0, now - due) / 1000),
      ),
    )
  );
}

function byKey<Row>(
  rows: readonly Row[],
  key: (row: Row) => string,
  value: (row: Row) => number,
): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [key(row), value(row)]));
}
