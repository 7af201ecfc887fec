import {
  columnsOf,
  integer,
  type RowOf,
  type SQL,
  type Statement,
  sql,
  statement,
} from '../../db/database.ts';
import { meets, type ReasonOf, type Requirements, verdictOf } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { createId } from '../../lib/id.ts';
import { areInForce, counted, type LimitVerdict, outLimit } from '../ledger/limits.ts';
import { isOpen, mayMove } from '../ledger/statements.ts';
import { actingHandle, actingSession, isStale, needsStepUp } from '../session/acting-session.ts';
import type { withdrawals } from './tables.ts';

/** How long a quote can be confirmed. */
export const quoteMs = 5 * 60_000;
/**
 * How long an id unknown to the provider is sent again; then the operator decides. Providers keep idempotency keys for
 * a day, so the last retry comes well before they expire.
 */
export const unknownMs = 23 * 3_600_000;

const withdrawalColumns = columnsOf<typeof withdrawals>()(
  'id, handle, asset, amount, fee, gateway, destination_enc, destination_hint, status, failure',
  'created_at, expires_at, held_at, submitted_at, ended_at, returned_at, tries, payout',
);

export type WithdrawalRow = RowOf<typeof withdrawalColumns> & { readonly owes: 0 | 1 };

/** True if a withdrawal's wallet has a debt. */
const owesOf = (account: SQL) => sql`(SELECT x.debt > 0 FROM accounts x WHERE x.id = ${account})`;

/** The columns of `WithdrawalRow`, for a statement in which they are unambiguous. */
const columns = sql`${withdrawalColumns()}, ${owesOf(sql`withdrawals.account`)} AS owes`;

/** The same for the withdrawal `w`. */
export const columnsOfW = sql`${withdrawalColumns('w')}, ${owesOf(sql`w.account`)} AS owes`;

export interface NewQuote {
  readonly id: string;
  readonly sessionId: string;
  readonly amount: number;
  readonly fee: number;
  readonly gateway: string;
  readonly sealed: string;
  readonly hint: string;
  readonly now: number;
}

/** The quotes that a person may leave unused in a day, because each reveals the holder of a bank account. */
const mostQuotes = 20;
const dayMs = 86_400_000;

/** When the person's oldest of `mostQuotes` unused quotes is a day old; NULL if there are fewer. */
export function fullUntil(handle: SQL, now: number): SQL {
  const oldest = createId('wdr', now - dayMs, (length) => new Uint8Array(length));
  return sql`(SELECT q.created_at + ${integer(dayMs)} FROM withdrawals q WHERE q.handle = ${handle} AND q.id > ${oldest}
    AND q.status IN ('quoted','cancelled') ORDER BY q.id DESC LIMIT 1 OFFSET ${integer(mostQuotes - 1)})`;
}

/** The money of the wallet `a` that can be withdrawn. */
export const available = sql`(a.credits_posted - a.debits_posted - a.debits_pending)`;

/** Stores a quote while a withdrawal is possible. A retry finds the stored quote. */
export function quote(v: NewQuote): Statement {
  return statement(sql`INSERT INTO withdrawals (id, handle, account, asset, amount, fee, gateway, destination_enc,
      destination_hint, created_at, expires_at)
    SELECT ${v.id}, s.handle, a.id, 'IDR', ${v.amount}, ${v.fee}, ${v.gateway}, ${v.sealed}, ${v.hint}, ${v.now},
      ${v.now + quoteMs}
    FROM ${actingSession(v.sessionId, v.now)} s
      JOIN accounts a ON a.owner = s.handle AND a.kind = 'wallet' AND a.status = 'active'
      JOIN ledger m ON m.id = 1 AND m.mode = 'open' AND m.withdrawals = 1
    WHERE ${available} >= ${v.amount + v.fee} AND ${fullUntil(sql`s.handle`, v.now)} IS NULL ON CONFLICT (id) DO NOTHING`);
}

export interface Hold {
  readonly deps: Deps;
  readonly id: string;
  /** The request id, by which a retry recognises its own change; random. */
  readonly requestId: string;
  readonly sessionId: string;
  readonly gateway: string | null;
  readonly now: number;
}

/** The limit that the withdrawal `w` would exceed, as a scalar. */
const exceeded = (now: number) => outLimit({ account: sql`w.account`, total: sql`(w.amount + w.fee)` }, now);

/** Requirements for holding the money of the quote `w`: on the session `s` and the wallet `a`. */
export const holdRequirements = {
  session_ended: sql`s.handle IS NOT NULL`,
  ...mayMove,
  withdrawals_disabled: sql`m.withdrawals = 1`,
  transaction_not_found: sql`w.handle = s.handle`,
  already_held: sql`w.status = 'quoted'`,
  not_fresh: ({ deps, now }) =>
    sql`NOT (${isStale(deps, now)}) AND NOT ${needsStepUp(sql`(w.amount + w.fee)`, sql`w.created_at`)}`,
  quote_expired: ({ gateway, now }) => sql`w.expires_at > ${now} AND w.gateway = ${gateway}`,
  wallet_frozen: sql`a.status = 'active'`,
  insufficient_internal_credit: sql`${available} >= w.amount + w.fee`,
  limits_changed: ({ deps }) => areInForce(deps.config.limits),
  limit_exceeded: ({ now }) => sql`${exceeded(now)} IS NULL`,
} satisfies Requirements<Hold>;

/** @param asked joins `w`, which is the row itself for the change */
function involved({ sessionId, now }: Hold, asked = sql``): SQL {
  return sql`FROM (SELECT * FROM ledger WHERE id = 1) m LEFT JOIN ${actingSession(sessionId, now)} s ON true ${asked}
    LEFT JOIN accounts a ON a.id = w.account`;
}

/** Holds the money of a quote. If it returns no row, `explainHold` gives the reason. */
export function hold(v: Hold): Statement<WithdrawalRow> {
  return statement(sql`UPDATE withdrawals AS w SET status = 'held', held_at = ${v.now}, held_by = ${v.requestId}, next_at = ${v.now}${counted(v.deps.config.limits)}
    WHERE w.id = ${v.id} AND EXISTS (SELECT 1 ${involved(v)} WHERE ${meets(holdRequirements, v)}) RETURNING ${columns}`);
}

/** The reason why a hold changed nothing; `ok` if it succeeded, but its response was lost. */
export function explainHold(v: Hold): Statement<
  WithdrawalRow & {
    readonly verdict: 'ok' | ReasonOf<typeof holdRequirements> | null;
    readonly exceeded: LimitVerdict | null;
  }
> {
  const verdict = verdictOf(holdRequirements, v, { ok: sql`w.held_by = ${v.requestId}` });
  return statement(sql`SELECT ${columnsOfW}, ${verdict} AS verdict, ${exceeded(v.now)} AS exceeded
    ${involved(v, sql`LEFT JOIN withdrawals w ON w.id = ${v.id} AND w.handle = s.handle`)}`);
}

/** Returns the held money. This is too late after the payout is marked as submitted. */
export function cancel(v: { id: string; sessionId: string; now: number }): Statement<WithdrawalRow> {
  return statement(sql`UPDATE withdrawals SET status = 'cancelled', ended_at = ${v.now}, next_at = NULL
    WHERE id = ${v.id} AND status = 'held' AND handle = ${actingHandle(v.sessionId, v.now)} AND ${isOpen}
    RETURNING ${columns}`);
}

/**
 * True if the withdrawal `w` may be paid: nothing is sent while the operator has stopped the person or the wallet, or
 * there is a debt.
 */
const mayLeave = sql`EXISTS (SELECT 1 FROM accounts a JOIN identities i ON i.handle = a.owner AND i.status = 'active'
  WHERE a.id = w.account AND a.status = 'active' AND a.debt = 0)`;

interface Claim {
  readonly gateway: string;
  readonly limit: number;
  /** No other worker may claim these withdrawals before this time. */
  readonly until: number;
  readonly now: number;
}

/** Claims due withdrawals. Held ones become `submitted` before the request to the provider. */
export function claimDue({ gateway, limit, until, now }: Claim): Statement<WithdrawalRow> {
  return statement(sql`UPDATE withdrawals SET status = iif(status = 'held', 'submitted', status),
      submitted_at = coalesce(submitted_at, ${now}), tries = tries + 1, next_at = ${until}
    WHERE next_at <= ${now} AND id IN (SELECT w.id FROM withdrawals w WHERE w.next_at <= ${now}
        AND w.gateway = ${gateway} AND (w.status <> 'held' OR ${mayLeave}) ORDER BY w.next_at LIMIT ${integer(limit)})
      AND ${isOpen}
    RETURNING ${columns}`);
}

interface Named {
  readonly id: string;
  readonly gateway: string;
  readonly payout: string | null;
}

/** True if the payout belongs to another withdrawal and is therefore meaningless for this one. */
function isTaken({ id, gateway, payout }: Named): SQL {
  return sql`EXISTS (SELECT 1 FROM withdrawals o WHERE o.gateway = ${gateway} AND o.payout = ${payout} AND o.id <> ${id})`;
}

/** Selects a row if the payout belongs to another withdrawal. */
export function readTaken(named: Named): Statement<{ taken: 1 }> {
  return statement(sql`SELECT 1 AS taken WHERE ${isTaken(named)}`);
}

/**
 * True if a withdrawal was sent and is not final, the payout is its own, and money may move.
 * @param tries the maximum number of workers that have claimed it
 */
export function canEnd(named: Named, tries: number = Number.MAX_SAFE_INTEGER): SQL {
  return sql`EXISTS (SELECT 1 FROM withdrawals w WHERE w.id = ${named.id} AND w.status = 'submitted' AND w.tries <= ${tries})
    AND NOT ${isTaken(named)} AND ${isOpen}`;
}

interface End {
  readonly id: string;
  readonly status: 'paid' | 'failed';
  readonly payout: string | null;
  readonly failure: string | null;
  readonly nextAt: number | null;
  /** `canEnd`, or a stricter condition. */
  readonly when: SQL;
  readonly now: number;
}

/** Pays out the held money, or returns it. */
export function end(v: End): Statement<WithdrawalRow> {
  return statement(sql`UPDATE withdrawals SET status = ${v.status}, payout = coalesce(${v.payout}, payout),
      failure = ${v.failure}, ended_at = ${v.now}, next_at = ${v.nextAt}
    WHERE id = ${v.id} AND ${v.when} RETURNING ${columns}`);
}

/** True if money returned by the bank can be credited now: to the wallet, or to suspense if the wallet is closed. */
export function canReturn(named: Named): SQL {
  return sql`EXISTS (SELECT 1 FROM withdrawals w JOIN accounts a ON a.id = w.account AND a.status <> 'frozen'
    WHERE w.id = ${named.id} AND w.status = 'paid' AND w.failure IS NOT 'contradicted') AND NOT ${isTaken(named)} AND ${isOpen}`;
}

/** Credits money returned by the bank. The fee is kept. @param v.when `canReturn` */
export function creditReturned(v: { id: string; when: SQL; now: number }): Statement<WithdrawalRow> {
  return statement(sql`UPDATE withdrawals SET status = 'returned', failure = NULL, returned_at = ${v.now}, next_at = NULL
    WHERE id = ${v.id} AND ${v.when} RETURNING ${columns}`);
}

/** Marks a paid withdrawal for review, because the provider's report cannot be true. @returns a row if it is new */
export function contradict(id: string): Statement<{ id: string }> {
  return statement(sql`UPDATE withdrawals SET failure = 'contradicted'
    WHERE id = ${id} AND status = 'paid' AND failure IS NOT 'contradicted' RETURNING id`);
}

interface Wait extends Named {
  readonly tries: number;
  readonly nextAt: number | null;
  /** `unknown` if it waits for the operator. */
  readonly failure: 'unknown' | null;
  /** True if the provider responded; otherwise the failure stays. */
  readonly isAnswered: boolean;
}

/**
 * Sets the time of the next query, unless another worker has since claimed the withdrawal. Another withdrawal's payout
 * is not stored: the withdrawal is `payout_reused` until the provider returns its own payout or the operator decides.
 * @returns the failure that keeps it waiting
 */
export function wait({
  tries,
  nextAt,
  failure,
  isAnswered,
  ...named
}: Wait): Statement<{ failure: string | null }> {
  const taken = isTaken(named);
  return statement(sql`UPDATE withdrawals SET next_at = ${nextAt},
      payout = iif(${taken}, payout, coalesce(${named.payout}, payout)),
      failure = CASE WHEN ${taken} THEN 'payout_reused'
        WHEN NOT ${Number(isAnswered)} OR (failure = 'payout_reused' AND ${named.payout} IS NULL) THEN failure
        ELSE ${failure} END
    WHERE id = ${named.id} AND tries = ${tries} AND status IN ('submitted', 'paid') RETURNING failure`);
}

/**
 * The condition under which the operator may decide about the withdrawal `id`. A held withdrawal has not been sent, so
 * it can be cancelled. A submitted one can be failed only if the provider has not known it for a day, or returned
 * another withdrawal's payout. A paid one can be decided either way if it is contradicted.
 */
export function mayResolve(id: string, outcome: 'paid' | 'failed'): SQL {
  const isResolvable =
    outcome === 'paid'
      ? sql`(status = 'submitted' OR failure = 'contradicted')`
      : sql`(status = 'held' OR failure = 'contradicted' OR (status = 'submitted' AND failure IN ('unknown','payout_reused')))`;
  return sql`EXISTS (SELECT 1 FROM withdrawals WHERE id = ${id} AND ${isResolvable}) AND ${isOpen}`;
}

interface Resolution {
  readonly id: string;
  readonly outcome: 'paid' | 'failed';
  readonly nextAt: number | null;
  readonly now: number;
  /** True if it was decided. */
  readonly when: SQL;
}

/**
 * Settles a withdrawal as the operator decided. A held withdrawal is cancelled. A contradicted one is returned, or
 * stays paid and is not checked again. `declared` means that only the operator marked it paid.
 */
export function resolve({ id, outcome, nextAt, now, when }: Resolution): Statement {
  return statement(sql`UPDATE withdrawals SET status = CASE WHEN status = 'held' THEN 'cancelled'
        WHEN status = 'paid' AND ${outcome} = 'failed' THEN 'returned' ELSE ${outcome} END,
      failure = iif(${outcome} = 'paid', 'declared', NULL), next_at = iif(status = 'paid', NULL, ${nextAt}),
      ended_at = coalesce(ended_at, ${now}), returned_at = iif(status = 'paid' AND ${outcome} = 'failed', ${now}, NULL)
    WHERE id = ${id} AND ${mayResolve(id, outcome)} AND ${when}`);
}
