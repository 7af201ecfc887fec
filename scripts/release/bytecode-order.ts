import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { jobNames } from '../../src/lib/job-names.ts';
import { hostArchitecture } from './bun-binary.ts';
import { buildExecutable } from './executable.ts';

/** What nearly every service is asked for. */
const paths = [
  '/healthz',
  '/readyz',
  '/signin',
  '/account',
  '/docs',
  '/v1/auth/session',
  '/v1/auth/providers',
  '/v1/sessions',
  '/v1/me',
  '/v1/wallet',
  '/.well-known/jwks.json',
  '/.well-known/openid-configuration',
];

/**
 * Records which functions a start, the jobs and common requests use, in Bun's format for `--bytecode-order`. The
 * executable stores the bytecode of these functions together, so that a process maps few pages of the others. Equal
 * services yield equal records on the same architecture.
 * @param service the service's folder (`buildService`)
 */
export async function recordOrder(service: ReadonlyMap<string, Buffer>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'peridot-order-'));
  try {
    const program = join(folder, 'peridot');
    const order = join(folder, 'order.txt');
    writeFileSync(program, buildExecutable(hostArchitecture, service), { mode: 0o755 });
    // The first start migrates, which the others do not.
    await use(program, settingsIn(folder));
    await use(program, { ...settingsIn(folder), BUN_BYTECODE_ORDER_OUT: order });
    return sorted(readFileSync(order, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function settingsIn(folder: string): Record<string, string> {
  return {
    ENVIRONMENT: 'production',
    BASE_URL: 'https://id.example.com',
    CLIENT_SUCCESS_URL: 'https://app.example.com/welcome',
    IDP_ISSUER: '',
    MAIL_TRANSPORT: 'outbox',
    SECRET_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: `file:${join(folder, 'peridot.db')}`,
    KV_URL: `file:${join(folder, 'kv.db')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'debug',
  };
}

/** Starts the service, sends it each request, and stops it when its jobs have run. */
async function use(program: string, env: Record<string, string>): Promise<void> {
  const limits = { timeout: 120_000, killSignal: 'SIGKILL' } as const;
  const child = spawn(program, { env, stdio: ['ignore', 'pipe', 'inherit'], ...limits });
  const stop = () => void child.kill('SIGTERM');
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let jobs = 0;
  let answered = Promise.resolve();
  for await (const line of createInterface(child.stdout)) {
    const { event, port } = JSON.parse(line);
    if (event === 'listening') answered = ask(`http://127.0.0.1:${port}`);
    if (event !== 'job') continue;
    jobs += 1;
    if (jobs === jobNames.length) answered.then(stop, stop);
  }
  await answered;
  if ((await exited) !== 0) throw new Error('The executable failed while its functions were recorded');
}

async function ask(origin: string): Promise<void> {
  for (const path of paths) {
    const headers = { Accept: 'text/html', 'Sec-Fetch-Site': 'none' };
    await (await fetch(origin + path, { headers, redirect: 'manual' })).arrayBuffer();
  }
}

/** The kinds of records, as Bun writes them: `K` belongs to the `N` before it. */
const kinds = 'FMSKN';

/** Sorts the records within their kind, because their order depends on the timing of threads. */
function sorted(order: string): string {
  const [version = '', ...records] = order.trimEnd().split('\n');
  const groups: string[][] = [];
  for (const record of records) {
    const group = groups.at(-1);
    if (record.startsWith('K') && group?.[0]?.startsWith('N')) group.push(record);
    else groups.push([record]);
  }
  if (version !== 'v2' || !records.every(([kind = '']) => kinds.includes(kind)))
    throw new Error(`Bun writes the order of bytecode in a new format: ${version}`);
  const lines = groups.map(([first = '', ...others]) => [first, ...others.sort()]).sort(byFirst);
  return [version, ...lines.flat(), ''].join('\n');
}

function byFirst([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return kinds.indexOf(a.charAt(0)) - kinds.indexOf(b.charAt(0)) || (a < b ? -1 : 1);
}
