import { type SQL, sql } from 'drizzle-orm';
import { only, run, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { createSecret } from '../../lib/secret.ts';
import { type AuditAction, recordAudit } from '../activity/statements.ts';
import { dropDecision, isDecided, readVerdict } from '../identity/decision.ts';
import { actingSession, isStale } from '../session/acting-session.ts';

/** Who acts at the desk: an administrator by their session, or whoever has the command line. */
export type DeskActor = { readonly sessionId: string } | 'operator';

/** What every change at the desk comes with. */
export interface Reasoned {
  /** Kept in the audit log. */
  readonly reason?: string | undefined;
}

interface DeskChange<Row> extends Reasoned {
  readonly action: AuditAction;
  /** What is changed: a handle, an id, or `ledger`. */
  readonly target: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
  /** Joins of what the refusals read, after the table `w` of who acts. */
  readonly from: SQL;
  /** `WHEN … THEN '<code>'` for each refusal, in order; the code `same` changes nothing and is no refusal. */
  readonly refusals: SQL;
  /** The statements of the features that own the tables; each holds `when`. */
  readonly change: (batch: DeskBatch) => readonly Statement[] | Promise<readonly Statement[]>;
  /** What is shown afterwards. */
  readonly read: (batch: DeskBatch) => Statement<Row>;
}

interface DeskBatch {
  /** Whether the change was decided. */
  readonly when: SQL;
  /** The name of who acts, as the audit log has it. */
  readonly actor: SQL;
  readonly now: number;
}

/** Who acts, as a table of one row: no handle when a session has ended. */
function whoActs(deps: Deps, actor: DeskActor, now: number): SQL {
  if (actor === 'operator') return sql`(SELECT 'operator' AS handle, 0 AS not_fresh)`;
  return sql`(SELECT s.handle, coalesce(${isStale(deps, now)}, 0) AS not_fresh
    FROM settings g LEFT JOIN ${actingSession(actor.sessionId, now)} s ON true WHERE g.id = 1)`;
}

/** Whether somebody may read at the desk, for the batch of what they read. */
export function deskState(deps: Deps, actor: DeskActor): Statement<DeskState> {
  return statement(sql`SELECT handle, not_fresh FROM ${whoActs(deps, actor, deps.now())}`);
}

interface DeskState {
  readonly handle: string | null;
  readonly not_fresh: number;
}

/** @throws AppError unauthenticated, not_fresh */
export function requireDesk(rows: readonly DeskState[]): void {
  const { handle, not_fresh } = only(rows);
  if (handle === null) throw new AppError('unauthenticated');
  if (not_fresh) throw new AppError('not_fresh');
}

/**
 * Changes something at the desk, with its line in the audit log, in one batch. The line names the request, by which its
 * repeat after a lost answer recognizes its own work.
 * @throws AppError unauthenticated, not_fresh, then the refusals
 */
export async function changeAtDesk<Row>(deps: Deps, actor: DeskActor, desk: DeskChange<Row>): Promise<Row> {
  const now = deps.now();
  const op = createSecret(deps.randomBytes);
  const { action, target, reason, from, refusals } = desk;
  const name = sql`(SELECT handle FROM decisions WHERE id = ${op})`;
  const batch = { when: isDecided(op, 'changed'), actor: name, now };
  const { verdicts, rows } = await run(deps.db, {
    change: [
      statement(sql`INSERT INTO decisions (id, verdict, handle) SELECT ${op}, CASE
          WHEN EXISTS (SELECT 1 FROM audit_log l WHERE l.target = ${target} AND json_extract(l.detail, '$.op') = ${op}) THEN 'same'
          WHEN w.handle IS NULL THEN 'unauthenticated'
          WHEN w.not_fresh THEN 'not_fresh'
          ${refusals} ELSE 'changed' END, w.handle
        FROM ${whoActs(deps, actor, now)} w ${from}`),
      recordAudit({
        actor: name,
        action,
        target,
        detail: { ...desk.detail, ...(reason === undefined ? {} : { reason }), op },
        when: batch.when,
        now,
      }),
      ...(await desk.change(batch)),
    ],
    verdicts: readVerdict<ErrorCode | 'changed' | 'same'>(op),
    rows: desk.read(batch),
    drop: [dropDecision(op)],
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'changed' && verdict !== 'same') throw new AppError(verdict);
  if (verdict === 'changed') deps.log.warn(action, { ...desk.detail, target });
  return only(rows);
}
