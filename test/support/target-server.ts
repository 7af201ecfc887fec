import { openLibsql } from '../../src/platform/database/libsql-node.ts';
import { startLibsqlServer } from './libsql-server.ts';
import { serveOverLibsql } from './over-libsql.ts';
import type { Release } from './release-contents.ts';
import type { Target, TargetVariables } from './target.ts';

export const startsSlowly = true;

/** A busy machine may take longer for a batch than the service would wait. */
const patienceMs = 30_000;

async function openServer(isMigrated: boolean) {
  const { url, files, close: stop } = await startLibsqlServer({ isMigrated });
  return { ...(await openLibsql(url, undefined, patienceMs)), files, stop };
}

/** The service in this process, on its own libSQL server. */
export function createTarget(variables: TargetVariables = {}): Promise<Target> {
  return serveOverLibsql(variables, () => openServer(true));
}

/** The service on the upgraded data of a release. */
export const openRelease = (release: Release, variables: TargetVariables) =>
  serveOverLibsql(variables, () => openServer(false), release);
