import { all, integer, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import type { Source } from '../reconcile/columns.ts';
import { discard, toReport } from '../reconcile/report.ts';
import type { ReconciliationCase, Report } from '../reconcile/schema.ts';
import {
  acceptReport,
  type CaseRow,
  type ReportRow,
  rejectReport,
  resolveCase,
} from '../reconcile/statements.ts';
import { changeAtDesk, type DeskActor, deskState, type Reasoned, requireDesk } from './desk.ts';

interface NewReport {
  readonly source: Source;
  /** JSON. */
  readonly map?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly file: AsyncIterable<Uint8Array>;
}

/**
 * Imports a report. No money moves until the report is accepted.
 * @throws AppError unauthenticated, not_fresh, and those of `importReport`
 */
export async function takeReport(
  deps: Deps,
  actor: DeskActor,
  { map, ...report }: NewReport,
): Promise<Report> {
  requireDesk(await all(deps.db, deskState(deps, actor)));
  const { importReport } = await import('../reconcile/import.ts');
  return importReport(deps, { ...report, map });
}

/** Lists the reports, newest first. @throws AppError unauthenticated, not_fresh */
export async function listReports(
  deps: Deps,
  actor: DeskActor,
  { limit, cursor }: PageQuery,
): Promise<Page<Report>> {
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: statement<ReportRow>(sql`SELECT * FROM reports WHERE id < ${cursor ?? '~'} AND sha256 IS NOT NULL
      ORDER BY id DESC LIMIT ${integer(limit + 1)}`),
  });
  requireDesk(desk);
  return toPage(rows, limit, ({ id }) => id, toReport);
}

/**
 * Accepts a report, which posts its lines, or abandons it. A retry continues an interrupted posting.
 * @throws AppError unauthenticated, not_fresh, report_not_found; moved_on if it was already decided differently
 */
export async function resolveReport(
  deps: Deps,
  actor: DeskActor,
  { id, decision, reason }: Reasoned & { readonly id: string; readonly decision: 'accept' | 'reject' },
): Promise<Report> {
  const read = statement<ReportRow>(sql`SELECT * FROM reports WHERE id = ${id}`);
  await changeAtDesk(deps, actor, {
    action: decision === 'accept' ? 'report.accepted' : 'report.rejected',
    target: id,
    reason,
    detail: {},
    from: sql`LEFT JOIN reports r ON r.id = ${id} AND r.sha256 IS NOT NULL`,
    requirements: {
      report_not_found: sql`r.id IS NOT NULL`,
      same: decision === 'accept' ? sql`r.status NOT IN ('accepted','posted')` : sql`r.status <> 'rejected'`,
      moved_on: sql`r.status = 'read'`,
    },
    change: ({ when, ...by }) => [
      decision === 'accept' ? acceptReport(id, when, by) : rejectReport(id, when, by),
    ],
    read: () => read,
  });
  if (decision === 'accept') await (await import('../reconcile/post.ts')).postReport(deps, id);
  else await discard(deps, id);
  const [row] = await all(deps.db, read);
  if (row === undefined) throw new TypeError('a report that was decided is not there');
  return toReport(row);
}

/** Lists the unexplained differences, oldest day first. @throws AppError unauthenticated, not_fresh */
export async function listCases(
  deps: Deps,
  actor: DeskActor,
  { limit, cursor = '' }: PageQuery,
): Promise<Page<ReconciliationCase>> {
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: statement<CaseRow>(sql`SELECT * FROM reconciliation_cases WHERE resolved_at IS NULL
      AND (day, id) > (${cursor.slice(0, 10)}, ${cursor.slice(11)}) ORDER BY day, id LIMIT ${integer(limit + 1)}`),
  });
  requireDesk(desk);
  return toPage(rows, limit, ({ day, id }) => `${day} ${id}`, toCase);
}

/**
 * Closes a case with its explanation. If money has to move, a correction moves it.
 * @throws AppError unauthenticated, not_fresh, case_not_found; moved_on if it is already closed
 */
export function explainCase(
  deps: Deps,
  actor: DeskActor,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<ReconciliationCase> {
  return changeAtDesk(deps, actor, {
    action: 'case.resolved',
    target: id,
    reason,
    detail: {},
    from: sql`LEFT JOIN reconciliation_cases k ON k.id = ${id}`,
    requirements: { case_not_found: sql`k.id IS NOT NULL`, moved_on: sql`k.resolved_at IS NULL` },
    change: ({ when, actor: by, now }) => [resolveCase(id, { reason, when, actor: by, now })],
    read: () => statement<CaseRow>(sql`SELECT * FROM reconciliation_cases WHERE id = ${id}`),
  }).then(toCase);
}

function toCase({ since, resolved_at, resolved_by: resolvedBy, ...row }: CaseRow): ReconciliationCase {
  const resolvedAt = resolved_at === null ? null : isoTime(resolved_at);
  return { ...row, since: isoTime(since), resolvedBy, resolvedAt };
}
