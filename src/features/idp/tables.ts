import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Used single-use values; the primary key lets only one request use each. */
export const usedOnce = sqliteTable('used_once', {
  /** The expiry as 13 digits, then the digest. */
  hash: text().primaryKey(),
  expires_at: integer().notNull(),
  /** The request that used the value, if it may repeat its statement. */
  used_by: text(),
});
