import type { Database, Statement } from '../db/database.ts';
import { takeToken } from '../db/rate-buckets.ts';
import { inTime } from '../lib/in-time.ts';
import { storePatienceMs, type Take, takeFrom } from '../lib/token-bucket.ts';
import type { SharedBuckets } from './bucket-guard.ts';

/** Statements in one transaction; more than arrive while the one before it runs. */
const mostAtOnce = 100;
/** Ends the wait for a transaction that never answers. Requests give up earlier. */
const batchPatienceMs = 1_000;

interface Waiting {
  readonly limit: number;
  readonly askedAt: number;
  readonly statement: Statement<{ tokens: number }>;
  readonly resolve: (take: Take) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Buckets in the database, exact over any number of processes. Requests that arrive while a transaction runs share
 * the next one, so a burst costs a few commits.
 */
export function createDatabaseBuckets(db: Database): SharedBuckets {
  let waiting: Waiting[] = [];
  let running = false;

  /** Requests that waited too long have given up, and should not use a token. */
  function dropLate(): void {
    const since = performance.now() - storePatienceMs;
    for (const { askedAt, reject } of waiting) {
      if (askedAt <= since) reject(new Error('waited too long for the transaction before'));
    }
    waiting = waiting.filter(({ askedAt }) => askedAt > since);
  }

  async function run(): Promise<void> {
    for (dropLate(); waiting.length > 0; dropLate()) {
      const together = waiting.slice(0, mostAtOnce);
      waiting = waiting.slice(mostAtOnce);
      try {
        const batch = db.batch(together.map((one) => one.statement));
        const rows = await inTime(batch, batchPatienceMs, 'the batch of buckets');
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
    take(key, limit, now) {
      return new Promise((resolve, reject) => {
        const askedAt = performance.now();
        waiting.push({ limit, askedAt, statement: takeToken(key, limit, now), resolve, reject });
        if (running) return;
        running = true;
        // Waits for the other requests of this turn of the event loop: a file's transaction blocks it.
        setImmediate(() => void run());
      });
    },
  };
}
