import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * An identity's activity, newest last. Triggers record sessions and new credentials, so that no code path can forget them.
 */
export const activity = sqliteTable(
  'activity',
  {
    seq: integer().primaryKey(),
    handle: text().notNull(),
    at: integer().notNull(),
    type: text().notNull(),
    session_id: text(),
    credential_id: text(),
    detail: text(),
    /** The decision that wrote the line, so that a repeated batch recognises its own line. */
    decision_id: text(),
  },
  (table) => [
    index('activity_handle').on(table.handle, table.seq),
    uniqueIndex('activity_unlinked_once').on(table.credential_id).where(sql`type = 'credential.unlinked'`),
  ],
);

/** Administrators' actions and their reasons. Triggers reject changes and deletions. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    seq: integer().primaryKey(),
    at: integer().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    target: text().notNull(),
    detail: text().notNull(),
  },
  (table) => [
    index('audit_target').on(table.target),
    index('audit_actor').on(table.actor),
    index('audit_action').on(table.action),
  ],
);
