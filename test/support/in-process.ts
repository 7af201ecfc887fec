import { type App, createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import type { KeyValueStore } from '../../src/lib/key-value.ts';
import type { BucketStore } from '../../src/lib/token-bucket.ts';
import { createDevClock } from '../../src/platform/dev-clock.ts';
import { createMemoryKv } from '../../src/platform/kv-memory.ts';
import { createMemoryBuckets } from '../../src/platform/limits/bucket-memory.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createMail, type SendBySmtp } from '../../src/platform/mail/mail.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { sandboxCallOut, sandboxFetch } from '../../src/platform/sandbox-fetch.ts';
import { runScheduled } from '../../src/scheduled.ts';
import { scrypt, withoutFullCost } from './scrypt.ts';
import { type Target, type TargetVariables, testDefaults } from './target.ts';

interface InProcess {
  variables: TargetVariables;
  db: Database;
  /** Chooses the store of the rate limit buckets like the entry; in memory by default. */
  buckets?: (built: Pick<Deps, 'config' | 'db' | 'log' | 'background'>) => BucketStore;
  /** The store that outlives the database; in memory by default. */
  kv?: KeyValueStore;
  kvReads?: () => number;
  rows(sql: string, values: (string | number | null)[]): Promise<Record<string, unknown>[]>;
  files?(): Promise<Uint8Array[]>;
  close(): Promise<void>;
  /** The base of the clock; a test that returns a constant stops the clock. */
  realNow?: (() => number) | undefined;
  /** Replaces the outside world. */
  fetch?: (request: Request) => Promise<Response>;
  /** Adds routes to the app. */
  extend?: (app: App, deps: Deps) => void;
  /** Replaces the configured mail transport. */
  mail?: Deps['mail'];
  /** Calls to untrusted addresses, as this runtime makes them. */
  callOut?: Deps['callOut'];
  /** Absent if the runtime has no SMTP. */
  loadSmtp?: () => Promise<SendBySmtp>;
}

export interface InProcessTarget extends Target {
  readonly deps: Deps;
  /** Sends a request unchanged. */
  answer(request: Request): Promise<Response>;
}

/** The clock of a service on a database written at this time. */
export function clockFrom(at: number): () => number {
  const startedAt = Date.now();
  return () => at + 1 + Date.now() - startedAt;
}

/** One run of the app on a database that outlives it. */
interface Service {
  readonly deps: Deps;
  fetch(request: Request, address: string): Promise<Response>;
}

/** The app as built by the entries, with a clock that tests move and a database that counts its round trips. */
export function serveInProcess(parts: InProcess): InProcessTarget {
  let nudged = 0;
  const clock = createDevClock(parts.realNow ?? (() => Date.now() + nudged));
  const lines: string[] = [];
  const pending = new Set<Promise<unknown>>();
  const kv = parts.kv ?? createMemoryKv();
  let database = 0;
  let closing: Promise<void> | undefined;
  let underWay = 0;
  let endedAt = 0;

  function start(variables: TargetVariables): Service {
    const config = parseConfig({ ...testDefaults, ...parts.variables, ...variables });
    const background = (work: Promise<unknown>) => {
      const settled = work.catch(() => {}).finally(() => pending.delete(settled));
      pending.add(settled);
    };
    // A new object each time, because a process's data about its database must end with the process.
    const db: Database = {
      batch(statements) {
        // Emails and events are sent after the response, and only work that a request waits for is counted.
        if (!statements.every(({ text }) => /\b(mails|webhook)/.test(text))) database += 1;
        return parts.db.batch(statements);
      },
    };
    const log = createLogger(config.LOG_LEVEL, (line) => void lines.push(line), Date.now);
    const outside = parts.fetch ?? ((request: Request) => fetch(request));
    const deps: Deps = {
      config,
      db,
      buckets: parts.buckets?.({ config, db, log, background }) ?? createMemoryBuckets(),
      kv,
      log,
      now: clock.now,
      randomBytes,
      scrypt: withoutFullCost(scrypt),
      fetch: sandboxFetch(config, () => app, outside),
      callOut: sandboxCallOut(config, () => app, parts.callOut ?? refuseCalls),
      mail: parts.mail ?? createMail({ config, log, fetch: outside, loadSmtp: parts.loadSmtp }),
      background,
    };
    const app = createApp(deps, clock, () => runScheduled(deps));
    parts.extend?.(app, deps);
    return { deps, fetch: async (request, address) => app.fetch(request, { address, country: null }) };
  }

  let service = start({});
  return {
    get origin() {
      return service.deps.config.origin;
    },
    get deps() {
      return service.deps;
    },
    async request(path, { method = 'GET', headers = {}, body, chunked = false, address = '127.0.0.1' } = {}) {
      const init = { method, headers, ...(body === undefined ? {} : bodyInit(body, headers, chunked)) };
      const request = new Request(new URL(path, service.deps.config.origin), init);
      // Ids and rows from one millisecond have no order, so consecutive requests do not share one.
      if (underWay === 0 && clock.now() === endedAt) nudged += 1;
      underWay += 1;
      try {
        return await service.fetch(request, address);
      } finally {
        underWay -= 1;
        endedAt = clock.now();
      }
    },
    answer: (request) => service.fetch(request, '127.0.0.1'),
    async restart(variables = {}) {
      await Promise.all(pending);
      service = start(variables);
    },
    now: clock.now,
    advance: async (seconds) => clock.advance(seconds * 1000),
    rows: async (sql, values = []) => (await parts.rows(sql, values)) as never,
    trips: () => ({ database, kv: parts.kvReads?.() ?? 0 }),
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
    files: async () => (await parts.files?.()) ?? [],
    log: () => lines,
    close() {
      closing ??= Promise.all(pending).then(() => parts.close());
      return closing;
    },
  };
}

const refuseCalls: Deps['callOut'] = () => Promise.reject(new Error('nobody can be called'));

/** A body as a server receives it: with its length, or as a stream without one. */
function bodyInit(body: string | Uint8Array, headers: Record<string, string>, chunked: boolean): RequestInit {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (!chunked)
    return { headers: { 'Content-Length': String(bytes.byteLength), ...headers }, body: bytes as never };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.byteLength; at += 65_536)
        controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });
  return { body: stream, duplex: 'half' } as RequestInit;
}
