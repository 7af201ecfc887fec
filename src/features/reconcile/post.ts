import { all, only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { addDays } from '../../lib/jakarta.ts';
import { coverage, graceDays, judgeDay, judgePayouts } from './missing.ts';
import { finishReport, postLines, type ReportRow, readProgress, recheckLine } from './statements.ts';

/** So that a request ends; the scheduled work does the rest. */
const batchesOfCall = 400;
const casesOfBatch = 50;

/**
 * Posts the lines of an accepted report from where an earlier call ended. Each batch is atomic and does nothing twice, so any
 * number may run at once and any may end midway.
 * @returns whether it is done; not yet while the ledger is frozen
 */
export async function postReport(deps: Deps, id: string): Promise<boolean> {
  let posted = -1;
  for (let batch = 0; batch < batchesOfCall; batch += 1) {
    const { progress } = await run(deps.db, { progress: readProgress(id) });
    const { upTo, ...row } = only(progress);
    if (row.status !== 'accepted') return row.status === 'posted';
    if (row.posted_line === posted) return false;
    if (upTo === row.posted_line) return finish(deps, row);
    posted = row.posted_line;
    await run(deps.db, { post: postLines({ report: id, after: posted, upTo }, deps.now()) });
  }
  return false;
}

/** Now that the report counts: what it explains, and what it lacks. */
async function finish(deps: Deps, row: ReportRow): Promise<boolean> {
  await recheckCases(deps);
  const { source, first_day: first, last_day: last } = row;
  if (first !== null && last !== null) {
    if (source === 'bank') {
      const covered = await coverage(deps, source, last);
      if (covered) await judgePayouts(deps, covered);
    } else
      for (let day = addDays(first, -graceDays); day <= addDays(last, -graceDays); day = addDays(day, 1))
        await judgeDay(deps, day);
  }
  await run(deps.db, { finish: [finishReport(row.id)] });
  deps.log.info('report.posted', { id: row.id, source });
  return true;
}

/** Looks again at every open case of a line: money that came to our books late explains it. */
export async function recheckCases(deps: Deps): Promise<void> {
  for (let [day, id] = ['', '']; ; ) {
    const cases = await all(
      deps.db,
      statement<{ day: string; id: string }>(sql`SELECT day, id FROM reconciliation_cases
        WHERE resolved_at IS NULL AND (day, id) > (${day}, ${id}) ORDER BY day, id LIMIT ${casesOfBatch}`),
    );
    const last = cases.at(-1);
    if (last === undefined) return;
    const lines = cases.filter((one) => one.id.startsWith('rep_'));
    await run(deps.db, { recheck: lines.map((one) => recheckLine(one.id, deps.now())) });
    [day, id] = [last.day, last.id];
  }
}

/** The scheduled job: goes on with reports whose posting ended midway, or waited for the ledger. */
export async function postReports(deps: Deps): Promise<{ posted: number }> {
  const waiting = await all(
    deps.db,
    statement<{ id: string }>(sql`SELECT id FROM reports WHERE status = 'accepted' ORDER BY id LIMIT 10`),
  );
  let posted = 0;
  for (const { id } of waiting) if (await postReport(deps, id)) posted += 1;
  return { posted };
}
