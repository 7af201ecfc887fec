/**
 * Measures the cost of metrics: the same service twice in one process, on one file, with and without metrics,
 * alternately. The disk is excluded (`TMPDIR=/dev/shm`), because its latency would hide the difference.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import type { Deps } from '../src/deps.ts';
import { endpoints } from '../src/endpoints.ts';
import { createMeter } from '../src/metrics.ts';
import { openInThread } from '../src/platform/database/libsql-in-thread.ts';
import { createMemoryKv } from '../src/platform/kv-memory.ts';
import { createMemoryBuckets } from '../src/platform/limits/bucket-memory.ts';
import { createLogger } from '../src/platform/log.ts';
import { randomBytes } from '../src/platform/random.ts';
import { sandboxCallOut, sandboxFetch } from '../src/platform/sandbox-fetch.ts';
import { scrypt } from '../src/platform/scrypt.ts';
import { createScrape } from '../src/scrape.ts';
import { placeMigrated } from '../test/support/migrated.ts';
import { testDefaults } from '../test/support/target.ts';
import type { Answer, Connection } from './load.ts';
import { setCookieValue, signInPeople } from './sign-in.ts';

const rounds = Number(process.env['ROUNDS'] ?? 400);
const token = 'a-token-that-reads-the-metrics-0';
const folder = mkdtempSync(join(tmpdir(), 'peridot-metrics-'));
const file = join(folder, 'peridot.db');
await placeMigrated(file);
const { db, close } = await openInThread(file);
const config = parseConfig({
  ...testDefaults,
  RATE_LIMITS: '{"*":100000000}',
  LOG_LEVEL: 'error',
  METRICS_TOKEN: token,
});
const log = createLogger('error', console.error, Date.now);
const meter = createMeter(() => performance.now());

const common: Deps = {
  config,
  db,
  log,
  buckets: createMemoryBuckets(),
  kv: createMemoryKv(),
  now: Date.now,
  randomBytes,
  scrypt,
  fetch: sandboxFetch(config, () => plain, fetch),
  callOut: sandboxCallOut(
    config,
    () => plain,
    () => Promise.reject(new Error('nobody is called')),
  ),
  mail: async () => {},
  background: (work) => void work.catch(() => {}),
};
const counted: Deps = { ...common, db: meter.database(db), log: meter.log(log), metrics: meter };
const plain = createApp(common);
const apps = [plain, createApp(counted)] as const;
const connection = { address: '127.0.0.1', country: null };

/** The same exchange as over a socket, in this process. */
async function exchange(text: string): Promise<Answer> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
  const request = new Request(config.origin + path, { method, headers, ...(body === '' ? {} : { body }) });
  const answer = await plain.fetch(request, connection);
  const sent = [...answer.headers].map(([name, value]) => `\r\n${name}: ${value}`).join('');
  return { status: answer.status, head: `HTTP/1.1 ${answer.status}${sent}`, body: await answer.text() };
}

const sessions = await signInPeople({ exchange } as Connection, 20);

type Service = (typeof apps)[number];
let turn = 0;

async function read(app: Service): Promise<void> {
  turn += 1;
  const headers = { Cookie: sessions[turn % sessions.length]?.cookies ?? '' };
  const answer = await app.fetch(new Request(`${config.origin}/v1/auth/session`, { headers }), connection);
  if (answer.status !== 200) throw new Error(`a session read answered ${answer.status}`);
}

const refreshed = sessions.map(({ refreshToken }) => refreshToken);

async function refresh(app: Service): Promise<void> {
  turn += 1;
  const at = turn % sessions.length;
  const Cookie = (sessions[at]?.cookies ?? '').replace(/pid_refresh=[^;]+/, `pid_refresh=${refreshed[at]}`);
  const headers = { Cookie, Origin: config.origin };
  const request = new Request(`${config.origin}/v1/auth/refresh`, { method: 'POST', headers });
  const answer = await app.fetch(request, connection);
  if (answer.status !== 204) throw new Error(`a refresh answered ${answer.status}`);
  const head = answer.headers.getSetCookie().map((line) => `\r\nset-cookie: ${line}`);
  refreshed[at] = setCookieValue(head.join(''), 'pid_refresh') ?? '';
}

/** The CPU time of one step in microseconds, of all threads. */
async function timed(step: (app: Service) => Promise<void>, app: Service, count: number): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await step(app);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** The fastest tenth of the rounds, when the machine was least busy. */
const quiet = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;

/** Alternates, because the machine changes more between two runs than the cost of metrics. */
async function compare(name: string, step: (app: Service) => Promise<void>, count: number): Promise<void> {
  for (const app of apps) await timed(step, app, count * 20);
  const took: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const at of round % 2 ? ([0, 1] as const) : ([1, 0] as const))
      took[at].push(await timed(step, apps[at], count));
  }
  const [without = 0, withMetrics = 0] = took.map(quiet);
  console.log(
    `${name}: ${without.toFixed(2)} µs without, ${withMetrics.toFixed(2)} µs with metrics, ratio ${(withMetrics / without).toFixed(4)}`,
  );
}

await compare('session read', read, 200);
await compare('refresh', refresh, 20);

/** Every route with a hundred statuses, which is more than a service ever has. */
const { heapUsed: before } = memory();
const full = createMeter(() => performance.now());
for (const { method, path } of endpoints)
  for (let status = 200; status < 300; status += 1) full.route(`${method} ${path}`)(status, 1);
const { heapUsed: after } = memory();
console.log(`${endpoints.length} routes: ${((after - before) / 1024).toFixed(0)} KiB`);

function memory() {
  Bun.gc(true);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heapUsed: heapUsed + arrayBuffers };
}

declare const Bun: { gc(now: boolean): void };

for (const { method, path } of endpoints)
  for (const status of [200, 400, 401, 404, 429]) meter.route(`${method} ${path}`)(status, 1);
const scrape = createScrape(counted, [meter.text]);
const asked = new Request(`${config.origin}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
const scrapes: number[] = [];
let bytes = 0;
for (let round = 0; round < 50; round += 1) {
  const startedAt = performance.now();
  bytes = ((await (await scrape(asked))?.text()) ?? '').length;
  scrapes.push(performance.now() - startedAt);
}
console.log(`scrape: ${quiet(scrapes).toFixed(2)} ms, ${(bytes / 1024).toFixed(0)} KiB`);

await close();
rmSync(folder, { recursive: true });
process.exit();
