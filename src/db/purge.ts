import { type SQL, sql } from 'drizzle-orm';
import { integer, type Statement, statement } from './database.ts';

/** The most rows of a table that one batch deletes. */
export const purgeLimit = 500;

/**
 * Deletes the oldest rows whose `time` has passed, found by its index. Returns a row for each one deleted, the only
 * count that both engines give.
 */
export function deleteExpired(table: SQL, key: SQL, time: SQL, now: number): Statement {
  return statement(sql`DELETE FROM ${table} WHERE (${key}) IN
    (SELECT ${key} FROM ${table} WHERE ${time} <= ${now} ORDER BY ${time} LIMIT ${integer(purgeLimit)})
    RETURNING 1 AS gone`);
}
