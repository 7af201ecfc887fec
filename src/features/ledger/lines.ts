import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { isoTime, pidOf } from '../../lib/id.ts';
import type { Transaction } from './schema.ts';

/** A line's chronological position: its time and its leg. */
export type LineKey = readonly [at: number, leg: number];

/** A range of an account's entries in chronological order. */
interface Range {
  /** A value of `entries.way`. */
  readonly way: number;
  /** A value of `entries.kind`; all of them if omitted. */
  readonly kind?: string;
}

/** Selects an account's entries. */
interface Wanted {
  /** The account, as a scalar: joining it as a table would lose the index order. */
  readonly account: SQL;
  /** At most five, which is D1's limit. */
  readonly ranges: readonly Range[];
  /** A condition on `at` and `leg`. */
  readonly when: SQL;
  readonly order: 'ASC' | 'DESC';
  readonly limit: number;
}

/** All entries. */
export const everyRange: readonly Range[] = [0, 1, 2, 3, 4].map((way) => ({ way }));

/** The first legs of movements: of one kind, in one direction, or all. */
export function rangesOf(kind?: string, direction?: 'in' | 'out'): Range[] {
  const ways = kind === undefined ? [1, 2, 3, 4] : kind === 'transfer' ? [1, 2] : [3, 4];
  return ways
    .filter((way) => direction === undefined || way % 2 === (direction === 'in' ? 1 : 0))
    .map((way) => (kind === undefined || kind === 'transfer' ? { way } : { way, kind }));
}

/**
 * Entries in chronological order, as a SELECT. SQLite merges the ranges while reading, so it sorts nothing and reads
 * only the rows of the page.
 */
export function selectEntries({ account, ranges, when, order, limit }: Wanted): SQL {
  const selects = ranges.map(({ way, kind }) => {
    const index = kind === undefined ? sql`` : sql`INDEXED BY entries_kind`;
    const isKind = kind === undefined ? sql`1` : sql`kind = ${kind}`;
    return sql`SELECT account, at, leg, delta, balance, kind, ref FROM entries ${index}
      WHERE account = ${account} AND ${isKind} AND way = ${way} AND ${when}`;
  });
  const direction = order === 'ASC' ? sql`ASC` : sql`DESC`;
  return sql`${sql.join(selects, sql` UNION ALL `)} ORDER BY at ${direction}, leg ${direction} LIMIT ${integer(limit)}`;
}

/** Entries before this chronological position; all entries if there is none. */
export function isBefore([at, leg]: LineKey = [Number.MAX_SAFE_INTEGER, 0]): SQL {
  return sql`(at, leg) < (${at}, ${leg})`;
}

/** The position encoded in a page's cursor. */
export function keyOf(cursor: string | undefined): LineKey | undefined {
  const [at, leg] = cursor?.split('.').map(Number) ?? [];
  return at === undefined || leg === undefined ? undefined : [at, leg];
}

/**
 * An account's balance after the last entry that matches a condition on `at` and `leg`, as a scalar; 0 before the first
 * entry.
 */
export function balanceWhen(account: SQL, when: SQL): SQL {
  const last = selectEntries({ account, ranges: everyRange, when, order: 'DESC', limit: 1 });
  return sql`coalesce((SELECT k.balance FROM (${last}) k), 0)`;
}

export interface LineRow {
  readonly at: number;
  readonly leg: number;
  readonly kind: string | null;
  readonly ref: string;
  readonly delta: number;
  readonly fees: number;
  readonly balance: number;
  readonly owner: string | null;
  readonly display_name: string | null;
  readonly memo: string | null;
  readonly app_id: string | null;
}

/**
 * A wallet's lines, one per movement, in the order of their entries, given by the first table of the join.
 * @param keys a SELECT of `selectEntries`, of the first leg of each movement
 */
export function selectLines(keys: SQL): Statement<LineRow> {
  // Only the payer of a fee has further legs, so none are read for other lines. They come after a debt settlement by
  // the first leg, but are part of the line before it.
  const further = sql`iif(v.fees > 0 OR v.posting IS NOT NULL, coalesce((SELECT sum(x.delta) FROM entries x WHERE x.account = v.account
    AND x.way = 0 AND x.at = v.at AND x.leg BETWEEN v.leg AND v.leg + 9 AND x.ref = coalesce(v.posting, v.ref)), 0), 0)`;
  return statement(sql`SELECT v.at, v.leg, v.kind, v.ref, v.delta + iif(v.posting IS NULL, ${further}, 0) AS delta, v.fees,
      v.balance + ${further} AS balance,
      v.owner, v.memo, v.app_id, p.display_name
    FROM (SELECT k.account, k.at, k.leg, k.kind, k.ref, k.delta, k.balance, t.memo,
        iif(k.ref GLOB 'dbt_*', (SELECT g.ref FROM legs g WHERE g.seq = CAST(substr(k.ref, 5) AS INTEGER)), NULL) AS posting,
        coalesce(iif(t.refund_of IS NOT NULL, 0, iif(t.payer_account = k.account, t.payer_fee, t.payee_fee)), u.fee,
          o.app_fee + o.platform_fee, 0) AS fees,
        coalesce(iif(t.payer_account = k.account, t.payee, t.payer), c.owner) AS owner,
        coalesce(t.app_id, o.app_id, iif(k.kind = 'sweep', d.ref, NULL)) AS app_id
      FROM (${keys}) k
        LEFT JOIN transfers t ON t.id = iif(k.ref GLOB '*_*', NULL, k.ref)
        LEFT JOIN withdrawals u ON u.id = iif(k.kind = 'withdrawal', k.ref, NULL)
        LEFT JOIN deposits o ON o.id = iif(k.ref GLOB 'dep_*', k.ref, NULL)
        LEFT JOIN adjustments d ON d.id = iif(k.ref GLOB 'adj_*', k.ref, NULL)
        LEFT JOIN accounts c ON c.id = iif(d.debit = k.account, d.credit, d.debit) AND c.kind = 'wallet') v
      LEFT JOIN profiles p ON p.handle = v.owner`);
}

export function toTransaction(row: LineRow): Transaction {
  const kind = (row.kind ?? 'transfer') as Transaction['kind'];
  return {
    id: idOf(kind, row.ref),
    kind,
    direction: row.delta < 0 ? 'out' : 'in',
    asset: 'IDR',
    amount: Math.abs(row.delta),
    fees: row.fees,
    balanceAfter: row.balance,
    // A closed identity has no profile.
    counterparty:
      row.owner === null ? null : { pid: pidOf(row.owner), displayName: row.display_name ?? row.owner },
    reference: referenceOf(row.ref),
    memo: row.memo,
    appId: row.app_id,
    createdAt: isoTime(row.at),
  };
}

/** Transfers are stored without a prefix, other documents with theirs. */
function idOf(kind: Transaction['kind'], ref: string): string {
  if (kind === 'transfer' || kind === 'refund') return `trf_${ref}`;
  if (kind === 'debt' && !ref.startsWith('dbt_')) return `dbt_${ref}`;
  return kind === 'reversal' ? `rev_${ref}` : ref;
}

/** The document that a line comes from. */
function referenceOf(ref: string): Transaction['reference'] {
  if (ref.startsWith('adj_')) return { type: 'adjustment', id: ref };
  if (ref.startsWith('wdr_')) return { type: 'withdrawal', id: ref };
  if (ref.startsWith('dbt_')) return { type: 'debt', id: ref };
  // Each part that a provider reverses or restores has a suffix.
  if (ref.startsWith('dep_')) return { type: 'deposit', id: ref.split('.')[0] ?? ref };
  return { type: 'transfer', id: `trf_${ref}` };
}
