import { waitUntil } from 'cloudflare:workers';
import type {
  AnalyticsEngineDataset,
  D1Database,
  ExportedHandler,
  KVNamespace,
} from '@cloudflare/workers-types';
import { type App, applyBrand, createApp } from './app.ts';
import { type Config, ConfigError, misspeltSettings, parseConfig } from './config.ts';
import type { Deps, Logger } from './deps.ts';
import { AppError } from './errors.ts';
import { memoize } from './lib/memoize.ts';
import type { BucketStore } from './lib/token-bucket.ts';
import { createMeter, type Meter } from './metrics.ts';
import { answerFailure, bareAnswer } from './platform/bare-answer.ts';
import { callOut } from './platform/call-out-workers.ts';
import { openD1 } from './platform/database/d1.ts';
import { createDevClock } from './platform/dev-clock.ts';
import { openWorkersKv } from './platform/kv-workers.ts';
import { createGuardedBuckets } from './platform/limits/bucket-guard.ts';
import { createKvBuckets } from './platform/limits/bucket-kv.ts';
import { createMemoryBuckets } from './platform/limits/bucket-memory.ts';
import { type BucketNamespace, createObjectBuckets } from './platform/limits/bucket-object.ts';
import { createLogger } from './platform/log.ts';
import { createMail } from './platform/mail/mail.ts';
import { randomBytes } from './platform/random.ts';
import { sandboxCallOut, sandboxFetch } from './platform/sandbox-fetch.ts';
import { scrypt } from './platform/scrypt.ts';
import { createTrace } from './platform/trace.ts';

export { RateLimitBuckets } from './platform/limits/bucket-object.ts';

/** The bindings in wrangler.toml; `parseConfig` reads the variables and secrets. */
export interface Env {
  readonly DB: D1Database;
  readonly KV: KVNamespace;
  readonly BUCKETS?: BucketNamespace;
  /** Receives every count, if it is bound. */
  readonly METRICS?: AnalyticsEngineDataset;
  readonly [name: string]: unknown;
}

interface Service {
  readonly app: App;
  readonly deps: Deps;
  readonly trace: ReturnType<typeof createTrace>;
  /** Applies the brand, once. */
  prepare(): Promise<void>;
}

/** One service per isolate, which holds the verified tokens and the rate limit buckets. */
let service: Service | undefined;

/** D1, or a libSQL server or rqlite cluster, whose client (20 kB gzipped) is loaded on first use. */
function openDatabase(config: Config, env: Env): Pick<Deps, 'db' | 'engine'> {
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = config;
  if (!url) return { db: openD1(env.DB) };
  let engine: Deps['engine'];
  const server = memoize(async () => {
    if (url.startsWith('rqlite')) {
      const { openRqlite } = await import('./platform/database/rqlite.ts');
      const opened = openRqlite({ url, isStrict: config.production });
      engine = opened.engine;
      return opened.db;
    }
    const { openServer } = await import('./platform/database/libsql-server.ts');
    return openServer({ url, authToken });
  });
  return {
    db: { batch: async (statements) => (await server()).batch(statements) },
    engine: () => engine?.() ?? null,
  };
}

function createBuckets(config: Config, env: Env, log: Logger, background: Deps['background']): BucketStore {
  const { RATE_LIMIT_STORE = 'kv' } = config;
  if (RATE_LIMIT_STORE === 'kv') return createKvBuckets(env.KV, background);
  if (RATE_LIMIT_STORE === 'memory') return createMemoryBuckets();
  if (RATE_LIMIT_STORE === 'database') {
    throw new ConfigError(['RATE_LIMIT_STORE must be kv, memory or durable-object on Workers']);
  }
  if (env.BUCKETS) return createGuardedBuckets(createObjectBuckets(env.BUCKETS), log);
  throw new ConfigError(['RATE_LIMIT_STORE durable-object needs the binding BUCKETS in wrangler.toml']);
}

/** The first run loads the jobs, because most isolates only serve requests. */
async function runJobs(deps: Deps) {
  const { runScheduled } = await import('./scheduled.ts');
  return runScheduled(deps);
}

function build(env: Env): Service {
  const config = parseConfig(env);
  const clock = createDevClock(Date.now);
  const background = (work: Promise<unknown>) => waitUntil(work);
  const outside = (request: Request) => fetch(request);
  const meter = createMeterFor(config, env);
  const written = createLogger(config.LOG_LEVEL, console.log, Date.now);
  const log = meter?.log(written) ?? written;
  const { db, engine = () => null } = openDatabase(config, env);
  const trace = createTrace();
  for (const message of misspeltSettings(env)) log.warn('setting.unknown', { message });
  const deps: Deps = {
    config,
    db: meter?.database(db) ?? db,
    engine,
    buckets: createBuckets(config, env, log, background),
    kv: openWorkersKv(env.KV),
    log,
    now: config.production ? Date.now : clock.now,
    randomBytes,
    scrypt,
    fetch: trace.fetch(sandboxFetch(config, () => app, outside)),
    callOut: trace.callOut(sandboxCallOut(config, () => app, callOut)),
    mail: createMail({ config, log, fetch: outside }),
    background,
    metrics: meter,
  };
  const app = createApp(deps, clock, () => runJobs(deps));
  return { app, deps, trace, prepare: memoize(() => applyBrand(config)) };
}

/** The same counts as on Bun: each is one data point, with the metric's name as its index and the labels as blobs. */
function createMeterFor({ ACCESS_LOG }: Config, { METRICS }: Env): Meter | undefined {
  if (!METRICS && ACCESS_LOG === 'off') return undefined;
  return createMeter(Date.now, (name, labels, value) =>
    METRICS?.writeDataPoint({ indexes: [name], blobs: labels.map(String), doubles: [value] }),
  );
}

/** The reason why the service cannot run; logged once, and never sent to callers. */
let misconfigured: ConfigError | undefined;

async function serviceOf(env: Env): Promise<Service | null> {
  try {
    if (misconfigured === undefined) {
      service ??= build(env);
      await service.prepare();
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (misconfigured === undefined) console.error(error.message);
    misconfigured = error;
  }
  return misconfigured === undefined ? (service ?? null) : null;
}

export default {
  async fetch(request, env) {
    const running = await serviceOf(env);
    if (!running) return bareAnswer(new AppError('unavailable')) as never;
    const address = request.headers.get('CF-Connecting-IP') ?? '127.0.0.1';
    const { country = null } = request.cf ?? {};
    const { app, trace } = running;
    try {
      const answer = () => app.fetch(request as unknown as Request, { address, country });
      return (await trace.within(request.headers, answer)) as never;
    } catch (error) {
      return answerFailure(running.deps.log, error) as never;
    }
  },
  /** The schedule is in wrangler.toml. */
  async scheduled(_controller, env) {
    const running = await serviceOf(env);
    if (running) await runJobs(running.deps);
  },
} satisfies ExportedHandler<Env>;
