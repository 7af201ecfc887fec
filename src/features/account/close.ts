import { sql } from 'drizzle-orm';
import { statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { copyToJournal } from '../identity/journal.ts';
import { freshHandle, isStale } from '../session/acting-session.ts';

interface CloseState {
  handle: string | null;
  /** Whether this very request closed it, which its own repeat after a lost answer finds too. */
  done: number;
  not_fresh: number;
  blockers: string;
}

/**
 * Closes the identity of the acting session for good. Credentials, addresses and profile are deleted, sessions
 * end, what they knew of devices is forgotten, and the handle stays behind as a tombstone that nobody is ever
 * given again.
 *
 * The first statement holds the whole rule; the others act only on an identity that is closed, so they change
 * nothing when it refuses. The second one explains a refusal.
 * @throws AppError unauthenticated, wrong_handle, not_fresh, closure_blocked, in this order
 */
export async function closeAccount(deps: Deps, input: { sessionId: string; typed: string }): Promise<void> {
  const now = deps.now();
  const { sessionId, typed } = input;
  const closed = sql`EXISTS (SELECT 1 FROM identities WHERE handle = ${typed} AND status = 'closed')`;
  const [[identity], [state]] = await deps.db.batch([
    statement<{ handle: string }>(sql`UPDATE identities SET status = 'closed', closed_at = ${now}
      WHERE handle = ${typed} AND status = 'active' AND handle = ${freshHandle(deps, sessionId, now)}
        AND NOT EXISTS (SELECT 1 FROM closure_blockers b WHERE b.handle = identities.handle) RETURNING handle`),
    statement<CloseState>(sql`SELECT s.handle, ${isStale(deps, now)} AS not_fresh,
        EXISTS (SELECT 1 FROM sessions o WHERE o.id = ${sessionId} AND o.handle = ${typed}
          AND o.revoked_reason = 'closed' AND o.revoked_at = ${now}) AS done,
        (SELECT json_group_array(reason) FROM closure_blockers b WHERE b.handle = s.handle) AS blockers
      FROM settings g LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now} WHERE g.id = 1`),
    statement(sql`DELETE FROM credentials WHERE handle = ${typed} AND ${closed}`),
    statement(sql`DELETE FROM claim_tickets
      WHERE hash = (SELECT ticket FROM identities WHERE handle = ${typed} AND status = 'closed')`),
    statement(sql`DELETE FROM profiles WHERE handle = ${typed} AND ${closed}`),
    statement(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'closed'
      WHERE handle = ${typed} AND revoked_at IS NULL AND ${closed}`),
    // Ending a session has written its line of activity, so that index finds all of them.
    statement(sql`UPDATE sessions SET user_agent = NULL, address = NULL, country = NULL
      WHERE id IN (SELECT session_id FROM activity WHERE handle = ${typed}) AND ${closed}`),
  ]);
  if (identity || state?.done) {
    deps.log.info('identity.closed', { handle: typed, sessionId });
    copyToJournal(deps, { event: 'closed', handle: typed, at: now });
    return;
  }
  if (!state?.handle) throw new AppError('unauthenticated');
  if (state.handle !== typed) throw new AppError('wrong_handle');
  if (state.not_fresh) throw new AppError('not_fresh');
  // An array would say that validation failed, so several reasons share one text.
  throw new AppError('closure_blocked', (JSON.parse(state.blockers) as string[]).join('; '));
}
