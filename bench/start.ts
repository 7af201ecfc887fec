/**
 * Measures the cost of a start: CPU time until the first 200 of the release's bundle, compared with bare Hono, started in turn, and the memory of the
 * service when it is idle and after requests of all kinds.
 *
 * `STARTS=15 bun bench/start.ts`
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { buildService } from '../scripts/release/service.ts';
import { freePort } from '../test/support/processes.ts';
import { production } from '../test/support/production.ts';
import { testSecretKey } from '../test/support/target.ts';

declare const Bun: {
  spawn(options: {
    cmd: string[];
    cwd: string;
    env: Record<string, string>;
    stdout: 'ignore';
    stderr: 'inherit';
  }): {
    readonly pid: number;
    readonly exited: Promise<number>;
    kill(signal: 'SIGKILL'): void;
  };
};

const bars = { ratio: 5, idleMb: 60, loadedMb: 90 };
const starts = Number(process.env['STARTS'] ?? 15);
const folder = mkdtempSync(join(tmpdir(), 'peridot-start-'));

const hono = `import { Hono } from 'hono';
const app = new Hono();
app.get('/healthz', (c) => c.json({ status: 'ok' }));
Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: app.fetch });`;

async function buildBoth(): Promise<void> {
  const { files } = await buildService();
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  await build({
    stdin: { contents: hono, resolveDir: import.meta.dirname },
    outfile: join(folder, 'hono.js'),
    bundle: true,
    format: 'esm',
    target: 'esnext',
    platform: 'node',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: '// @bun' },
  });
}

const settings: Record<string, string> = {
  ...production,
  SECRET_KEY: testSecretKey,
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '127.0.0.0/8',
  RATE_LIMITS: '{"*":1000000}',
  LOG_LEVEL: 'error',
  DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
  KV_URL: `file:${join(folder, 'kv.db')}`,
};

async function start(program: string) {
  const port = await freePort();
  const env = { ...settings, PORT: String(port), PATH: process.env['PATH'] ?? '' };
  const child = Bun.spawn({
    cmd: [process.execPath, program],
    cwd: folder,
    env,
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
  while (
    !(await ask('/healthz').then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(2);
  return { child, ask };
}

/** The CPU time of all threads until the first 200, in milliseconds (proc(5), schedstat). */
async function costOf(program: string): Promise<number> {
  const { child } = await start(program);
  const threads = readdirSync(`/proc/${child.pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${child.pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  child.kill('SIGKILL');
  await child.exited;
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

function residentMb(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

await buildBoth();
const programs = ['hono.js', 'src/bun.js'] as const;
// Migrates the database.
await costOf('src/bun.js');
const costs = new Map<string, number[]>(programs.map((program) => [program, []]));
for (let turn = 0; turn < starts; turn += 1)
  for (const program of turn % 2 ? programs : programs.toReversed())
    costs.get(program)?.push(await costOf(program));
const [bare = 0, ours = 0] = programs.map((program) => median(costs.get(program) ?? []));

const { child, ask } = await start('src/bun.js');
await sleep(5_000);
const idle = residentMb(child.pid);
const paths = [
  '/v1/auth/session',
  '/v1/auth/providers',
  '/signin',
  '/docs',
  '/readyz',
  '/v1/wallet',
  '/.well-known/jwks.json',
];
for (let round = 0; round < 500; round += 1)
  await Promise.all(paths.map(async (path) => void (await (await ask(path)).arrayBuffer())));
const loaded = residentMb(child.pid);
child.kill('SIGKILL');
await child.exited;
rmSync(folder, { recursive: true });

const line = (what: string, value: string, bar: number) => console.log(`${what}: ${value} (bar ${bar})`);
console.log(
  `bare Hono: ${bare.toFixed(1)} ms, the service: ${ours.toFixed(1)} ms of CPU time to the first 200`,
);
line('ratio', (ours / bare).toFixed(2), bars.ratio);
line('idle, MB', idle.toFixed(1), bars.idleMb);
line('after requests, MB', loaded.toFixed(1), bars.loadedMb);
