import { type AnySQLiteColumn, index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The id of another table's row. */
export function ref(to: () => AnySQLiteColumn) {
  return text().notNull().references(to);
}

/** One of several values; `usual` is the default. */
export function oneOf<const Value extends string>(
  values: readonly [Value, ...Value[]],
  usual: NoInfer<Value>,
) {
  return text({ enum: values as [Value, ...Value[]] })
    .notNull()
    .default(usual);
}

/** Token buckets of the rate limit store `database`, which several nodes share. */
export const rateBuckets = sqliteTable(
  'rate_buckets',
  {
    key: text().primaryKey(),
    tokens: real().notNull(),
    at: integer().notNull(),
  },
  (table) => [index('rate_buckets_at').on(table.at)],
);

/** The runner of each scheduled job, and the expiry of its lease. */
export const jobLeases = sqliteTable('job_leases', {
  job: text().primaryKey(),
  holder: text().notNull(),
  until: integer().notNull(),
});
