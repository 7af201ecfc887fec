import { all, type Database, first, sql, statement } from '../db/database.ts';
import type { KeyValueStore } from '../lib/key-value.ts';

const pageSize = 100;

/**
 * A key-value store in its own libSQL database, created if missing. Keep it on a different volume from the service's
 * database, because the database is rebuilt from this store.
 */
export async function openLibsqlKv(db: Database): Promise<KeyValueStore> {
  const query = statement(
    sql`CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  );
  await all(db, query);
  return {
    async get(key) {
      const row = await first(db, statement<{ value: string }>(sql`SELECT value FROM kv WHERE key = ${key}`));
      return row?.value ?? null;
    },
    async put(key, value) {
      const query = statement(sql`INSERT INTO kv (key, value) VALUES (${key}, ${value})
          ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
      await all(db, query);
    },
    async list(prefix, cursor) {
      const rows = await all(
        db,
        statement<{ key: string; value: string }>(sql`SELECT key, value FROM kv
          WHERE key >= ${prefix} AND key < ${`${prefix}\u{10FFFF}`} AND key > ${cursor ?? ''}
          ORDER BY key LIMIT ${sql.raw(String(pageSize + 1))}`),
      );
      const entries = rows.slice(0, pageSize).map(({ key, value }) => ({ key, value }));
      return { entries, next: rows.length > pageSize ? (entries.at(-1)?.key ?? null) : null };
    },
  };
}
