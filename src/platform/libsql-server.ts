import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client/web';
import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Gate } from '../lib/gate.ts';
import { repeatLost } from './repeat.ts';

/** How long a batch may take, its turn and all its tries included. Whoever waits longer is told to come back. */
const patienceMs = 3_000;

/**
 * Opens a libSQL server over HTTP. Whether it answers, the first batch tells.
 *
 * Each batch has a client of its own, which costs nothing over HTTP: a shared one would queue them, and on Workers no
 * request may wait for what another one asked.
 * @param pass lets batches through a few at a time; all at once unless given
 */
export function openServer(url: string, authToken?: string, pass?: Gate): Database {
  const auth = authToken ? { authToken } : {};
  const open = (signal: AbortSignal) =>
    createClient({ url, ...auth, fetch: (request: Request) => fetch(request, { signal }) });
  return serverDatabase(open, pass);
}

/** A libSQL server as the service's database. */
export function serverDatabase(
  open: (signal: AbortSignal) => Client,
  pass: Gate = (work) => work(),
): Database {
  return {
    async batch(statements) {
      const patience = AbortSignal.timeout(patienceMs);
      const rows = pass(() => repeatLost(() => execute(open(patience), statements), isLost));
      if (rows) return (await rows) as never;
      throw new AppError('unavailable', null, {
        reason: 'too many wait for the database',
        retryAfterSeconds: 1,
      });
    },
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

function isBusy(error: LibsqlError): boolean {
  return (
    error.code.startsWith('SQLITE_BUSY') || /database is locked|statements in progress/.test(error.message)
  );
}
