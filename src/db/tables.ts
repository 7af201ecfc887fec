import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Token buckets of the rate limit store `database`, for several nodes over one database. */
export const rateBuckets = sqliteTable(
  'rate_buckets',
  {
    key: text().primaryKey(),
    tokens: real().notNull(),
    at: integer().notNull(),
  },
  (table) => [index('rate_buckets_at').on(table.at)],
);

/** Who runs a scheduled job, and until when nobody else may. */
export const jobLeases = sqliteTable('job_leases', {
  job: text().primaryKey(),
  holder: text().notNull(),
  until: integer().notNull(),
});
