import { integer, run, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { askableScopes } from '../app/scopes.ts';
import { type DeskActor, deskState, requireDesk } from './desk.ts';
import type { RestrictedApps } from './schema.ts';

const most = 100;

type RestrictedApp = RestrictedApps['data'][number];

/**
 * Active apps with restrictions: unchecked apps, which get no money scopes, and apps whose fee exceeds the limits of
 * their grants, so that each payment needs an approval; and the newest unregistered clients. Each owner's oldest app
 * comes first, then each owner's second, so that an owner of many apps does not displace the others.
 */
export function restrictedApps({ config, now }: Pick<Deps, 'config' | 'now'>): Statement<RestrictedApp> {
  return statement(sql`SELECT id, name, reason, grants FROM (
      SELECT a.owner, a.id, a.name, 'not_checked' AS reason, NULL AS grants FROM apps a
        WHERE a.status = 'active' AND a.owner IS NOT NULL AND json_array_length(${askableScopes(config)}) < json_array_length(a.scopes)
      UNION ALL SELECT a.owner, a.id, a.name, 'fee_not_covered', count(*) FROM live_grants g JOIN apps a ON a.id = g.app_id
        JOIN fee_versions f ON f.scope = g.app_id AND f.operation = 'transfer' AND f.version = (SELECT max(o.version)
          FROM fee_versions o WHERE o.scope = g.app_id AND o.operation = 'transfer')
        WHERE g.live_until > ${now()} AND coalesce(g.per_transfer, g.per_period, g.total_limit) IS NOT NULL
          AND (f.bps > g.fee_bps OR max(f.fixed, f.least) > g.fee_fixed)
        GROUP BY a.id
      UNION ALL SELECT * FROM (SELECT NULL, a.id, a.name, 'not_registered', NULL FROM apps a
        WHERE a.owner IS NULL ORDER BY a.created_at DESC LIMIT ${integer(most)}))
    ORDER BY row_number() OVER (PARTITION BY owner ORDER BY id, reason), id, reason LIMIT ${integer(most)}`);
}

/** @throws AppError unauthenticated, not_fresh */
export async function listRestrictedApps(deps: Deps, actor: DeskActor): Promise<RestrictedApps> {
  const { desk, data } = await run(deps.db, { desk: deskState(deps, actor), data: restrictedApps(deps) });
  requireDesk(desk);
  return { data };
}
