import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all } from '../../src/db/database.ts';
import { pinnedCallOut } from '../../src/platform/call-out-node.ts';
import { type OpenedDatabase, openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { openLibsqlKv } from '../../src/platform/kv-libsql.ts';
import { createDatabaseBuckets } from '../../src/platform/limits/bucket-database.ts';
import { createGuardedBuckets } from '../../src/platform/limits/bucket-guard.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';
import { readFolder } from './folder.ts';
import { clockFrom, type InProcessTarget, serveInProcess } from './in-process.ts';
import type { Release } from './release-contents.ts';
import type { TargetVariables } from './target.ts';

interface Place extends OpenedDatabase {
  /** Returns the files outside the target's folder. */
  files?(): Promise<Uint8Array[]>;
  /** Releases the database's resources. */
  stop?(): Promise<void>;
}

/**
 * The service in this process, on a libSQL database and, as on Bun, a key-value store in a file.
 * @param open opens a migrated database; its files in the folder are deleted with the target
 * @param release fills the database instead of the migrations, if `open` opens an empty one
 */
export async function serveOverLibsql(
  variables: TargetVariables,
  open: (folder: string) => Promise<Place>,
  release?: Release,
): Promise<InProcessTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-test-'));
  const database = await open(folder);
  const { db, files = async () => [], stop = async () => {} } = database;
  const kv = await openLibsql(`file:${join(folder, 'kv.db')}`);
  const store = await openLibsqlKv(kv.db);
  if (release) {
    await db.batch(release.statements.map((text) => ({ text, values: [] })));
    await migrate(db, join(import.meta.dirname, '../../migrations'));
    for (const [key, value] of release.kv) await store.put(key, value);
  }
  const close = async () => {
    database.close();
    kv.close();
    await Promise.all([stop(), rm(folder, { recursive: true, force: true })]);
  };
  try {
    return serveInProcess({
      variables,
      db,
      kv: store,
      realNow: release && clockFrom(release.at),
      buckets: ({ config, db: counted, log }) =>
        config.RATE_LIMIT_STORE === 'database'
          ? createGuardedBuckets(createDatabaseBuckets(counted), log)
          : createMemoryBuckets(),
      rows: (text, values) => all(db, { text, values }),
      files: async () => [...(await files()), ...(await readFolder(folder))],
      callOut: pinnedCallOut(),
      loadSmtp: async () => (await import('../../src/platform/mail/mail-smtp-node.ts')).sendBySmtp,
      close,
    });
  } catch (error) {
    // Settings with which no service starts.
    await close();
    throw error;
  }
}
