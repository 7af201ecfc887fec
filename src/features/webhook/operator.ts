import { all, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { createId, isoTime } from '../../lib/id.ts';
import { appended, nextTryAt } from './deliver.ts';
import { sendSigned } from './post.ts';
import { operator } from './queues.ts';

const atOnce = 5;
/** The time limit for a delivery, including its writes; a call times out after 15 seconds. */
const leaseMs = 60_000;

interface OperatorEvent {
  readonly type: string;
  readonly data: object;
  readonly when: SQL;
  readonly now: number;
}

/** An event for the operator's receiver (ALARM_WEBHOOK_URL); none is written without one. */
export function operatorEvent(deps: Deps, { type, data, when, now }: OperatorEvent): Statement[] {
  if (deps.config.alarmWebhook === null) return [];
  const id = createId('evt', now, deps.randomBytes);
  return [
    statement(sql`INSERT INTO webhook_events (id, app_id, type, data, at, next_at)
      SELECT ${id}, ${operator}, ${type}, ${JSON.stringify(data)}, ${now}, ${now} WHERE ${when}`),
  ];
}

interface Delivery {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly at: number;
  readonly tries: number;
}

/** The scheduled job: delivers due events to the operator, signed like app webhooks, with the same ten attempts. */
export async function deliverToOperator(deps: Deps): Promise<{ delivered: number; failed: number }> {
  const { alarmWebhook } = deps.config;
  if (alarmWebhook === null) return { delivered: 0, failed: 0 };
  const now = deps.now();
  const due = await all(
    deps.db,
    statement<Delivery>(sql`UPDATE webhook_events SET tries = tries + 1, next_at = ${now + leaseMs}
      WHERE next_at <= ${now} AND seq IN (SELECT e.seq FROM webhook_events e
        WHERE e.app_id = ${operator} AND e.next_at IS NOT NULL AND e.next_at <= ${now} AND e.type <> 'logout'
        ORDER BY e.next_at LIMIT ${sql.raw(String(atOnce))})
      RETURNING seq, id, type, data, at, tries`),
  );
  const taken = await Promise.all(due.map((delivery) => deliverOne(deps, alarmWebhook, delivery)));
  const delivered = taken.filter(Boolean).length;
  return { delivered, failed: due.length - delivered };
}

/** Returns whether the receiver accepted the event. */
async function deliverOne(
  deps: Deps,
  receiver: { readonly url: string; readonly secret: string },
  { seq, id, type, data, at, tries }: Delivery,
): Promise<boolean> {
  const body = `{"type":${JSON.stringify(type)},"timestamp":"${isoTime(at)}","data":${data}}`;
  const result = await sendSigned(deps, { url: receiver.url, secrets: [receiver.secret] }, { id, body });
  const { status, durationMs, error, retryAfter } = result;
  const now = deps.now();
  const isTaken = error === null;
  const nextAt = isTaken ? null : nextTryAt(deps, { tries, retryAfter, now });
  const attempt = JSON.stringify({ at: isoTime(now), status, durationMs, error });
  await run(deps.db, {
    mark: [
      statement(sql`UPDATE webhook_events SET delivered_at = ${isTaken ? now : null}, next_at = ${nextAt},
          log = ${appended(attempt)} WHERE seq = ${seq} AND tries = ${tries} AND delivered_at IS NULL`),
    ],
  });
  const logged = { eventId: id, type, tries, status, error };
  if (isTaken) deps.log.info('alarm.delivered', logged);
  else deps.log.error(nextAt === null ? 'alarm.given_up' : 'alarm.failed', logged);
  return isTaken;
}
