import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import type { BucketStore } from '../../src/lib/token-bucket.ts';
import { createMemoryBuckets } from '../../src/platform/bucket-memory.ts';
import { createDevClock } from '../../src/platform/dev-clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { sandboxFetch } from '../../src/platform/sandbox-fetch.ts';
import { type Target, type TargetVariables, testDefaults } from './target.ts';

interface InProcess {
  variables: TargetVariables;
  db: Database;
  buckets?: (background: (work: Promise<unknown>) => void) => BucketStore;
  kvReads?: () => number;
  rows(sql: string, values: (string | number | null)[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
  /** Replaces the outside world. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface InProcessTarget extends Target {
  readonly deps: Deps;
}

/** The app as the entries build it, with a clock that moves by hand and a database that counts its round trips. */
export function serveInProcess(parts: InProcess): InProcessTarget {
  const config = parseConfig({ ...testDefaults, ...parts.variables });
  const clock = createDevClock(Date.now);
  const lines: string[] = [];
  const pending = new Set<Promise<unknown>>();
  let database = 0;
  const background = (work: Promise<unknown>) => {
    const settled = work.catch(() => {}).finally(() => pending.delete(settled));
    pending.add(settled);
  };
  const deps: Deps = {
    config,
    db: {
      batch(statements) {
        database += 1;
        return parts.db.batch(statements);
      },
    },
    buckets: parts.buckets?.(background) ?? createMemoryBuckets(),
    log: createLogger(config.LOG_LEVEL, (line) => void lines.push(line), Date.now),
    now: clock.now,
    randomBytes,
    fetch: sandboxFetch(config, () => app, parts.fetch ?? ((request) => fetch(request))),
    background,
  };
  const app = createApp(deps, clock);
  return {
    origin: config.origin,
    deps,
    async request(path, { method = 'GET', headers = {}, body, address = '127.0.0.1' } = {}) {
      const init = {
        method,
        headers,
        ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
      };
      return app.fetch(new Request(new URL(path, config.origin), init), { address, country: null });
    },
    now: clock.now,
    advance: async (seconds) => clock.advance(seconds * 1000),
    rows: async (sql, values = []) => (await parts.rows(sql, values)) as never,
    trips: () => ({ database, kv: parts.kvReads?.() ?? 0 }),
    log: () => lines,
    async close() {
      await Promise.all(pending);
      await parts.close();
    },
  };
}
