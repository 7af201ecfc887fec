import { only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { casesOf } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { createSecret } from '../../lib/secret.ts';
import { type AuditAction, recordAudit } from '../activity/statements.ts';
import { dropDecision, isDecided, readVerdict } from '../identity/decision.ts';
import { sendSoon } from '../mail/mail.ts';
import { actingSession, isStale } from '../session/acting-session.ts';
import type { Proposal } from './schema.ts';
import {
  type Approval,
  type DeskRequirements,
  type Money,
  moneyParts,
  type ProposalRow,
  toProposal,
} from './second.ts';

/** The actor at the admin desk: an administrator with a session, or the operator on the command line. */
export type DeskActor = { readonly sessionId: string; readonly handle: string } | 'operator';

/** The fields common to all changes at the admin desk. */
export interface Reasoned {
  /** Stored in the audit log. */
  readonly reason: string;
}

/** The fields common to all money decisions. */
export interface Decided extends Reasoned {
  /** The proposal being approved. */
  readonly approval?: Approval | undefined;
}

interface DeskChange<Row> extends Reasoned {
  readonly action: AuditAction;
  /** The subject of the change: a handle, an id, or `ledger`. */
  readonly target: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
  /** Joins that the requirements read, after the actor table `w`. */
  readonly from: SQL;
  readonly requirements: DeskRequirements;
  /** Joins that the requirements use, after the actor table `w`. */
  readonly change: (batch: DeskBatch) => readonly Statement[] | Promise<readonly Statement[]>;
  /** Reads the result. */
  readonly read: (batch: DeskBatch) => Statement<Row>;
}

export type MoneyChange<Row> = DeskChange<Row> & { readonly money: Money };

interface DeskBatch {
  /** True if the change was approved. */
  readonly when: SQL;
  /** The actor's name in the audit log. */
  readonly actor: SQL;
  readonly now: number;
}

/** The actor as a one-row table. Its handle is NULL after the session is revoked. */
function whoActs(deps: Deps, actor: DeskActor, now: number): SQL {
  if (actor === 'operator') return sql`(SELECT 'operator' AS handle, 0 AS not_fresh)`;
  return sql`(SELECT s.handle, coalesce(${isStale(deps, now)}, 0) AS not_fresh
    FROM settings g LEFT JOIN ${actingSession(actor.sessionId, now)} s ON true WHERE g.id = 1)`;
}

/** Selects whether the actor has read access to the admin desk, in the batch of the read. */
export function deskState(deps: Deps, actor: DeskActor): Statement<DeskState> {
  return statement(sql`SELECT handle, not_fresh FROM ${whoActs(deps, actor, deps.now())}`);
}

/** Access to a person's data at the admin desk, for the audit log. */
interface Look {
  readonly action: AuditAction;
  readonly target: string;
  /** The details as JSON. */
  readonly computed?: SQL;
  readonly when?: SQL;
}

/** Records an access in the audit log, if the actor may read. */
export function lookStatement(deps: Deps, actor: DeskActor, { when = sql`1`, ...look }: Look): Statement {
  const now = deps.now();
  return recordAudit({
    ...look,
    detail: {},
    actor: sql`(SELECT handle FROM ${whoActs(deps, actor, now)})`,
    when: sql`${mayRead(deps, actor)} AND ${when}`,
    now,
  });
}

const hourMs = 3_600_000;

/** True if the actor's last such access was recorded more than an hour ago, or never. */
export function isNewLook(deps: Deps, actor: DeskActor, { action, target }: Look): SQL {
  const now = deps.now();
  return sql`NOT EXISTS (SELECT 1 FROM audit_log WHERE target = ${target} AND action = ${action} AND at > ${now - hourMs}
    AND actor = (SELECT handle FROM ${whoActs(deps, actor, now)}))`;
}

/** Like `lookStatement`, but at most once an hour for the same actor and target, because a page is often reloaded. */
export function lookOnceStatement(deps: Deps, actor: DeskActor, look: Look): Statement {
  const { when = sql`1` } = look;
  return lookStatement(deps, actor, { ...look, when: sql`${when} AND ${isNewLook(deps, actor, look)}` });
}

/** Returns whether the actor has read access to the admin desk. */
export function mayRead(deps: Deps, actor: DeskActor): SQL {
  return sql`EXISTS (SELECT 1 FROM ${whoActs(deps, actor, deps.now())} WHERE handle IS NOT NULL AND NOT not_fresh)`;
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
 * Makes a change at the admin desk and writes its audit log line in one batch. The line contains the request id, by
 * which a retry after a lost response recognises its own change.
 * @throws AppError unauthenticated, not_fresh, then the reasons from its requirements
 */
export async function changeAtDesk<Row>(deps: Deps, actor: DeskActor, desk: DeskChange<Row>): Promise<Row> {
  return only((await change(deps, actor, desk)).rows);
}

/**
 * Makes a money decision at the admin desk. Above DESK_SECOND_ABOVE, one administrator can only propose a decision, and
 * the money moves in the batch in which a second administrator approves the proposal. The operator, who controls the
 * database, decides alone.
 * @throws AppError unauthenticated, not_fresh; self_decision for money that goes to the person deciding, and for
 *   their own proposal; then the reasons from its requirements; moved_on if the subject of the proposal has changed, or
 *   another proposal is pending; no_second_administrator
 */
export async function decideAtDesk<Row, Answer>(
  deps: Deps,
  actor: DeskActor,
  desk: MoneyChange<Row>,
  toAnswer: (row: Row) => Answer,
): Promise<Answer | Proposal> {
  const { rows, proposal } = await change(deps, actor, desk);
  return proposal ? toProposal(proposal) : toAnswer(only(rows));
}

/** Returns whether a decision is waiting for a second administrator. */
export function isProposal(answer: object): answer is Proposal {
  return 'maker' in answer;
}

async function change<Row>(
  deps: Deps,
  actor: DeskActor,
  desk: DeskChange<Row> & { readonly money?: Money },
): Promise<{ rows: Row[]; proposal: ProposalRow | undefined }> {
  const now = deps.now();
  const requestId = createSecret(deps.randomBytes);
  const { action, target, reason, from, requirements, detail } = desk;
  const name = sql`(SELECT handle FROM decisions WHERE id = ${requestId})`;
  const batch = { when: isDecided(requestId, 'changed'), actor: name, now };
  const { own, second, verdict, about, store, waiting } = await moneyParts(deps, actor, {
    ...desk,
    requestId,
    now,
  });
  const acts = {
    same: sql`NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.target = ${target} AND json_extract(l.detail, '$.op') = ${requestId})`,
    unauthenticated: sql`w.handle IS NOT NULL`,
    not_fresh: sql`NOT w.not_fresh`,
  };
  const { verdicts, rows, proposals } = await run(deps.db, {
    change: [
      statement(sql`INSERT INTO decisions (id, verdict, handle) SELECT ${requestId}, CASE
          ${casesOf(acts, null)} ${casesOf(own, null)} ${casesOf(requirements, null)} ${casesOf(second, null)}
          ELSE ${verdict} END, w.handle
        FROM ${whoActs(deps, actor, now)} w ${from}`),
      recordAudit({
        actor: name,
        action,
        target,
        detail: { ...detail, reason, ...about, op: requestId },
        when: batch.when,
        now,
      }),
      ...store,
      ...(await desk.change(batch)),
    ],
    verdicts: readVerdict<ErrorCode | 'changed' | 'same' | 'proposed'>(requestId),
    rows: desk.read(batch),
    proposals: waiting,
    drop: [dropDecision(requestId)],
  });
  const { verdict: decided } = only(verdicts);
  if (decided !== 'changed' && decided !== 'same' && decided !== 'proposed') throw new AppError(decided);
  if (decided !== 'same')
    deps.log.warn(decided === 'changed' ? action : 'proposal.made', { ...detail, target });
  if (decided === 'proposed') sendSoon(deps);
  return { rows, proposal: decided === 'changed' ? undefined : proposals[0] };
}
