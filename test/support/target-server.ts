import { join } from 'node:path';
import { all } from '../../src/db/database.ts';
import { createDatabaseBuckets } from '../../src/platform/bucket-database.ts';
import { createGuardedBuckets } from '../../src/platform/bucket-guard.ts';
import { createMemoryBuckets } from '../../src/platform/bucket-memory.ts';
import { openLibsql } from '../../src/platform/libsql-node.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { serveInProcess } from './in-process.ts';
import { startLibsqlServer } from './libsql-server.ts';
import type { Target, TargetVariables } from './target.ts';

/** The service in this process, over a libSQL server of its own. */
export async function createTarget(variables: TargetVariables = {}): Promise<Target> {
  const server = await startLibsqlServer();
  const { db } = await openLibsql(server.url);
  await migrate(db, join(import.meta.dirname, '../../migrations'));
  try {
    return serveInProcess({
      variables,
      db,
      buckets: ({ config, db: counted, log }) =>
        config.RATE_LIMIT_STORE === 'database'
          ? createGuardedBuckets(createDatabaseBuckets(counted), log)
          : createMemoryBuckets(),
      rows: (text, values) => all(db, { text, values }),
      files: server.files,
      loadSmtp: async () => (await import('../../src/platform/mail-smtp-node.ts')).sendBySmtp,
      close: server.close,
    });
  } catch (error) {
    // Settings that no service starts with.
    await server.close();
    throw error;
  }
}
