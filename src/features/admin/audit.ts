import { integer, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { addDays, startOfDay } from '../../lib/jakarta.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import type { auditLog } from '../activity/tables.ts';
import { csvLine } from '../ledger/statement.ts';
import { type DeskActor, deskState, requireDesk } from './desk.ts';
import type { AuditFilter, AuditLine } from './schema.ts';

type LineRow = Row<typeof auditLog>;

interface LineFilter extends AuditFilter {
  /** True to omit the searches for people, which are most lines. */
  readonly hidesSearches?: boolean;
}

/** The number of CSV lines per read. */
const linesOfRead = 500;

/**
 * Lists administrators' actions and the scheduled jobs' findings, newest first.
 * @throws AppError unauthenticated, not_fresh
 */
export async function listAudit(
  deps: Deps,
  actor: DeskActor,
  { limit, cursor, ...filter }: PageQuery & LineFilter,
): Promise<Page<AuditLine>> {
  const rows = await readLines(
    deps,
    actor,
    selectLines(filter, Number(cursor ?? Number.MAX_SAFE_INTEGER), limit + 1),
  );
  return toPage(rows, limit, ({ seq }) => String(seq), toAuditLine);
}

/**
 * Exports the whole audit log as CSV. The last line contains the line count, so a truncated file is recognisable.
 * @throws AppError unauthenticated, not_fresh
 */
export async function streamAudit(
  deps: Deps,
  actor: DeskActor,
  filter: AuditFilter,
): Promise<AsyncGenerator<string>> {
  const read = (before: number) => readLines(deps, actor, selectLines(filter, before, linesOfRead));
  return toCsv(await read(Number.MAX_SAFE_INTEGER), read);
}

async function* toCsv(
  newest: LineRow[],
  read: (before: number) => Promise<LineRow[]>,
): AsyncGenerator<string> {
  yield csvLine(['at', 'actor', 'action', 'target', 'detail']);
  let count = 0;
  for (let rows = newest; rows.length > 0; rows = await read(rows.at(-1)?.seq ?? 0)) {
    count += rows.length;
    yield rows
      .map(toAuditLine)
      .map(({ at, actor, action, target, detail }) =>
        csvLine([at, actor, action, target, JSON.stringify(detail)]),
      )
      .join('');
  }
  yield csvLine(['', '', 'end', '', count]);
}

async function readLines(deps: Deps, actor: DeskActor, lines: Statement<LineRow>): Promise<LineRow[]> {
  const { desk, rows } = await run(deps.db, { desk: deskState(deps, actor), rows: lines });
  requireDesk(desk);
  return rows;
}

/** Each filter has an index with rows in chronological order. */
function selectLines(
  { actor, action, target, from, to, hidesSearches = false }: LineFilter,
  before: number,
  limit: number,
): Statement<LineRow> {
  const handle = (text: string) => text.trim().replace(/@pid$/, '');
  const conditions = [
    sql`seq < ${integer(before)}`,
    ...(actor ? [sql`actor = ${handle(actor)}`] : []),
    ...(hidesSearches ? [sql`action <> 'people.searched'`] : []),
    ...(action ? [sql`action = ${action.trim()}`] : []),
    ...(target ? [sql`target = ${handle(target)}`] : []),
    ...(from ? [sql`at >= ${startOfDay(from)}`] : []),
    ...(to ? [sql`at < ${startOfDay(addDays(to, 1))}`] : []),
  ];
  return statement(sql`SELECT * FROM audit_log WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY seq DESC LIMIT ${integer(limit)}`);
}

/** The request id serves only to recognise a retry of the same request. */
export function toAuditLine({ at, actor, action, target, detail }: LineRow): AuditLine {
  const { op: _, ...shown } = JSON.parse(detail) as AuditLine['detail'];
  return { at: isoTime(at), actor, action, target, detail: shown };
}
