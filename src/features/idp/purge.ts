import { deleteExpired, type Statement, sql } from '../../db/database.ts';

export function purgeUsedOnce(now: number): Statement {
  return deleteExpired(sql`used_once`, sql`hash`, sql`expires_at`, now);
}
