import { only, type Row, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import type { ledger } from '../ledger/tables.ts';

/** Why no money moves. */
export interface LedgerAlarm {
  readonly mode: 'frozen' | 'disabled';
  readonly reason: string | null;
  readonly at: string;
  /** True if the service froze the ledger itself because an invariant was violated. */
  readonly isViolation: boolean;
}

/** The last time the service froze the ledger itself. */
export const lastViolation = statement<{ at: number; detail: string }>(sql`SELECT at, detail FROM audit_log
  WHERE target = 'ledger' AND action = 'ledger.mode' AND actor = 'system' ORDER BY seq DESC LIMIT 1`);

/** Returns why all money is stopped; null if it may move. */
export async function readStopped(deps: Deps): Promise<LedgerAlarm | null> {
  const { state, violation } = await run(deps.db, {
    state: statement<Row<typeof ledger>>(sql`SELECT * FROM ledger WHERE id = 1`),
    violation: lastViolation,
  });
  const { mode, reason, updated_at } = only(state);
  if (mode === 'open') return null;
  const found = violation[0] && (JSON.parse(violation[0].detail) as { reason?: string }).reason;
  return { mode, reason, at: isoTime(updated_at), isViolation: reason !== null && found === reason };
}
