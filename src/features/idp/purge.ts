import { deleteExpired, type Statement, sql } from '../../db/database.ts';

/** The rows are small and have one index, and every DPoP proof adds one. */
const atOnce = 2_500;

export function purgeUsedOnce(now: number): Statement {
  return deleteExpired(sql`used_once`, sql`hash`, sql`expires_at`, now, undefined, atOnce);
}
