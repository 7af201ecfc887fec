import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What administrators did, and why. Triggers refuse changing or deleting a line. */
export const auditLog = sqliteTable('audit_log', {
  seq: integer().primaryKey(),
  at: integer().notNull(),
  actor: text().notNull(),
  action: text().notNull(),
  target: text().notNull(),
  detail: text().notNull(),
});
