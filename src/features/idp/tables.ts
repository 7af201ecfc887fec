import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Digests of used single-use values; the primary key lets only one request use each. */
export const usedOnce = sqliteTable(
  'used_once',
  {
    hash: text().primaryKey(),
    expires_at: integer().notNull(),
    /** The request that used the value, if it may repeat its statement. */
    used_by: text(),
  },
  (table) => [index('used_once_expiry').on(table.expires_at)],
);
