import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@libsql/client';
import type { Database } from '../db/database.ts';
import { createPatience, fileDatabase, serverDatabase } from './libsql.ts';

export interface OpenedDatabase {
  readonly db: Database;
  /** For migrations and checks that are not part of the service's own work. */
  readonly client: Client;
}

/**
 * Opens a libSQL file (`file:…`) or server (`http(s)://`, `libsql://`).
 *
 * A file is opened with one connection: `PRAGMA synchronous` belongs to a connection, and SQLite has one
 * writer at a time anyway. WAL and FULL: an acknowledged write survives a power cut.
 */
export async function openLibsql(url: string, authToken?: string): Promise<OpenedDatabase> {
  if (!url.startsWith('file:')) {
    const client = createClient({ url, ...(authToken ? { authToken } : {}) });
    return { client, db: serverDatabase(client) };
  }
  const path = url.startsWith('file:/') ? fileURLToPath(new URL(url)) : url.slice('file:'.length);
  await mkdir(dirname(path), { recursive: true });
  // The driver would wait for a lock inside one synchronous call, and the whole process with it.
  const client = createClient({ url, concurrency: 1, timeout: 0 });
  await createPatience(client)(async () => {
    await client.execute('PRAGMA journal_mode = WAL');
    await client.execute('PRAGMA synchronous = FULL');
    await client.execute('PRAGMA foreign_keys = ON');
  });
  return { client, db: fileDatabase(client) };
}
