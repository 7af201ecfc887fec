import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../db/database.ts';
import { openFile } from './libsql-file.ts';
import { openServer } from './libsql-server.ts';

export interface OpenedDatabase {
  readonly db: Database;
  close(): void;
}

/** Opens a libSQL file (`file:…`) or server (`http(s)://`, `libsql://`). Whether either answers, its first batch tells. */
export async function openLibsql(url: string, authToken?: string): Promise<OpenedDatabase> {
  if (!url.startsWith('file:')) return openServer(url, authToken);
  const path = url.startsWith('file:/') ? fileURLToPath(new URL(url)) : url.slice('file:'.length);
  await mkdir(dirname(path), { recursive: true });
  return openFile(path);
}
