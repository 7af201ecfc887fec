import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type RunningProcess, runProcess } from './support/processes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'peridot-deploying-'));
const port = await freePort();

/** The blocks of one language under a heading, with the paths of this test. */
function blocksOf(heading: string, language: string): string[] {
  const section = guide.split(new RegExp(`^#+ ${heading}\\n`, 'm'))[1]?.split(/^#+ /m)[0] ?? '';
  const blocks = [...section.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))];
  return blocks.map(([, indent = '', text = '']) =>
    text
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .replaceAll('/etc/peridot.env', join(folder, 'peridot.env'))
      .replaceAll('/var/lib/', `${folder}/`)
      .replaceAll('/opt/peridot', root)
      .replaceAll(':8787', `:${port}`),
  );
}

const sh = (command: string, env: Record<string, string> = {}) =>
  run('sh', ['-c', command], { cwd: root, env: { ...process.env, ...env } });
const [, settings = '', start = ''] = blocksOf('Bun', 'sh');
const [service = ''] = blocksOf('Bun', 'ini');
const [backup = '', timer = ''] = blocksOf('Daily backups', 'ini');
const lineOf = (unit: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
const withSettings = (command: string) =>
  `set -a; . ${join(folder, 'peridot.env')}; PORT=${port}; ${command}`;

let server: RunningProcess;
beforeAll(async () => {
  for (const name of lineOf(service, 'StateDirectory').split(' ')) mkdirSync(join(folder, name));
  await sh(settings);
  const command = ['sh', '-c', withSettings(`exec ${lineOf(service, 'ExecStart')}`)];
  server = await runProcess(command, { cwd: root, env: {} }, async () => {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).status > 0;
  });
}, 60_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the deployment to a server as described in docs/deploying.md', () => {
  it('starts with its settings, and is ready', async () => {
    const [, asked = ''] = start.split('\n');
    expect(JSON.parse((await sh(asked)).stdout)).toEqual({ status: 'ok' });
    expect(readdirSync(join(folder, 'peridot-kv'))).toContain('kv.db');
  });

  it('has a command line that reports when nobody is waiting for a PID', async () => {
    const [commands = ''] = blocksOf('The first administrator', 'sh');
    const refused = await sh(commands).catch((error: { stderr: string }) => error);
    expect(refused.stderr).toMatch(/^ayu@pid cannot be assigned: no such account is waiting/);
    const { stdout } = await sh(commands.replace(/^cli admin claim.*$/m, 'cli admin list'));
    expect(stdout).toContain('ayu@pid');
  });

  it('writes a backup named after the date, and removes old ones', async () => {
    const place = join(folder, lineOf(backup, 'StateDirectory'));
    mkdirSync(place);
    const env = { STATE_DIRECTORY: place };
    await sh(withSettings(lineOf(backup, 'ExecStart').replaceAll('%%', '%')), env);
    expect(readdirSync(place)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-\d{4}\.db$/)]);
    writeFileSync(join(place, 'old.db'), '');
    await sh(`touch -d '40 days ago' ${join(place, 'old.db')}; ${lineOf(backup, 'ExecStartPost')}`, env);
    expect(readdirSync(place)).toHaveLength(1);
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
});
