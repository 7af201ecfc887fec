import { env } from 'cloudflare:workers';
import type { D1Database, D1PreparedStatement, KVNamespace } from '@cloudflare/workers-types';
import type { Database } from '../../src/db/database.ts';
import { callOut } from '../../src/platform/call-out-workers.ts';
import { openD1 } from '../../src/platform/database/d1.ts';
import { openWorkersKv } from '../../src/platform/kv-workers.ts';
import { createGuardedBuckets } from '../../src/platform/limits/bucket-guard.ts';
import { createKvBuckets } from '../../src/platform/limits/bucket-kv.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';
import { type BucketNamespace, createObjectBuckets } from '../../src/platform/limits/bucket-object.ts';
import { clockFrom, type InProcessTarget, serveInProcess } from './in-process.ts';
import type { Release } from './release-contents.ts';
import type { Target, TargetVariables } from './target.ts';

interface TestEnv {
  readonly DB: D1Database;
  readonly KV: KVNamespace;
  readonly BUCKETS: BucketNamespace;
  readonly MIGRATIONS: { name: string; queries: string[] }[];
}

const { DB, KV, BUCKETS, MIGRATIONS } = env as TestEnv;

/** They cannot share one, because each empties the same database. */
export const startsSlowly = false;

/** The service in workerd, on the D1 and KV bound in wrangler.toml; emptied for each target. */
export async function createTarget(variables: TargetVariables = {}): Promise<Target> {
  await emptyDatabase();
  return serve(variables);
}

/** The service on the upgraded data of a release. */
export async function openRelease(release: Release, variables: TargetVariables): Promise<InProcessTarget> {
  await DB.batch([...(await dropAll()), ...release.statements.map((text) => DB.prepare(text))]);
  const { results } = await DB.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const { name, queries } of MIGRATIONS)
    if (!applied.has(name)) await DB.batch(queries.map((query) => DB.prepare(query)));
  for (const [key, value] of release.kv) await KV.put(key, value);
  return serve(variables, clockFrom(release.at));
}

function serve(variables: TargetVariables, realNow?: () => number): InProcessTarget {
  let kvReads = 0;
  const counted = new Proxy(KV, {
    get(kv, name, receiver) {
      if (name === 'get') kvReads += 1;
      const value: unknown = Reflect.get(kv, name, receiver);
      return typeof value === 'function' ? value.bind(kv) : value;
    },
  });
  return serveInProcess({
    variables,
    realNow,
    db: openD1(DB),
    buckets: ({ config: { RATE_LIMIT_STORE = 'kv' }, log, background }) => {
      if (RATE_LIMIT_STORE === 'kv') return createKvBuckets(counted, background);
      if (RATE_LIMIT_STORE === 'memory') return createMemoryBuckets();
      return createGuardedBuckets(createObjectBuckets(BUCKETS), log);
    },
    kv: openWorkersKv(KV),
    kvReads: () => kvReads,
    rows: async (sql, values) => {
      const { results } = await DB.prepare(sql)
        .bind(...values)
        .all();
      return results;
    },
    callOut,
    files: dumpStores,
    close: async () => {},
  });
}

/** Returns a statement's cost on D1: the rows it reads and writes, including those of triggers and indexes. */
export async function costOf(sql: string, values: unknown[]): Promise<{ read: number; written: number }> {
  const { meta } = await DB.prepare(sql)
    .bind(...values)
    .all();
  return { read: meta.rows_read, written: meta.rows_written };
}

/** D1 as created by the migrations. */
export async function openDatabase(): Promise<{ db: Database; close(): unknown }> {
  await emptyDatabase();
  return { db: openD1(DB), close: () => {} };
}

/**
 * D1 outlives a target, so each target drops everything and recreates it: the first one of a worker by the migrations.
 */
async function emptyDatabase(): Promise<void> {
  const creates = schema ?? MIGRATIONS.flatMap(({ queries }) => queries.map((query) => DB.prepare(query)));
  await DB.batch([...(await dropAll()), ...creates]);
  schema ??= await readSchema();
}

async function dropAll(): Promise<D1PreparedStatement[]> {
  const { results } = await DB.prepare(
    `SELECT type, name FROM sqlite_master WHERE type IN ('table','view','trigger') AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'
     ORDER BY CASE type WHEN 'trigger' THEN 0 WHEN 'view' THEN 1 ELSE 2 END`,
  ).all<{ type: string; name: string }>();
  const drops = results.map(({ type, name }) => DB.prepare(`DROP ${type} IF EXISTS "${name}"`));
  return [DB.prepare('PRAGMA defer_foreign_keys = ON'), ...drops];
}

/** The statements that yield the same schema as the migrations, in a fifth of the time. */
let schema: D1PreparedStatement[] | undefined;

async function readSchema(): Promise<D1PreparedStatement[]> {
  const { results } = await DB.prepare(
    `SELECT type, name, sql FROM sqlite_master
     WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'`,
  ).all<{ type: string; name: string; sql: string }>();
  const of = (...types: string[]) => results.filter(({ type }) => types.includes(type));
  const create = ({ sql }: { sql: string }) => DB.prepare(sql);
  const inserts = await Promise.all(of('table').map(({ name }) => readInserts(name)));
  // Triggers come after the rows that the migrations wrote before them.
  return [...of('table', 'index').map(create), ...inserts.flat(), ...of('view', 'trigger').map(create)];
}

async function readInserts(table: string): Promise<D1PreparedStatement[]> {
  const { results } = await DB.prepare(`SELECT * FROM "${table}"`).all();
  return results.map((row) => {
    const [columns, values] = [Object.keys(row), Object.values(row)];
    const places = columns.map(() => '?');
    return DB.prepare(`INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${places.join(', ')})`).bind(
      ...values,
    );
  });
}

/** D1 and KV have no files, so their contents are used instead: every table as JSON, every key and value. */
async function dumpStores(): Promise<Uint8Array[]> {
  const { results } = await DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'`,
  ).all<{ name: string }>();
  const tables = await Promise.all(
    results.map(async ({ name }) =>
      JSON.stringify((await DB.prepare(`SELECT * FROM "${name}"`).all()).results),
    ),
  );
  const { keys } = await KV.list();
  const values = await Promise.all(keys.map(async ({ name }) => `${name}=${await KV.get(name)}`));
  return [...tables, ...values].map((text) => new TextEncoder().encode(text));
}
