import { deleteExpired, type Statement, sql } from '../../db/database.ts';

export function purgePasskeyChallenges(now: number): Statement {
  return deleteExpired(sql`passkey_challenges`, sql`hash`, sql`expires_at`, now);
}
