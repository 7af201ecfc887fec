import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { endsWithUs } from './ends-with-us.ts';
import { readFolder } from './folder.ts';
import { placeMigrated } from './migrated.ts';
import { freePort } from './processes.ts';
import { sendTo } from './send-to.ts';
import { type Target, type TargetRequest, type TargetVariables, testDefaults } from './target.ts';

const root = join(import.meta.dirname, '../..');

export const startsSlowly = true;

interface Run {
  readonly server: ChildProcess;
  readonly port: number;
  readonly origin: string;
}

/** The service in a separate Bun process, reached over HTTP. */
export async function createTarget(variables: TargetVariables = {}): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-test-'));
  await placeMigrated(join(folder, 'peridot.db'));
  const file = `file:${join(folder, 'peridot.db')}`;
  const stores = { DATABASE_URL: file, KV_URL: `file:${join(folder, 'kv.db')}` };
  const lines: string[] = [];
  // SQLite before 3.51.3, which libSQL's client contains, may lose a commit if two processes write to one file.
  const own = await openLibsql(file);
  const begin = (others: TargetVariables) =>
    start({ ...testDefaults, ...stores, ...variables, ...others }, lines);
  let run = await begin({});
  // Waits for the first run of the jobs, which would otherwise change the database during a test.
  const lastJob = { text: "SELECT 1 FROM job_leases WHERE job = 'proofs' AND until = 0", values: [] };
  for (let tries = 0; tries < 100 && (await own.db.batch([lastJob]))[0].length === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  let offset = 0;
  let closing: Promise<void> | undefined;
  const end = async () => {
    own.close();
    await stop(run.server);
    await rm(folder, { recursive: true, force: true });
  };
  // As behind a proxy, the Host header has the public name, wherever the socket leads.
  const send = (path: string, init: TargetRequest) =>
    sendTo(run.port, path, { ...init, headers: { Host: new URL(run.origin).host, ...init.headers } });
  let underWay = 0;
  let endedAt = 0;
  return {
    get origin() {
      return run.origin;
    },
    async request(path, init = {}) {
      // Ids and rows from one millisecond have no order, so consecutive requests do not share one.
      while (underWay === 0 && Date.now() === endedAt) await new Promise(setImmediate);
      underWay += 1;
      try {
        return await send(path, init);
      } finally {
        underWay -= 1;
        endedAt = Date.now();
      }
    },
    async advance(seconds) {
      await advanceClock(run, seconds);
      offset += seconds * 1000;
    },
    now: () => Date.now() + offset,
    async rows(sql, values = []) {
      const [rows] = await own.db.batch([{ text: sql, values }]);
      return rows as never;
    },
    trips: () => null,
    files: () => readFolder(folder),
    log: () => lines.filter((line) => line.startsWith('{')),
    async restart(others = {}) {
      await stop(run.server);
      run = await begin(others);
      // In production nothing moves the service's clock.
      if (offset > 0 && others['ENVIRONMENT'] !== 'production') await advanceClock(run, offset / 1000);
    },
    close() {
      closing ??= end();
      return closing;
    },
  };
}

async function start(variables: TargetVariables, lines: string[]): Promise<Run> {
  const port = await freePort();
  const server = endsWithUs(
    spawn(
      join(root, 'node_modules/.bin/bun'),
      ['--preload', join(import.meta.dirname, 'bun-quick-scrypt.ts'), 'src/bun.ts'],
      {
        cwd: root,
        env: { ...process.env, ...variables, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ),
  );
  collect(server, lines);
  await ready(server, port, lines);
  return { server, port, origin: new URL(variables['BASE_URL'] ?? '').origin };
}

/** In development the service's own clock can be moved from outside. */
async function advanceClock(run: Run, seconds: number): Promise<void> {
  const body = JSON.stringify({ advanceSeconds: seconds });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await sendTo(run.port, '/dev/clock', { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the clock did not move: ${answer.status} ${await answer.text()}`);
}

function collect(server: ChildProcess, lines: string[]): void {
  for (const stream of [server.stdout, server.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
  }
}

async function ready(server: ChildProcess, port: number, lines: string[]): Promise<void> {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    if (server.exitCode !== null) break;
    const answers = await sendTo(port, '/readyz', {}).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await stop(server);
  throw new Error(`the service did not come up:\n${lines.join('\n')}`);
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exited = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exited;
}
