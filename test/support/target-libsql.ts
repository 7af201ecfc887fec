import { join } from 'node:path';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { serveOverLibsql } from './over-libsql.ts';
import type { Target, TargetVariables } from './target.ts';

export { openDatabase } from './memory-database.ts';

export const startsSlowly = false;

/** The service in this process, on a libSQL file. */
export function createTarget(variables: TargetVariables = {}): Promise<Target> {
  return serveOverLibsql(variables, (folder) => openLibsql(`file:${join(folder, 'peridot.db')}`));
}
