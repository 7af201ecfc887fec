import { integer, only, type Row, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import { createSecret } from '../../lib/secret.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { deliverSoon } from './deliver.ts';
import type { ListedEvent } from './schema.ts';
import type { webhookEvents } from './tables.ts';
import { appOfActor, ownApp, requireApp } from './webhook.ts';

type EventRow = Row<typeof webhookEvents>;

/**
 * The events of an app, newest first.
 * @param sessionId the owner's session; null for the app itself
 * @throws AppError unauthenticated, app_not_found
 */
export async function listEvents(
  deps: Deps,
  { sessionId, appId, page }: { sessionId: string | null; appId: string; page: PageQuery },
): Promise<Page<ListedEvent>> {
  const now = deps.now();
  const own = ownApp(sessionId, appId, now);
  const before = Number(page.cursor ?? Number.MAX_SAFE_INTEGER);
  const { listed, ...read } = await run(deps.db, {
    ...appOfActor(sessionId, appId, now),
    listed:
      statement<EventRow>(sql`SELECT e.* FROM webhook_events e WHERE e.app_id = ${own} AND e.seq < ${before}
      AND e.type <> 'logout' ORDER BY e.seq DESC LIMIT ${integer(page.limit + 1)}`),
  });
  requireApp(read);
  return toPage(listed, page.limit, ({ seq }) => String(seq), toEvent);
}

function toEvent(row: EventRow): ListedEvent {
  return {
    id: row.id,
    type: row.type,
    at: isoTime(row.at),
    data: JSON.parse(row.data),
    state: stateOf(row),
    nextAt: row.next_at === null ? null : isoTime(row.next_at),
    attempts: JSON.parse(row.log),
  };
}

function stateOf(row: EventRow): ListedEvent['state'] {
  if (row.delivered_at !== null) return 'delivered';
  if (row.next_at !== null) return 'waiting';
  return row.tries > 0 ? 'failed' : 'none';
}

/**
 * Delivers an event again, even if it was already delivered.
 * @throws AppError unauthenticated, app_not_found, app_suspended, event_not_found, webhook_disabled, in this
 *   order
 */
export async function redeliverEvent(
  deps: Deps,
  { sessionId, appId, eventId }: { sessionId: string; appId: string; eventId: string },
): Promise<void> {
  const now = deps.now();
  const decision = decisionOf({
    id: createSecret(deps.randomBytes),
    from: sql`LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now}
      LEFT JOIN apps a ON a.id = ${ownApp(sessionId, appId, now)}
      LEFT JOIN webhook_events e ON e.id = ${eventId} AND e.app_id = a.id AND e.type <> 'logout'
      LEFT JOIN webhooks w ON w.app_id = a.id AND w.status = 'active'`,
    requirements: {
      unauthenticated: sql`s.handle IS NOT NULL`,
      app_not_found: sql`a.id IS NOT NULL`,
      app_suspended: sql`a.status = 'active'`,
      event_not_found: sql`e.id IS NOT NULL`,
      webhook_disabled: sql`w.app_id IS NOT NULL`,
    },
    verdict: 'due',
  });
  const { verdicts } = await run(deps.db, {
    insert: decision.insert,
    change: statement(sql`UPDATE webhook_events SET next_at = ${now}, tries = 0, delivered_at = NULL
      WHERE id = ${eventId} AND ${isDecided(decision.id, 'due')}`),
    verdicts: decision.verdicts,
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'due') throw new AppError(verdict);
  deliverSoon(deps);
}
