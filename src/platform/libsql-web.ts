import { createClient } from '@libsql/client/web';
import type { Database } from '../db/database.ts';
import { serverDatabase } from './libsql.ts';

/** Opens a libSQL server over HTTP, where there are no files. */
export function openLibsqlServer(url: string, authToken?: string): Database {
  return serverDatabase(createClient({ url, ...(authToken ? { authToken } : {}) }));
}
