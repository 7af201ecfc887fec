import { all, integer, run, sql, statement } from '../../db/database.ts';
import { workOff } from '../../db/due.ts';
import type { Deps } from '../../deps.ts';
import { readProof } from './proof.ts';
import { dropResources, isProven, keepProof } from './resource.ts';

/** The interval between reads of a file. */
const againMs = 86_400_000;
/** How long an unreadable file still proves ownership. */
const graceMs = 7 * againMs;
/** The number of files read concurrently, and per run; a run takes at most 20 seconds longer because of them. */
const [atOnce, mostOfJob] = [5, 20];

interface DueProof {
  readonly origin: string;
  readonly app_id: string;
}

/**
 * The scheduled job, which reads resource files again. It alternates between people, so nobody waits behind a person
 * with many files.
 */
export async function readProofsAgain(deps: Deps): Promise<{ kept: number; ended: number }> {
  const waiting = await dueOrigins(deps);
  const { done, failed } = await workOff<DueProof>({
    atOnce,
    most: mostOfJob,
    claimsAll: false,
    claim: (limit) => claimDue(deps, waiting.splice(0, limit)),
    handle: (due) => readAgain(deps, due),
  });
  return { kept: done, ended: failed };
}

/** The origins with due files: each person's longest-waiting file first, then each person's second. */
async function dueOrigins(deps: Deps): Promise<string[]> {
  const rows = await all(
    deps.db,
    statement<{
      origin: string;
    }>(sql`SELECT d.origin FROM (SELECT r.origin, a.owner, min(r.next_at) AS due FROM app_resources r
        JOIN apps a ON a.id = r.app_id WHERE r.proven_by = 'file' AND r.next_at <= ${deps.now()} GROUP BY r.origin) d
      ORDER BY row_number() OVER (PARTITION BY d.owner ORDER BY d.due), d.due LIMIT ${integer(mostOfJob)}`),
  );
  return rows.map(({ origin }) => origin);
}

/** Claims files that are still due. Returns one app for each file, because a file names only one owner. */
async function claimDue(deps: Deps, origins: readonly string[]): Promise<DueProof[]> {
  if (origins.length === 0) return [];
  const now = deps.now();
  const rows = await all(
    deps.db,
    statement<DueProof>(sql`UPDATE app_resources SET next_at = ${now + againMs} WHERE proven_by = 'file' AND origin IN
      (SELECT r.origin FROM json_each(${JSON.stringify(origins)}) j
        JOIN app_resources r ON r.origin = j.value AND r.proven_by = 'file' AND r.next_at <= ${now})
      RETURNING origin, app_id`),
  );
  return [...new Map(rows.map((row) => [row.origin, row])).values()];
}

/**
 * Returns whether the proof is still valid. It is not if the file names another owner, or has been unreadable for too
 * long.
 */
async function readAgain(deps: Deps, { origin, app_id: appId }: DueProof): Promise<boolean> {
  const readAt = deps.now();
  const { file, reason } = await readProof(deps, origin);
  const decided = { when: sql`1`, now: deps.now() };
  if (file?.owner === appId) {
    await deps.db.batch(keepProof({ origin, appId, clients: file.clients, readAt }, decided));
    return true;
  }
  const proven = isProven({ origin, appId, readAt });
  const { ended } = await run(deps.db, {
    failing: statement(
      sql`UPDATE app_resources SET failing_since = coalesce(failing_since, ${readAt}) WHERE ${proven}`,
    ),
    ...(await dropResources(
      deps,
      file ? proven : sql`${proven} AND failing_since <= ${readAt - graceMs}`,
      decided,
    )),
  });
  if (ended.length > 0) deps.log.warn('app.resource_lost', { origin, app: appId, reason });
  return ended.length === 0;
}
