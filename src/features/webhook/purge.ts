import { integer, purgeLimit, type Statement, sql, statement } from '../../db/database.ts';

const keptMs = 30 * 86_400_000;

/** Events are stored in chronological order, so only the oldest rows are examined. */
export function purgeWebhookEvents(now: number): Statement {
  return statement(sql`DELETE FROM webhook_events WHERE seq IN
    (SELECT seq FROM (SELECT seq, at FROM webhook_events ORDER BY seq LIMIT ${integer(purgeLimit)})
      WHERE at <= ${now - keptMs}) RETURNING 1 AS gone`);
}
