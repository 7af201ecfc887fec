import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { startLibsqlServer } from './libsql-server.ts';
import { serveOverLibsql } from './over-libsql.ts';
import type { Target, TargetVariables } from './target.ts';

export const startsSlowly = true;

/** A busy machine may take longer for a batch than the service would wait. */
const patienceMs = 30_000;

/** The service in this process, on its own libSQL server. */
export function createTarget(variables: TargetVariables = {}): Promise<Target> {
  return serveOverLibsql(variables, async () => {
    const { url, files, close: stop } = await startLibsqlServer({ isMigrated: true });
    return { ...(await openLibsql(url, undefined, patienceMs)), files, stop };
  });
}
