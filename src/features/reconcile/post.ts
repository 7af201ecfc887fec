import { all, only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { addDays } from '../../lib/jakarta.ts';
import { coverage, graceDays, judgeDay, judgePayouts } from './missing.ts';
import { discard } from './report.ts';
import {
  finishReport,
  postLines,
  type ReportRow,
  readDiffering,
  readProgress,
  recheckLine,
} from './statements.ts';

/** Limits the work of one request; the scheduled job does the rest. */
const batchesOfCall = 400;
const linesOfBatch = 50;
const longestImportMs = 86_400_000;

/**
 * Posts an accepted report's lines from where an earlier call stopped. Each batch is atomic and idempotent, so any
 * number may run concurrently, and any may be interrupted.
 * @returns true if posting is complete; false while the ledger is frozen
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

/** After the report is posted, finds the cases it explains and the missing movements. */
async function finish(deps: Deps, row: ReportRow): Promise<boolean> {
  await recheckLines(deps);
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

/** Rechecks every line that differed, because money booked later may explain it. */
export async function recheckLines(deps: Deps): Promise<void> {
  for (let after = { report: '', line: 0 }; ; ) {
    const lines = await all(deps.db, readDiffering(after, linesOfBatch));
    const last = lines.at(-1);
    if (last === undefined) return;
    await run(deps.db, { recheck: lines.map((line) => recheckLine(line, deps.now())) });
    after = last;
  }
}

/**
 * The scheduled job, which continues interrupted postings and those that waited for the ledger, and deletes truncated
 * imports.
 */
export async function postReports(deps: Deps): Promise<{ posted: number }> {
  const cutOff = deps.now() - longestImportMs;
  const waiting = await all(
    deps.db,
    statement<{ id: string; status: string }>(sql`SELECT id, status FROM reports
      WHERE status IN ('accepted','reading') AND (status = 'accepted' OR created_at <= ${cutOff})
      ORDER BY status, id LIMIT 10`),
  );
  let posted = 0;
  for (const { id, status } of waiting)
    if (status === 'reading') await discard(deps, id);
    else if (await postReport(deps, id)) posted += 1;
  return { posted };
}
