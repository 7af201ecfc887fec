import { ConfigError } from '../../config.ts';
import type { Logger } from '../../deps.ts';

const oldestSafe = '3.51.3';

/**
 * Returns the problem of an SQLite version that opens a database file, or null. Before 3.51.3, a checkpoint by one
 * process could overwrite another's commit (https://www.sqlite.org/wal.html#walresetbug).
 */
export function engineFault(version: string): string | null {
  if (weigh(version) >= weigh(oldestSafe)) return null;
  return `SQLite ${version} can lose commits when two processes use one file: run on a Bun or Node with ${oldestSafe} or later`;
}

/** A version as a number. `localeCompare` would load 3 MB of the runtime's language data. */
function weigh(version: string): number {
  return version.split('.').reduce((sum, part) => sum * 1_000 + Number(part), 0);
}

/** Logs the SQLite version that opens the service's file. @throws ConfigError in production, if it is unsafe */
export function checkEngine(sqlite: string, production: boolean, log: Logger): void {
  const message = engineFault(sqlite);
  if (message !== null && production) throw new ConfigError([message]);
  if (message === null) log.info('database.engine', { sqlite });
  else log.warn('database.engine', { sqlite, message });
}
