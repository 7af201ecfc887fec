import { deleteExpired, type Statement, sql } from '../../db/database.ts';

/** Revoked grants stay in a person's export for this time. */
const keptMs = 90 * 86_400_000;

/** Deletes grants that ended long ago and have no sign-ins left. Transfers keep only the id. */
export function purgeGrants(now: number): Statement {
  const isUnused = sql`NOT EXISTS (SELECT 1 FROM app_sessions s WHERE s.grant_id = grants.id)`;
  return deleteExpired(sql`grants`, sql`id`, sql`revoked_at`, now - keptMs, isUnused);
}
