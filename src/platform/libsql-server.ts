import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client/web';
import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Gate } from '../lib/gate.ts';
import { repeatLost } from './repeat.ts';

/** How long a batch may take, waiting and retries included, before the answer is 503. */
const servicePatienceMs = 3_000;

export interface ServerOptions {
  readonly url: string;
  readonly authToken?: string | undefined;
  /** Admits a few batches at a time; without it all run at once. */
  readonly pass?: Gate;
  /** How long a batch may take; three seconds by default. */
  readonly patienceMs?: number | undefined;
}

/**
 * Opens a libSQL server over HTTP. Each batch has its own client, which costs nothing: a shared one would queue them,
 * and on Workers no request may wait for the I/O of another.
 */
export function openServer({ url, authToken, ...options }: ServerOptions): Database {
  const auth = authToken ? { authToken } : {};
  return serverDatabase(
    (signal) =>
      createClient({
        url,
        ...auth,
        // A redirect would send the statements elsewhere.
        fetch: (request: Request) => fetch(request, { signal, redirect: 'manual' }),
      }),
    options,
  );
}

export function serverDatabase(
  open: (signal: AbortSignal) => Client,
  {
    pass = (work) => work(),
    patienceMs = servicePatienceMs,
  }: Pick<ServerOptions, 'pass' | 'patienceMs'> = {},
): Database {
  return {
    async batch(statements) {
      const patience = AbortSignal.timeout(patienceMs);
      // A batch that starts later would be cut off, at the cost of those that can be served.
      const lastTurn = performance.now() + patienceMs / 2;
      const rows = pass(async () => {
        if (performance.now() > lastTurn) throw tooMany();
        return repeatLost(() => execute(open(patience), statements), isLost);
      });
      if (rows === null) throw tooMany();
      return (await rows) as never;
    },
  };
}

function tooMany(): AppError {
  const reason = 'too many wait for the database';
  return new AppError('unavailable', null, { reason, retryAfterSeconds: 1 });
}

async function execute(client: Client, statements: readonly Statement[]): Promise<unknown[]> {
  const [only, ...others] = statements.map(toDriver);
  if (only === undefined) return [];
  if (others.length === 0) return [(await client.execute(only)).rows];
  return (await client.batch([only, ...others], 'write')).map((result) => result.rows);
}

function toDriver({ text, values }: Statement): InStatement {
  // The server refuses lone surrogates. A file and D1 store U+FFFD instead.
  return {
    sql: text,
    args: values.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)),
  };
}

/** Errors that a retry would meet again. */
const refusal = /^(SQLITE_|SQL_|ARGS_INVALID|RESPONSE_TOO_LARGE|URL_)/;

/** Whether the server could not be reached, broke off or was busy. */
function isLost(error: Error): boolean {
  if (error instanceof LibsqlError) return !refusal.test(error.code) || isBusy(error);
  return !(error instanceof RangeError);
}

function isBusy(error: LibsqlError): boolean {
  return (
    error.code.startsWith('SQLITE_BUSY') || /database is locked|statements in progress/.test(error.message)
  );
}
