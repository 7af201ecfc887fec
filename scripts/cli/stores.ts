import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { D1Database, KVNamespace } from '@cloudflare/workers-types';
import { storesOf } from '../../src/config/database-settings.ts';
import { parseConfig } from '../../src/config.ts';
import { all, type Database } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import type { KeyValueStore } from '../../src/lib/key-value.ts';
import { openD1 } from '../../src/platform/database/d1.ts';
import { fileOf, openForOperator, openLibsql } from '../../src/platform/database/libsql-node.ts';
import { developmentSecret } from '../../src/platform/dev-secret.ts';
import { openLibsqlKv } from '../../src/platform/kv-libsql.ts';
import { createMemoryKv } from '../../src/platform/kv-memory.ts';
import { openWorkersKv } from '../../src/platform/kv-workers.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';
import { createLogger } from '../../src/platform/log.ts';
import { isBundle, projectFolder } from '../../src/platform/place.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { scrypt } from '../../src/platform/scrypt.ts';
import { CommandError } from './command.ts';

/** The path where src/platform/dev-secret.ts stores its secret. */
const developmentSecretFile = 'data/dev-secret-key';

/** The parts of the service that a command uses. */
export interface Stores {
  readonly deps: Deps;
  /** Null on D1, which `wrangler d1` exports and restores. */
  readonly libsql: Database | null;
  /** The database's address in the settings, without credentials. */
  readonly place: string;
  close(): Promise<void>;
}

/** The source of the data: the configured libSQL database, or the bindings in wrangler.toml. */
export interface Place {
  readonly d1: boolean;
  /** An environment of wrangler.toml. */
  readonly env: string | undefined;
  /** The folder given to `npm run dev -- --persist-to`. */
  readonly persistTo: string | undefined;
}

export async function openStores(place: Place, needsKv: boolean): Promise<Stores> {
  return place.d1 ? openBindings(place) : openLibsqlStores(needsKv);
}

/** A configured address without user, password and query, which may grant access, so that it is safe to show. */
export function withoutCredentials(address: string): string {
  if (address.startsWith('file:')) return address.replace(/[?#].*$/s, '').replace(/^(file:\/\/)[^/]*@/, '$1');
  if (address.startsWith('rqlite')) return address.replace(/\/\/.*@/, '//');
  const url = URL.parse(address);
  if (url === null) return address.replace(/:.*$/s, ':…');
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/**
 * The settings, with the development SECRET_KEY if none is given. A newly created key cannot decrypt anything
 * in a database, so it is created only for a database without signing keys.
 */
async function readVariables(): Promise<NodeJS.ProcessEnv> {
  const isGiven = process.env['SECRET_KEY'] || existsSync(developmentSecretFile);
  if (isGiven || (process.env['ENVIRONMENT'] ?? 'development') !== 'development') {
    return developmentSecret(process.env);
  }
  // Used only to read the database's address from the settings; nothing is encrypted with it.
  const SECRET_KEY = Buffer.from(randomBytes(32)).toString('base64');
  const { DATABASE_AUTH_TOKEN } = parseConfig({ ...process.env, SECRET_KEY });
  const { db, close } = await openForOperator(storesOf(process.env).DATABASE_URL, DATABASE_AUTH_TOKEN);
  try {
    if (await hasSigningKeys(db)) {
      throw new CommandError(
        'SECRET_KEY is not set, and the database has signing keys that a new one could not open. ' +
          'Give the SECRET_KEY of the service.',
      );
    }
  } finally {
    close();
  }
  return developmentSecret(process.env);
}

async function hasSigningKeys(db: Database): Promise<boolean> {
  const holds = async (text: string) => (await all(db, { text, values: [] })).length > 0;
  if (!(await holds(`SELECT 1 FROM sqlite_schema WHERE name = 'signing_keys'`))) return false;
  return holds('SELECT 1 FROM signing_keys LIMIT 1');
}

async function openLibsqlStores(needsKv: boolean): Promise<Stores> {
  const { DATABASE_URL: url, KV_URL: kvUrl } = storesOf(process.env);
  const variables = { ...(await readVariables()), DATABASE_URL: url, KV_URL: kvUrl };
  const database = await openForOperator(url, parseConfig(variables).DATABASE_AUTH_TOKEN);
  if (needsKv && kvUrl.startsWith('file:') && !existsSync(fileOf(kvUrl))) {
    throw new CommandError(`There is no key-value store at KV_URL (${withoutCredentials(kvUrl)}).`);
  }
  const kv = needsKv ? await openLibsql(kvUrl) : null;
  return {
    deps: makeDeps(variables, database.db, kv ? await openLibsqlKv(kv.db) : createMemoryKv()),
    libsql: database.db,
    place: withoutCredentials(url),
    async close() {
      database.close();
      kv?.close();
    },
  };
}

/** The D1 and KV from wrangler.toml: those of `npm run dev`, or Cloudflare's where a binding has `remote = true`. */
async function openBindings({ env: environment, persistTo }: Place): Promise<Stores> {
  if (isBundle) throw new CommandError('--d1 needs a clone of the repository, which has wrangler.');
  // wrangler's hints would interrupt the command's output.
  process.env['WRANGLER_LOG'] ??= 'error';
  const { getPlatformProxy } = await import('wrangler');
  const proxy = await getPlatformProxy({
    configPath: join(projectFolder, 'wrangler.toml'),
    ...(environment === undefined ? {} : { environment }),
    ...(persistTo === undefined ? {} : { persist: { path: join(persistTo, 'v3') } }),
  });
  const bindings = proxy.env as { DB: D1Database; KV: KVNamespace };
  const variables = { ...bindings, ...process.env };
  return {
    deps: makeDeps(variables, openD1(bindings.DB), openWorkersKv(bindings.KV)),
    libsql: null,
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
    scrypt,
    fetch: (request) => fetch(request),
    callOut: () => Promise.reject(new Error('the command line calls nobody')),
    mail: () => Promise.reject(new Error('the command line sends no mail')),
    background: (work) => void work.catch(console.error),
  };
}
