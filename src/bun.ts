import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyBrand, checkBeforeServing, createApp } from './app.ts';
import { storesOf } from './config/database-settings.ts';
import { type Config, ConfigError, misspeltSettings, parseConfig } from './config.ts';
import type { Database } from './db/database.ts';
import type { Deps, Logger } from './deps.ts';
import { AppError, explain } from './errors.ts';
import { memoize } from './lib/memoize.ts';
import type { BucketStore } from './lib/token-bucket.ts';
import { createMeter, type Meter } from './metrics.ts';
import { readAssets } from './platform/assets.ts';
import { answerFailure } from './platform/bare-answer.ts';
import { createClientAddresses } from './platform/client-address.ts';
import { compressFile, compressingPages } from './platform/compress.ts';
import { checkEngine } from './platform/database/engine.ts';
import { requireSound } from './platform/database/file-check.ts';
import { sqliteVersion } from './platform/database/libsql-connection.ts';
import { openInThread } from './platform/database/libsql-in-thread.ts';
import { fileOf, openForOperator, openLibsql } from './platform/database/libsql-node.ts';
import { migrate } from './platform/database/migrate.ts';
import { createDevClock } from './platform/dev-clock.ts';
import { developmentSecret } from './platform/dev-secret.ts';
import { openLibsqlKv } from './platform/kv-libsql.ts';
import { createDatabaseBuckets } from './platform/limits/bucket-database.ts';
import { createGuardedBuckets } from './platform/limits/bucket-guard.ts';
import { createMemoryBuckets } from './platform/limits/bucket-memory.ts';
import { lingering } from './platform/linger.ts';
import { listFiles } from './platform/list-files.ts';
import { createLogger } from './platform/log.ts';
import { createMail } from './platform/mail/mail.ts';
import { projectFolder, readVersion } from './platform/place.ts';
import { randomBytes } from './platform/random.ts';
import { fetchResolved } from './platform/resolve-name.ts';
import { sandboxCallOut, sandboxFetch } from './platform/sandbox-fetch.ts';
import { createScryptThreads } from './platform/scrypt-threads.ts';
import { createTrace } from './platform/trace.ts';

/** The part of Bun's server API used here. */
interface BunServer {
  readonly port: number;
  readonly pendingRequests: number;
  requestIP(request: Request): { address: string; family: string } | null;
  stop(closeConnections?: boolean): Promise<void>;
}

declare const Bun: {
  serve(options: {
    port: number;
    hostname: string;
    idleTimeout: number;
    /** Makes error responses include the source. */
    development: boolean;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
    error(thrown: unknown): Response;
  }): BunServer;
  gc(force: boolean): void;
  readonly unsafe: {
    /** Multiplies the call counts at which functions are compiled to machine code. */
    setJITPolicy(scale: number): void;
  };
};

/** How long requests in flight may continue after SIGTERM. */
const drainMs = 8_000;
const idleTimeoutSeconds = 30;
const scheduleEveryMs = 60_000;
/** The delay after startup until the jobs first run, because their modules are most of the code. */
const scheduleAfterMs = 1_000;
/** How long startup waits for another process to release the database's write lock. */
const startPatienceMs = 30_000;
const developmentWarning =
  'this is development mode: where people sign in, set ENVIRONMENT=production and the settings of docs/deploying.md';
const nothing = { text: 'SELECT 1', values: [] };

/** Calls to untrusted addresses. The runtime's HTTP client is loaded with the first call. */
const callOut: Deps['callOut'] = async (call) => (await pinned())(call);
const pinned = memoize(async () => (await import('./platform/call-out-node.ts')).pinnedCallOut());

async function main(): Promise<void> {
  const stores = storesOf(process.env);
  const config = parseConfig({ ...developmentSecret(process.env), ...stores });
  await applyBrand(config);
  const isRead = config.metricsTokenHash !== null || config.ACCESS_LOG === 'on';
  const meter = isRead ? createMeter(() => performance.now()) : undefined;
  const written = createLogger(config.LOG_LEVEL, (line) => process.stdout.write(`${line}\n`), Date.now);
  const log = meter?.log(written) ?? written;
  for (const message of misspeltSettings(process.env)) log.warn('setting.unknown', { message });
  const url = stores.DATABASE_URL;
  const kv = await openLibsql(stores.KV_URL);
  const opened = await openDatabase(url, config, log);
  const db = meter?.database(opened.db) ?? opened.db;

  const clock = createDevClock(Date.now);
  const trace = createTrace();
  const outside = isProxied(process.env)
    ? (request: Request) => fetch(request)
    : fetchResolved(fetch, () => performance.now());
  const unfinished = new Set<Promise<unknown>>();
  const addresses = createClientAddresses(config, log, Date.now);
  const deps: Deps = {
    config,
    db,
    engine: () => ('engine' in opened ? (opened.engine?.() ?? null) : null),
    buckets: createBuckets(config, db, log),
    kv: await openLibsqlKv(kv.db),
    log,
    now: config.production ? Date.now : clock.now,
    randomBytes,
    scrypt: createScryptThreads(),
    fetch: trace.fetch(sandboxFetch(config, () => app, outside)),
    callOut: trace.callOut(sandboxCallOut(config, () => app, callOut)),
    mail: createMail({
      config,
      log,
      fetch: outside,
      loadSmtp: async () => (await import('./platform/mail/mail-smtp-node.ts')).sendBySmtp,
    }),
    background(work) {
      const settled = work
        .catch((error) => log.error('background.failed', { error }))
        .finally(() => unfinished.delete(settled));
      unfinished.add(settled);
    },
    warnings: addresses.warnings,
    metrics: meter,
  };
  const runJobs = async () => (await import('./scheduled.ts')).runScheduled(deps);
  const app = createApp(deps, clock, runJobs);
  const assets = readPublicFiles();
  const scrape = meter && (await openScrape(deps, meter, opened, url));
  await checkBeforeServing(deps);
  const server = serve(deps, {
    files: (request) => assets(request) ?? scrape?.(request) ?? null,
    answer(request, peer) {
      const connection = { address: addresses.of(request, peer), country: null };
      return trace.within(request.headers, () => app.fetch(request, connection));
    },
  });
  const work = () => deps.background(runJobs());
  const first = () => deps.background(runJobs().finally(settle));
  const timers = [setTimeout(first, scheduleAfterMs), setInterval(work, scheduleEveryMs)];
  const about = { version: readVersion(), environment: config.ENVIRONMENT };
  log.info('listening', { ...about, url: config.origin, host: config.HOST, port: server.port });
  if (!config.production) log.warn('environment.development', { message: developmentWarning });

  const stop = async (signal: string) => {
    log.info('stopping', { signal, inFlight: server.pendingRequests });
    timers.forEach(clearInterval);
    await drain(server, unfinished);
    await opened.close();
    kv.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
}

/** Ends startup: restores the thresholds that a release raises, and frees the memory that only startup needed. */
function settle(): void {
  Bun.unsafe.setJITPolicy(1);
  Bun.gc(true);
}

/** Returns whether `fetch` uses a proxy, which resolves the names itself. */
function isProxied(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => /^https?_proxy$/i.test(name) && env[name] !== '');
}

interface Handlers {
  readonly files: (request: Request) => Promise<Response> | null;
  /** All other requests. @param peer the address at the other end of the socket */
  readonly answer: (request: Request, peer: string | undefined) => Response | Promise<Response>;
}

function serve({ config, log }: Deps, { files, answer }: Handlers): BunServer {
  return Bun.serve({
    port: config.PORT,
    hostname: config.HOST,
    idleTimeout: idleTimeoutSeconds,
    development: false,
    error: (thrown) => answerFailure(log, thrown),
    fetch: (request, bun) =>
      files(request) ??
      lingering(request, compressingPages(request, answer(request, bun.requestIP(request)?.address))),
  });
}

/** `/metrics`, loaded only if it is enabled. */
async function openScrape(
  deps: Deps,
  meter: Meter,
  opened: { figures(): string | Promise<string> },
  url: string,
): Promise<((request: Request) => Promise<Response> | null) | undefined> {
  if (deps.config.metricsTokenHash === null) return undefined;
  const [{ createScrape }, { fileFigures, watchProcess }] = await Promise.all([
    import('./scrape.ts'),
    import('./platform/process-figures.ts'),
  ]);
  const isFile = url.startsWith('file:') && !url.startsWith('file::memory:');
  const parts = [meter.text, watchProcess().text, opened.figures];
  return createScrape(deps, isFile ? [...parts, () => fileFigures(fileOf(url))] : parts);
}

function readPublicFiles(): ReturnType<typeof readAssets> {
  const folder = join(projectFolder, 'public');
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  return readAssets(listFiles(folder), read, compressFile);
}

/** Stops the server after requests and background work are done, or time out. */
async function drain(server: BunServer, unfinished: Set<Promise<unknown>>): Promise<void> {
  void server.stop();
  const deadline = Date.now() + drainMs;
  while (server.pendingRequests > 0 && Date.now() < deadline) await sleep(10);
  await Promise.race([Promise.all(unfinished), sleep(deadline - Date.now())]);
  await server.stop(true);
}

/** Migrates the database, which may take minutes, and opens it for the service. */
async function openDatabase(url: string, config: Config, log: Logger) {
  const { DATABASE_AUTH_TOKEN: token, NEWER_DATABASE: newer, production } = config;
  const migrations = join(projectFolder, 'migrations');
  const isFile = url.startsWith('file:');
  if (isFile) checkEngine(sqliteVersion(), production, log);
  // Each connection reads the whole schema, so a file with all migrations is opened once fewer.
  if (!isFile || !(await requireSound(fileOf(url), migrations, newer))) {
    const isCluster = url.startsWith('rqlite');
    if (isCluster)
      await (await import('./platform/database/rqlite-check.ts')).checkCluster(url, production, log);
    const database = await openForOperator(url, token, startPatienceMs);
    await waitForLock(database.db);
    if (!isFile && !isCluster) await requirePrimary(database.db, production, log);
    const applied = await migrate(database.db, migrations, newer);
    if (applied.length > 0) log.info('migrated', { applied });
    // Each in-memory connection is a separate database.
    if (url.startsWith('file::memory:')) return database;
    database.close();
  }
  if (!isFile) return openLibsql(url, token, undefined, production);
  const opened = await openInThread(fileOf(url));
  await waitForLock(opened.db);
  return opened;
}

/** Waits for another process to release the write lock. Two statements form a transaction, which needs the lock. */
async function waitForLock(db: Database): Promise<void> {
  const giveUpAt = performance.now() + startPatienceMs;
  for (;;) {
    try {
      await db.batch([nothing, nothing]);
      return;
    } catch (error) {
      if (!(error instanceof AppError) || performance.now() > giveUpAt) throw error;
    }
  }
}

async function requirePrimary(db: Database, production: boolean, log: Logger): Promise<void> {
  const { isReplica } = await import('./platform/database/libsql-server.ts');
  if (!(await isReplica(db))) return;
  const message = 'DATABASE_URL must name the primary: reads from a replica are out of date';
  if (production) throw new ConfigError([message]);
  log.warn('database.replica', { message });
}

function createBuckets({ RATE_LIMIT_STORE = 'memory' }: Config, db: Database, log: Logger): BucketStore {
  if (RATE_LIMIT_STORE === 'memory') return createMemoryBuckets();
  if (RATE_LIMIT_STORE === 'database') return createGuardedBuckets(createDatabaseBuckets(db), log);
  throw new ConfigError(['RATE_LIMIT_STORE must be memory or database on Bun']);
}

try {
  await main();
} catch (error) {
  // A single line, because the runtime's own dump hides the reason.
  const text = error instanceof ConfigError ? error.message : `Peridot could not start: ${explain(error)}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
