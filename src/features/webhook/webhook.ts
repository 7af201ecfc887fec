import {
  all,
  only,
  type Row,
  type RowsByName,
  run,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, isoTime } from '../../lib/id.ts';
import { stringList } from '../../lib/present.ts';
import { createSecret } from '../../lib/secret.ts';
import { mayCall } from '../app/address.ts';
import { callingFor } from '../app/calls.ts';
import { appDecision } from '../app/decision.ts';
import { isDecided } from '../identity/decision.ts';
import { actingHandle, actingSessionStatement } from '../session/acting-session.ts';
import { deliverSoon } from './deliver.ts';
import { reviveMissed } from './missed.ts';
import { post } from './post.ts';
import type { TestResult, Webhook, WebhookInput } from './schema.ts';
import { decryptSecret, encryptSecret, isSealedNow, makeSigningSecret } from './secret.ts';
import type { webhooks } from './tables.ts';

type WebhookRow = Row<typeof webhooks>;

/** The webhook `w` of an app of the acting session's identity. */
function ownWebhook(sessionId: string, appId: string, now: number): Statement<WebhookRow> {
  return statement(sql`SELECT w.* FROM webhooks w WHERE w.app_id = ${ownApp(sessionId, appId, now)}`);
}

/** The id of an app of the acting session's identity, or of an app that acts for itself, as a subquery; NULL for any other. */
export function ownApp(sessionId: string | null, appId: string, now: number): SQL {
  if (sessionId === null) return sql`(SELECT id FROM apps WHERE id = ${appId} AND status = 'active')`;
  return sql`(SELECT id FROM apps WHERE id = ${appId} AND owner = ${actingHandle(sessionId, now)}
    AND status <> 'deleted')`;
}

/**
 * Reads whether the session may act and owns the app, for batches that explain a rejection. An app that acts for itself
 * has no session.
 */
export function appOfActor(sessionId: string | null, appId: string, now: number) {
  return {
    acting:
      sessionId === null
        ? statement<{ handle: string }>(sql`SELECT ${appId} AS handle`)
        : actingSessionStatement(sessionId, now),
    app: statement<{ id: string | null; is_suspended: number }>(
      sql`SELECT ${ownApp(sessionId, appId, now)} AS id, ${isSuspended(appId)} AS is_suspended`,
    ),
  };
}

const isSuspended = (appId: string) =>
  sql`EXISTS (SELECT 1 FROM apps WHERE id = ${appId} AND status = 'suspended')`;

/** @throws AppError unauthenticated, app_not_found */
export function requireApp({ acting, app }: RowsByName<ReturnType<typeof appOfActor>>): void {
  if (acting.length === 0) throw new AppError('unauthenticated');
  if (only(app).id === null) throw new AppError('app_not_found');
}

/** @throws AppError unauthenticated, app_not_found, app_suspended */
function requireActiveApp(read: Parameters<typeof requireApp>[0]): void {
  requireApp(read);
  if (only(read.app).is_suspended) throw new AppError('app_suspended');
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    url: row.url,
    events: stringList(row.events),
    status: row.status,
    failingSince: row.failing_since === null ? null : isoTime(row.failing_since),
    updatedAt: isoTime(row.updated_at),
  };
}

interface Owned {
  readonly sessionId: string;
  readonly appId: string;
}

/**
 * Sets an app's endpoint. The response contains the signing secret if it is new: for a new endpoint, and after
 * `rotateSecret`. The previous secret also signs during the overlap. When a disabled endpoint is enabled, the first of
 * its failed and missed events become due, and are delivered after the response; the purge continues. A new endpoint
 * gets no earlier events, even if those of a deleted one are still pending.
 * @throws AppError validation_failed for an address that is not public; unauthenticated, app_not_found, app_suspended,
 *   not_fresh
 */
export async function setWebhook(
  deps: Deps,
  { sessionId, appId, input }: Owned & { readonly input: WebhookInput },
): Promise<Webhook> {
  if (!mayCall(deps, input.url)) throw new AppError('validation_failed', ['url must be a public https URL']);
  const now = deps.now();
  const id = createSecret(deps.randomBytes);
  const secret = makeSigningSecret(deps);
  const sealed = await encryptSecret(deps, appId, secret);
  const decided = isDecided(id, 'change');
  const decision = appDecision(
    deps,
    { id, sessionId, appId, now },
    { done: sql`EXISTS (SELECT 1 FROM webhooks w WHERE w.app_id = a.id AND w.secret_enc = ${sealed})` },
  );
  const { verdicts, set } = await run(deps.db, {
    change: [
      decision.insert,
      upsert(input, { appId, sealed, decided, now }),
      ...(input.enabled === true ? reviveMissed(sql`w.app_id = ${appId} AND ${decided}`, now) : []),
    ],
    verdicts: decision.verdicts,
    set: ownWebhook(sessionId, appId, now),
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'change' && verdict !== 'done') throw new AppError(verdict);
  const row = only(set);
  deps.log.info('webhook.set', { app: appId, status: row.status, sessionId });
  if (input.enabled === true) deliverSoon(deps);
  return { ...toWebhook(row), ...(row.secret_enc === sealed ? { secret } : {}) };
}

interface Upsert {
  readonly appId: string;
  readonly sealed: string;
  readonly decided: SQL;
  readonly now: number;
}

function upsert(
  { url, events, enabled, rotateSecret = false, overlapSeconds }: WebhookInput,
  { appId, sealed, decided, now }: Upsert,
): Statement {
  const types = events ? JSON.stringify(events) : null;
  const status = enabled === undefined ? null : enabled ? 'active' : 'disabled';
  const rotates = sql`${Number(rotateSecret)}`;
  // Past failures are meaningless for an endpoint with another URL. A disabled one must keep the date of its first
  // failure.
  const isEnabled = sql`(status = 'disabled' AND coalesce(${status}, status) = 'active')`;
  const revives = sql`(${Number(enabled === true)} OR (url <> excluded.url AND coalesce(${status}, status) = 'active'))`;
  return statement(sql`INSERT INTO webhooks (app_id, url, events, secret_enc, status, disabled_at, updated_at, fresh_from)
    SELECT ${appId}, ${url}, coalesce(${types}, '["*"]'), ${sealed}, coalesce(${status}, 'active'), iif(${status} = 'disabled', ${now}, NULL), ${now},
      iif(EXISTS (SELECT 1 FROM webhook_events e WHERE e.app_id = ${appId} AND e.next_at IS NOT NULL AND e.type <> 'logout'), ${now}, NULL)
    WHERE ${decided}
    ON CONFLICT (app_id) DO UPDATE SET url = excluded.url, events = coalesce(${types}, events),
      status = coalesce(${status}, status), disabled_at = iif(coalesce(${status}, status) = 'disabled', coalesce(disabled_at, ${now}), NULL),
      updated_at = excluded.updated_at,
      previous_enc = iif(${rotates}, secret_enc, previous_enc),
      previous_until = iif(${rotates}, ${now + overlapSeconds * 1000}, previous_until),
      secret_enc = iif(${rotates}, excluded.secret_enc, secret_enc),
      failures = iif(${revives}, 0, failures), failing_since = iif(${revives}, NULL, failing_since),
      paused_until = iif(${revives}, 0, paused_until),
      missed_from = iif(${isEnabled}, coalesce(missed_from, failing_since, disabled_at, updated_at), missed_from),
      missed_after = iif(${isEnabled}, 0, missed_after)`);
}

/** The endpoint of an app. @throws AppError unauthenticated, app_not_found, webhook_not_found */
export async function getWebhook(deps: Deps, owned: Owned): Promise<Webhook> {
  return toWebhook(await requireWebhook(deps, owned, requireApp));
}

async function requireWebhook(
  deps: Deps,
  { sessionId, appId }: Owned,
  requires: typeof requireApp,
): Promise<WebhookRow> {
  const now = deps.now();
  const {
    own: [row],
    ...read
  } = await run(deps.db, {
    ...appOfActor(sessionId, appId, now),
    own: ownWebhook(sessionId, appId, now),
  });
  requires(read);
  if (!row) throw new AppError('webhook_not_found');
  return row;
}

/**
 * Deletes an app's endpoint; no events wait for it any more. Safe to repeat.
 * @throws AppError unauthenticated, app_not_found, app_suspended
 */
export async function deleteWebhook(deps: Deps, { sessionId, appId }: Owned): Promise<void> {
  const now = deps.now();
  const deletion = statement(sql`DELETE FROM webhooks WHERE app_id = ${ownApp(sessionId, appId, now)}
    AND NOT ${isSuspended(appId)}`);
  requireActiveApp(await run(deps.db, { change: [deletion], ...appOfActor(sessionId, appId, now) }));
  deps.log.info('webhook.deleted', { app: appId, sessionId });
}

/**
 * Immediately sends the event `ping` once, and returns the result.
 * @throws AppError unauthenticated, app_not_found, app_suspended, webhook_not_found, rate_limited
 */
export async function testWebhook(
  deps: Deps,
  owned: Owned & { readonly handle: string },
): Promise<TestResult> {
  const row = await requireWebhook(deps, owned, requireActiveApp);
  const now = deps.now();
  const body = JSON.stringify({ type: 'ping', timestamp: isoTime(now), data: { appId: owned.appId } });
  const id = createId('evt', now, deps.randomBytes);
  const { status, durationMs, error } = await callingFor(deps, owned.handle, () =>
    post(deps, row, { id, body }),
  );
  return { status, durationMs, error };
}

/** The scheduled job: after a change of SECRET_KEY, encrypts signing secrets under the new one. */
export async function resealWebhooks(deps: Deps): Promise<{ resealed: number }> {
  if (deps.config.secretKeys.length === 1) return { resealed: 0 };
  const rows = await all(
    deps.db,
    statement<Pick<WebhookRow, 'app_id' | 'secret_enc' | 'previous_enc'>>(
      sql`SELECT app_id, secret_enc, previous_enc FROM webhooks`,
    ),
  );
  let resealed = 0;
  for (const { app_id: app, secret_enc: current, previous_enc: previous } of rows) {
    const [nextCurrent, nextPrevious] = [await reseal(deps, app, current), await reseal(deps, app, previous)];
    if (nextCurrent === current && nextPrevious === previous) continue;
    await all(
      deps.db,
      statement(sql`UPDATE webhooks SET secret_enc = ${nextCurrent}, previous_enc = ${nextPrevious}
        WHERE app_id = ${app} AND secret_enc = ${current} AND previous_enc IS ${previous}`),
    );
    resealed += 1;
  }
  return { resealed };
}

/** The same secret encrypted under the current key; unchanged if it already is, or if no key decrypts it. */
async function reseal<Sealed extends string | null>(
  deps: Deps,
  app: string,
  sealed: Sealed,
): Promise<string | Sealed> {
  if (sealed === null || (await isSealedNow(deps, app, sealed))) return sealed;
  const secret = await decryptSecret(deps, app, sealed);
  return secret === null ? sealed : encryptSecret(deps, app, secret);
}
