import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client/web';
import type { Database, Statement } from '../../db/database.ts';
import { keepStreams } from './libsql-streams.ts';
import { type Runner, repeatLost, servicePatienceMs } from './repeat.ts';

export interface ServerOptions {
  readonly url: string;
  readonly authToken?: string | undefined;
  /** The time limit for a batch; three seconds by default. */
  readonly patienceMs?: number | undefined;
}

/** Opens a libSQL server over HTTP. Batches run concurrently, because on Workers no request may wait for another's. */
export function openServer({ patienceMs = servicePatienceMs, ...options }: ServerOptions): Database {
  const run = serverRunner(options);
  return { batch: async (statements) => (await run(statements, patienceMs)) as never };
}

/** Each batch has its own client, which costs nothing, because a shared client would queue batches. */
export function serverRunner({ url, authToken }: ServerOptions): Runner {
  const auth = authToken ? { authToken } : {};
  // A redirect would send the statements elsewhere.
  const send = keepStreams((request, signal) => fetch(request, { signal, redirect: 'manual' }));
  return runnerOf((signal) =>
    createClient({ url, ...auth, fetch: (request: Request) => send(request, signal) }),
  );
}

export function runnerOf(open: (signal: AbortSignal) => Client): Runner {
  return (statements, patienceMs) => {
    const patience = AbortSignal.timeout(patienceMs);
    return repeatLost(() => execute(open(patience), statements), isLost);
  };
}

/**
 * Returns whether the server is a replica, which forwards every change to its primary and reports the primary's
 * rejections.
 */
export async function isReplica(db: Database): Promise<boolean> {
  try {
    await db.batch([{ text: 'DELETE FROM peridot_no_such_table', values: [] }]);
  } catch (error) {
    return error instanceof LibsqlError && error.code === 'PROXY_ERROR';
  }
  return false;
}

async function execute(client: Client, statements: readonly Statement[]): Promise<unknown[]> {
  const [only, ...others] = statements.map(toDriver);
  if (only === undefined) return [];
  if (others.length === 0) return [(await client.execute(only)).rows];
  return (await client.batch([only, ...others], 'write')).map((result) => result.rows);
}

function toDriver({ text, values }: Statement): InStatement {
  // The server rejects lone surrogates. A file and D1 store U+FFFD instead.
  return {
    sql: text,
    args: values.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)),
  };
}

/** Errors that a retry cannot fix. A replica reports PROXY_ERROR for everything that its primary rejects. */
const refusal = /^(SQLITE_|PROXY_ERROR|SQL_|ARGS_INVALID|RESPONSE_TOO_LARGE|URL_)/;

/** Returns whether the server was unreachable, dropped the connection or was busy. */
function isLost(error: Error): boolean {
  if (error instanceof LibsqlError) return !refusal.test(error.code) || isBusy(error);
  return !(error instanceof RangeError);
}

function isBusy(error: LibsqlError): boolean {
  return (
    error.code.startsWith('SQLITE_BUSY') || /database is locked|statements in progress/.test(error.message)
  );
}
