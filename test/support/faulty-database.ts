import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { all, type Database } from '../../src/db/database.ts';
import { openLibsql } from '../../src/platform/libsql-node.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { repeatLost } from '../../src/platform/repeat.ts';
import { type InProcessTarget, serveInProcess } from './in-process.ts';
import type { TargetVariables } from './target.ts';

/**
 * What happens to one batch. `lost` breaks its first try, as a connection that goes away; `down` breaks every
 * try, as a database or a process that stays away. `after` means that the batch was applied.
 */
export type Fault = 'none' | 'lost before' | 'lost after' | 'down before' | 'down after';

export interface FaultyDatabase {
  readonly db: Database;
  /**
   * What will happen to the next batches, one after the other; those after the last are left alone. Batches that send
   * mail run behind the answers and count only with `sending`.
   */
  plan(faults: readonly Fault[], of?: 'sending'): void;
}

class ConnectionLost extends Error {}

/** A database that breaks as planned, behind the same repetition that the adapters for D1 and libSQL servers use. */
function breakDatabase(inner: Database): FaultyDatabase {
  let planned: Fault[] = [];
  let withSending = false;
  return {
    plan(faults, of) {
      planned = [...faults];
      withSending = of === 'sending';
    },
    db: {
      batch(statements) {
        // The keys are read when a process starts and when its copy is old, which is not what a model follows.
        const followed = !statements.some(
          ({ text }) => text.includes('signing_keys') || (text.startsWith('UPDATE mails') && !withSending),
        );
        const fault = (followed ? planned.shift() : undefined) ?? 'none';
        let tries = 0;
        const attempt = async () => {
          tries += 1;
          const breaks = fault.startsWith('down') || (fault.startsWith('lost') && tries === 1);
          if (breaks && fault.endsWith('before')) throw new ConnectionLost(fault);
          const rows = await inner.batch(statements);
          if (breaks) throw new ConnectionLost(fault);
          return rows;
        };
        return repeatLost(attempt, (error) => error instanceof ConnectionLost);
      },
    },
  };
}

/** The service over a new libSQL file that breaks as planned, with a clock that only a test moves. */
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
