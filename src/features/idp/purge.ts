import { deleteExpired, type Statement, sql } from '../../db/database.ts';
import { lastExpiredKey } from './consume-once.ts';

/** The rows are small and have no index, and every DPoP proof adds one. */
const atOnce = 2_500;

export function purgeUsedOnce(now: number): Statement {
  return deleteExpired(sql`used_once`, sql`hash`, sql`hash`, lastExpiredKey(now), undefined, atOnce);
}
