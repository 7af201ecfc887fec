import { sql } from 'drizzle-orm';
import { type Statement, statement } from '../../db/database.ts';

/** Apps that could pay without asking, were their fee not above what their grants cover; with how many grants. */
export function uncoveredFees(now: number): Statement<{ app_id: string; grants: number }> {
  return statement(sql`SELECT g.app_id, count(*) AS grants FROM live_grants g
      JOIN fee_versions f ON f.scope = g.app_id AND f.operation = 'transfer' AND f.version = (SELECT max(o.version)
        FROM fee_versions o WHERE o.scope = f.scope AND o.operation = f.operation)
    WHERE g.live_until > ${now} AND coalesce(g.per_transfer, g.per_period, g.total_limit) IS NOT NULL
      AND (f.bps > g.fee_bps OR max(f.fixed, f.least) > g.fee_fixed)
    GROUP BY g.app_id ORDER BY g.app_id`);
}
