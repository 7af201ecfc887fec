import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';

/** A database as created by the migrations, in a separate folder. */
export async function openMigrated(): Promise<{ db: Database; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-migrated-'));
  const { db, close } = await openLibsql(`file:${join(folder, 'peridot.db')}`);
  await migrate(db, join(import.meta.dirname, '../../migrations'));
  return {
    db,
    async close() {
      close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
