import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrationsIn, type Newer, requireOwn } from './migrate.ts';

/** Checking a larger file would delay startup by seconds. */
const mostChecked = 64 << 20;
const lockedMs = 5_000;

/**
 * Checks a database file without changing it, because opening it for the service would set its journal mode.
 * @returns true if the database has all migrations
 * @throws Error for a damaged file, a file that is not a database, another product's database or, unless allowed, a
 *   later version's
 */
export async function requireSound(path: string, migrations: string, newer: Newer): Promise<boolean> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return false;
  const file = new DatabaseSync(path, { readOnly: true, timeout: lockedMs });
  const read = (text: string) => {
    try {
      return file.prepare(text).all() as Record<string, string>[];
    } catch (cause) {
      throw new Error(`DATABASE_URL: ${path} is damaged or not a database`, { cause });
    }
  };
  try {
    const [{ quick_check: found = 'ok' } = {}] = size > mostChecked ? [] : read('PRAGMA quick_check(1)');
    if (found !== 'ok') throw new Error(`DATABASE_URL: ${path} is damaged: ${found}`);
    const names = migrationsIn(migrations);
    const applied = await requireOwn(
      async (text) => read(text).map(({ name = '' }) => ({ name })),
      names,
      newer,
    );
    return names.every((name) => applied.has(name));
  } finally {
    file.close();
  }
}
