import { all, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';

/**
 * The unclaimed PIDs in ADMIN_PIDS and SUPPORT_PIDS: a typo, or a PID that an operator has yet to claim for its owner.
 */
export async function unclaimedPids(deps: Deps): Promise<string[]> {
  const pids = JSON.stringify(deps.config.deskPids);
  const handles = sql`SELECT substr(value, 1, length(value) - length('@pid')) AS handle FROM json_each(${pids})`;
  const unclaimed = await all(
    deps.db,
    statement<{ handle: string }>(sql`SELECT handle FROM (${handles})
      WHERE handle NOT IN (SELECT handle FROM identities)`),
  );
  return unclaimed.map(({ handle }) => pidOf(handle));
}

export async function warnOfUnclaimed(deps: Deps): Promise<void> {
  const pids = await unclaimedPids(deps);
  if (pids.length === 0) return;
  deps.log.warn('admin.unclaimed', {
    pids,
    hint: 'nobody holds these PIDs of ADMIN_PIDS and SUPPORT_PIDS: `npm run cli -- admin claim` claims one for its owner',
  });
}
