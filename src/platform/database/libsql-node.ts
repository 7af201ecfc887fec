import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from '../../db/database.ts';
import { createGate } from '../../lib/gate.ts';
import { createGroupSizes } from './group.ts';
import { openFile } from './libsql-file.ts';

/**
 * How many of the process's batches a server handles concurrently. The server writes one at a time, so more would save
 * only network latency; version 0.24 can lock up permanently when twenty writers meet a checkpoint.
 */
const atOnce = 4;
const maxWaiting = 1_000;

export interface OpenedDatabase {
  readonly db: Database;
  /** The commit metrics, in Prometheus format. */
  figures(): string;
  /** The name and version of a server's engine, once it has responded. */
  engine?(): string | null;
  close(): void;
}

/** A server's time limit for a migration or a command. */
export const operatorPatienceMs = 600_000;

/**
 * Opens a libSQL file (`file:…`) or server (`http(s)://`, `libsql://`), or an rqlite cluster (`rqlite(s)://`). Only the
 * first batch shows whether the database responds.
 * @param patienceMs the time that a server may take for a batch, or another process may hold a file lock
 * @param isStrict whether no rqlite node of a version that breaks a guarantee may be used
 */
export async function openLibsql(
  url: string,
  authToken?: string,
  patienceMs?: number,
  isStrict = false,
): Promise<OpenedDatabase> {
  if (!url.startsWith('file:')) {
    const { groupBatches } = await import('./server-group.ts');
    const { run, engine } = await openRunner(url, authToken, isStrict);
    const pass = createGate({ atOnce, maxWaiting });
    const groups = createGroupSizes();
    const db = groupBatches(run, { pass, patienceMs, groups });
    return { db, figures: groups.text, engine, close: () => {} };
  }
  const path = fileOf(url);
  if (path !== ':memory:') createPrivateFile(path);
  return openFile(path, patienceMs);
}

async function openRunner(url: string, authToken: string | undefined, isStrict: boolean) {
  if (url.startsWith('rqlite')) return (await import('./rqlite.ts')).rqliteRunner({ url, isStrict });
  const { serverRunner } = await import('./libsql-server.ts');
  return { run: serverRunner({ url, authToken }), engine: () => null };
}

/** Creates a file readable only by its owner, if it does not exist. SQLite gives the log and index the same mode. */
export function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'a', 0o600));
}

/**
 * Opens a database for a migration or a command, which may take minutes, but fails quickly if the server does not
 * respond.
 * @param patienceMs the time that a server may take for a batch, or another process may hold a file lock
 * @throws AppError unavailable
 */
export async function openForOperator(
  url: string,
  authToken?: string,
  patienceMs = operatorPatienceMs,
): Promise<OpenedDatabase> {
  if (!url.startsWith('file:')) {
    const { db, close } = await openLibsql(url, authToken);
    await db.batch([{ text: 'SELECT 1', values: [] }]);
    close();
  }
  return openLibsql(url, authToken, patienceMs);
}

/**
 * The path in a `file:` URL, decoded; a relative path belongs to the working directory.
 * @throws Error for a host, and for a query or a fragment, which would become part of the name
 */
export function fileOf(url: string): string {
  if (/[?#]/.test(url)) throw new Error('A file: URL of a database must not have a query or a fragment.');
  if (!url.startsWith('file:/')) return decodeURIComponent(url.slice('file:'.length));
  const { hostname, pathname } = new URL(url);
  if (hostname !== '')
    throw new Error('A file: URL of a database must not have a host: file:///data/peridot.db');
  return decodeURIComponent(pathname);
}
