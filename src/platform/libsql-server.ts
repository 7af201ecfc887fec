import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client/web';
import type { Database, Statement } from '../db/database.ts';
import { repeatLost } from './repeat.ts';

/** Opens a libSQL server over HTTP. Whether it answers, the first batch tells. */
export function openServer(url: string, authToken?: string): { db: Database; close(): void } {
  const client = createClient({ url, ...(authToken ? { authToken } : {}) });
  return { db: serverDatabase(client), close: () => client.close() };
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

function isBusy(error: LibsqlError): boolean {
  return (
    error.code.startsWith('SQLITE_BUSY') || /database is locked|statements in progress/.test(error.message)
  );
}
