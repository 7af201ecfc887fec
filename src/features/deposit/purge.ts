import { sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import { purgeLimit } from '../../db/purge.ts';

/** Deposits that nobody paid are kept for half a year; no provider takes money for an order that old. */
const keptMs = 180 * 86_400_000;

export function purgeDeposits(now: number): Statement {
  const isOver = sql`status IN ('expired','failed') AND next_at IS NULL AND payment IS NULL`;
  return statement(sql`DELETE FROM deposits WHERE id IN (SELECT id FROM deposits
      WHERE ${isOver} AND updated_at <= ${now - keptMs} ORDER BY updated_at LIMIT ${integer(purgeLimit)})
      AND ${isOver} RETURNING 1 AS gone`);
}
