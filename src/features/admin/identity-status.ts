import { only, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { createSecret } from '../../lib/secret.ts';
import { recordAudit } from '../activity/statements.ts';
import { dropDecision, isDecided, readVerdict } from '../identity/decision.ts';
import { setStatus } from '../identity/statements.ts';
import { actingSession, isStale } from '../session/acting-session.ts';
import { endSessions } from '../session/statements.ts';
import type { IdentityStatus, IdentityStatusInput } from './schema.ts';

type Verdict =
  | 'changed'
  | 'same'
  | 'unauthenticated'
  | 'not_fresh'
  | 'self_decision'
  | 'identity_not_found'
  | 'identity_final';

interface Change extends IdentityStatusInput {
  readonly sessionId: string;
  readonly handle: string;
}

/**
 * Suspends an identity, which ends its sessions, or reactivates it. The caller has made sure that the acting identity
 * is an administrator; the batch checks its session. Each change leaves one line in the audit log; a repeat finds
 * the status as it should be, and leaves none. Nobody suspends themselves, so one administrator always remains.
 * @throws AppError unauthenticated, not_fresh, self_decision, identity_not_found, identity_final, in this order
 */
export async function setIdentityStatus(deps: Deps, input: Change): Promise<IdentityStatus> {
  const now = deps.now();
  const { sessionId, handle, status, reason } = input;
  const id = createSecret(deps.randomBytes);
  const changed = isDecided(id, 'changed');
  const { verdicts } = await run(deps.db, {
    change: [
      decide(deps, id, input, now),
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
    verdicts: readVerdict<Verdict>(id),
    drop: [dropDecision(id)],
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'changed' && verdict !== 'same') throw new AppError(verdict);
  if (verdict === 'changed') deps.log.warn('identity.status', { handle, status, by: sessionId });
  return { pid: pidOf(handle), handle, status };
}

function decide(deps: Deps, id: string, { sessionId, handle, status }: Change, now: number): Statement {
  return statement(sql`INSERT INTO decisions (id, verdict, handle)
    SELECT ${id}, CASE
      WHEN s.id IS NULL THEN 'unauthenticated'
      WHEN ${isStale(deps, now)} THEN 'not_fresh'
      WHEN s.handle = ${handle} AND ${status} = 'suspended' THEN 'self_decision'
      WHEN i.handle IS NULL THEN 'identity_not_found'
      WHEN i.status = ${status} THEN 'same'
      WHEN i.status = 'closed' THEN 'identity_final'
      ELSE 'changed' END, s.handle
    FROM settings g LEFT JOIN ${actingSession(sessionId, now)} s ON true
      LEFT JOIN identities i ON i.handle = ${handle}
    WHERE g.id = 1`);
}
