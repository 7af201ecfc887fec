import { integer, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { handleOf, isoTime, pidOf } from '../../lib/id.ts';
import { createSecret } from '../../lib/secret.ts';
import { recordAudit } from '../activity/statements.ts';
import { isHourly } from '../ledger/check.ts';
import { noticeStatement } from '../mail/mail.ts';
import { operatorEvent } from '../webhook/operator.ts';
import { countCases, forgetAlarms, unreportedCases } from './unexplained.ts';

const hourMs = 3_600_000;
/** The maximum number of cases in one report; the rest go into the next one. */
const mostReported = 500;
/** The maximum number of cases in an event. */
const mostNamed = 20;

/**
 * The scheduled job: once an hour, logs and records unexplained cases, one line per kind and status, and reports
 * new ones to the operator.
 * @returns how many lines there are, and how many cases are new
 */
export async function raiseAlarms(deps: Deps): Promise<{ alarms: number; reported: number }> {
  if (!isHourly(deps.now())) return { alarms: 0, reported: 0 };
  return { alarms: await logWaiting(deps), reported: await reportNew(deps) };
}

async function logWaiting(deps: Deps): Promise<number> {
  const now = deps.now();
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
  if (alarms.length === 0) return 0;
  const line = { actor: 'system', action: 'money.waiting', when: sql`true`, now } as const;
  await run(deps.db, { lines: alarms.map((alarm) => recordAudit({ ...line, ...alarm })) });
  for (const { target, detail } of alarms) deps.log.error('money.waiting', { target, ...detail });
  return alarms.length;
}

/**
 * Emails new cases and writes an event about them, in the same batch that marks them as reported.
 * @returns the number of cases
 */
async function reportNew(deps: Deps): Promise<number> {
  const now = deps.now();
  const { found } = await run(deps.db, {
    forget: [forgetAlarms(now)],
    found: unreportedCases(now, mostReported),
  });
  if (found.length === 0) return 0;
  const requestId = createSecret(deps.randomBytes);
  const when = sql`EXISTS (SELECT 1 FROM alarms WHERE op = ${requestId})`;
  const { ALARM_MAIL, ADMIN_PIDS } = deps.config;
  const handles = JSON.stringify(ADMIN_PIDS.map(handleOf));
  const counts = Map.groupBy(found, ({ kind, status }) => `${kind}.${status}`);
  const cases = [...counts].map(([name, { length }]) => `${length} ${name}`).join(', ');
  const named = found.slice(0, mostNamed).map(({ alarm: _, handle, since, ...row }) => ({
    ...row,
    pid: handle === null ? null : pidOf(handle),
    since: isoTime(since),
  }));
  await run(deps.db, {
    report: [
      statement(sql`INSERT INTO alarms (id, op, at) SELECT value, ${requestId}, ${now}
        FROM json_each(${JSON.stringify(found.map(({ alarm }) => alarm))}) WHERE true ON CONFLICT DO NOTHING`),
      await noticeStatement(deps, {
        kind: 'money_alarm',
        handle: sql`SELECT i.handle FROM identities i JOIN json_each(${handles}) j ON j.value = i.handle WHERE i.status = 'active'`,
        address: ALARM_MAIL,
        when,
        params: { count: String(found.length), cases },
        now,
      }),
      ...operatorEvent(deps, {
        type: 'money.unexplained',
        data: { count: found.length, cases: named },
        when,
        now,
      }),
    ],
  });
  deps.log.error('money.unexplained', { count: found.length, cases });
  return found.length;
}
