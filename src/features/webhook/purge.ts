import { integer, purgeLimit, type SQL, type Statement, sql, statement } from '../../db/database.ts';

const keptMs = 30 * 86_400_000;

/**
 * Drops waiting events that nothing will send, because their endpoint or their app's logout URI is gone. Skips through
 * the index by app, as delivery does.
 */
export function dropUnsendable(): { events: Statement; logouts: Statement } {
  const drop = (kind: SQL, receiver: SQL) => {
    const next = sql`SELECT min(e.app_id) AS app_id FROM webhook_events e WHERE e.next_at IS NOT NULL AND e.type ${kind}`;
    return statement(sql`WITH RECURSIVE queues AS (${next}
        UNION ALL SELECT (${next} AND e.app_id > queues.app_id) FROM queues WHERE queues.app_id IS NOT NULL)
      UPDATE webhook_events SET next_at = NULL WHERE seq IN (SELECT d.seq FROM queues AS q
          JOIN webhook_events d ON d.app_id = q.app_id AND d.next_at IS NOT NULL AND d.type ${kind}
        WHERE NOT EXISTS (SELECT 1 FROM ${receiver}) LIMIT ${integer(purgeLimit)})
      RETURNING 1 AS gone`);
  };
  return {
    events: drop(sql`<> 'logout'`, sql`webhooks w WHERE w.app_id = q.app_id`),
    logouts: drop(
      sql`= 'logout'`,
      sql`apps a WHERE a.id = q.app_id AND a.status <> 'deleted' AND a.backchannel_logout_uri IS NOT NULL`,
    ),
  };
}

/** Events are stored in chronological order, so only the oldest rows are examined. */
export function purgeWebhookEvents(now: number): Statement {
  return statement(sql`DELETE FROM webhook_events WHERE seq IN
    (SELECT seq FROM (SELECT seq, at FROM webhook_events ORDER BY seq LIMIT ${integer(purgeLimit)})
      WHERE at <= ${now - keptMs}) RETURNING 1 AS gone`);
}
