import { columnsOf, integer, only, type RowOf, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { deviceName } from '../../lib/device.ts';
import { isoTime } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import { createSecret } from '../../lib/secret.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { actingHandle, actingSessionStatement } from './acting-session.ts';
import type { ListedSession } from './schema.ts';
import { endSessions } from './statements.ts';
import type { sessions } from './tables.ts';

const columns = columnsOf<typeof sessions>()('id, provider, created_at, last_seen_at, user_agent, country');

/**
 * Lists the sessions of the acting session's identity, newest sign-in first. A session is listed while it can still be
 * refreshed.
 * @throws AppError unauthenticated
 */
export async function listSessions(
  deps: Deps,
  sessionId: string,
  page: PageQuery,
): Promise<Page<ListedSession>> {
  const now = deps.now();
  const { acting, listed } = await run(deps.db, {
    acting: actingSessionStatement(sessionId, now),
    listed: statement<RowOf<typeof columns>>(sql`SELECT ${columns()} FROM live_sessions
      WHERE handle = ${actingHandle(sessionId, now)} AND id < ${page.cursor ?? '~'}
        AND expires_at > ${now} AND token_expires_at > ${now}
      ORDER BY id DESC LIMIT ${integer(page.limit + 1)}`),
  });
  if (acting.length === 0) throw new AppError('unauthenticated');
  return toPage(
    listed,
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

/**
 * Revokes one session of the acting session's identity, possibly the acting one. Revoking it again changes nothing.
 * @throws AppError unauthenticated, session_not_found
 */
export async function endOwnSession(deps: Deps, input: { sessionId: string; target: string }): Promise<void> {
  const now = deps.now();
  const { sessionId, target } = input;
  const id = createSecret(deps.randomBytes);
  const where = sql`id = ${target} AND ${isDecided(id, 'ended')}`;
  // A retry after a lost response recognises its own effect, even on the acting session.
  const decision = decisionOf({
    id,
    from: sql`LEFT JOIN sessions s ON s.id = ${sessionId}
      LEFT JOIN sessions t ON t.id = ${target} AND t.handle = s.handle`,
    requirements: {
      done: sql`t.revoked_by IS NOT ${id}`,
      unauthenticated: sql`${actingHandle(sessionId, now)} IS NOT NULL`,
      session_not_found: sql`t.id IS NOT NULL`,
      done_before: sql`t.revoked_at IS NULL`,
    },
    verdict: 'ended',
  });
  const { verdicts, ended } = await run(deps.db, {
    insert: decision.insert,
    ended: endSessions({ where, reason: 'ended', by: id, now }),
    verdicts: decision.verdicts,
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict === 'unauthenticated' || verdict === 'session_not_found') throw new AppError(verdict);
  for (const { handle } of ended) {
    deps.log.info('session.ended', { sessionId: target, handle, by: sessionId, reason: 'ended' });
  }
}

/** Revokes every other session of the acting session's identity. @throws AppError unauthenticated */
export async function endOtherSessions(deps: Deps, sessionId: string): Promise<void> {
  const now = deps.now();
  const where = sql`handle = ${actingHandle(sessionId, now)} AND id <> ${sessionId}`;
  const {
    ended,
    acting: [actor],
  } = await run(deps.db, {
    ended: endSessions({ where, reason: 'ended', now }),
    acting: actingSessionStatement(sessionId, now),
  });
  if (!actor) throw new AppError('unauthenticated');
  deps.log.info('sessions.ended', { handle: actor.handle, by: sessionId, count: ended.length });
}
