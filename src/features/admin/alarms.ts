import { integer, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime } from '../../lib/id.ts';
import { recordAudit } from '../activity/statements.ts';
import { isHourly } from '../ledger/check.ts';
import { countCases } from './unexplained.ts';

const hourMs = 3_600_000;

/**
 * The scheduled job: once an hour, logs and records what waits for a person, in one line of each kind and status.
 * @returns how many lines there are
 */
export async function raiseAlarms(deps: Deps): Promise<{ alarms: number }> {
  const now = deps.now();
  if (!isHourly(now)) return { alarms: 0 };
  const { waiting, raised } = await run(deps.db, {
    waiting: countCases(now),
    raised: statement<{ target: string }>(sql`SELECT target FROM audit_log
      WHERE action = 'money.waiting' AND at >= ${integer(now - (now % hourMs))}`),
  });
  const known = new Set(raised.map(({ target }) => target));
  const alarms = waiting
    .map(({ kind, status, count, oldest }) => ({
      target: `${kind}.${status}`,
      detail: { count, oldestAt: isoTime(oldest) },
    }))
    .filter(({ target }) => !known.has(target));
  if (alarms.length === 0) return { alarms: 0 };
  const line = { actor: 'system', action: 'money.waiting', when: sql`true`, now } as const;
  await run(deps.db, { lines: alarms.map((alarm) => recordAudit({ ...line, ...alarm })) });
  for (const { target, detail } of alarms) deps.log.error('money.waiting', { target, ...detail });
  return { alarms: alarms.length };
}
