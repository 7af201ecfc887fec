import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { hostArchitecture } from '../scripts/release/bun-binary.ts';
import { recordOrder } from '../scripts/release/bytecode-order.ts';
import { buildExecutable } from '../scripts/release/executable.ts';
import { buildService } from '../scripts/release/service.ts';
import { freePort, runProcess } from './support/processes.ts';
import { production } from './support/production.ts';
import { sendTo } from './support/send-to.ts';

const folder = mkdtempSync(join(tmpdir(), 'peridot-executable-test-'));
const program = join(folder, 'peridot');
const empty = join(folder, 'empty');
const hashes: string[] = [];
const settings = {
  ...production,
  SECRET_KEY: randomBytes(32).toString('base64'),
  HOST: '127.0.0.1',
  DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
  KV_URL: `file:${join(folder, 'kv.db')}`,
  PATH: '',
};

beforeAll(async () => {
  const { files } = await buildService();
  const other = hostArchitecture === 'arm64' ? 'amd64' : 'arm64';
  const [first, second] = [await recordOrder(files), await recordOrder(files)];
  const builds = [
    [hostArchitecture, first],
    [hostArchitecture, second],
    [other, first],
  ] as const;
  for (const [target, order] of builds) {
    const built = buildExecutable(target, files, order);
    hashes.push(createHash('sha256').update(built).digest('hex'));
    if (hashes.length === 1) writeFileSync(program, built, { mode: 0o755 });
  }
  mkdirSync(empty);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the executable of a release', () => {
  it('is byte-for-byte the same when built again, and differs between architectures', () => {
    const [first, second, other] = hashes;
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it('migrates, serves pages and public files, runs commands and stops on SIGTERM, without any other file', async () => {
    const port = await freePort();
    const env = { ...settings, PORT: `${port}` };
    const server = await runProcess([program], { cwd: empty, env }, async () => {
      return (await sendTo(port, '/readyz')).status === 200;
    });
    try {
      const page = await sendTo(port, '/signin');
      expect([page.status, (await page.text()).includes('<title>Sign in')]).toEqual([200, true]);
      expect((await sendTo(port, '/openapi.json')).status).toBe(200);
      const status = execFileSync(program, ['db', 'status', '--json'], { cwd: empty, env, encoding: 'utf8' });
      expect(JSON.parse(status)).toMatchObject({ pendingMigrations: [], identities: 0 });
      server.signal('SIGTERM');
      await expect.poll(() => server.lines.join('')).toContain('"event":"stopping","signal":"SIGTERM"');
    } finally {
      await server.stop();
    }
    expect(readdirSync(empty)).toEqual([]);
  });

  it('names a missing setting, prints its version and its commands, and rejects an unknown one', () => {
    const run = (args: string[], env: Record<string, string>) =>
      spawnSync(program, args, { cwd: empty, env, encoding: 'utf8', timeout: 30_000 });
    expect(run([], { ...production, PATH: '' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('SECRET_KEY'),
    });
    expect(run(['help'], settings)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Usage: peridot COMMAND/),
    });
    expect(run(['--version'], {})).toMatchObject({ status: 0, stdout: `${packageJson.version}\n` });
    expect(run(['serv'], settings)).toMatchObject({ status: 2, stderr: expect.stringContaining('"serv"') });
  });

  it('ignores an .env file in its folder', () => {
    const tempted = join(folder, 'tempted');
    mkdirSync(tempted);
    writeFileSync(join(tempted, '.env'), `SECRET_KEY=${settings.SECRET_KEY}\n`);
    const { status, stderr } = spawnSync(program, [], {
      cwd: tempted,
      env: { ...production, PATH: '' },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('SECRET_KEY')]);
  });
});
