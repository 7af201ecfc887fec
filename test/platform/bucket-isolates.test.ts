import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHarness, type TestHarness } from 'wrangler';
import { testSecretKey } from '../support/target.ts';

/** The whole service as a Worker. Two of them act as two isolates with the same KV and Durable Objects. */
function worker(name: string, store: string) {
  const objects = { name: 'BUCKETS', class_name: 'RateLimitBuckets' };
  return {
    config: {
      name,
      main: `${import.meta.dirname}/../../src/worker.ts`,
      compatibility_date: '2026-10-01',
      compatibility_flags: ['nodejs_compat'],
      vars: { SECRET_KEY: testSecretKey, RATE_LIMIT_STORE: store },
      kv_namespaces: [{ binding: 'KV', id: 'shared' }],
      d1_databases: [{ binding: 'DB', database_name: 'peridot', database_id: 'shared' }],
      durable_objects: { bindings: [name === 'one' ? objects : { ...objects, script_name: 'one' }] },
      migrations: name === 'one' ? [{ tag: 'first', new_sqlite_classes: ['RateLimitBuckets'] }] : [],
    },
  };
}

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

describe.each(['kv', 'durable-object'])('two isolates on one %s store', (store) => {
  let harness: TestHarness;
  beforeAll(async () => {
    harness = createTestHarness({ workers: [worker('one', store), worker('two', store)] });
    await harness.listen();
  }, 60_000);
  afterAll(() => harness.close());

  /**
   * Sends logins to both isolates alternately; returns how many passed and how many may have been refilled in the
   * meantime.
   */
  async function flood(address: string, count: number): Promise<{ passed: number; refilled: number }> {
    const startedAt = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const isolate = harness.getWorker(index % 2 === 0 ? 'one' : 'two');
        const headers = { 'CF-Connecting-IP': address };
        const answer = await isolate.fetch('http://localhost:8787/v1/auth/login', {
          method: 'POST',
          headers,
        });
        await answer.text();
        return answer.status;
      }),
    );
    const passed = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status === 429)).toHaveLength(count - passed);
    return { passed, refilled: Math.floor((performance.now() - startedAt) / 3_000) };
  }

  const most = store === 'kv' ? 40 : 20;
  it(`admit at most ${most} of 200 concurrent requests at a limit of 20 [D-64]`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const { passed, refilled } = await flood(freshAddress(), 200);
      expect(passed).toBeGreaterThanOrEqual(20);
      expect(passed).toBeLessThanOrEqual(most + refilled * (most / 20));
    }
  });

  const keepsObjects = it.runIf(store === 'durable-object');
  keepsObjects('still know the used tokens after 13 idle seconds', { timeout: 60_000 }, async () => {
    const address = freshAddress();
    const startedAt = performance.now();
    const first = await flood(address, 60);
    // The runtime drops an idle object from memory after ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    const again = await flood(address, 60);
    const refilled = Math.floor((performance.now() - startedAt) / 3_000);
    expect(again.passed).toBeGreaterThanOrEqual(4);
    expect(first.passed + again.passed).toBeLessThanOrEqual(most + refilled * (most / 20));
  });
});
