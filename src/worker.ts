import { waitUntil } from 'cloudflare:workers';
import type { D1Database, ExportedHandler, KVNamespace } from '@cloudflare/workers-types';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, parseConfig } from './config.ts';
import type { Database } from './db/database.ts';
import type { Deps } from './deps.ts';
import { createKvBuckets } from './platform/bucket-kv.ts';
import { createMemoryBuckets } from './platform/bucket-memory.ts';
import { openD1 } from './platform/d1.ts';
import { createDevClock } from './platform/dev-clock.ts';
import { openLibsqlServer } from './platform/libsql-web.ts';
import { createLogger } from './platform/log.ts';
import { randomBytes } from './platform/random.ts';
import { sandboxFetch } from './platform/sandbox-fetch.ts';

/** What wrangler.toml binds; every other value is a variable or a secret, read by `parseConfig`. */
export interface Env {
  readonly DB: D1Database;
  readonly KV: KVNamespace;
  readonly [name: string]: unknown;
}

/** One app per isolate: it holds the verified tokens and the rate limit buckets. */
let app: App | undefined;

/** Set by `define` in wrangler.toml: the libSQL client weighs 20 kB gzipped, which a Worker over D1 need not carry. */
declare const PERIDOT_LIBSQL: boolean;

function openDatabase(config: Config, env: Env): Database {
  if (!config.DATABASE_URL) return openD1(env.DB);
  if (typeof PERIDOT_LIBSQL !== 'undefined' && PERIDOT_LIBSQL) {
    return openLibsqlServer(config.DATABASE_URL, config.DATABASE_AUTH_TOKEN);
  }
  throw new ConfigError(['DATABASE_URL needs PERIDOT_LIBSQL = "true" under [define] in wrangler.toml']);
}

function build(env: Env): App {
  const config = parseConfig(env);
  const clock = createDevClock(Date.now);
  const background = (work: Promise<unknown>) => waitUntil(work);
  const deps: Deps = {
    config,
    db: openDatabase(config, env),
    buckets:
      config.RATE_LIMIT_STORE === 'memory' ? createMemoryBuckets() : createKvBuckets(env.KV, background),
    log: createLogger(config.LOG_LEVEL, console.log, Date.now),
    now: config.production ? Date.now : clock.now,
    randomBytes,
    fetch: sandboxFetch(
      config,
      () => built,
      (request) => fetch(request),
    ),
    background,
  };
  const built = createApp(deps, clock);
  return built;
}

export default {
  fetch(request, env) {
    app ??= build(env);
    const address = request.headers.get('CF-Connecting-IP') ?? '127.0.0.1';
    const { country = null } = request.cf ?? {};
    return app.fetch(request as unknown as Request, { address, country }) as never;
  },
} satisfies ExportedHandler<Env>;
