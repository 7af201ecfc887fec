import type { Database, Statement } from '../db/database.ts';
import { takeToken } from '../db/rate-buckets.ts';
import { inTime } from '../lib/in-time.ts';
import { storePatienceMs, type Take, takeFrom } from '../lib/token-bucket.ts';
import type { SharedBuckets } from './bucket-guard.ts';

/** Statements in one transaction; more than arrive together while the one before is on its way. */
const mostAtOnce = 100;
/** No request waits for so long. It ends the wait for a transaction that never answers. */
const batchPatienceMs = 1_000;

interface Waiting {
  readonly limit: number;
  readonly askedAt: number;
  readonly statement: Statement<{ tokens: number }>;
  readonly resolve: (take: Take) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Buckets in the database: exact over any number of processes. What arrives while a transaction is on its way
 * shares the next one, so that a burst of requests costs a few commits rather than one each.
 */
export function createDatabaseBuckets(db: Database): SharedBuckets {
  let waiting: Waiting[] = [];
  let running = false;

  /** Nobody listens any more to those that waited too long, and their tokens would be taken for nothing. */
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
        // After the requests that this turn of the event loop brought: a file's transaction is over at once.
        setImmediate(() => void run());
      });
    },
  };
}
