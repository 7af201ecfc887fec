import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all } from '../../src/db/database.ts';
import { pinnedCallOut } from '../../src/platform/call-out-node.ts';
import { type OpenedDatabase, openLibsql } from '../../src/platform/database/libsql-node.ts';
import { openLibsqlKv } from '../../src/platform/kv-libsql.ts';
import { createDatabaseBuckets } from '../../src/platform/limits/bucket-database.ts';
import { createGuardedBuckets } from '../../src/platform/limits/bucket-guard.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';
import { readFolder } from './folder.ts';
import { serveInProcess } from './in-process.ts';
import type { Target, TargetVariables } from './target.ts';

interface Place extends OpenedDatabase {
  /** Returns the files outside the target's folder. */
  files?(): Promise<Uint8Array[]>;
  /** Releases what the database needed. */
  stop?(): Promise<void>;
}

/**
 * The service in this process, on a libSQL database and, as on Bun, a key-value store in a file.
 * @param open opens a migrated database; its files in the folder are deleted with the target
 */
export async function serveOverLibsql(
  variables: TargetVariables,
  open: (folder: string) => Promise<Place>,
): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-test-'));
  const database = await open(folder);
  const { db, files = async () => [], stop = async () => {} } = database;
  const kv = await openLibsql(`file:${join(folder, 'kv.db')}`);
  const close = async () => {
    database.close();
    kv.close();
    await Promise.all([stop(), rm(folder, { recursive: true, force: true })]);
  };
  try {
    return serveInProcess({
      variables,
      db,
      kv: await openLibsqlKv(kv.db),
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
