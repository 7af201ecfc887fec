import { deleteExpired, type Statement, sql } from '../../db/database.ts';

/** For how long a person sees in their export what an app could do for them. */
const keptMs = 90 * 86_400_000;

/** Deletes grants that ended long ago, once no sign-in to the app is left of them. Transfers keep the id alone. */
export function purgeGrants(now: number): Statement {
  const isUnused = sql`NOT EXISTS (SELECT 1 FROM app_sessions s WHERE s.grant_id = grants.id)`;
  return deleteExpired(sql`grants`, sql`id`, sql`revoked_at`, now - keptMs, isUnused);
}
