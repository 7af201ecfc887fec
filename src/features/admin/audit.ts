import { integer, type Row, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import type { auditLog } from '../activity/tables.ts';
import { type DeskActor, deskState, requireDesk } from './desk.ts';
import type { AuditLine } from './schema.ts';

/**
 * Lists the desk's actions and the scheduled jobs' findings, newest first.
 * @throws AppError unauthenticated, not_fresh
 */
export async function listAudit(
  deps: Deps,
  actor: DeskActor,
  { limit, cursor }: PageQuery,
): Promise<Page<AuditLine>> {
  const before = Number(cursor ?? Number.MAX_SAFE_INTEGER);
  const { desk, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    rows: statement<Row<typeof auditLog>>(sql`SELECT * FROM audit_log WHERE seq < ${integer(before)}
      ORDER BY seq DESC LIMIT ${integer(limit + 1)}`),
  });
  requireDesk(desk);
  return toPage(rows, limit, ({ seq }) => String(seq), toLine);
}

/** The request id is only for recognizing a retry of that request. */
function toLine({ at, actor, action, target, detail }: Row<typeof auditLog>): AuditLine {
  const { op: _, ...shown } = JSON.parse(detail) as AuditLine['detail'];
  return { at: isoTime(at), actor, action, target, detail: shown };
}
