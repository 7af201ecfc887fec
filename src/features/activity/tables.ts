import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What happened to an identity, newest last. Sessions and new credentials are written by triggers, so that no path can forget them. */
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
  },
  (table) => [index('activity_handle').on(table.handle, table.seq)],
);

/** Administrators' actions and their reasons. Triggers refuse to change or delete a row. */
export const auditLog = sqliteTable('audit_log', {
  seq: integer().primaryKey(),
  at: integer().notNull(),
  actor: text().notNull(),
  action: text().notNull(),
  target: text().notNull(),
  detail: text().notNull(),
});
