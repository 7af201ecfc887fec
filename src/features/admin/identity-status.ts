import { sql } from 'drizzle-orm';
import { statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { actingSessionStatement, freshHandle } from '../session/acting-session.ts';
import type { IdentityStatus, IdentityStatusInput } from './schema.ts';

interface StatusState {
  fresh: number;
  status: 'active' | 'suspended' | 'closed' | null;
}

/**
 * Suspends an identity, which ends its sessions, or lets it in again. The caller has made sure that the acting
 * identity is an administrator; whether its session may act is asked here. The line in the audit log is written by
 * the same batch, under the same condition, before the change; so there is one for each change and none for a
 * repeat.
 * @throws AppError unauthenticated, not_fresh, identity_not_found, identity_final, in this order
 */
export async function setIdentityStatus(
  deps: Deps,
  input: IdentityStatusInput & { sessionId: string; handle: string },
): Promise<IdentityStatus> {
  const now = deps.now();
  const { sessionId, handle, status, reason } = input;
  const acting = freshHandle(deps, sessionId, now);
  const changes = sql`handle = ${handle} AND status NOT IN (${status}, 'closed') AND ${acting} IS NOT NULL`;
  const [, changed, , [live], [state]] = await deps.db.batch([
    statement(sql`INSERT INTO audit_log (at, actor, action, target, detail)
      SELECT ${now}, ${acting}, 'identity.status', handle, json_object('status', ${status}, 'reason', ${reason})
      FROM identities WHERE ${changes}`),
    statement<{ handle: string }>(
      sql`UPDATE identities SET status = ${status} WHERE ${changes} RETURNING handle`,
    ),
    statement(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'suspended'
      WHERE handle = ${handle} AND revoked_at IS NULL
        AND EXISTS (SELECT 1 FROM identities WHERE handle = ${handle} AND status = 'suspended')`),
    actingSessionStatement(sessionId, now),
    statement<StatusState>(sql`SELECT ${acting} IS NOT NULL AS fresh,
      (SELECT status FROM identities WHERE handle = ${handle}) AS status`),
  ]);
  const answer = { pid: pidOf(handle), handle, status };
  if (changed.length > 0) {
    deps.log.warn('identity.status', { handle, status, by: sessionId });
    return answer;
  }
  if (!live) throw new AppError('unauthenticated');
  if (!state?.fresh) throw new AppError('not_fresh');
  if (state.status === null) throw new AppError('identity_not_found');
  if (state.status !== status) throw new AppError('identity_final');
  return answer;
}
