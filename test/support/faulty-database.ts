import { all } from '../../src/db/database.ts';
import { breakDatabase, type FaultyDatabase } from './break-database.ts';
import { type InProcessTarget, serveInProcess } from './in-process.ts';
import { openMigrated } from './migrated.ts';
import type { TargetVariables } from './target.ts';

export type { Fault, FaultyDatabase } from './break-database.ts';

/** The service on a new libSQL file that fails as planned, with a clock that only a test moves. */
export async function openFaultyTarget(
  variables: TargetVariables,
): Promise<{ target: InProcessTarget; database: FaultyDatabase }> {
  const { db, close } = await openMigrated();
  const database = breakDatabase(db);
  const startedAt = Date.now();
  const target = serveInProcess({
    variables,
    db: database.db,
    realNow: () => startedAt,
    rows: (text, values) => all(db, { text, values }),
    close,
  });
  return { target, database };
}
