import { ConfigError } from '../../config.ts';
import type { Logger } from '../../deps.ts';

const oldestSafe = '3.51.3';

/**
 * Returns the problem of an SQLite version that opens a database file, or null. Before 3.51.3, a checkpoint by one
 * process could overwrite another's commit (https://www.sqlite.org/wal.html#walresetbug).
 */
export function engineFault(version: string): string | null {
  if (version.localeCompare(oldestSafe, 'en', { numeric: true }) >= 0) return null;
  return `SQLite ${version} can lose commits when two processes use one file: run on a Bun or Node with ${oldestSafe} or later`;
}

/** Logs the SQLite version that opens the service's file. @throws ConfigError in production, if it is unsafe */
export function checkEngine(sqlite: string, production: boolean, log: Logger): void {
  const message = engineFault(sqlite);
  if (message !== null && production) throw new ConfigError([message]);
  if (message === null) log.info('database.engine', { sqlite });
  else log.warn('database.engine', { sqlite, message });
}
