import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KVNamespace } from '@cloudflare/workers-types';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { emailEndpoints } from '../../src/features/email/endpoints.ts';
import type { AppContext } from '../../src/http/context.ts';
import { limiter } from '../../src/http/rate-limit.ts';
import type { BucketStore } from '../../src/lib/token-bucket.ts';
import { createDatabaseBuckets } from '../../src/platform/limits/bucket-database.ts';
import { createGuardedBuckets } from '../../src/platform/limits/bucket-guard.ts';
import { createKvBuckets } from '../../src/platform/limits/bucket-kv.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';
import { makeServiceFiles, openFileService } from '../support/file-service.ts';
import { testDefaults } from '../support/target.ts';

const now = 1_800_000_000_000;
const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Sends requests from one address, each with another account; returns the number of rejected ones. */
async function flood(buckets: BucketStore, count: number): Promise<number> {
  const deps = { config: parseConfig(testDefaults), now: () => now, buckets } as unknown as Deps;
  const limit = limiter(deps, 'login', emailEndpoints.signInWithPassword.limit);
  const context = { env: { address: '198.51.100.1' }, header: quiet } as unknown as AppContext;
  let refused = 0;
  for (let index = 0; index < count; index += 1) {
    await limit(context, `account ${index}`).catch(() => {
      refused += 1;
    });
  }
  return refused;
}

/** The number of bytes that a flood of 20,000 requests adds to the heap. */
async function growthBy(buckets: BucketStore): Promise<number> {
  await flood(buckets, 1_000);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  expect(await flood(buckets, 20_000)).toBe(20_000);
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}

const megabyte = 1024 * 1024;

describe('20,000 consecutive rejected requests', () => {
  it('use no memory in the process, in the isolate or in a Durable Object', async () => {
    const kv = { get: async () => null, put: async () => {} } as unknown as KVNamespace;
    const object = createMemoryBuckets();
    const stores = {
      memory: createMemoryBuckets(),
      kv: createKvBuckets(kv, quiet),
      object: createGuardedBuckets({ take: async (key, limit, now) => object.take(key, limit, now) }, log),
    };
    for (const [name, store] of Object.entries(stores))
      expect(await growthBy(store), name).toBeLessThan(2 * megabyte);
  });

  it('add no rows to the database', async () => {
    const files = await makeServiceFiles();
    const { deps, close } = await openFileService(files);
    try {
      const buckets = createGuardedBuckets(createDatabaseBuckets(deps.db), log);
      const rows = async () =>
        (await deps.db.batch([{ text: 'SELECT key FROM rate_buckets', values: [] }]))[0];
      await flood(buckets, 20);
      const before = await rows();
      expect(before.length).toBeLessThanOrEqual(11);
      expect(await growthBy(buckets)).toBeLessThan(2 * megabyte);
      expect(await rows()).toEqual(before);
    } finally {
      await close();
      await files.remove();
    }
  });
});
