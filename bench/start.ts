/**
 * Measures the cost of a start: CPU time until the first 200 of a release's executable and of its bundle, compared with bare Hono, started in turn, and the
 * memory of both, five seconds after the start and right after requests.
 *
 * `STARTS=15 bun bench/start.ts`
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { hostArchitecture } from '../scripts/release/bun-binary.ts';
import { recordOrder } from '../scripts/release/bytecode-order.ts';
import { buildExecutable } from '../scripts/release/executable.ts';
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
const memoryStarts = 5;
const folder = mkdtempSync(join(tmpdir(), 'peridot-start-'));

const hono = `import { Hono } from 'hono';
const app = new Hono();
app.get('/healthz', (c) => c.json({ status: 'ok' }));
Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: app.fetch });`;

/** The arguments after Bun, or the path of an executable. */
const programs = { hono: ['hono.js'], bundle: ['src/bun.js'], executable: ['./peridot'] };
type Program = keyof typeof programs;

async function buildAll(): Promise<void> {
  const { files } = await buildService();
  const executable = buildExecutable(hostArchitecture, files, await recordOrder(files));
  const path = join(folder, 'peridot');
  writeFileSync(path, executable, { mode: 0o755, flush: true });
  // A file that was just written is cached in large pieces, of which the process maps more than it reads.
  execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
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

async function start(program: Program) {
  const port = await freePort();
  const env = { ...settings, PORT: String(port), PATH: process.env['PATH'] ?? '' };
  const child = Bun.spawn({
    cmd: program === 'executable' ? programs[program] : [process.execPath, ...programs[program]],
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
async function costOf(program: Program): Promise<number> {
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

const paths = [
  '/v1/auth/session',
  '/v1/auth/providers',
  '/signin',
  '/docs',
  '/readyz',
  '/v1/wallet',
  '/.well-known/jwks.json',
];

/** Medians of several starts, because the runtime's collector and compiler run concurrently. */
async function memoryOf(program: Program) {
  const idle: number[] = [];
  const loaded: number[] = [];
  for (let turn = 0; turn < memoryStarts; turn += 1) {
    const { child, ask } = await start(program);
    await sleep(5_000);
    idle.push(residentMb(child.pid));
    for (let round = 0; round < 500; round += 1)
      await Promise.all(paths.map(async (path) => void (await (await ask(path)).arrayBuffer())));
    loaded.push(residentMb(child.pid));
    child.kill('SIGKILL');
    await child.exited;
  }
  return { idle: median(idle), loaded: median(loaded) };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

await buildAll();
const names = ['hono', 'bundle', 'executable'] as const;
// Migrates the database.
await costOf('bundle');
const costs = new Map<Program, number[]>(names.map((name) => [name, []]));
for (let turn = 0; turn < starts; turn += 1)
  for (const name of turn % 2 ? names : names.toReversed()) costs.get(name)?.push(await costOf(name));
const [bare = 0, bundle = 0, executable = 0] = names.map((name) => median(costs.get(name) ?? []));

const executableMb = await memoryOf('executable');
const bundleMb = await memoryOf('bundle');
rmSync(folder, { recursive: true });

const line = (what: string, value: string, bar: number) => console.log(`${what}: ${value} (bar ${bar})`);
console.log(
  `CPU time to the first 200: bare Hono ${bare.toFixed(1)} ms, the executable ${executable.toFixed(1)} ms, the bundle ${bundle.toFixed(1)} ms`,
);
line('executable to bare Hono', (executable / bare).toFixed(2), bars.ratio);
line('executable, idle, MB', executableMb.idle.toFixed(1), bars.idleMb);
line('executable, after requests, MB', executableMb.loaded.toFixed(1), bars.loadedMb);
line('bundle, idle, MB', bundleMb.idle.toFixed(1), bars.idleMb);
line('bundle, after requests, MB', bundleMb.loaded.toFixed(1), bars.loadedMb);
