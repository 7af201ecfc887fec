import { type SQL, sql } from '../../db/database.ts';

/** In place of an app's id in the operator's events, which go to ALARM_WEBHOOK_URL instead of an endpoint. */
export const operator = 'operator';

/**
 * The apps with waiting events or logout tokens, as the recursive table `queues`. Skipping through the index finds each
 * app in one step, so that no queue has to be read to reach the others. The last row is NULL. Without its name, SQLite
 * would choose the index of all events, and read the delivered ones.
 */
export function queuesOf(kind: 'events' | 'logouts'): SQL {
  const waiting =
    kind === 'events'
      ? sql`webhook_events e INDEXED BY webhook_events_waiting WHERE e.next_at IS NOT NULL AND e.type <> 'logout'`
      : sql`webhook_events e INDEXED BY webhook_events_logout WHERE e.next_at IS NOT NULL AND e.type = 'logout'`;
  return sql`queues AS (SELECT min(e.app_id) AS app_id FROM ${waiting}
    UNION ALL SELECT (SELECT min(e.app_id) FROM ${waiting} AND e.app_id > queues.app_id) FROM queues
      WHERE queues.app_id IS NOT NULL)`;
}
