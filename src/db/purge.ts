import { integer, type SQL, type Statement, sql, statement } from './database.ts';

/** The most rows of a table that one batch deletes. */
export const purgeLimit = 500;

/**
 * Deletes the oldest rows whose `time` has passed, found by its index. Returns a row for each one deleted, the only
 * count that both engines give.
 * @param when which rows may be deleted at all; every row unless given
 */
export function deleteExpired(table: SQL, key: SQL, time: SQL, now: number, when?: SQL): Statement {
  const also = when ? sql` AND ${when}` : sql``;
  return statement(sql`DELETE FROM ${table} WHERE (${key}) IN
    (SELECT ${key} FROM ${table} WHERE ${time} <= ${now}${also} ORDER BY ${time} LIMIT ${integer(purgeLimit)})${also}
    RETURNING 1 AS gone`);
}
