import { type SQL, sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { deviceName } from '../../lib/device.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import { isoTime } from '../../lib/time.ts';
import type { ActivityEntry } from './schema.ts';

export interface ActivityRow {
  seq: number;
  at: number;
  type: string;
  provider: string | null;
  detail: string | null;
  user_agent: string | null;
  country: string | null;
}

/** Reads the newest lines of the handle that a subquery answers, those before `seq` only. */
export function activityStatement(handle: SQL, seq: number, limit: number): Statement<ActivityRow> {
  return statement(sql`SELECT v.seq, v.at, v.type, v.detail, s.provider, s.user_agent, s.country
    FROM activity v LEFT JOIN sessions s ON s.id = v.session_id
    WHERE v.handle = ${handle} AND v.seq < ${seq} ORDER BY v.seq DESC LIMIT ${integer(limit)}`);
}

/** A line as its owner reads it. `detail` is the reason of an end, and the provider of everything else. */
export function toActivityEntry(row: ActivityRow): ActivityEntry {
  const ended = row.type === 'session.ended';
  return {
    type: row.type,
    at: isoTime(row.at),
    provider: ended ? row.provider : row.detail,
    reason: ended ? row.detail : null,
    device: deviceName(row.user_agent),
    country: row.country,
  };
}

/** What happened to the acting session's identity, the newest first. @throws AppError unauthenticated */
export async function listActivity(
  deps: Deps,
  sessionId: string,
  page: PageQuery,
): Promise<Page<ActivityEntry>> {
  const now = deps.now();
  const actor = sql`(SELECT handle FROM live_sessions WHERE id = ${sessionId} AND expires_at > ${now})`;
  const [[acting], rows] = await deps.db.batch([
    statement<{ handle: string | null }>(sql`SELECT ${actor} AS handle`),
    activityStatement(actor, Number(page.cursor ?? Number.MAX_SAFE_INTEGER), page.limit + 1),
  ]);
  if (!acting?.handle) throw new AppError('unauthenticated');
  return toPage(rows, page.limit, (row) => String(row.seq), toActivityEntry);
}
