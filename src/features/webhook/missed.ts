import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';

/** How many of an app's events a step reads; this limits what one statement writes. */
const eventsAtOnce = 500;
/** How many apps a step of the purge handles. */
const appsAtOnce = 5;

/** Endpoints `w` that are enabled again and may have missed events. */
const misses = sql`w.missed_from IS NOT NULL AND w.status = 'active'`;

/** The last event of the next step of the endpoint `w`; NULL if it is the last step. */
const lastOfStep = sql`(SELECT n.seq FROM webhook_events n WHERE n.app_id = w.app_id AND n.type <> 'logout'
  AND n.seq > w.missed_after ORDER BY n.seq LIMIT 1 OFFSET ${integer(eventsAtOnce - 1)})`;

/**
 * A step after endpoints were enabled: makes the next events that they missed or that failed due, oldest first. An
 * untried event that already waits stays as it is, so repeated switching writes each event only once.
 * @param where a condition on the endpoint `w`
 */
export function reviveMissed(where: SQL, now: number): [revive: Statement, advance: Statement] {
  return [
    statement(sql`UPDATE webhook_events SET next_at = ${now}, tries = 0 WHERE seq IN (
      SELECT e.seq FROM webhooks w JOIN webhook_events e ON e.app_id = w.app_id AND e.type <> 'logout'
        AND e.seq > w.missed_after AND e.seq <= coalesce(${lastOfStep}, ${integer(Number.MAX_SAFE_INTEGER)})
      WHERE ${misses} AND ${where} AND e.delivered_at IS NULL AND (e.next_at IS NULL OR e.tries > 0)
        AND (e.tries > 0 OR e.at >= w.missed_from)
        AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value IN ('*', e.type)))`),
    statement(sql`UPDATE webhooks AS w SET missed_from = iif(${lastOfStep} IS NULL, NULL, missed_from),
        missed_after = coalesce(${lastOfStep}, 0)
      WHERE ${misses} AND ${where} RETURNING 1 AS stepped`),
  ];
}

/** The same for a few endpoints of different owners, in the purge. */
export function reviveAllMissed(now: number): [revive: Statement, advance: Statement] {
  const few = sql`w.app_id IN (SELECT m.app_id FROM webhooks m JOIN apps a ON a.id = m.app_id
    WHERE m.missed_from IS NOT NULL AND m.status = 'active'
    ORDER BY row_number() OVER (PARTITION BY a.owner ORDER BY m.missed_after), m.missed_after LIMIT ${integer(appsAtOnce)})`;
  return reviveMissed(few, now);
}
