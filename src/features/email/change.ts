import { sql } from 'drizzle-orm';
import { first, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { actingHandle, freshHandle, isStale } from '../session/acting-session.ts';
import { hashPassword } from './password-hash.ts';
import { requireGoodPassword } from './password-rules.ts';

interface PasswordState {
  handle: string;
  not_fresh: number;
  credential_id: string | null;
  email: string | null;
}

interface ChangeInput {
  readonly sessionId: string;
  readonly password: string;
  readonly client: ClientInfo;
}

/**
 * Replaces the password of the acting session's identity. All its other sessions end, and its addresses are told.
 * The old password is not asked for: the sign-in must be recent instead, by whichever credential.
 * @throws PasswordRefused; AppError unauthenticated, not_fresh, unavailable
 * @throws AppError credential_not_found when the identity has no password
 */
export async function changePassword(
  deps: Deps,
  { sessionId, password, client }: ChangeInput,
): Promise<void> {
  const { handle, credential_id: id, email } = await requireState(deps, sessionId, deps.now());
  if (id === null || email === null) throw new AppError('credential_not_found');
  await requireGoodPassword(deps, password, { email, handle });
  const hash = await hashPassword(deps, password);
  const now = deps.now();
  const fresh = freshHandle(deps, sessionId, now);
  const differs = sql`id = ${id} AND provider = 'email' AND password_hash <> ${hash} AND handle = ${fresh}`;
  const when = sql`EXISTS (SELECT 1 FROM credentials WHERE ${differs})`;
  const changed = sql`EXISTS (SELECT 1 FROM credentials WHERE id = ${id} AND password_hash = ${hash})`;
  const [, , , , , [row]] = await deps.db.batch([
    await noticeStatement(deps, {
      kind: 'password_changed',
      handle: fresh,
      when,
      params: describeClient(client),
      now,
    }),
    statement(sql`INSERT INTO activity (handle, at, type, session_id, credential_id, detail)
      SELECT handle, ${now}, 'password.changed', ${sessionId}, id, 'email' FROM credentials WHERE ${differs}`),
    statement(sql`UPDATE credentials SET password_hash = ${hash} WHERE ${differs}`),
    statement(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'password'
      WHERE handle = ${actingHandle(sessionId, now)} AND revoked_at IS NULL AND id <> ${sessionId} AND ${changed}`),
    statement(sql`DELETE FROM email_codes WHERE purpose = 'reset' AND email = ${email} AND ${changed}`),
    statement<{ changed: number }>(sql`SELECT ${changed} AS changed`),
  ]);
  if (!row?.changed) {
    // The session ended, grew stale or lost its password while the hash was made.
    await requireState(deps, sessionId, now);
    throw new AppError('credential_not_found');
  }
  deps.log.info('password.changed', { handle, sessionId });
  sendSoon(deps);
}

/** @throws AppError unauthenticated, not_fresh */
async function requireState(deps: Deps, sessionId: string, now: number): Promise<PasswordState> {
  const state = await first(
    deps.db,
    statement<PasswordState>(sql`SELECT s.handle, ${isStale(deps, now)} AS not_fresh, c.id AS credential_id, c.email
      FROM live_sessions s LEFT JOIN credentials c ON c.handle = s.handle AND c.provider = 'email'
      WHERE s.id = ${sessionId} AND s.expires_at > ${now}`),
  );
  if (state === null) throw new AppError('unauthenticated');
  if (state.not_fresh) throw new AppError('not_fresh');
  return state;
}
