import { deleteExpired, type Statement, sql } from '../../db/database.ts';

/** Unpaid deposits are kept for half a year; no provider accepts a payment for an order of this age. */
const keptMs = 180 * 86_400_000;

export function purgeDeposits(now: number): Statement {
  const isOver = sql`status IN ('expired','failed') AND next_at IS NULL AND payment IS NULL`;
  return deleteExpired(sql`deposits`, sql`id`, sql`updated_at`, now - keptMs, isOver);
}
