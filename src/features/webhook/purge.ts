import { integer, purgeLimit, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { operator, queuesOf } from './queues.ts';

const keptMs = 30 * 86_400_000;

/**
 * Drops waiting events that nothing will send, because their endpoint or their app's logout URI is gone. A new endpoint
 * opens once those of its predecessor are gone.
 */
export function dropUnsendable(): { events: Statement; logouts: Statement; opened: Statement } {
  // The first condition is about the app alone, so that no event of an app with a receiver is read.
  const drop = (kind: 'events' | 'logouts', receiver: SQL, when = sql`1`) =>
    statement(sql`WITH RECURSIVE ${queuesOf(kind)}
      UPDATE webhook_events SET next_at = NULL WHERE seq IN (SELECT d.seq FROM queues AS q
          JOIN webhook_events d ON d.app_id = q.app_id AND d.next_at IS NOT NULL AND d.type ${kind === 'logouts' ? sql`=` : sql`<>`} 'logout'
        WHERE q.app_id <> ${operator} AND NOT EXISTS (SELECT 1 FROM ${receiver}) AND ${when} LIMIT ${integer(purgeLimit)})
      RETURNING 1 AS gone`);
  return {
    events: drop(
      'events',
      sql`webhooks w WHERE w.app_id = q.app_id AND w.fresh_from IS NULL`,
      sql`NOT EXISTS (SELECT 1 FROM webhooks f WHERE f.app_id = q.app_id AND d.at >= f.fresh_from)`,
    ),
    logouts: drop(
      'logouts',
      sql`apps a WHERE a.id = q.app_id AND a.status <> 'deleted' AND a.backchannel_logout_uri IS NOT NULL`,
    ),
    opened: statement(sql`UPDATE webhooks SET fresh_from = NULL WHERE fresh_from IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM webhook_events d WHERE d.app_id = webhooks.app_id AND d.next_at IS NOT NULL AND d.type <> 'logout'
        AND d.at < webhooks.fresh_from) RETURNING 1 AS opened`),
  };
}

/** Events are stored in chronological order, so only the oldest rows are examined. */
export function purgeWebhookEvents(now: number): Statement {
  return statement(sql`DELETE FROM webhook_events WHERE seq IN
    (SELECT seq FROM (SELECT seq, at FROM webhook_events ORDER BY seq LIMIT ${integer(purgeLimit)})
      WHERE at <= ${now - keptMs}) RETURNING 1 AS gone`);
}
