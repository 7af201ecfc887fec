import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createScryptThreads } from '../../src/platform/scrypt-threads.ts';
import { scrypt } from '../support/scrypt.ts';
import '../support/web-worker.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const threads = new URL('../../src/platform/scrypt-threads.ts', import.meta.url).href;
const worker = new URL('../support/web-worker.ts', import.meta.url).href;
const cost = { N: 16, r: 8, p: 1, maxmem: 1_000_000 };

/** This process's threads, with their nice values. */
function threadsOfUs(): Map<string, number> {
  return new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const facts =
        readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return [thread, Number(facts[16])];
    }),
  );
}

describe('scrypt in threads', () => {
  it('computes the key that the runtime computes (RFC 7914, section 12)', async () => {
    const inThreads = createScryptThreads();
    const key = await inThreads(bytes('password'), bytes('NaCl'), 64, {
      N: 1024,
      r: 8,
      p: 16,
      maxmem: 4_000_000,
    });
    expect(Buffer.from(key).toString('hex')).toMatch(/^fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830/);
    expect(key).toEqual(
      new Uint8Array(
        await scrypt(bytes('password'), bytes('NaCl'), 64, { ...cost, N: 1024, p: 16, maxmem: 4_000_000 }),
      ),
    );
  });

  it('reports a key that it cannot compute and computes the next one', async () => {
    const inThreads = createScryptThreads();
    await expect(inThreads(bytes('x'), bytes('y'), 32, { ...cost, maxmem: 1 })).rejects.toThrow();
    expect((await inThreads(bytes('x'), bytes('y'), 32, cost)).length).toBe(32);
  });

  it.runIf(process.platform === 'linux')('runs at a lower priority than every other thread', async () => {
    const inThreads = createScryptThreads();
    const before = threadsOfUs();
    await Promise.all([1, 2].map(() => inThreads(bytes('x'), bytes('y'), 32, cost)));
    const added = [...threadsOfUs()].filter(([thread]) => !before.has(thread));
    expect(added.filter(([, nice]) => nice === 19)).toHaveLength(2);
    expect([...before.values()]).toContain(0);
  });

  it.runIf(process.platform === 'linux')('still hashes if it may not lower its priority', async () => {
    const forbidden = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
      os.setPriority = () => { throw new Error('forbidden'); }; syncBuiltinESMExports();`;
    const program = `Promise.all([${JSON.stringify(threads)}, ${JSON.stringify(worker)}].map((file) => import(file)))
      .then(async ([{ createScryptThreads }]) => {
      const key = await createScryptThreads()(new Uint8Array(1), new Uint8Array(1), 32, ${JSON.stringify(cost)});
      process.stdout.write('bytes ' + key.length, () => process.exit());
    });`;
    const run = promisify(execFile)(process.execPath, ['-e', program], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(forbidden)}` },
    });
    expect((await run).stdout).toBe('bytes 32');
  });
});
