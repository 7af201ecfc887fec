import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';

const migrations = join(import.meta.dirname, '../../migrations');

/** A database in memory, as created by the migrations. */
export async function openDatabase(): Promise<{ db: Database; close(): unknown }> {
  const opened = await openLibsql('file::memory:');
  await migrate(opened.db, migrations);
  return opened;
}

/** The same, from migrations that a test has changed. */
export async function openChanged(
  change: (text: string) => string,
): Promise<{ db: Database; close(): unknown }> {
  const { db, close } = await openLibsql('file::memory:');
  for (const name of (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort()) {
    const texts = (await readFile(join(migrations, name), 'utf8')).split('--> statement-breakpoint');
    await db.batch(texts.map((text) => ({ text: change(text), values: [] })));
  }
  return { db, close };
}
