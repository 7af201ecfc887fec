import { sql } from 'drizzle-orm';
import type { Statement } from '../../db/database.ts';
import { deleteExpired } from '../../db/purge.ts';

/** Access tokens may live on for 15 minutes after the session that they belong to. */
const keptMs = 3_600_000;

export function purgeAppSessions(now: number): Statement {
  return deleteExpired(sql`app_sessions`, sql`id`, sql`expires_at`, now - keptMs);
}
