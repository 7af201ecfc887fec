import { deleteExpired, type Statement, sql } from '../../db/database.ts';

export function purgeSessions(now: number): Statement {
  return deleteExpired(sql`sessions`, sql`id`, sql`expires_at`, now);
}
