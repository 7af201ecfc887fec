import { type Client, type InStatement, LibsqlError } from '@libsql/client/web';
import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { repeatLost } from './repeat.ts';

/** How long a request waits in all for another process that holds the write lock. */
const patienceMs = 2_000;

/** A libSQL file as the service's database. */
export function fileDatabase(client: Client): Database {
  const patiently = createPatience(client);
  return {
    batch: async (statements) => (await patiently(() => execute(client, statements))) as never,
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

/** A server that could not be reached, broke off or was busy; what SQLite itself refused has a code of its own. */
function isLost(error: Error): boolean {
  return !(error instanceof LibsqlError) || !error.code.startsWith('SQLITE_') || isBusy(error);
}

/**
 * Runs work on a file's one connection, and tries again while another process holds the lock, then answers 503.
 * Nothing was applied before a retry: SQLITE_BUSY is the refusal to begin.
 *
 * A connection that met it stays broken (its next commit fails with "SQL statements in progress"), so it is
 * replaced every time, and only one piece of work is let near it: another one in between would run on the broken
 * connection, or have it closed under its feet.
 */
export function createPatience(client: Client): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isBusy(error)) client.reconnect();
      throw error;
    }
  }

  return async function patiently(work) {
    const giveUpAt = performance.now() + patienceMs;
    for (let pause = 10; ; pause = Math.min(pause * 2, 200)) {
      const mine = last.then(() => attempt(work));
      last = mine.catch(() => {});
      try {
        return await mine;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > giveUpAt) throw lockedOut(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  };
}

function lockedOut(cause: unknown): AppError {
  return new AppError('unavailable', null, { cause, reason: 'the database is locked', retryAfterSeconds: 1 });
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof LibsqlError &&
    (error.code.startsWith('SQLITE_BUSY') || /database is locked|statements in progress/.test(error.message))
  );
}
