import { integer, only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import { needsPerson } from '../deposit/review-statements.ts';
import { type DeskActor, deskState, requireDesk } from './desk.ts';
import type { Unexplained } from './schema.ts';
import type { CaseKindName, UnexplainedQuery } from './unexplained-schema.ts';

const dayMs = 86_400_000;
/**
 * How long a deposit may be pending, or a withdrawal held or submitted, before someone should investigate. A page that
 * nobody paid has expired a day before that.
 */
const patienceMs = { deposit: 3 * dayMs, withdrawal: dayMs } as const;
/** The maximum number of listed cases, and of ids for each kind and status. */
const [mostListed, mostNamed] = [100, 20];

/** An open case. `handle` is the person's, if there is one. */
interface CaseRow {
  readonly kind: CaseKindName;
  readonly id: string;
  readonly status: string;
  readonly asset: string;
  readonly amount: number;
  readonly since: number;
  readonly handle: string | null;
}

interface CaseKind {
  /**
   * The path of the decision that closes the case; `:id` is the case id. Null if only time or the provider can close
   * it.
   */
  readonly resolve: string | null;
  /** A SELECT of the columns of `CaseRow`, in the same order. */
  readonly rows: (now: number) => SQL;
}

/** The start of a wallet's current debt: the oldest debt is settled first, so the newest remains. */
const owingSince = sql`(SELECT min(x.at) FROM (SELECT e.at, e.delta, sum(e.delta) OVER (ORDER BY e.at DESC, e.leg DESC) AS total
    FROM entries e INDEXED BY entries_kind WHERE e.account = accounts.id AND e.kind = 'debt' AND e.way = 3) x
  WHERE x.total - x.delta < accounts.debt)`;

/**
 * All unexplained cases. A feature with other cases adds its kind here, and they are then listed, counted and reported
 * with the others.
 */
const kinds: Readonly<Record<CaseKindName, CaseKind>> = {
  deposit: {
    resolve: '/v1/admin/deposits/:id/resolve',
    rows: () => sql`SELECT 'deposit', id, iif(status = 'review', status, failure), asset,
        coalesce(iif(status = 'review' AND paid_currency = asset, paid, NULL), gross), updated_at, handle
      FROM deposits WHERE ${needsPerson}`,
  },
  second_payment: {
    resolve: '/v1/admin/second-payments/:id/resolve',
    rows: () =>
      sql`SELECT 'second_payment', id, status, 'IDR', amount, at, handle FROM second_payments WHERE status = 'open'`,
  },
  unfinished_deposit: {
    resolve: null,
    rows: (now) => sql`SELECT 'unfinished_deposit', id, status, asset, gross, created_at, handle FROM deposits
      WHERE status IN ('creating','pending') AND created_at <= ${integer(now - patienceMs.deposit)}`,
  },
  withdrawal: {
    resolve: '/v1/admin/withdrawals/:id/resolve',
    rows: (now) => sql`SELECT 'withdrawal', w.id, w.status, w.asset, w.amount, w.held_at, w.handle
      FROM withdrawals w WHERE ${isStuck(now)}
      UNION ALL SELECT 'withdrawal', w.id, w.failure, w.asset, w.amount, w.ended_at, w.handle
      FROM withdrawals w WHERE w.failure = 'contradicted'`,
  },
  difference: {
    resolve: '/v1/admin/cases/:id/resolve',
    rows: () => sql`SELECT 'difference', id, kind, currency, amount, since, NULL FROM reconciliation_cases
      WHERE resolved_at IS NULL`,
  },
  debt: {
    resolve: '/v1/admin/adjustments',
    rows: () => sql`SELECT 'debt', owner || iif(kind = 'wallet', '@pid', ''), kind, asset, debt, coalesce(${owingSince}, moved_at),
        iif(kind = 'wallet', owner, NULL)
      FROM accounts WHERE debt > 0`,
  },
  // The balance that open second payments do not explain, by origin.
  suspense: {
    resolve: '/v1/admin/adjustments',
    rows: () => sql`SELECT 'suspense', l.kind, 'open', a.asset, sum(e.delta), min(e.at), NULL
      FROM accounts a JOIN entries e ON e.account = a.id AND e.way IN (0, 1, 2, 3, 4) JOIN legs l ON l.seq = e.leg
      WHERE a.owner = 'system' AND a.kind = 'suspense' AND l.kind <> 'second_payment'
        AND NOT EXISTS (SELECT 1 FROM adjustments j WHERE j.id = l.ref AND j.ref IS NOT NULL)
      GROUP BY a.asset, l.kind HAVING sum(e.delta) <> 0`,
  },
};

/** D1 allows five terms in a compound SELECT, and five in each of its subqueries. */
const mostTerms = 4;

/** Every open case, or those of one kind, as a SELECT of the columns of `CaseRow`. */
function cases(now: number, only?: CaseKindName): SQL {
  const union = (terms: readonly SQL[]) =>
    sql.join(
      terms.map((rows) => sql`SELECT * FROM (${rows})`),
      sql` UNION ALL `,
    );
  const chosen = only === undefined ? Object.values(kinds) : [kinds[only]];
  const each = chosen.map(({ rows }) => rows(now));
  const groups = each.flatMap((_, at) =>
    at % mostTerms === 0 ? [union(each.slice(at, at + mostTerms))] : [],
  );
  return sql`WITH cases AS (SELECT NULL AS kind, NULL AS id, NULL AS status, NULL AS asset, NULL AS amount, NULL AS since,
    NULL AS handle WHERE 0 UNION ALL ${union(groups)})`;
}

/** True if a withdrawal `w` stays held because the wallet has a debt. */
export const waitsForDebt: SQL = sql`(w.status = 'held' AND EXISTS (SELECT 1 FROM accounts o WHERE o.id = w.account AND o.debt > 0))`;

/** True if a withdrawal `w` has made no progress for too long, or the operator has to decide. */
export function isStuck(now: number): SQL {
  return sql`w.next_at IS NOT NULL AND w.status IN ('held','submitted')
    AND (w.held_at <= ${integer(now - patienceMs.withdrawal)} OR w.failure IS NOT NULL OR ${waitsForDebt})`;
}

export interface CaseCount {
  readonly kind: string;
  readonly status: string;
  readonly count: number;
  readonly oldest: number;
  /** JSON: the oldest ids. */
  readonly ids: string;
}

/** The open cases by kind and status. */
export function countCases(now: number): Statement<CaseCount> {
  return statement(sql`${cases(now)}
    SELECT kind, status, count(*) AS count, min(since) AS oldest,
      json_group_array(id) FILTER (WHERE place <= ${integer(mostNamed)}) AS ids
    FROM (SELECT *, row_number() OVER (PARTITION BY kind, status ORDER BY since, id) AS place FROM cases)
    GROUP BY kind, status ORDER BY kind, status`);
}

/** The name of a case in `alarms`. */
const alarmId = sql`cases.kind || '.' || cases.status || ' ' || cases.id`;

/** Open cases not yet reported, oldest first. */
export function unreportedCases(now: number, limit: number): Statement<CaseRow & { alarm: string }> {
  return statement(sql`${cases(now)} SELECT *, ${alarmId} AS alarm FROM cases
    WHERE NOT EXISTS (SELECT 1 FROM alarms l WHERE l.id = ${alarmId}) ORDER BY since, kind, id LIMIT ${integer(limit)}`);
}

/** Removes closed cases from the reported ones. */
export function forgetAlarms(now: number): Statement {
  return statement(sql`${cases(now)} DELETE FROM alarms WHERE id NOT IN (SELECT ${alarmId} FROM cases)`);
}

/**
 * Lists open cases, optionally of one kind or person, with details of the oldest 100: the kind, the age, and the
 * endpoint that closes the case.
 * @throws AppError unauthenticated, not_fresh
 */
export async function listUnexplained(
  deps: Deps,
  actor: DeskActor,
  { kind, pid }: UnexplainedQuery = {},
): Promise<Unexplained> {
  const now = deps.now();
  const found = sql`${cases(now, kind)} SELECT * FROM cases
    WHERE ${pid === undefined ? sql`1` : sql`handle = ${pid.replace('@pid', '')}`}`;
  const { desk, counts, rows } = await run(deps.db, {
    desk: deskState(deps, actor),
    counts: statement<{ count: number }>(sql`SELECT count(*) AS count FROM (${found})`),
    rows: statement<CaseRow>(sql`${found}
      ORDER BY since, kind, id LIMIT ${integer(mostListed)}`),
  });
  requireDesk(desk);
  return {
    count: only(counts).count,
    data: rows.map(({ handle, since, ...row }) => ({
      ...row,
      pid: handle === null ? null : pidOf(handle),
      since: isoTime(since),
      resolve: kinds[row.kind].resolve?.replace(':id', row.id) ?? null,
    })),
  };
}
