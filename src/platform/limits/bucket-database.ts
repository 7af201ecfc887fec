import type { Database, Statement } from '../../db/database.ts';
import { takeToken } from '../../db/rate-buckets.ts';
import { type Take, takeFrom } from '../../lib/token-bucket.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Asker, SharedBuckets } from './bucket-guard.ts';

/** The maximum number of statements in one transaction; more than can arrive while the previous one runs. */
const mostAtOnce = 100;
/** How long to wait for a transaction that never returns. Requests give up earlier. */
const batchPatienceMs = 1_000;

interface Waiting {
  readonly limit: number;
  readonly asker: Asker | undefined;
  readonly statement: Statement<{ tokens: number }>;
  readonly resolve: (take: Take) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Buckets in the database, exact across any number of processes. Requests that arrive while a transaction runs share
 * the next one, so a burst costs a few commits.
 */
export function createDatabaseBuckets(db: Database): SharedBuckets {
  let waiting: Waiting[] = [];
  let running = false;

  function dropGivenUp(): void {
    waiting = waiting.filter(({ asker }) => !asker?.hasLeft);
  }

  async function run(): Promise<void> {
    for (dropGivenUp(); waiting.length > 0; dropGivenUp()) {
      const together = waiting.slice(0, mostAtOnce);
      waiting = waiting.slice(mostAtOnce);
      try {
        const batch = db.batch(together.map((one) => one.statement));
        const rows = await withTimeout(batch, batchPatienceMs, 'the batch of buckets');
        for (const [index, { limit, resolve }] of together.entries()) {
          resolve(takeFrom((rows[index]?.[0]?.tokens ?? -1) + 1, limit));
        }
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    running = false;
  }

  return {
    take(key, limit, now, asker) {
      return new Promise((resolve, reject) => {
        waiting.push({ limit, asker, statement: takeToken(key, limit, now), resolve, reject });
        if (running) return;
        running = true;
        // Waits for the other requests of this event loop turn, because a file's transaction blocks the loop.
        setImmediate(() => void run());
      });
    },
  };
}
