import { deleteExpired, type Statement, sql } from '../../db/database.ts';

/** A revoked sign-in and the reason stay in the person's export for this time. */
const keptAfterEndMs = 7 * 86_400_000;
/** Access tokens may outlive their session by 15 minutes. */
const keptMs = 3_600_000;

export function purgeAppSessions(now: number): Statement {
  return deleteExpired(sql`app_sessions`, sql`id`, sql`expires_at`, now - keptMs);
}

export function purgeEndedAppSessions(now: number): Statement {
  return deleteExpired(sql`app_sessions`, sql`id`, sql`revoked_at`, now - keptAfterEndMs);
}
