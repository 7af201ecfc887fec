import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { openLibsql } from '../../src/platform/libsql-node.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { serveOverLibsql } from './over-libsql.ts';
import type { Target, TargetVariables } from './target.ts';

export const startsSlowly = false;

/** The service in this process, over a libSQL file. */
export function createTarget(variables: TargetVariables = {}): Promise<Target> {
  return serveOverLibsql(variables, (folder) => openLibsql(`file:${join(folder, 'peridot.db')}`));
}

/** A database in memory, as the migrations make it. */
export async function openDatabase(): Promise<{ db: Database; close(): unknown }> {
  const opened = await openLibsql('file::memory:');
  await migrate(opened.db, join(import.meta.dirname, '../../migrations'));
  return opened;
}
