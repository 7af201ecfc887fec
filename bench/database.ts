import { DatabaseSync } from 'node:sqlite';
import type { Service } from './processes.ts';

/** The file of a running service, for preparing and inspecting data alongside it. */
export function openFile({ settings }: Service): DatabaseSync {
  const path = (settings['DATABASE_URL'] ?? '').replace(/^file:/, '');
  return new DatabaseSync(path, { timeout: 60_000 });
}
