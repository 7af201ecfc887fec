import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { memoize } from '../../src/lib/memoize.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';

/** The bytes of a migrated database: copying one is a hundred times faster than migrating one. */
const migratedBytes = memoize(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-migrations-'));
  const file = join(folder, 'peridot.db');
  const { db, close } = await openLibsql(`file:${file}`);
  await migrate(db, join(import.meta.dirname, '../../migrations'));
  close();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true, force: true });
  return bytes;
});

/** Writes a migrated database to this path, unless the file exists. */
export async function placeMigrated(file: string): Promise<void> {
  const bytes = await migratedBytes();
  // Synchronous, so that no other service in this process opens a partial file.
  if (!existsSync(file)) writeFileSync(file, bytes, { mode: 0o600 });
}

/** A database as created by the migrations, in a separate folder. */
export async function openMigrated(): Promise<{ db: Database; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-migrated-'));
  const file = join(folder, 'peridot.db');
  await placeMigrated(file);
  const { db, close } = await openLibsql(`file:${file}`);
  return {
    db,
    async close() {
      close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
