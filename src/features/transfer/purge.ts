import { deleteExpired, type Statement, sql } from '../../db/database.ts';

/** An unconfirmed inquiry can be read for a day. */
const keptMs = 86_400_000;

export function purgeInquiries(now: number): Statement {
  const isUnpaid = sql`status IN ('open','cancelled') AND held_at IS NULL`;
  return deleteExpired(sql`transfers`, sql`id`, sql`expires_at`, now - keptMs, isUnpaid);
}
