import { all, integer, type Row, run, type SQL, sql, statement } from '../../db/database.ts';
import { pauseAfter, workOff } from '../../db/due.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { claimWithin, createCalls } from '../app/calls.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { post } from './post.ts';
import { queuesOf } from './queues.ts';
import { secretDecrypter } from './secret.ts';
import type { webhookEvents, webhooks } from './tables.ts';

/** Concurrent deliveries; Workers allow six connections. */
const atOnce = 5;
/** The time limit for a delivery, including its writes; a call times out after 15 seconds. */
const leaseMs = 60_000;
/**
 * A Worker has 30 seconds after a response, so a run claims nothing that could take longer. These runs share a limit on
 * calls, and the job delivers the rest.
 */
const afterResponse = { most: 20, claimsForMs: 10_000, calls: createCalls(leaseMs) };
/** A run ends before the next one starts, so that slow receivers do not delay other jobs. */
const ofJob = { most: 500, claimsForMs: 45_000, calls: createCalls(leaseMs) };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The delays after the first nine attempts; the tenth is the last. */
const schedule = [1, 5, 30, 120, 300, 600, 840, 1200, 1440].map((minutes) => minutes * minuteMs);
const longestRetryAfterMs = 24 * hourMs;
const firstPauseMs = 5000;
/** An endpoint without a success for this long is disabled. */
const givenUpMs = 72 * hourMs;
/** An app whose response took this long comes after all others until it is fast again. */
export const lateMs = 1000;
/** A response that took this long pauses the queue for ten times as long, so that a slow receiver uses few slots. */
const slowMs = 5000;
/** How many apps a claim considers; this limits the rows that it reads. */
const appsAtOnce = 50;
/** The maximum number of apps that a run finds at once; there is no time for more. */
const appsKnown = 500;

/** A pending event, with the endpoint details that its delivery needs. */
type Delivery = Pick<Row<typeof webhookEvents>, 'seq' | 'id' | 'app_id' | 'type' | 'data' | 'at' | 'tries'> &
  Pick<
    Row<typeof webhooks>,
    'url' | 'secret_enc' | 'previous_enc' | 'previous_until' | 'failures' | 'updated_at'
  >;

/** Delivers pending events right after the response that caused them; the job delivers the rest. */
export function deliverSoon(deps: Deps): void {
  deps.background(deliver(deps, afterResponse));
}

/** The scheduled job. */
export async function deliverEvents(deps: Deps): Promise<{ delivered: number; failed: number }> {
  return deliver(deps, ofJob);
}

async function deliver(
  deps: Deps,
  { most, claimsForMs, calls }: typeof ofJob,
): Promise<{ delivered: number; failed: number }> {
  const until = deps.now() + claimsForMs;
  const running = new Set<Delivery>();
  const decryptSecret = secretDecrypter(deps);
  /** Apps with due events at the run's last check, minus those with nothing left. */
  let apps: string[] = [];
  /** Goes through the apps once, giving each a turn, and looks for more when nothing is left. */
  async function claim(limit: number): Promise<Delivery[]> {
    if (deps.now() >= until) return [];
    const isFresh = apps.length === 0;
    if (isFresh) apps = await dueApps(deps);
    const claimed: Delivery[] = [];
    for (let left = apps.length; left > 0 && claimed.length < limit; left -= appsAtOnce) {
      const asked = apps.splice(0, Math.min(left, appsAtOnce));
      const places = limit - claimed.length;
      const twice = asked.flatMap((app) => [app, app]);
      const rows = await claimWithin(calls, deps, twice, (apps) =>
        claimDue(deps, { limit: places, running, apps }),
      );
      claimed.push(...rows);
      const isServed = (app: string) => rows.some((row) => row.app_id === app);
      if (rows.length === places) apps.unshift(...asked.filter((app) => !isServed(app)));
      apps.push(...asked.filter(isServed));
    }
    return claimed.length === 0 && !isFresh ? claim(limit) : claimed;
  }
  const { done, failed } = await workOff<Delivery>({
    atOnce,
    most,
    claimsAll: false,
    claim,
    handle: (delivery) => {
      running.add(delivery);
      return deliverOne(deps, delivery, decryptSecret).finally(() => {
        running.delete(delivery);
        calls.leave(deps, delivery.app_id);
      });
    },
  });
  return { delivered: done, failed };
}

/**
 * The apps with due events, longest waiting first. Apps that failed or were late come last, because strangers can
 * register any number of them. Skipping through the index finds each app in one step, so that a failing app's queue
 * never has to be read to reach the others.
 */
async function dueApps(deps: Deps): Promise<string[]> {
  const now = deps.now();
  const rows = await all(
    deps.db,
    statement<{ app_id: string }>(sql`WITH RECURSIVE ${queuesOf('events')}
      SELECT q.app_id, ${dueOf('next_at', now, 0)} AS due FROM queues AS q
      JOIN webhooks w ON w.app_id = q.app_id AND ${isOpen(now)}
      JOIN apps a ON a.id = q.app_id
      WHERE due IS NOT NULL ORDER BY w.failures > 0 OR w.paused_until > 0, row_number() OVER (PARTITION BY a.owner ORDER BY due), due
      LIMIT ${integer(appsKnown)}`),
  );
  return rows.map(({ app_id: app }) => app);
}

/** True if the endpoint `w` gets events now. */
function isOpen(now: number): SQL {
  return sql`w.status = 'active' AND w.paused_until <= ${now} AND w.fresh_from IS NULL`;
}

interface Claim {
  readonly limit: number;
  readonly running: ReadonlySet<Delivery>;
  /** Each app as often as it may be called now, at most twice. */
  readonly apps: readonly string[];
}

/**
 * Claims due events of these apps: two per app, or one while it fails or is slow. Apps with no delivery in progress
 * come first, so that a long queue does not take every slot.
 */
function claimDue(deps: Deps, { limit, running, apps }: Claim): Promise<Delivery[]> {
  const now = deps.now();
  const isBusy = sql`q.app_id IN (SELECT value FROM json_each(${JSON.stringify([...running].map(({ app_id: app }) => app))}))`;
  const isFast = sql`w.failures = 0 AND w.paused_until = 0`;
  const of = (column: string) =>
    sql`(SELECT w.${sql.raw(column)} FROM webhooks w WHERE w.app_id = webhook_events.app_id) AS ${sql.raw(column)}`;
  return all(
    deps.db,
    statement<Delivery>(sql`WITH queues AS (SELECT min(key) AS turn, value AS app_id, count(*) AS places
        FROM json_each(${JSON.stringify(apps)}) GROUP BY value)
      UPDATE webhook_events SET tries = tries + 1, next_at = ${now + leaseMs}
      WHERE next_at <= ${now} AND seq IN (
        SELECT e.seq FROM queues AS q
          JOIN webhooks w ON w.app_id = q.app_id AND ${isOpen(now)}
            AND (${isFast} OR NOT ${isBusy})
          JOIN webhook_events e ON e.seq IN (${dueOf('seq', now, 0)}, iif(${isFast} AND q.places > 1, ${dueOf('seq', now, 1)}, NULL))
        ORDER BY ${isBusy}, q.turn, e.next_at LIMIT ${integer(limit)})
      RETURNING seq, id, app_id, type, data, at, tries, ${of('url')}, ${of('secret_enc')}, ${of('previous_enc')},
        ${of('previous_until')}, ${of('failures')}, ${of('updated_at')}`),
  );
}

/** A column of the first or second due event of the queue `q`. */
function dueOf(column: 'seq' | 'next_at', now: number, offset: 0 | 1): SQL {
  return sql`(SELECT d.${sql.raw(column)} FROM webhook_events d
    WHERE d.app_id = q.app_id AND d.next_at <= ${now} AND d.type <> 'logout'
    ORDER BY d.next_at LIMIT 1 OFFSET ${sql.raw(String(offset))})`;
}

/** Returns whether the receiver accepted the event. */
async function deliverOne(
  deps: Deps,
  delivery: Delivery,
  decryptSecret: ReturnType<typeof secretDecrypter>,
): Promise<boolean> {
  const { app_id: app, id, type, data, at, tries } = delivery;
  const body = `{"type":${JSON.stringify(type)},"timestamp":"${isoTime(at)}","data":${data}}`;
  const result = await post(deps, delivery, { id, body }, decryptSecret);
  const attempt = JSON.stringify({
    at: isoTime(deps.now()),
    status: result.status,
    durationMs: result.durationMs,
    error: result.error,
  });
  const logged = { app, eventId: id, type, tries, status: result.status, error: result.error };
  if (result.error === null) {
    await markDelivered(deps, delivery, { attempt, durationMs: result.durationMs ?? 0 });
    deps.log.info('webhook.delivered', logged);
    return true;
  }
  await markFailed(deps, delivery, { attempt, isGone: result.status === 410, retryAfter: result.retryAfter });
  deps.log.warn('webhook.failed', logged);
  return false;
}

/** The log of an event with another attempt, a JSON object. */
export const appended = (
  attempt: string,
): SQL => sql`json_insert(iif(json_array_length(log) < 10, log, json_remove(log, '$[0]')),
  '$[#]', json(${attempt}))`;

/** True if the endpoint is unchanged since the claim. After a change, the outcome is meaningless for it. */
function isUnchanged({ app_id: app, url, updated_at: at }: Delivery): SQL {
  return sql`app_id = ${app} AND url = ${url} AND updated_at = ${at}`;
}

/** The sender that delivered the event marks it, even if another sender has since claimed it. */
async function markDelivered(
  deps: Deps,
  delivery: Delivery,
  { attempt, durationMs }: { attempt: string; durationMs: number },
): Promise<void> {
  const now = deps.now();
  const pausedUntil = durationMs < lateMs ? 0 : now + (durationMs < slowMs ? 0 : 10 * durationMs);
  await run(deps.db, {
    mark: [
      statement(sql`UPDATE webhook_events SET delivered_at = ${now}, next_at = NULL, log = ${appended(attempt)}
        WHERE seq = ${delivery.seq} AND delivered_at IS NULL`),
      statement(sql`UPDATE webhooks SET failures = 0, failing_since = NULL, paused_until = ${pausedUntil}
        WHERE ${isUnchanged(delivery)} AND (failures > 0 OR paused_until <> ${pausedUntil})`),
    ],
  });
}

/**
 * Reschedules the event, unless this was the last attempt, and pauses the app's queue. A receiver that is gone, or has
 * failed for three days, is disabled, and its owner is notified by email.
 */
async function markFailed(
  deps: Deps,
  delivery: Delivery,
  { attempt, isGone, retryAfter }: { attempt: string; isGone: boolean; retryAfter: string | null },
): Promise<void> {
  const { seq, app_id: app, tries, failures } = delivery;
  const now = deps.now();
  const nextAt = nextTryAt(deps, { tries, retryAfter, now });
  const pausedUntil = now + pauseAfter(failures + 1, firstPauseMs, hourMs);
  const givesUp = sql`status = 'active' AND (${Number(isGone)} OR failing_since <= ${now - givenUpMs})`;
  await run(deps.db, {
    mark: [
      statement(sql`UPDATE webhook_events SET next_at = ${nextAt}, log = ${appended(attempt)}
        WHERE seq = ${seq} AND tries = ${tries} AND delivered_at IS NULL`),
      await noticeStatement(deps, {
        kind: 'webhook_disabled',
        handle: sql`SELECT owner FROM apps WHERE id = ${app}`,
        when: sql`EXISTS (SELECT 1 FROM webhooks WHERE ${isUnchanged(delivery)} AND ${givesUp})`,
        params: { app },
        now,
      }),
      statement(sql`UPDATE webhooks SET status = iif(${givesUp}, 'disabled', status),
        disabled_at = iif(${givesUp}, ${now}, disabled_at), failures = failures + 1,
        failing_since = coalesce(failing_since, ${now}), paused_until = ${pausedUntil} WHERE ${isUnchanged(delivery)}`),
    ],
  });
  if (isGone || failures > 0) sendSoon(deps);
}

/** Returns the time of the next attempt after a failed one; null after the last. */
export function nextTryAt(
  deps: Deps,
  { tries, retryAfter, now }: { tries: number; retryAfter: string | null; now: number },
): number | null {
  const wait = schedule[tries - 1];
  return wait === undefined ? null : now + Math.max(jittered(deps, wait), retryAfterMs(retryAfter, now));
}

/** Varies the delay by up to a fifth, so that events that failed together are not retried together. */
function jittered(deps: Deps, milliseconds: number): number {
  const [byte = 128] = deps.randomBytes(1);
  return Math.round(milliseconds * (0.8 + (0.4 * byte) / 255));
}

/**
 * The Retry-After of a response (RFC 9110 section 10.2.3), in milliseconds: a number of seconds or a date, at most a
 * day.
 */
function retryAfterMs(text: string | null, now: number): number {
  if (text === null) return 0;
  const asked = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Math.min(Math.max(asked || 0, 0), longestRetryAfterMs);
}
