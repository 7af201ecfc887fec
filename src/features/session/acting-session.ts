import { type SQL, sql } from 'drizzle-orm';
import { first, integer, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';

/** The handle of the acting session as a subquery: NULL once the session has ended, so that its batch does nothing. */
export function actingHandle(sessionId: string, now: number): SQL {
  return sql`(SELECT handle FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
}

/** The same, but NULL also when the sign-in is not recent enough for what is about to happen. */
export function freshHandle(deps: Deps, sessionId: string, now: number): SQL {
  return sql`(SELECT handle FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now}
    AND NOT (${isStale(deps, now)}))`;
}

/** Whether the `authenticated_at` of a row lies FRESH_SECONDS or more in the past; 0 turns the rule off. */
export function isStale(deps: Deps, now: number): SQL {
  const freshMs = deps.config.FRESH_SECONDS * 1000;
  return sql`${freshMs} > 0 AND ${integer(now)} - authenticated_at >= ${integer(freshMs)}`;
}

/** Answers one row while the session may act, for batches whose other statements may answer none. */
export function actingSessionStatement(sessionId: string, now: number): Statement<{ handle: string }> {
  return statement(sql`SELECT handle FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now}`);
}

/**
 * Whether the session may begin something that takes a while. What it ends in asks again, in its own batch.
 * @throws AppError unauthenticated, not_fresh
 */
export async function requireFreshSession(deps: Deps, sessionId: string): Promise<void> {
  const now = deps.now();
  const row = await first(
    deps.db,
    statement<{ stale: number }>(sql`SELECT ${isStale(deps, now)} AS stale FROM live_sessions
      WHERE id = ${sessionId} AND expires_at > ${now}`),
  );
  if (row === null) throw new AppError('unauthenticated');
  if (row.stale) throw new AppError('not_fresh');
}
