import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { all, type Database, type Statement, type Value } from '../../db/database.ts';

interface Named {
  readonly name: string;
}

/** How to treat a database migrated by a later version. */
export type Newer = 'refuse' | 'allow';

/** The table in which `wrangler d1 migrations` records migrations, also used in libSQL databases. */
const books = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/**
 * Applies the missing migrations, each in one transaction that also records its name. A crash leaves a migration
 * applied or untouched, and of two nodes that start simultaneously one applies it and the other finds the name taken.
 * @param newer whether a database migrated by a later version is an error
 * @returns the names of the migrations applied by this call
 * @throws Error before anything is written, for a later version's database or another product's
 */
export async function migrate(db: Database, folder: string, newer: Newer = 'refuse'): Promise<string[]> {
  const names = migrationsIn(folder);
  const known = await requireOwn(async (text) => all<Named>(db, run(text)), names, newer);
  await db.batch([run(books)]);
  const applied: string[] = [];
  for (const name of names.filter((each) => !known.has(each))) {
    const statements = readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint');
    if (await apply(db, name, statements)) applied.push(name);
  }
  return applied;
}

/** Returns the names of a folder's migrations, in their order. */
export function migrationsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** All tables but those of SQLite and D1. */
const tables = `SELECT name FROM sqlite_schema WHERE type = 'table'
  AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_'`;

/**
 * Reads which migrations a database has.
 * @throws Error unless they are this version's, or there are no tables yet
 */
export async function requireOwn(
  read: (text: string) => Promise<readonly Named[]>,
  names: readonly string[],
  newer: Newer,
): Promise<ReadonlySet<string>> {
  const found = (await read(tables)).map(({ name }) => name);
  const hasBooks = found.includes('d1_migrations');
  const applied = hasBooks ? (await read('SELECT name FROM d1_migrations')).map(({ name }) => name) : [];
  if (found.length > (hasBooks ? 1 : 0) && !applied.includes(names[0] ?? ''))
    throw new Error('DATABASE_URL: the database belongs to another product; nothing was written to it');
  const unknown = applied.filter((name) => !names.includes(name));
  if (unknown.length > 0 && newer === 'refuse') {
    const what = `a later version has migrated the database (${unknown.join(', ')}); nothing was written to it`;
    throw new Error(`DATABASE_URL: ${what}. Start that version, or see docs/upgrading.md for the way back`);
  }
  return new Set(applied);
}

async function apply(db: Database, name: string, statements: string[]): Promise<boolean> {
  try {
    await db.batch([
      run('INSERT INTO d1_migrations (name) VALUES (?)', name),
      ...statements.map((text) => run(text)),
    ]);
    return true;
  } catch (error) {
    const entered = await all(db, run('SELECT 1 FROM d1_migrations WHERE name = ?', name));
    if (entered.length > 0) return false;
    throw error;
  }
}

function run<Row>(text: string, ...values: Value[]): Statement<Row> {
  return { text, values };
}
