import { join } from 'node:path';
import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { placeMigrated } from './migrated.ts';
import { serveOverLibsql } from './over-libsql.ts';
import type { Release } from './release-contents.ts';
import type { Target, TargetVariables } from './target.ts';

export { openMigrated as openDatabase } from './migrated.ts';

export const startsSlowly = false;

/** The service in this process, on a libSQL file. */
export function createTarget(variables: TargetVariables = {}): Promise<Target> {
  return serveOverLibsql(variables, async (folder) => {
    const file = join(folder, 'peridot.db');
    await placeMigrated(file);
    return openLibsql(`file:${file}`);
  });
}

/** The service on the upgraded data of a release. */
export const openRelease = (release: Release, variables: TargetVariables) =>
  serveOverLibsql(variables, (folder) => openLibsql(`file:${join(folder, 'peridot.db')}`), release);
