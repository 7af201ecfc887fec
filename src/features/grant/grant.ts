import {
  columnsOf,
  integer,
  only,
  type Row,
  type RowOf,
  run,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { handleOf, isoTime, pidOf } from '../../lib/id.ts';
import { type Page, type PageQuery, toPage } from '../../lib/page.ts';
import { stringList } from '../../lib/present.ts';
import { createSecret } from '../../lib/secret.ts';
import { decisionOf, isDecided } from '../identity/decision.ts';
import { actingHandle, actingSessionStatement, isStale } from '../session/acting-session.ts';
import type { Grant, GrantChanges } from './schema.ts';
import type { grants } from './tables.ts';

const columns = columnsOf<typeof grants>()(
  'id, app_id, scopes, per_transfer, per_period, period_ms, period_start, spent, total_limit, spent_total',
  'max_uses, uses, payees, fee_bps, fee_fixed, expires_at, created_at, last_used_at',
  'revoked_at, revoked_by',
);

export type GrantRow = RowOf<typeof columns> &
  Pick<Row<typeof grants>, 'hosts' | 'resources'> & { app_name: string; used_at: number | null };

const dayMs = 86_400_000;
/** How many of an app's newest sign-ins are checked to find its last use. */
const recentSignIns = 20;
/**
 * How many characters of `hosts` and of `resources` a list reads and shows, newest first: in full they can be half a
 * megabyte, and a list has a hundred of them.
 */
const listedCharacters = 4000;

/** Selects grants with all of their hosts and resources. @param where a condition on the grant `g`, and any clauses after it */
export function selectGrants(where: SQL): Statement<GrantRow> {
  return select(where, sql`g.hosts, g.resources`);
}

/** The same with the newest of each grant's hosts and resources. */
export function selectListedGrants(where: SQL): Statement<GrantRow> {
  const beginning = (column: SQL) => sql`substr(${column}, 1, ${integer(listedCharacters)})`;
  return select(where, sql`${beginning(sql`g.hosts`)} AS hosts, ${beginning(sql`g.resources`)} AS resources`);
}

function select(where: SQL, places: SQL): Statement<GrantRow> {
  return statement(sql`SELECT ${columns('g')}, ${places}, a.name AS app_name,
      (SELECT max(u.last_used_at) FROM (SELECT s.last_used_at FROM app_sessions s WHERE s.grant_id = g.id
        ORDER BY s.id DESC LIMIT ${integer(recentSignIns)}) u) AS used_at
    FROM grants g JOIN apps a ON a.id = g.app_id WHERE ${where}`);
}

export function toGrant(row: GrantRow, now: number): Grant {
  const { per_transfer: perTransfer, per_period: perPeriod, period_ms: periodMs } = row;
  const inPeriod = now - row.period_start < (periodMs ?? Number.MAX_SAFE_INTEGER);
  const usedAt = Math.max(row.last_used_at ?? 0, row.used_at ?? 0);
  const payees = row.payees === null ? null : stringList(row.payees);
  return {
    id: row.id,
    app: { id: row.app_id, name: row.app_name },
    scopes: stringList(row.scopes),
    resources: wholeEntries(row.resources),
    hosts: [...new Set(wholeEntries(row.hosts).map((one) => one.replace(/ .*/, '')))].sort(),
    limits: {
      perTransfer,
      perPeriod,
      periodDays: periodMs === null ? null : periodMs / dayMs,
      total: row.total_limit,
      maxUses: row.max_uses,
      payees: payees?.map(pidOf) ?? null,
      feeBps: row.fee_bps,
      feeFixed: row.fee_fixed,
    },
    spent: { period: inPeriod ? row.spent : 0, total: row.spent_total, uses: row.uses },
    expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
    lastUsedAt: usedAt === 0 ? null : isoTime(usedAt),
    createdAt: isoTime(row.created_at),
  };
}

/** An entry of a JSON array of strings, as SQLite and browsers write it. */
const entry = /[[,]("[^"\\]*(?:\\.[^"\\]*)*")/gy;

/** The entries of a JSON array of strings, or those that its beginning contains in full. */
function wholeEntries(text: string): string[] {
  return Array.from(text.matchAll(entry), ([, one]) => JSON.parse(one ?? '""'));
}

/** Lists the live grants of the acting session's identity, newest first. @throws AppError unauthenticated */
export async function listGrants(deps: Deps, sessionId: string, page: PageQuery): Promise<Page<Grant>> {
  const now = deps.now();
  const { acting, listed } = await run(deps.db, {
    acting: actingSessionStatement(sessionId, now),
    listed:
      selectListedGrants(sql`g.handle = ${actingHandle(sessionId, now)} AND g.id < ${page.cursor ?? 'grt~'}
      AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > ${now}) AND a.status <> 'deleted'
      ORDER BY g.id DESC LIMIT ${integer(page.limit + 1)}`),
  });
  if (acting.length === 0) throw new AppError('unauthenticated');
  return toPage(
    listed,
    page.limit,
    ({ id }) => id,
    (row) => toGrant(row, now),
  );
}

/** Returns one of the live grants. @throws AppError unauthenticated, grant_not_found */
export async function getGrant(deps: Deps, sessionId: string, id: string): Promise<Grant> {
  const now = deps.now();
  const { acting, found } = await run(deps.db, {
    acting: actingSessionStatement(sessionId, now),
    found: selectGrants(sql`g.id = ${id} AND g.handle = ${actingHandle(sessionId, now)} AND ${isLive(now)}`),
  });
  if (acting.length === 0) throw new AppError('unauthenticated');
  const [row] = found;
  if (!row) throw new AppError('grant_not_found');
  return toGrant(row, now);
}

interface Change {
  readonly sessionId: string;
  readonly id: string;
}

/**
 * Sets the given limits. The amount spent stays: a limit below that amount is valid and prevents all further use.
 * @throws AppError validation_failed for an end in the past; unauthenticated, grant_not_found, grant_revoked,
 *   grant_expired, not_fresh, in this order
 */
export async function limitGrant(
  deps: Deps,
  { sessionId, id, changes }: Change & { readonly changes: GrantChanges },
): Promise<Grant> {
  const now = deps.now();
  const until = changes.expiresAt == null ? changes.expiresAt : Date.parse(changes.expiresAt);
  if (typeof until === 'number' && until <= now) {
    throw new AppError('validation_failed', ['expiresAt must be in the future']);
  }
  const decision = decisionOf({
    id: createSecret(deps.randomBytes),
    from: actingGrant(sessionId, id, now),
    requirements: {
      unauthenticated: sql`s.handle IS NOT NULL`,
      grant_not_found: sql`r.id IS NOT NULL`,
      grant_expired: sql`(r.revoked_by = 'expired' OR (r.revoked_at IS NULL AND r.expires_at <= ${now})) IS NOT TRUE`,
      grant_revoked: sql`r.revoked_at IS NULL`,
      not_fresh: sql`NOT (${isStale(deps, now)})`,
    },
    verdict: 'set',
  });
  const { verdicts, row } = await run(deps.db, {
    insert: decision.insert,
    change: setLimits(changes, until, sql`id = ${id} AND ${isDecided(decision.id, 'set')}`),
    verdicts: decision.verdicts,
    row: selectGrants(sql`g.id = ${id}`),
    drop: decision.drop,
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'set') throw new AppError(verdict);
  deps.log.info('grant.limited', { grant: id, sessionId });
  return toGrant(only(row), now);
}

const isLive = (now: number) => sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;

/** Joins the acting session `s` and its grant `r`. */
function actingGrant(sessionId: string, id: string, now: number): SQL {
  return sql`LEFT JOIN live_sessions s ON s.id = ${sessionId} AND s.expires_at > ${now}
    LEFT JOIN grants r ON r.id = ${id} AND r.handle = s.handle`;
}

function setLimits({ limits = {} }: GrantChanges, until: number | null | undefined, where: SQL): Statement {
  const { perTransfer, perPeriod, periodDays, total, maxUses, payees, feeBps, feeFixed } = limits;
  const given = (value: number | string | null | undefined, column: SQL) =>
    sql`iif(${Number(value !== undefined)}, ${value ?? null}, ${column})`;
  const handles = payees && JSON.stringify(payees.map(handleOf));
  return statement(sql`UPDATE grants SET per_transfer = ${given(perTransfer, sql`per_transfer`)},
      per_period = ${given(perPeriod, sql`per_period`)},
      period_ms = ${given(periodDays && periodDays * dayMs, sql`period_ms`)},
      total_limit = ${given(total, sql`total_limit`)}, max_uses = ${given(maxUses, sql`max_uses`)},
      payees = ${given(handles, sql`payees`)}, fee_bps = ${given(feeBps, sql`fee_bps`)},
      fee_fixed = ${given(feeFixed, sql`fee_fixed`)}, expires_at = ${given(until, sql`expires_at`)}
    WHERE ${where}`);
}

/**
 * Revokes a grant immediately; triggers add the activity line and notify the app. Revoking it again is not an error.
 * @throws AppError unauthenticated, grant_not_found
 */
export async function revokeGrant(deps: Deps, { sessionId, id }: Change): Promise<void> {
  const now = deps.now();
  const { verdicts } = await run(deps.db, {
    change: [
      statement(sql`UPDATE grants SET revoked_at = ${now}, revoked_by = 'person'
        WHERE id = ${id} AND revoked_at IS NULL AND handle = ${actingHandle(sessionId, now)}`),
    ],
    verdicts: statement<{
      verdict: 'unauthenticated' | 'grant_not_found' | 'revoked';
    }>(sql`SELECT iif(s.handle IS NULL, 'unauthenticated', iif(r.id IS NULL, 'grant_not_found', 'revoked')) AS verdict
      FROM settings g ${actingGrant(sessionId, id, now)} WHERE g.id = 1`),
  });
  const { verdict } = only(verdicts);
  if (verdict !== 'revoked') throw new AppError(verdict);
  deps.log.info('grant.revoked', { grant: id, sessionId });
}
