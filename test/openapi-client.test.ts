import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type RunningProcess, runScript } from './support/processes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const fixture = join(import.meta.dirname, 'fixtures/generated-client');
const sources = ['client.ts', 'mistakes.ts', 'tsconfig.json', 'package.json'];

/** A program of a package, as installed for the fixture or the project. */
function programOf(from: string, name: string, bin: string): string {
  const manifest = createRequire(join(from, 'package.json')).resolve(`${name}/package.json`);
  return join(manifest, '..', bin);
}

describe('a client generated from the contract', () => {
  let folder: string;
  let service: RunningProcess;
  let origin: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peridot-client-'));
    for (const name of sources) await cp(join(fixture, name), join(folder, name));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const env = {
      PORT: String(port),
      BASE_URL: origin,
      DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
      KV_URL: `file:${join(folder, 'kv.db')}`,
    };
    service = await runScript(['start'], env, async () => (await fetch(`${origin}/readyz`)).ok);
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('compiles, signs in at the sandbox and refreshes', async () => {
    const generate = programOf(fixture, 'openapi-typescript', 'bin/cli.js');
    const guide = await readFile(join(root, 'docs/api.md'), 'utf8');
    const [, flags = ''] =
      /npx openapi-typescript https:\/\/id\.example\.com\/openapi\.json (.*)/.exec(guide) ?? [];
    await run(process.execPath, [generate, `${origin}/openapi.json`, ...flags.split(' ')], { cwd: folder });
    const [, example] = /```ts\n(.*?)```/s.exec(guide) ?? [];
    await writeFile(join(folder, 'documented.ts'), `${example}`);
    const check = programOf(root, 'typescript', 'bin/tsc');
    const { stdout } = await run(process.execPath, [check, '-p', folder]).catch((error) => error);
    expect(stdout).toBe('');

    const client = await run(process.execPath, [join(folder, 'client.ts'), origin, 'gita.lestari']);
    expect(JSON.parse(client.stdout)).toEqual({
      url: '/v1/auth/idp?returnTo=%2Fsettings',
      started: 302,
      landed: `${origin}/dev/welcome?claim=1&returnTo=%2Fsettings`,
      email: 'gita.lestari@example.com',
      refused: 'PID already taken',
      pid: 'gita.lestari@pid',
      refreshed: 204,
      isNewToken: true,
      displayName: 'Gita Lestari',
      credentials: ['idp'],
    });
  }, 60_000);
});
