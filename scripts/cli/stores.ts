import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { D1Database, KVNamespace } from '@cloudflare/workers-types';
import type { Client } from '@libsql/client';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import type { KeyValueStore } from '../../src/lib/key-value.ts';
import { createMemoryBuckets } from '../../src/platform/bucket-memory.ts';
import { openD1 } from '../../src/platform/d1.ts';
import { developmentSecret } from '../../src/platform/dev-secret.ts';
import { openLibsqlKv } from '../../src/platform/kv-libsql.ts';
import { createMemoryKv } from '../../src/platform/kv-memory.ts';
import { openWorkersKv } from '../../src/platform/kv-workers.ts';
import { openLibsql } from '../../src/platform/libsql-node.ts';
import { createLogger } from '../../src/platform/log.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { CommandError } from './command.ts';

const root = join(import.meta.dirname, '../..');

/** The service's parts as a command uses them. */
export interface Stores {
  readonly deps: Deps;
  /** Null on D1, which `wrangler d1` migrates, exports and restores. */
  readonly client: Client | null;
  /** Where the database is, as the settings say it. */
  readonly place: string;
  close(): Promise<void>;
}

/** Where to look: the settings' libSQL database, or the bindings of wrangler.toml. */
export interface Place {
  readonly d1: boolean;
  /** An environment of wrangler.toml. */
  readonly env: string | undefined;
  /** The folder that `npm run dev -- --persist-to` was given. */
  readonly persistTo: string | undefined;
}

export async function openStores(place: Place, needsKv: boolean): Promise<Stores> {
  return place.d1 ? openBindings(place) : openLibsqlStores(needsKv);
}

async function openLibsqlStores(needsKv: boolean): Promise<Stores> {
  const variables = await developmentSecret(process.env);
  const { DATABASE_URL: url = 'file:./data/peridot.db', ...config } = parseConfig(variables);
  const database = await openLibsql(url, config.DATABASE_AUTH_TOKEN);
  const kvUrl = config.KV_URL ?? 'file:./data/kv.db';
  if (needsKv && kvUrl.startsWith('file:') && !existsSync(kvUrl.replace(/^file:(\/\/)?/, ''))) {
    throw new CommandError(`There is no key-value store at KV_URL (${kvUrl}).`);
  }
  const kv = needsKv ? await openLibsql(kvUrl) : null;
  return {
    deps: makeDeps(variables, database.db, kv ? await openLibsqlKv(kv.db) : createMemoryKv()),
    client: database.client,
    place: url,
    async close() {
      database.client.close();
      kv?.client.close();
    },
  };
}

/** The D1 and KV of wrangler.toml: those of `npm run dev`, or of Cloudflare where a binding says `remote = true`. */
async function openBindings({ env: environment, persistTo }: Place): Promise<Stores> {
  // Its hints would stand in the middle of what the command says.
  process.env['WRANGLER_LOG'] ??= 'error';
  const { getPlatformProxy } = await import('wrangler');
  const proxy = await getPlatformProxy({
    configPath: join(root, 'wrangler.toml'),
    ...(environment === undefined ? {} : { environment }),
    ...(persistTo === undefined ? {} : { persist: { path: join(persistTo, 'v3') } }),
  });
  const bindings = proxy.env as { DB: D1Database; KV: KVNamespace };
  const variables = { ...bindings, ...process.env };
  return {
    deps: makeDeps(variables, openD1(bindings.DB), openWorkersKv(bindings.KV)),
    client: null,
    place: `D1 binding DB${environment === undefined ? '' : ` of ${environment}`}`,
    close: () => proxy.dispose(),
  };
}

function makeDeps(variables: Record<string, unknown>, db: Database, kv: KeyValueStore): Deps {
  return {
    config: parseConfig(variables),
    db,
    kv,
    buckets: createMemoryBuckets(),
    log: createLogger('warn', console.error, Date.now),
    now: Date.now,
    randomBytes,
    fetch: (request) => fetch(request),
    background: (work) => void work.catch(console.error),
  };
}
