import { type Client, type InStatement, LibsqlError } from '@libsql/client/web';
import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { repeatLost } from './repeat.ts';

/** How long a request waits in all for another process that holds the write lock. */
const patienceMs = 2_000;
/** The driver waits inside one synchronous call, so each wait is short and the event loop breathes between them. */
export const driverWaitMs = 25;

/** A libSQL file as the service's database. */
export function fileDatabase(client: Client): Database {
  return {
    batch: async (statements) => (await patiently(client, () => execute(client, statements))) as never,
  };
}

/** A libSQL server as the service's database. */
export function serverDatabase(client: Client): Database {
  return {
    batch: async (statements) => (await repeatLost(() => execute(client, statements), isLost)) as never,
  };
}

async function execute(client: Client, statements: readonly Statement[]): Promise<unknown[]> {
  const [only, ...others] = statements.map(toDriver);
  if (only === undefined) return [];
  if (others.length === 0) return [(await client.execute(only)).rows];
  return (await client.batch([only, ...others], 'write')).map((result) => result.rows);
}

function toDriver({ text, values }: Statement): InStatement {
  return { sql: text, args: values };
}

/** A server that could not be reached or broke off; what SQLite itself refused has a code of its own. */
function isLost(error: Error): boolean {
  return !(error instanceof LibsqlError) || !error.code.startsWith('SQLITE_');
}

/**
 * Tries again while another process holds the lock, then answers 503. Nothing was applied before a retry:
 * SQLITE_BUSY is the refusal to begin. A client that met it stays broken (its next commit fails with
 * "SQL statements in progress"), so its connection is replaced every time.
 */
export async function patiently<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      client.reconnect();
      if (performance.now() > giveUpAt) {
        throw new AppError('unavailable', null, {
          cause: error,
          reason: 'the database is locked',
          retryAfterSeconds: 1,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(20 * 2 ** attempt, 200)));
    }
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof LibsqlError &&
    (error.code.startsWith('SQLITE_BUSY') || /database is locked|statements in progress/.test(error.message))
  );
}
