import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltImage, buildImage } from '../scripts/release/image.ts';
import { buildService } from '../scripts/release/service.ts';
import { freePort, runProcess } from './support/processes.ts';
import { production } from './support/production.ts';
import { sendTo } from './support/send-to.ts';

const folder = mkdtempSync(join(tmpdir(), 'peridot-container-'));
const root = join(folder, 'root');
const data = join(folder, 'data');
let image: BuiltImage;

beforeAll(async () => {
  const { files } = await buildService();
  image = buildImage(process.arch === 'arm64' ? 'arm64' : 'amd64', files, '0.0.0');
  for (const each of [root, data]) mkdirSync(each);
  for (const layer of image.layers)
    execFileSync('tar', ['x', '--no-same-owner', '--directory', root], { input: layer });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const user = 65_532;
const complete = { ...production, SECRET_KEY: randomBytes(32).toString('base64') };
// A container runtime needs a daemon, which a test machine may lack.
const sandbox = ['bwrap', '--unshare-user', '--unshare-pid', '--uid', `${user}`];
const inside = [...sandbox, '--gid', `${user}`, '--ro-bind', '/', '/', 'true'];
const hasSandbox = spawnSync(inside[0] ?? '', inside.slice(1)).status === 0;

/** The command that runs another inside the read-only image, with its user and its environment. */
function within(
  command: readonly string[],
  settings: Record<string, string>,
  volume: string | null,
): string[] {
  const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const variables = [...image.config.Env, ...given].flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return ['--setenv', name, value.join('=')];
  });
  const mounts = ['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'];
  const mounted = volume === null ? [] : ['--bind', volume, '/data'];
  const place = ['--chdir', image.config.WorkingDir, '--gid', `${user}`, '--clearenv'];
  return [...sandbox, ...place, ...mounts, ...mounted, ...variables, ...command];
}

describe('the image', () => {
  it('contains Bun, the C library and the service in at most 130 MB, or 50 MB compressed', () => {
    const unpacked = image.layers.reduce((sum, layer) => sum + layer.length, 0);
    expect(unpacked).toBeLessThanOrEqual(130_000_000);
    expect(image.archive.length).toBeLessThanOrEqual(50_000_000);
  });

  it('has no shell and no node_modules, and its process owns only its volume', () => {
    const listings = image.layers.map((input) =>
      execFileSync('tar', ['tv', '--numeric-owner'], { input, encoding: 'utf8' }).trim().split('\n'),
    );
    const entries = listings.flat().map((line) => line.split(/ +/));
    const names = entries.map((entry) => entry.at(-1) ?? '');
    expect(names.filter((name) => /^bin\/./.test(name))).toEqual(['bin/bun']);
    expect(names.filter((name) => name.includes('node_modules'))).toEqual([]);
    expect(entries.filter(([, owner]) => owner !== '0/0').map((entry) => entry.at(-1))).toEqual(['data/']);
  });

  it('is a valid OCI image: its blobs match the digests in its manifest', () => {
    const layout = join(folder, 'layout');
    mkdirSync(layout);
    execFileSync('tar', ['x', '--directory', layout], { input: image.archive });
    const blobs = execFileSync('sha256sum', ['--binary', '-z', '--', ...blobsOf(layout)], {
      encoding: 'utf8',
    });
    const sums = blobs.split('\0').filter((line) => line !== '');
    expect(sums).toHaveLength(4);
    for (const line of sums) expect(line.slice(0, 64)).toBe(line.slice(-64));
  });
});

function blobsOf(layout: string): string[] {
  return execFileSync('find', [layout, '-path', '*/blobs/*', '-type', 'f'], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

describe.skipIf(!hasSandbox)('the image in bubblewrap (which must be installed and allowed)', () => {
  it('serves from its volume, answers its health check, and stops on SIGTERM', async () => {
    const port = await freePort();
    const settings = { ...complete, HOST: '127.0.0.1', PORT: `${port}` };
    const [, ...health] = image.config.Healthcheck.Test;
    const server = await runProcess(
      within(image.config.Cmd, settings, data),
      { cwd: folder, env: {} },
      async () => {
        const [command = '', ...args] = within(health, settings, data);
        return spawnSync(command, args).status === 0;
      },
    );
    try {
      const page = await sendTo(port, '/signin');
      expect([page.status, (await page.text()).includes('<title>Sign in')]).toEqual([200, true]);
      const [command = '', ...args] = within(
        ['/bin/bun', 'src/cli.js', 'db', 'status', '--json'],
        settings,
        data,
      );
      const status = JSON.parse(execFileSync(command, args, { encoding: 'utf8' }));
      expect(status).toMatchObject({ pendingMigrations: [], identities: 0 });
    } finally {
      await server.stop();
    }
    // The sandbox ends before the service does.
    await expect.poll(() => server.lines.join('')).toContain('"event":"stopping","signal":"SIGTERM"');
  });

  it.each([
    { without: 'a volume', settings: complete, volume: null, says: /^DATABASE_URL: .* is on no volume/ },
    { without: 'a secret', settings: production, volume: data, says: /SECRET_KEY/ },
  ])('exits with an error about the missing setting without $without', ({ settings, volume, says }) => {
    const [command = '', ...args] = within(image.config.Cmd, settings, volume);
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 30_000 });
    expect([status, stderr]).toEqual([1, expect.stringMatching(says)]);
  });
});
