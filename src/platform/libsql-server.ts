import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client/web';
import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Gate } from '../lib/gate.ts';
import { repeatLost } from './repeat.ts';

/** How long a batch may take, its turn and all its tries included. Whoever waits longer is told to come back. */
const servicePatienceMs = 3_000;

export interface ServerOptions {
  readonly url: string;
  readonly authToken?: string | undefined;
  /** Lets batches through a few at a time; all at once unless given. */
  readonly pass?: Gate;
  /** Milliseconds that a batch may take; three seconds unless given. */
  readonly patienceMs?: number | undefined;
}

/**
 * Opens a libSQL server over HTTP. Whether it answers, the first batch tells.
 *
 * Each batch has a client of its own, which costs nothing over HTTP: a shared one would queue them, and on Workers no
 * request may wait for what another one asked.
 */
export function openServer({ url, authToken, ...options }: ServerOptions): Database {
  const auth = authToken ? { authToken } : {};
  return serverDatabase(
    (signal) =>
      createClient({
        url,
        ...auth,
        // A redirect would take the statements along, to wherever it leads.
        fetch: (request: Request) => fetch(request, { signal, redirect: 'manual' }),
      }),
    options,
  );
}

/** A libSQL server as the service's database. */
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
      // Who gets a turn later is not asked for: cut off in the middle it would take time from those that can be served.
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
  // The server takes no lone surrogate. A file and D1 store U+FFFD in its place.
  return {
    sql: text,
    args: values.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)),
  };
}

/** What the server or the driver refused, which it would refuse again. */
const refusal = /^(SQLITE_|SQL_|ARGS_INVALID|RESPONSE_TOO_LARGE|URL_)/;

/** A server that could not be reached, broke off or was busy. */
function isLost(error: Error): boolean {
  if (error instanceof LibsqlError) return !refusal.test(error.code) || isBusy(error);
  return !(error instanceof RangeError);
}

function isBusy(error: LibsqlError): boolean {
  return (
    error.code.startsWith('SQLITE_BUSY') || /database is locked|statements in progress/.test(error.message)
  );
}
