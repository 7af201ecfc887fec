import { only, type Row, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import type { Level } from '../../lib/level.ts';
import { createSecret } from '../../lib/secret.ts';
import { record, recordAudit } from '../activity/statements.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { setLevel, setStatus } from '../identity/statements.ts';
import type { identities } from '../identity/tables.ts';
import { actingSession, isStale } from '../session/acting-session.ts';
import { endSessions } from '../session/statements.ts';
import { changeAtDesk, type DeskActor, type Reasoned } from './desk.ts';
import type { IdentityStatus, IdentityStatusInput } from './identity-schema.ts';

interface Change extends Reasoned {
  readonly sessionId: string;
  readonly handle: string;
  readonly status: 'active' | 'suspended';
}

/** An identity as the desk shows it. */
function readIdentity(handle: string): Statement<Pick<Row<typeof identities>, 'status' | 'level'>> {
  return statement(sql`SELECT status, level FROM identities WHERE handle = ${handle}`);
}

/** Changes the status or the level of an identity. @throws AppError as `setIdentityStatus` and `setIdentityLevel` */
export function setIdentity(
  deps: Deps,
  actor: Exclude<DeskActor, 'operator'>,
  { handle, status, level, reason }: IdentityStatusInput & { readonly handle: string },
): Promise<IdentityStatus> {
  if (level !== undefined) return setIdentityLevel(deps, actor, { handle, level, reason });
  return setIdentityStatus(deps, {
    sessionId: actor.sessionId,
    handle,
    status: status ?? 'active',
    reason,
  });
}

/**
 * Suspends an identity, which ends its sessions, or reactivates it. The caller has made sure that the acting identity
 * is an administrator; the batch checks its session. Each change adds one line to the audit log; a retry finds
 * the status already set, and adds none. Nobody can suspend themselves, so one administrator always remains.
 * @throws AppError unauthenticated, not_fresh, self_decision, identity_not_found, identity_final, in this order
 */
async function setIdentityStatus(deps: Deps, input: Change): Promise<IdentityStatus> {
  const now = deps.now();
  const { sessionId, handle, status, reason } = input;
  const id = createSecret(deps.randomBytes);
  const changed = isDecided(id, 'changed');
  const decision = decisionOf({
    id,
    from: sql`LEFT JOIN ${actingSession(sessionId, now)} s ON true LEFT JOIN identities i ON i.handle = ${handle}`,
    requirements: {
      unauthenticated: sql`s.id IS NOT NULL`,
      not_fresh: sql`NOT (${isStale(deps, now)})`,
      self_decision: sql`s.handle <> ${handle} OR ${status} <> 'suspended'`,
      identity_not_found: sql`i.handle IS NOT NULL`,
      same: sql`i.status <> ${status}`,
      identity_final: sql`i.status <> 'closed'`,
    },
    verdict: 'changed',
    handle: sql`s.handle`,
  });
  const { verdicts, rows } = await run(deps.db, {
    change: [
      decision.insert,
      recordAudit({
        actor: sql`(SELECT handle FROM decisions WHERE id = ${id})`,
        action: 'identity.status',
        target: handle,
        detail: { status, reason },
        when: changed,
        now,
      }),
      setStatus(status, sql`handle = ${handle} AND ${changed}`),
      endSessions({
        where: sql`handle = ${handle} AND ${status} = 'suspended' AND ${changed}`,
        reason: 'suspended',
        by: id,
        now,
      }),
    ],
    verdicts: decision.verdicts,
    rows: readIdentity(handle),
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'changed' && verdict !== 'same') throw new AppError(verdict);
  if (verdict === 'changed') deps.log.warn('identity.status', { handle, status, by: sessionId });
  return { pid: pidOf(handle), handle, ...only(rows) };
}

/**
 * Marks a person as verified or not: that level's limits then apply to their wallet. The person's activity
 * shows it. Nobody can verify themselves.
 * @throws AppError unauthenticated, not_fresh, self_decision, identity_not_found, identity_final, in this order
 */
export async function setIdentityLevel(
  deps: Deps,
  actor: DeskActor,
  { handle, level, reason }: Reasoned & { readonly handle: string; readonly level: Level },
): Promise<IdentityStatus> {
  const row = await changeAtDesk(deps, actor, {
    action: 'identity.level',
    target: handle,
    detail: { level },
    reason,
    from: sql`LEFT JOIN identities i ON i.handle = ${handle}`,
    requirements: {
      self_decision: sql`w.handle <> ${handle} OR ${level} <> 'verified'`,
      identity_not_found: sql`i.handle IS NOT NULL`,
      same: sql`i.level <> ${level}`,
      identity_final: sql`i.status <> 'closed'`,
    },
    change: ({ when, now }) => [
      record({
        type: `identity.${level}`,
        sessionId: null,
        rows: sql`SELECT ${handle} AS handle, NULL AS credential_id, NULL AS detail WHERE ${when}`,
        now,
      }),
      setLevel(level, sql`handle = ${handle} AND ${when}`),
    ],
    read: () => readIdentity(handle),
  });
  return { pid: pidOf(handle), handle, ...row };
}
