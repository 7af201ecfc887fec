import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all } from '../../src/db/database.ts';
import type { KeyValueStore } from '../../src/lib/key-value.ts';
import { pinnedCallOut } from '../../src/platform/call-out-node.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { openLibsqlKv } from '../../src/platform/kv-libsql.ts';
import { type InProcessTarget, serveInProcess } from './in-process.ts';
import { placeMigrated } from './migrated.ts';
import type { TargetVariables } from './target.ts';

/** A service's files, in a separate folder. */
export interface ServiceFiles {
  readonly folder: string;
  readonly database: string;
  /** The key-value store, which outlives the database. */
  readonly kv: string;
  remove(): Promise<void>;
}

export async function makeServiceFiles(): Promise<ServiceFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-files-'));
  return {
    folder,
    database: join(folder, 'peridot.db'),
    kv: join(folder, 'kv.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * The service in this process on files that outlive it: closing it keeps the files, and several services may be open
 * concurrently.
 * @param change puts something between the service and its key-value store, such as a fault
 * @param realNow the time, for files that were written long ago
 */
export async function openFileService(
  files: ServiceFiles,
  variables: TargetVariables = {},
  change: (kv: KeyValueStore) => KeyValueStore = (kv) => kv,
  realNow: () => number = Date.now,
): Promise<InProcessTarget> {
  await placeMigrated(files.database);
  const { db, close } = await openLibsql(`file:${files.database}`);
  const kv = await openLibsql(`file:${files.kv}`);
  return serveInProcess({
    variables,
    realNow,
    db,
    kv: change(await openLibsqlKv(kv.db)),
    callOut: pinnedCallOut(),
    rows: (text, values) => all(db, { text, values }),
    async close() {
      close();
      kv.close();
    },
  });
}
