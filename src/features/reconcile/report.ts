import { first, run, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import type { Report, ReportSummary } from './schema.ts';
import { dropLines, type ReportRow, rejectReport } from './statements.ts';

/** Lines per batch; a batch takes a few milliseconds of database time. */
export const linesOfBatch = 500;

/** Deletes an abandoned report, some lines at a time. A partly imported report remains until its lines are deleted. */
export async function discard(deps: Deps, id: string): Promise<void> {
  const by = { actor: sql`'system'`, now: deps.now() };
  while ((await first(deps.db, dropLines(id, linesOfBatch))) !== null);
  await run(deps.db, { reject: [rejectReport(id, sql`status = 'reading'`, by)] });
}

export function toReport(row: ReportRow): Report {
  return {
    id: row.id,
    source: row.source,
    status: row.status === 'reading' ? 'rejected' : row.status,
    sha256: row.sha256 ?? '',
    firstDay: row.first_day ?? '',
    lastDay: row.last_day ?? '',
    summary: JSON.parse(row.summary ?? '{}') as ReportSummary,
    createdAt: isoTime(row.created_at),
    decidedBy: row.decided_by,
    decidedAt: row.decided_at === null ? null : isoTime(row.decided_at),
  };
}
