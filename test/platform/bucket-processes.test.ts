import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BunProcess, runBun, startBun } from '../support/bun-process.ts';
import { testDefaults } from '../support/target.ts';

describe('two processes on one database', () => {
  let nodes: BunProcess[] = [];
  beforeAll(async () => {
    const settings = { RATE_LIMIT_STORE: 'database', LOG_LEVEL: 'warn' };
    const one = await startBun(settings);
    nodes = [one];
    nodes.push(await startBun({ ...settings, DATABASE_URL: `file:${one.file}` }));
  }, 30_000);
  afterAll(() => Promise.all(nodes.map((node) => node.close())));

  async function ask(index: number, path: string): Promise<number> {
    // A refresh without a token is not counted, but one with an invalid token is.
    const headers = { Cookie: 'pid_refresh=invalid' };
    const answer = await fetch(`${nodes[index % 2]?.origin}${path}`, { method: 'POST', headers });
    await answer.text();
    return answer.status;
  }

  it('admit exactly 20 of 200 concurrent requests at a limit of 20 [D-64]', async () => {
    const startedAt = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => ask(index, '/v1/auth/login')),
    );
    const refilled = Math.floor((performance.now() - startedAt) / 3_000);
    const passed = statuses.filter((status) => status === 200).length;
    expect(nodes.map((node) => node.output()).join('')).not.toContain('rate_limit.store_failed');
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(20 + refilled);
    expect(statuses.filter((status) => status === 429)).toHaveLength(200 - passed);
  });

  it('admit 10 requests plus the refill during a sustained flood, whichever process receives them', async () => {
    const startedAt = performance.now();
    let passed = 0;
    while (performance.now() - startedAt < 7_000) {
      const statuses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => ask(index, '/v1/auth/refresh')),
      );
      passed += statuses.filter((status) => status !== 429).length;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(passed).toBeGreaterThanOrEqual(11);
    expect(passed).toBeLessThanOrEqual(10 + Math.floor((performance.now() - startedAt) / 6_000));
  });
});

describe('a store that exists only on Workers', () => {
  it.each(['kv', 'durable-object'])('is rejected at startup: %s', async (store) => {
    const { code, output } = await runBun({ ...testDefaults, RATE_LIMIT_STORE: store });
    expect(code).toBe(1);
    expect(output).toContain('RATE_LIMIT_STORE must be memory or database on Bun');
  });
});
