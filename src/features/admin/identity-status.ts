import { only, run, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { createSecret } from '../../lib/secret.ts';
import { recordAudit } from '../activity/statements.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { setStatus } from '../identity/statements.ts';
import { actingSession, isStale } from '../session/acting-session.ts';
import { endSessions } from '../session/statements.ts';
import type { IdentityStatus, IdentityStatusInput } from './schema.ts';

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
  const { verdicts } = await run(deps.db, {
    change: [
      decision.decide,
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
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'changed' && verdict !== 'same') throw new AppError(verdict);
  if (verdict === 'changed') deps.log.warn('identity.status', { handle, status, by: sessionId });
  return { pid: pidOf(handle), handle, status };
}
