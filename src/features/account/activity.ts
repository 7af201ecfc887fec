import { integer, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { deviceName } from '../../lib/device.ts';
import { isoTime } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import type { activity } from '../activity/tables.ts';
import { actingHandle, actingSessionStatement } from '../session/acting-session.ts';
import type { sessions } from '../session/tables.ts';
import type { ActivityEntry } from './schema.ts';

type ActivityRow = Pick<Row<typeof activity>, 'seq' | 'at' | 'type' | 'detail'> & {
  [Column in 'provider' | 'user_agent' | 'country']: Row<typeof sessions>[Column] | null;
};

/** Reads an identity's newest lines before `seq`. */
export function activityStatement(handle: SQL, seq: number, limit: number): Statement<ActivityRow> {
  return statement(sql`SELECT v.seq, v.at, v.type, v.detail, s.provider, s.user_agent, s.country
    FROM activity v LEFT JOIN sessions s ON s.id = v.session_id
    WHERE v.handle = ${handle} AND v.seq < ${seq} ORDER BY v.seq DESC LIMIT ${integer(limit)}`);
}

/**
 * An activity line as shown to its owner. `detail` is the reason why a session ended, the name of an app, the amount
 * and counterparty of a payment, or otherwise the provider.
 */
export function toActivityEntry(row: ActivityRow): ActivityEntry {
  const ended = row.type === 'session.ended';
  const app = /^(app|grant)\./.test(row.type) ? row.detail : null;
  const [, amount, party = null] = /^(?:payment|withdrawal)\./.test(row.type)
    ? (/^(\d+) (.*)$/.exec(row.detail ?? '') ?? [])
    : [];
  return {
    type: row.type,
    at: isoTime(row.at),
    provider: ended ? row.provider : (app ?? party) === null ? row.detail : null,
    reason: ended ? row.detail : null,
    app,
    amount: amount === undefined ? null : Number(amount),
    party,
    device: deviceName(row.user_agent),
    country: row.country,
  };
}

/** Lists the activity of the acting session's identity, newest first. @throws AppError unauthenticated */
export async function listActivity(
  deps: Deps,
  sessionId: string,
  page: PageQuery,
): Promise<Page<ActivityEntry>> {
  const now = deps.now();
  const before = Number(page.cursor ?? Number.MAX_SAFE_INTEGER);
  const { acting, listed } = await run(deps.db, {
    acting: actingSessionStatement(sessionId, now),
    listed: activityStatement(actingHandle(sessionId, now), before, page.limit + 1),
  });
  if (acting.length === 0) throw new AppError('unauthenticated');
  return toPage(listed, page.limit, (row) => String(row.seq), toActivityEntry);
}
