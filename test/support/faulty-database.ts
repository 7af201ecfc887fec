import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all } from '../../src/db/database.ts';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { breakDatabase, type FaultyDatabase } from './break-database.ts';

import { type InProcessTarget, serveInProcess } from './in-process.ts';
import type { TargetVariables } from './target.ts';

export type { Fault, FaultyDatabase } from './break-database.ts';

/** The service on a new libSQL file that fails as planned, with a clock that only a test moves. */
export async function openFaultyTarget(
  variables: TargetVariables,
): Promise<{ target: InProcessTarget; database: FaultyDatabase }> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-test-'));
  const { db, close } = await openLibsql(`file:${join(folder, 'peridot.db')}`);
  await migrate(db, join(import.meta.dirname, '../../migrations'));
  const database = breakDatabase(db);
  const startedAt = Date.now();
  const target = serveInProcess({
    variables,
    db: database.db,
    realNow: () => startedAt,
    rows: (text, values) => all(db, { text, values }),
    async close() {
      close();
      await rm(folder, { recursive: true, force: true });
    },
  });
  return { target, database };
}
