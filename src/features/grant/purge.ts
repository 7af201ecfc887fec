import { sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import { purgeLimit } from '../../db/purge.ts';

/** For how long a person sees in their export what an app could do for them. */
const keptMs = 90 * 86_400_000;

/** Deletes grants that ended long ago, once no sign-in to the app is left of them. Transfers keep the id alone. */
export function purgeGrants(now: number): Statement {
  return statement(sql`DELETE FROM grants WHERE id IN
    (SELECT id FROM grants g WHERE revoked_at <= ${now - keptMs}
      AND NOT EXISTS (SELECT 1 FROM app_sessions s WHERE s.grant_id = g.id)
      ORDER BY revoked_at LIMIT ${integer(purgeLimit)}) RETURNING 1 AS gone`);
}
