import type { Database } from '../../src/db/database.ts';
import { repeatLost } from '../../src/platform/database/repeat.ts';

/**
 * The fate of one batch. `lost` breaks its first attempt, like a dropped connection; `down` breaks every attempt, like
 * a database or a process that stays down. `after` means that the batch was applied.
 */
export type Fault = 'none' | 'lost before' | 'lost after' | 'down before' | 'down after';

export interface FaultyDatabase {
  readonly db: Database;
  /**
   * Plans the fate of the next batches, in order; later ones are unaffected. Batches that send email run after the
   * responses and are included only with `sending`.
   */
  plan(faults: readonly Fault[], of?: 'sending'): void;
}

/** Returns whether a batch with this fault is applied, and whether the service receives the result. */
export function fate(fault: Fault = 'none'): { applied: boolean; answered: boolean } {
  return { applied: fault !== 'down before', answered: !fault.startsWith('down') };
}

class ConnectionLost extends Error {}

/** A database that fails as planned, behind the same retries as the adapters for D1 and libSQL servers. */
export function breakDatabase(inner: Database): FaultyDatabase {
  let planned: Fault[] = [];
  let withSending = false;
  return {
    plan(faults, of) {
      planned = [...faults];
      withSending = of === 'sending';
    },
    db: {
      batch(statements) {
        // Reads of the keys, when a process starts and when its copy is stale, are not part of a model.
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
