import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createDatabaseBuckets } from '../../src/platform/limits/bucket-database.ts';
import { createGuardedBuckets } from '../../src/platform/limits/bucket-guard.ts';
import { makeServiceFiles, openFileService } from '../support/file-service.ts';

const start = 1_800_000_000_000;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A real database whose first batch never returns, and the number of statements in each batch. */
async function hangingOnce(): Promise<{ db: Database; sizes: number[] }> {
  const files = await makeServiceFiles();
  closers.push(() => files.remove());
  const service = await openFileService(files);
  closers.push(() => service.close());
  const sizes: number[] = [];
  const db: Database = {
    batch(statements) {
      sizes.push(statements.length);
      return sizes.length === 1 ? new Promise(() => {}) : service.deps.db.batch(statements);
    },
  };
  return { db, sizes };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('buckets in the database', () => {
  it('recover from a batch that hangs once [R-14]', async () => {
    const { db } = await hangingOnce();
    const quiet = () => {};
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const buckets = createGuardedBuckets(createDatabaseBuckets(db), log);
    // While timers are stopped, the real database cannot be too slow.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const blind = buckets.take('key', 20, start);
    await vi.advanceTimersByTimeAsync(1_100);
    expect((await blind).blind).toBe(true);
    const take = await buckets.take('key', 20, start + 1_100);
    expect(take.blind).toBeUndefined();
    expect(take.remaining).toBe(19);
  });

  it('do not use a token for a request that stopped waiting for the previous batch', async () => {
    const { db, sizes } = await hangingOnce();
    const buckets = createDatabaseBuckets(db);
    const hung = expect(buckets.take('key', 20, start)).rejects.toThrow('the batch of buckets took too long');
    await wait(50);
    const asker = { hasLeft: false };
    void buckets.take('key', 20, start, asker);
    asker.hasLeft = true;
    const patient = await buckets.take('key', 20, start);
    await hung;
    expect(patient.remaining).toBe(19);
    expect(sizes).toEqual([1, 1]);
  });
});
