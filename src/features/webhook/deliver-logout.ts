import { all, integer, type Row, type SQL, sql, statement } from '../../db/database.ts';
import { workOff } from '../../db/due.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { present } from '../../lib/present.ts';
import { claimWithin, createCalls } from '../app/calls.ts';
import type { apps } from '../app/tables.ts';
import { signLogoutToken } from '../signing-key/logout-token.ts';
import { appended, lateMs, nextTryAt } from './deliver.ts';
import { type PostResult, send } from './post.ts';
import { queuesOf } from './queues.ts';
import type { webhookEvents } from './tables.ts';

const atOnce = 5;
const afterResponse = { most: 20, claimsForMs: 5000 };
const ofJob = { most: 500, claimsForMs: 10_000 };
/** The time limit for a delivery, including its writes; a call times out after 15 seconds. */
const leaseMs = 60_000;
/** An app that takes longer than this to respond gets no more tokens in this run. */
const slowMs = 5000;
const appsKnown = 500;
const calls = createCalls(leaseMs);

type Logout = Pick<Row<typeof webhookEvents>, 'seq' | 'id' | 'app_id' | 'data' | 'tries'> &
  Pick<Row<typeof apps>, 'backchannel_logout_uri' | 'id_token_alg'>;

/** Sends pending logout tokens right after a response that revoked a session or a grant; the job sends the rest. */
export function sendLogoutsSoon(deps: Deps): void {
  deps.background(sendLogouts(deps, afterResponse));
}

/**
 * The scheduled job: sends logout tokens (OpenID Connect Back-Channel Logout 1.0) to apps with a
 * `backchannel_logout_uri`. Tokens are sent round-robin, one per app. An app that fails or is slow gets no further turn
 * in this run, and comes after all others in later runs until it takes a token quickly.
 */
export async function sendLogouts(
  deps: Deps,
  { most, claimsForMs } = ofJob,
): Promise<{ sent: number; failed: number }> {
  const until = deps.now() + claimsForMs;
  let waiting: WaitingApps | null = null;
  const { done, failed } = await workOff<Logout>({
    atOnce,
    most,
    claimsAll: false,
    async claim(limit) {
      waiting ??= await dueApps(deps);
      const claimed: Logout[] = [];
      while (claimed.length < limit && deps.now() < until) {
        const { length } = waiting.quick;
        const apps = (length > 0 ? waiting.quick : waiting.late).splice(0, limit - claimed.length);
        if (apps.length === 0) break;
        claimed.push(...(await claimWithin(calls, deps, apps, (few) => claimDue(deps, few))));
      }
      return claimed;
    },
    async handle(logout) {
      const { isTaken, isQuick } = await sendOne(deps, logout).finally(() =>
        calls.leave(deps, logout.app_id),
      );
      if (isTaken && isQuick) waiting?.quick.push(logout.app_id);
      return isTaken;
    },
  });
  return { sent: done, failed };
}

/** The apps with a due token, longest waiting first. */
interface WaitingApps {
  readonly quick: string[];
  /** Apps that failed or were late. Strangers with many accounts can register any number of them. */
  readonly late: string[];
}

/** The apps with a due token, found by skipping through the index. */
async function dueApps(deps: Deps): Promise<WaitingApps> {
  const rows = await all(
    deps.db,
    statement<{ app_id: string; is_late: number }>(sql`WITH RECURSIVE ${queuesOf('logouts')}
      SELECT q.app_id, d.tries > 0 AS is_late
      FROM queues AS q JOIN apps a ON a.id = q.app_id
        JOIN webhook_events d ON d.seq = ${firstDue(sql`q.app_id`, deps.now())}
      ORDER BY is_late, row_number() OVER (PARTITION BY a.owner ORDER BY d.next_at), d.next_at LIMIT ${integer(appsKnown)}`),
  );
  const appsOf = (late: number) =>
    rows.filter(({ is_late: is }) => is === late).map(({ app_id: app }) => app);
  return { quick: appsOf(0), late: appsOf(1) };
}

/** An app's longest-waiting due token. */
function firstDue(app: SQL, now: number): SQL {
  return sql`(SELECT d.seq FROM webhook_events d WHERE d.app_id = ${app} AND d.next_at <= ${now} AND d.type = 'logout'
    ORDER BY d.next_at LIMIT 1)`;
}

/** Claims each app's next token. */
function claimDue(deps: Deps, appIds: readonly string[]): Promise<Logout[]> {
  const now = deps.now();
  return all(
    deps.db,
    statement<Logout>(sql`UPDATE webhook_events SET tries = tries + 1, next_at = ${now + leaseMs}
      WHERE next_at <= ${now} AND seq IN (SELECT ${firstDue(sql`q.value`, now)} FROM json_each(${JSON.stringify(appIds)}) q)
      RETURNING seq, id, app_id, data, tries,
        (SELECT a.backchannel_logout_uri FROM apps a WHERE a.id = webhook_events.app_id) AS backchannel_logout_uri,
        (SELECT a.id_token_alg FROM apps a WHERE a.id = webhook_events.app_id) AS id_token_alg`),
  );
}

async function sendOne(deps: Deps, logout: Logout): Promise<{ isTaken: boolean; isQuick: boolean }> {
  const { app_id: app, id, seq, tries } = logout;
  const { status, durationMs, error, retryAfter } = await postToken(deps, logout);
  const now = deps.now();
  const isTaken = status === 200 || status === 204;
  // 400 means that the app finds the token invalid, so the same token would fail again (section 2.8).
  const isOver = isTaken || status === 400;
  const attempt = JSON.stringify({ at: isoTime(now), status, durationMs, error });
  const nextAt = isOver ? null : nextTryAt(deps, { tries, retryAfter, now });
  const took = durationMs ?? 0;
  await deps.db.batch([
    statement(sql`UPDATE webhook_events SET delivered_at = ${isTaken ? now : null}, next_at = ${nextAt}, log = ${appended(attempt)}
      WHERE seq = ${seq} AND tries = ${tries} AND delivered_at IS NULL AND next_at IS NOT NULL`),
    // The app's next token starts as late, and it alone determines the app's place (`dueApps`).
    ...(isTaken && took < lateMs
      ? []
      : [
          statement(sql`UPDATE webhook_events SET tries = 1 WHERE tries = 0 AND seq =
            (SELECT d.seq FROM webhook_events d WHERE d.app_id = ${app} AND d.next_at IS NOT NULL AND d.type = 'logout'
              ORDER BY d.next_at LIMIT 1)`),
        ]),
  ]);
  const outcome = isTaken ? 'logout.sent' : isOver ? 'logout.refused' : 'logout.failed';
  deps.log[isTaken ? 'info' : 'warn'](outcome, { app, eventId: id, tries, status, error });
  return { isTaken, isQuick: took < slowMs };
}

/** Each attempt has a fresh token with the same `jti`. */
async function postToken(deps: Deps, logout: Logout): Promise<PostResult> {
  const { app_id: appId, id, data, backchannel_logout_uri: url, id_token_alg: alg } = logout;
  const { sub: pid, sid = null } = JSON.parse(data) as { sub: string; sid?: string };
  try {
    const token = await signLogoutToken(deps, { alg, appId, pid, sid, id }, deps.now());
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = String(new URLSearchParams({ logout_token: token }));
    return await send(deps, { url: present(url, 'the address for logout tokens'), headers, body });
  } catch {
    return { status: null, durationMs: null, error: 'the token could not be signed', retryAfter: null };
  }
}
