import { sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';
import { record } from '../activity/statements.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { endSessions } from '../session/statements.ts';
import { changeAtDesk, type DeskActor, type Reasoned } from './desk.ts';

interface Help extends Reasoned {
  readonly handle: string;
}

const ofPerson = (handle: string) => sql`${handle} AS handle, NULL AS credential_id, NULL AS detail`;

/**
 * Revokes one session of a person, or all of them. The person's activity shows who revoked it.
 * @throws AppError unauthenticated, not_fresh, identity_not_found, session_not_found
 */
export async function endSessionsOf(
  deps: Deps,
  actor: DeskActor,
  { handle, id = null, reason }: Help & { readonly id?: string | null | undefined },
): Promise<{ pid: string; liveSessions: number }> {
  const named = sql`handle = ${handle} AND id = coalesce(${id}, id)`;
  const row = await changeAtDesk(deps, actor, {
    action: 'sessions.revoke',
    target: handle,
    detail: id === null ? {} : { session: id },
    reason,
    from: sql`LEFT JOIN identities i ON i.handle = ${handle}`,
    requirements: {
      identity_not_found: sql`i.handle IS NOT NULL`,
      session_not_found: sql`${id} IS NULL OR EXISTS (SELECT 1 FROM sessions WHERE ${named})`,
      same: sql`EXISTS (SELECT 1 FROM sessions WHERE ${named} AND revoked_at IS NULL)`,
    },
    change: ({ when, now }) => [
      record({
        type: 'support.ended_sessions',
        sessionId: null,
        rows: sql`SELECT ${ofPerson(handle)} WHERE ${when}`,
        now,
      }),
      endSessions({ where: sql`${named} AND ${when}`, reason: 'ended', now }),
    ],
    read: ({ now }) =>
      statement<{ live: number }>(sql`SELECT count(*) AS live FROM live_sessions
        WHERE handle = ${handle} AND expires_at > ${now}`),
  });
  return { pid: pidOf(handle), liveSessions: row.live };
}

/**
 * Emails a person a link to the page where they can request a password reset code. A code works only in the browser
 * that requested it, so no administrator can use one.
 * @throws AppError unauthenticated, not_fresh, identity_not_found, no_password, identity_suspended
 */
export async function sendRecovery(
  deps: Deps,
  actor: DeskActor,
  { handle, reason }: Help,
): Promise<{ pid: string; addresses: number }> {
  const row = await changeAtDesk(deps, actor, {
    action: 'recovery.sent',
    target: handle,
    detail: {},
    reason,
    from: sql`LEFT JOIN identities i ON i.handle = ${handle}
      LEFT JOIN credentials k ON k.handle = i.handle AND k.provider = 'email'`,
    requirements: {
      identity_not_found: sql`i.handle IS NOT NULL`,
      no_password: sql`k.id IS NOT NULL`,
      identity_suspended: sql`i.status = 'active'`,
    },
    change: async ({ when, now }) => [
      record({
        type: 'support.sent_recovery',
        sessionId: null,
        rows: sql`SELECT ${ofPerson(handle)} WHERE ${when}`,
        now,
      }),
      await noticeStatement(deps, {
        kind: 'recovery',
        handle: sql`${handle}`,
        when,
        params: { pid: pidOf(handle) },
        now,
      }),
    ],
    read: () =>
      statement<{ addresses: number }>(
        sql`SELECT count(*) AS addresses FROM emails WHERE handle = ${handle}`,
      ),
  });
  sendSoon(deps);
  return { pid: pidOf(handle), ...row };
}
