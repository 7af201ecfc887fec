import { deleteExpired, type Statement, sql } from '../../db/database.ts';

/** The time for which revoking a secret again is not an error. */
const keptMs = 30 * 86_400_000;

export function purgeAppSecrets(now: number): Statement {
  return deleteExpired(sql`app_secrets`, sql`hash`, sql`expires_at`, now - keptMs);
}
