import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { oneOf } from '../../db/tables.ts';
import { apps } from '../app/tables.ts';

/** An app's event destination. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    app_id: text()
      .primaryKey()
      .references(() => apps.id),
    url: text().notNull(),
    /** The subscribed types, as a JSON array; `*` means all. */
    events: text().notNull().default('["*"]'),
    /**
     * Signing secrets are encrypted, not hashed, because they must be readable. After a rotation, the previous one also signs for a while.
     */
    secret_enc: text().notNull(),
    previous_enc: text(),
    previous_until: integer(),
    status: oneOf(['active', 'disabled'], 'active'),
    /** The number of failures since the last success; each pauses the app's queue for longer. */
    failures: integer().notNull().default(0),
    failing_since: integer(),
    paused_until: integer().notNull().default(0),
    /** When it was disabled; later events become due when it is enabled again. */
    disabled_at: integer(),
    /** Set from enabling until the missed events are due: from this time on, an event that waited for nothing was missed. */
    missed_from: integer(),
    /** The `seq` of the last event that was checked for this. */
    missed_after: integer().notNull().default(0),
    updated_at: integer().notNull(),
    /**
     * Set for an endpoint that follows a deleted one whose events still wait: nothing is delivered until the purge has
     * dropped those from before this time.
     */
    fresh_from: integer(),
  },
  (table) => [
    index('webhooks_fresh').on(table.app_id).where(sql`fresh_from IS NOT NULL`),
    index('webhooks_missed').on(table.app_id).where(sql`missed_from IS NOT NULL`),
    check('webhook_status', sql`status IN ('active','disabled')`),
    check('webhook_previous', sql`(previous_enc IS NULL) = (previous_until IS NULL)`),
    check('webhook_failing', sql`(failing_since IS NULL) = (failures = 0)`),
  ],
);

/**
 * The outbox, written by the triggers of the reported changes; `next_at` is set while the event waits for delivery.
 * Logout tokens also wait here, as the type `logout`; they need no endpoint and are not app events.
 */
export const webhookEvents = sqliteTable(
  'webhook_events',
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    app_id: text().notNull(),
    type: text().notNull(),
    data: text().notNull(),
    at: integer().notNull(),
    next_at: integer(),
    tries: integer().notNull().default(0),
    delivered_at: integer(),
    /** The last ten attempts, as a JSON array. */
    log: text().notNull().default('[]'),
  },
  (table) => [
    index('webhook_events_app').on(table.app_id, table.seq).where(sql`type <> 'logout'`),
    index('webhook_events_waiting')
      .on(table.app_id, table.next_at)
      .where(sql`next_at IS NOT NULL AND type <> 'logout'`),
    index('webhook_events_logout')
      .on(table.app_id, table.next_at)
      .where(sql`next_at IS NOT NULL AND type = 'logout'`),
    check('event_delivered_once', sql`delivered_at IS NULL OR next_at IS NULL`),
  ],
);
