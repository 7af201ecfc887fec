import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all } from '../../src/db/database.ts';
import { createDatabaseBuckets } from '../../src/platform/bucket-database.ts';
import { createGuardedBuckets } from '../../src/platform/bucket-guard.ts';
import { createMemoryBuckets } from '../../src/platform/bucket-memory.ts';
import { openLibsqlKv } from '../../src/platform/kv-libsql.ts';
import { openLibsql } from '../../src/platform/libsql-node.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { readFolder } from './folder.ts';
import { serveInProcess } from './in-process.ts';
import { startLibsqlServer } from './libsql-server.ts';
import type { Target, TargetVariables } from './target.ts';

/** The service in this process, over a libSQL server of its own; the key-value store is a file, as on Bun. */
export async function createTarget(variables: TargetVariables = {}): Promise<Target> {
  const server = await startLibsqlServer();
  // A machine with other work may take longer for a batch than the service would wait.
  const { db } = await openLibsql(server.url, undefined, 30_000);
  await migrate(db, join(import.meta.dirname, '../../migrations'));
  const folder = await mkdtemp(join(tmpdir(), 'peridot-test-'));
  const kv = await openLibsql(`file:${join(folder, 'kv.db')}`);
  const close = async () => {
    kv.close();
    await Promise.all([server.close(), rm(folder, { recursive: true, force: true })]);
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
      files: async () => [...(await server.files()), ...(await readFolder(folder))],
      loadSmtp: async () => (await import('../../src/platform/mail-smtp-node.ts')).sendBySmtp,
      close,
    });
  } catch (error) {
    // Settings that no service starts with.
    await close();
    throw error;
  }
}
