import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { tarOf } from '../scripts/archive.ts';
import { hostArchitecture } from '../scripts/release/bun-binary.ts';
import { buildExecutable } from '../scripts/release/executable.ts';
import { listName, signedList } from '../scripts/release/list.ts';
import { buildService } from '../scripts/release/service.ts';
import { freePort, type RunningProcess, runProcess } from './support/processes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'peridot-deploying-'));
const port = await freePort();
const state = join(folder, 'var/lib');
const programs = join(folder, 'bin');
const env = { PATH: `${programs}:${process.env['PATH']}`, PORT: `${port}` };

/** A text of the documentation with the paths of this test. */
const here = (text: string, installed = join(folder, 'opt/peridot')) =>
  text
    .replaceAll('/opt/peridot', installed)
    .replaceAll('/etc/', `${folder}/etc/`)
    .replaceAll('/var/lib', state)
    .replaceAll(':8787', `:${port}`);

/** The blocks of one language on a page, or under a heading. */
function blocksOf(text: string, language: string, heading?: string): string[] {
  const section = heading
    ? (text.split(new RegExp(`^#+ ${heading}\\n`, 'm'))[1]?.split(/^#+ /m)[0] ?? '')
    : text;
  const blocks = [...section.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))];
  return blocks.map(([, indent = '', block = '']) =>
    here(block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
  );
}

const [install = '', settings = '', start = '', commands = ''] = blocksOf(guide, 'sh', 'From a release');
const [service = ''] = blocksOf(guide, 'ini', 'From a release');
const [backup = '', timer = ''] = blocksOf(guide, 'ini', 'Daily backups');
const [installArchive = ''] = blocksOf(guide, 'sh', 'The archive, or a clone');
const lineOf = (unit: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
/** The cells of the row of a table, for the archive and for a clone. */
const cellsOf = (name: string) => {
  const row = guide.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? '';
  const [, , archive = '', clone = ''] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''));
  return { archive: here(archive), clone: here(clone, root) };
};
const withSettings = (command: string) => `set -a; . ${join(folder, 'etc/peridot.env')}; ${command}`;

let server: RunningProcess | undefined;
/** The commands of the installed units, which the tests replace as the guide says. */
let [serving, backingUp] = [lineOf(service, 'ExecStart'), lineOf(backup, 'ExecStart')];

/** Runs a shell's commands, which may fail. */
async function sh(command: string, cwd: string, more: Record<string, string> = {}) {
  const all = { ...process.env, ...env, ...more };
  return run('sh', ['-c', command], { cwd, env: all }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
}

/** Does what systemd does with the units. */
async function systemctl(unit: string): Promise<void> {
  if (unit === 'peridot-backup') {
    const STATE_DIRECTORY = join(state, lineOf(backup, 'StateDirectory'));
    mkdirSync(STATE_DIRECTORY, { recursive: true });
    await sh(withSettings(backingUp.replaceAll('%%', '%')), '/', { STATE_DIRECTORY });
    await sh(lineOf(backup, 'ExecStartPost'), '/', { STATE_DIRECTORY });
    return;
  }
  await server?.stop();
  const command = ['sh', '-c', withSettings(`exec ${serving}`)];
  server = await runProcess(command, { cwd: '/', env }, async () => {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).status > 0;
  });
}

/** Runs a block in the folder of a release's files. @returns the output */
async function follow(block: string, cwd: string): Promise<string> {
  let output = '';
  for (const part of block.split(/^(systemctl .*)\n/m)) {
    const unit = /^systemctl .*?([\w-]+)$/.exec(part)?.[1];
    if (unit !== undefined) await systemctl(unit);
    else if (part !== '') output += (await sh(part, cwd)).stdout;
  }
  return output;
}

const { privateKey } = generateKeyPairSync('ed25519');
const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** The files of a release as downloaded. */
function download(
  version: string,
  executable: Buffer,
  service: ReadonlyMap<string, Buffer> = new Map(),
): string {
  const place = mkdtempSync(join(folder, 'downloads-'));
  const entries = [...service].map(([name, content]) => ({ name: `peridot-${version}/${name}`, content }));
  const files = new Map([
    [`peridot-${version}-linux-amd64.gz`, executable],
    [`peridot-${version}.tar.gz`, gzipSync(tarOf(entries), { level: 1 })],
  ]);
  for (const [name, content] of files) writeFileSync(join(place, name), content);
  writeFileSync(join(place, listName), signedList(files, key));
  return place;
}

let [first, second, untouched] = ['', '', ''];
beforeAll(async () => {
  const { files } = await buildService();
  const executable = gzipSync(buildExecutable(hostArchitecture, files), { level: 1 });
  [first, second] = [download('0.2.0', executable, files), download('0.3.0', executable, files)];
  untouched = download('0.2.0', executable);
  for (const place of [programs, join(folder, 'etc')]) mkdirSync(place);
  for (const name of ['useradd', 'npm']) {
    writeFileSync(join(programs, name), '#!/bin/sh\n');
    chmodSync(join(programs, name), 0o755);
  }
  symlinkSync(join(root, 'node_modules/.bin/bun'), join(programs, 'bun'));
  for (const name of lineOf(service, 'StateDirectory').split(' '))
    mkdirSync(join(state, name), { recursive: true });
  await follow(install, first);
  await follow(settings, first);
}, 120_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const publishedKeys = async () =>
  (
    await fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`, { headers: { Host: 'id.example.com' } })
  ).text();
const backups = () => readdirSync(join(state, lineOf(backup, 'StateDirectory')));
const isCurrent = (output: string) => {
  expect(output).toMatch(
    new RegExp(`^ok +version +Peridot ${packageJson.version} on file:${state}/peridot/`, 'm'),
  );
  expect(output).toMatch(/^ok +migrations +all are applied$/m);
};

describe('the deployment to a server as described in docs/deploying.md', () => {
  it('starts with its settings, and is ready', async () => {
    expect(JSON.parse(await follow(start, first))).toEqual({ status: 'ok' });
    expect(readdirSync(join(state, 'peridot-kv'))).toContain('kv.db');
    await expect.poll(() => server?.lines.join('')).toContain('"environment":"production"');
  });

  it('has a command line that reports when nobody is waiting for a PID', async () => {
    isCurrent(await follow(commands, first));
    const [claim = ''] = blocksOf(guide, 'sh', 'The first administrator');
    const [define = ''] = commands.split('\n');
    expect((await sh(`${define}\n${claim}`, first)).stderr).toMatch(
      /^ayu@pid cannot be assigned: no such account is waiting/,
    );
    const [check = ''] = blocksOf(guide, 'sh', 'Checking the result');
    isCurrent((await sh(`${define}\n${check}`, first)).stdout);
  });

  it('writes a backup named after the date, and removes old ones', async () => {
    await systemctl('peridot-backup');
    expect(backups()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-\d{4}\.db$/)]);
    await sh(`touch -d '40 days ago' ${join(state, 'peridot-backups/old.db')}`, first);
    await systemctl('peridot-backup');
    expect(backups()).not.toContain('old.db');
  });

  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('has units that systemd accepts and enables', () => {
    const units = {
      'peridot.service': service,
      'peridot-backup.service': backup,
      'peridot-backup.timer': timer,
    };
    const files = Object.entries(units).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    expect(execFileSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8', stdio: 'pipe' })).toBe(
      '',
    );
    for (const unit of [service, timer]) expect(unit).toMatch(/^\[Install\]\nWantedBy=/m);
  });

  it('is upgraded by the commands of docs/upgrading.md, and keeps its database', async () => {
    const [upgrade = '', upgradeArchive = ''] = blocksOf(
      readFileSync(join(root, 'docs/upgrading.md'), 'utf8'),
      'sh',
    );
    const keys = await publishedKeys();
    const link = (name: string) => readlinkSync(join(folder, 'opt/peridot', name));
    expect(link('peridot')).toBe('peridot-0.2.0-linux-amd64');
    rmSync(join(state, 'peridot-backups'), { recursive: true });
    isCurrent(await follow(upgrade, second));
    expect([link('peridot'), backups().length]).toEqual(['peridot-0.3.0-linux-amd64', 1]);
    expect(await publishedKeys()).toBe(keys);

    // The same server with the archive.
    await follow(installArchive, first);
    serving = cellsOf('`ExecStart`').archive;
    const command = cellsOf('instead of').archive;
    backingUp = backingUp.replace(here('/opt/peridot/peridot'), command);
    await systemctl('peridot');
    expect(await publishedKeys()).toBe(keys);
    expect(link('current')).toBe('peridot-0.2.0');
    rmSync(join(state, 'peridot-backups'), { recursive: true });
    isCurrent(await follow(upgradeArchive, second));
    expect([link('current'), backups().length]).toEqual(['peridot-0.3.0', 1]);
    expect(await publishedKeys()).toBe(keys);
  });

  it('runs from a clone with the commands for one', async () => {
    serving = cellsOf('`ExecStart`').clone;
    await systemctl('peridot');
    expect(JSON.parse(await follow(start.replace(/^systemctl.*\n/, ''), first))).toEqual({ status: 'ok' });
    const { stdout } = await sh(withSettings(`${cellsOf('instead of').clone} --version`), '/');
    expect(stdout).toBe(`${packageJson.version}\n`);
  });
});

it('the release in README.md runs without settings, in development mode', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [check = '', unpack = '', serve = ''] = blocksOf(readme, 'sh', 'Run a release')[0]?.split('\n') ?? [];
  expect((await sh(check, untouched)).stdout).toContain('peridot-0.2.0-linux-amd64.gz: OK');
  await sh(unpack, untouched);
  await server?.stop();
  const ready = async () => (await fetch(`http://localhost:${port}/readyz`)).ok;
  server = await runProcess(serve.split(' '), { cwd: untouched, env: { ...env, BASE_URL: '' } }, ready);
  await expect.poll(() => server?.lines.join('')).toContain('"event":"environment.development"');
});
