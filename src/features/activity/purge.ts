import { integer, purgeLimit, type Statement, sql, statement } from '../../db/database.ts';

/** Activity is stored in chronological order, so only the oldest rows are examined. */
export function purgeActivity(before: number): Statement {
  return statement(sql`DELETE FROM activity WHERE seq IN
    (SELECT seq FROM (SELECT seq, at FROM activity ORDER BY seq LIMIT ${integer(purgeLimit)})
      WHERE at <= ${before}) RETURNING 1 AS gone`);
}
