import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { all, type Database, type Statement, type Value } from '../../db/database.ts';

/** The table in which `wrangler d1 migrations` records migrations, kept in libSQL databases too. */
const books = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/**
 * Applies the missing migrations, each in one transaction that also records its name. A crash leaves a migration
 * applied or untouched, and of two nodes that start simultaneously one applies it and the other finds the name taken.
 * @returns the names applied in this call
 */
export async function migrate(db: Database, folder: string): Promise<string[]> {
  await db.batch([run(books)]);
  const rows = await all<{ name: string }>(db, run('SELECT name FROM d1_migrations'));
  const known = new Set(rows.map(({ name }) => name));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !known.has(name)).sort();
  const applied: string[] = [];
  for (const name of names) {
    const statements = (await readFile(join(folder, name), 'utf8')).split('--> statement-breakpoint');
    if (await apply(db, name, statements)) applied.push(name);
  }
  return applied;
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
