import { all, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';

/** Logs which PIDs in ADMIN_PIDS nobody holds: a typo, or a PID that an operator has yet to claim for an administrator. */
export async function warnOfUnclaimed(deps: Deps): Promise<void> {
  const pids = JSON.stringify(deps.config.ADMIN_PIDS);
  const handles = sql`SELECT substr(value, 1, length(value) - length('@pid')) AS handle FROM json_each(${pids})`;
  const unclaimed = await all(
    deps.db,
    statement<{ handle: string }>(sql`SELECT handle FROM (${handles})
      WHERE handle NOT IN (SELECT handle FROM identities)`),
  );
  if (unclaimed.length === 0) return;
  deps.log.warn('admin.unclaimed', {
    pids: unclaimed.map(({ handle }) => pidOf(handle)),
    hint: 'nobody holds these PIDs of ADMIN_PIDS: `npm run cli -- admin claim` claims one for its owner',
  });
}
