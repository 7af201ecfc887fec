import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@libsql/client';
import { createPatience } from './libsql.ts';

/** The table in which `wrangler d1 migrations` keeps its books; a libSQL database keeps the same ones. */
const books = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/**
 * Applies the migrations a libSQL database does not have yet, each as one transaction that also enters its
 * name: a crash leaves a migration applied or untouched, and of two nodes that start at once one applies it
 * while the other waits and finds the name taken.
 * @returns the names applied now
 */
export async function migrate(client: Client, folder: string): Promise<string[]> {
  const patiently = createPatience(client);
  await patiently(() => client.execute(books));
  const { rows } = await patiently(() => client.execute('SELECT name FROM d1_migrations'));
  const known = new Set(rows.map((row) => row['name']));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !known.has(name)).sort();
  const applied: string[] = [];
  for (const name of names) {
    const statements = (await readFile(join(folder, name), 'utf8')).split('--> statement-breakpoint');
    if (await patiently(() => apply(client, name, statements))) applied.push(name);
  }
  return applied;
}

async function apply(client: Client, name: string, statements: string[]): Promise<boolean> {
  try {
    const enter = { sql: 'INSERT INTO d1_migrations (name) VALUES (?)', args: [name] };
    await client.batch([enter, ...statements], 'write');
    return true;
  } catch (error) {
    const { rows } = await client.execute({
      sql: 'SELECT 1 FROM d1_migrations WHERE name = ?',
      args: [name],
    });
    if (rows.length > 0) return false;
    throw error;
  }
}
