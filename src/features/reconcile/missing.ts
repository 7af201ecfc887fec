import { all, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { addDays, startOfDay } from '../../lib/jakarta.ts';
import { systemAccount } from '../ledger/statements.ts';
import type { Source } from './columns.ts';

/** The number of days within which a provider or the bank has to report one of our movements. */
export const graceDays = 3;
const linesOfBatch = 500;

/** A range of days without gaps that a source has reported. */
export interface Covered {
  readonly first: string;
  readonly last: string;
}

/** The gapless range of a source's posted reports around a day; null if no range contains the day. */
export async function coverage(deps: Deps, source: string, day: string): Promise<Covered | null> {
  const rows = await all(
    deps.db,
    statement<{ first: string; last: string }>(sql`SELECT first_day AS first, last_day AS last FROM reports
      WHERE source = ${source} AND status IN ('accepted','posted') AND last_day >= ${addDays(day, -400)}
        AND NOT EXISTS (SELECT 1 FROM report_lines l WHERE l.report = reports.id AND l.line > reports.posted_line)
      ORDER BY first_day, last_day`),
  );
  let at: { first: string; last: string } | undefined;
  for (const { first, last } of rows) {
    if (at && first <= addDays(at.last, 1)) at.last = last > at.last ? last : at.last;
    else if (at && day <= at.last) break;
    else at = { first, last };
  }
  return at && at.first <= day && day <= at.last ? at : null;
}

const providers: readonly Source[] = ['midtrans', 'sandbox'];

/**
 * Opens a case for each of a day's movements that is missing from the provider's reports. A provider may report a
 * movement some days later, so a day is checked only after the reports cover those days.
 * @returns true if every provider with a movement has reported the day
 */
export async function judgeDay(deps: Deps, day: string): Promise<boolean> {
  const covered = new Map<string, Covered>();
  for (const source of providers) {
    const run = await coverage(deps, source, day);
    if (run && run.last >= addDays(day, graceDays)) covered.set(source, run);
  }
  let isReported = true;
  for (const way of [0, 3, 4])
    for (let [at, leg] = [startOfDay(day), 0]; ; ) {
      const page = sql`(SELECT e.at, e.leg, e.ref FROM entries e WHERE e.account = ${systemAccount('gateway')}
        AND e.way = ${way} AND (e.at, e.leg) > (${at}, ${leg}) AND e.at < ${startOfDay(addDays(day, 1))}
        ORDER BY e.at, e.leg LIMIT ${linesOfBatch})`;
      const { ends, others } = await run(deps.db, {
        open: [...covered].flatMap(([source, { first }]) =>
          insertMissing(deps, { source, first, day, page }),
        ),
        ends: statement<{ at: number; leg: number }>(
          sql`SELECT e.at, e.leg FROM ${page} e ORDER BY e.at DESC, e.leg DESC LIMIT 1`,
        ),
        others: statement(sql`SELECT 1 FROM ${page} e JOIN deposits d ON d.id = substr(e.ref, 1, 30)
          WHERE d.gateway NOT IN (SELECT value FROM json_each(${JSON.stringify([...covered.keys()])})) LIMIT 1`),
      });
      if (others.length > 0) isReported = false;
      const [end] = ends;
      if (end === undefined) break;
      [at, leg] = [end.at, end.leg];
    }
  return isReported;
}

interface Judged {
  readonly source: string;
  /** The first day of the provider's current gapless range. */
  readonly first: string;
  readonly day: string;
  readonly page: SQL;
}

/** The valid report lines: the first with each key. */
const counts = sql`l.outcome NOT IN ('known','doubled','changed')`;

function insertMissing({ now }: Deps, { source, first, day, page }: Judged): Statement[] {
  const insert = (kind: string, rows: SQL) =>
    statement(sql`INSERT INTO reconciliation_cases (id, kind, amount, currency, since, day, ref)
      SELECT ${`${kind}.`} || m.ref, ${kind}, m.amount, 'IDR', ${now()}, ${day}, m.ref FROM (${rows}) m WHERE m.amount > 0
      ON CONFLICT DO NOTHING`);
  const moved = sql`(SELECT d.* FROM deposits d WHERE d.id IN (SELECT substr(e.ref, 1, 30) FROM ${page} e)
    AND d.gateway = ${source} AND d.created_at >= ${startOfDay(first)})`;
  const isPaid = sql`EXISTS (SELECT 1 FROM report_lines l WHERE l.ref = d.id AND l.kind = 'payment' AND ${counts})`;
  return [
    insert(
      'missing_payment',
      sql`SELECT d.id AS ref, d.gross - d.returned AS amount FROM ${moved} d WHERE NOT ${isPaid}`,
    ),
    insert(
      'missing_payment',
      sql`SELECT a.id AS ref, a.amount FROM ${page} e JOIN adjustments a ON a.id = e.ref AND a.kind = 'second_payment'
        JOIN deposits d ON d.id = a.ref AND d.gateway = ${source} AND d.created_at >= ${startOfDay(first)}
        WHERE NOT EXISTS (SELECT 1 FROM report_lines l WHERE l.ref = a.ref AND l.adjustment = a.id AND ${counts})`,
    ),
    // Later refunds are checked on their own day.
    insert(
      'missing_return',
      sql`SELECT d.id AS ref, d.returned + coalesce((SELECT sum(l.gross) FROM report_lines l WHERE l.ref = d.id
          AND l.kind = 'return' AND ${counts}), 0) AS amount
        FROM ${moved} d WHERE ${isPaid} AND d.updated_at < ${startOfDay(addDays(day, 1))}`,
    ),
  ];
}

/** Opens a case for each payout up to a day that is missing from the bank statements. */
export async function judgePayouts(deps: Deps, bank: Covered): Promise<void> {
  await run(deps.db, {
    open: [
      statement(sql`INSERT INTO reconciliation_cases (id, kind, amount, currency, since, day, ref)
        SELECT 'missing_arrival.' || p.source || '.' || p.reference, 'missing_arrival', p.net, 'IDR', ${deps.now()}, p.day, p.reference
        FROM provider_payouts p WHERE p.arrived IS NULL AND p.net > 0 AND p.day >= ${bank.first}
          AND p.day <= ${addDays(bank.last, -graceDays)} ON CONFLICT DO NOTHING`),
    ],
  });
}
