import { ConfigError } from '../../config.ts';
import type { Logger } from '../../deps.ts';
import { servicePatienceMs } from './repeat.ts';
import { openRqlite } from './rqlite.ts';
import { RqliteError } from './rqlite-answer.ts';
import { createNodes, engineName, type Facts, NodeFault, versionFault } from './rqlite-nodes.ts';

/** A cluster as found. */
export interface ClusterReport {
  /** Its engine and versions. */
  readonly engine: string;
  readonly leader: string;
  readonly nodes: number;
  /** Nodes that do not respond. */
  readonly missing: readonly string[];
  /** A guarantee that its version breaks, or null. */
  readonly fault: string | null;
}

/**
 * Asks every node about itself, and the leader for the rows of a RETURNING behind a subquery, which old versions drop.
 * @throws ConfigError if an address is not one of a node of this cluster, or the password is wrong
 * @throws AppError unavailable without a leader
 */
export async function inspectCluster(url: string): Promise<ClusterReport> {
  const nodes = createNodes(url);
  const found: Facts[] = [];
  const missing: string[] = [];
  for (const origin of nodes.origins) {
    try {
      found.push(await nodes.know(origin, AbortSignal.timeout(servicePatienceMs)));
    } catch (error) {
      if (error instanceof NodeFault) throw new ConfigError([`DATABASE_URL: ${error.message}`]);
      missing.push(origin);
    }
  }
  const [first] = found;
  if (first === undefined) throw new ConfigError([`DATABASE_URL: no node answers (${missing.join(', ')})`]);
  const old = (await dropsRows(url)) ? versionFault(first.version, true) : null;
  const faults = [old, ...found.map(({ version }) => versionFault(version))];
  const fault = faults.find((each) => each !== null) ?? null;
  return {
    engine: engineName(first) ?? '',
    leader: first.leader,
    nodes: nodes.origins.length,
    missing,
    fault,
  };
}

/** Logs the engine of a cluster. @throws ConfigError in production, if its version breaks a guarantee */
export async function checkCluster(url: string, production: boolean, log: Logger): Promise<void> {
  const { fault, ...report } = await inspectCluster(url);
  if (fault !== null && production) throw new ConfigError([`DATABASE_URL: ${fault}`]);
  if (fault === null) log.info('database.engine', { ...report });
  else log.warn('database.engine', { ...report, message: fault });
}

/** Changes nothing, whatever the server does with it. */
async function dropsRows(url: string): Promise<boolean> {
  const run = (text: string) => ({ text, values: [] });
  try {
    await openRqlite({ url }).db.batch([
      run('CREATE TABLE peridot_probe (n)'),
      run('INSERT INTO peridot_probe VALUES ((SELECT 1)) RETURNING n'),
      run('DROP TABLE peridot_probe'),
    ]);
    return false;
  } catch (error) {
    if (error instanceof RqliteError && error.code === 'UNSUPPORTED') return true;
    throw error;
  }
}
