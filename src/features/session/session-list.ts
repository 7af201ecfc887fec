import { sql } from 'drizzle-orm';
import { integer, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { deviceName } from '../../lib/device.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import { isoTime } from '../../lib/time.ts';
import { actingHandle, actingSessionStatement } from './acting-session.ts';
import type { ListedSession } from './schema.ts';

interface ListedRow {
  id: string;
  provider: string;
  created_at: number;
  last_seen_at: number;
  user_agent: string | null;
  country: string | null;
}

/**
 * Where the acting session's identity is signed in, the newest sign-in first. A session counts while it can
 * still be refreshed.
 * @throws AppError unauthenticated
 */
export async function listSessions(
  deps: Deps,
  sessionId: string,
  page: PageQuery,
): Promise<Page<ListedSession>> {
  const now = deps.now();
  const [[actor], rows] = await deps.db.batch([
    actingSessionStatement(sessionId, now),
    statement<ListedRow>(sql`SELECT id, provider, created_at, last_seen_at, user_agent, country FROM live_sessions
      WHERE handle = ${actingHandle(sessionId, now)} AND id < ${page.cursor ?? '~'}
        AND expires_at > ${now} AND token_expires_at > ${now}
      ORDER BY id DESC LIMIT ${integer(page.limit + 1)}`),
  ]);
  if (!actor) throw new AppError('unauthenticated');
  return toPage(
    rows,
    page.limit,
    (row) => row.id,
    (row) => ({
      id: row.id,
      provider: row.provider,
      device: deviceName(row.user_agent),
      country: row.country,
      createdAt: isoTime(row.created_at),
      lastUsedAt: isoTime(row.last_seen_at),
      current: row.id === sessionId,
    }),
  );
}

interface EndState {
  live: number;
  own: number;
  /** Whether this very request ended it: the acting session may have ended itself. */
  done: number;
}

/**
 * Ends one session of the acting session's identity; it may be the acting one. Ending one that has ended
 * before changes nothing.
 * @throws AppError unauthenticated, session_not_found
 */
export async function endOwnSession(deps: Deps, input: { sessionId: string; target: string }): Promise<void> {
  const now = deps.now();
  const { sessionId, target } = input;
  const [ended, [state]] = await deps.db.batch([
    statement<{ handle: string }>(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'ended'
      WHERE id = ${target} AND revoked_at IS NULL AND handle = ${actingHandle(sessionId, now)} RETURNING handle`),
    statement<EndState>(sql`SELECT EXISTS (SELECT 1 FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now}) AS live,
      t.id IS NOT NULL AS own, t.revoked_reason = 'ended' AND t.revoked_at = ${now} AS done
      FROM settings g LEFT JOIN sessions s ON s.id = ${sessionId}
        LEFT JOIN sessions t ON t.id = ${target} AND t.handle = s.handle WHERE g.id = 1`),
  ]);
  for (const { handle } of ended) {
    deps.log.info('session.ended', { sessionId: target, handle, by: sessionId, reason: 'ended' });
  }
  if (state?.done) return;
  if (!state?.live) throw new AppError('unauthenticated');
  if (!state.own) throw new AppError('session_not_found');
}

/** Ends every session of the acting session's identity but the acting one. @throws AppError unauthenticated */
export async function endOtherSessions(deps: Deps, sessionId: string): Promise<void> {
  const now = deps.now();
  const [ended, [actor]] = await deps.db.batch([
    statement<{ id: string }>(sql`UPDATE sessions SET revoked_at = ${now}, revoked_reason = 'ended'
      WHERE handle = ${actingHandle(sessionId, now)} AND revoked_at IS NULL AND id <> ${sessionId} RETURNING id`),
    actingSessionStatement(sessionId, now),
  ]);
  if (!actor) throw new AppError('unauthenticated');
  deps.log.info('sessions.ended', { handle: actor.handle, by: sessionId, count: ended.length });
}
