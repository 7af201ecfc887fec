import { integer, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { meets, type ReasonOf, type Requirements, verdictOf } from '../../db/decision.ts';
import { createId } from '../../lib/id.ts';
import type { Checkout, Payment } from '../gateway/gateway.ts';
import { actingCaller, type Caller, mayReadWallet } from '../grant/acting-caller.ts';
import { heldLimit, type LimitsInForce, type LimitVerdict, setLimits } from '../ledger/limits.ts';
import { isOpen, mayMove, mode } from '../ledger/statements.ts';
import type { deposits } from './tables.ts';

/** The maximum number of open pages per person and app, or without an app. */
const openPages = 5;
/** The maximum number of checkouts a day, per person and owner of apps, or without an app. */
const mostCheckouts = 100;
const dayMs = 24 * 3_600_000;
/** The time limit for a check at the provider, including its writes. After this time another worker may check. */
export const leaseMs = 60_000;

export type DepositRow = Omit<
  Row<typeof deposits>,
  'app_account' | 'fee_rules' | 'idempotency_key' | 'session' | 'paid' | 'paid_currency'
> & { readonly session: string | null; readonly display_name: string | null };

/** The columns of `DepositRow`, for a statement on `deposits`, and the payer's name. */
export const columns: SQL = sql.raw(
  `id handle account asset gross app_fee platform_fee net app_id gateway method return_url
  request_hash session url status failure payment created_at updated_at expires_at credited_at reversed_at returned borne next_at asked_at tries`
    .split(/\s+/)
    .map((name) => `deposits.${name}`)
    .concat('(SELECT p.display_name FROM profiles p WHERE p.handle = deposits.handle) AS display_name')
    .join(', '),
);

/** True if a deposit has the key of this caller. */
export function hasKey({ handle, appId }: Pick<Caller, 'handle' | 'appId'>, key: string | null): SQL {
  const isApps =
    appId === null
      ? sql`deposits.app_id IS NULL`
      : sql`deposits.app_id IS NOT NULL AND deposits.app_id = ${appId}`;
  return sql`deposits.handle = ${handle} AND ${isApps} AND deposits.idempotency_key IS NOT NULL
    AND deposits.idempotency_key = ${key}`;
}

/** A deposit as computed by the service. */
export interface NewDeposit {
  readonly id: string;
  readonly caller: Caller;
  readonly appAccount: number | null;
  readonly gross: number;
  readonly appFee: number;
  readonly platformFee: number;
  /** `FeeRules` as JSON. */
  readonly rules: string;
  readonly gateway: string;
  readonly method: string | null;
  readonly returnUrl: string | null;
  readonly key: string | null;
  readonly hash: string;
  /** The payment deadline, unless the provider sets another one. */
  readonly expiresAt: number;
  readonly limits: LimitsInForce;
  readonly now: number;
}

const netOf = ({ gross, appFee, platformFee }: NewDeposit) => integer(gross - appFee - platformFee);

/**
 * The limit that a wallet would exceed with this amount, as a scalar. An app that may not read the wallet learns
 * nothing about the balance. A payment is credited regardless of the limit.
 */
const exceedsBy = ({ caller }: NewDeposit, account: SQL, amount: SQL) =>
  heldLimit({ account, amount, isBlind: !mayReadWallet(caller) });

/** The same for the wallet `a` and the requested amount. */
const exceeded = (v: NewDeposit) => exceedsBy(v, sql`a.id`, netOf(v));

/**
 * When the oldest of the person's last `mostCheckouts` checkouts is a day old; NULL if there are fewer in a day. Anyone
 * can register 50 apps, and more after deleting some, so all apps that an owner ever had count together. An unregistered
 * client has no owner.
 */
function fullUntil({ caller: { handle, appId }, now }: NewDeposit): SQL {
  const oldest = createId('dep', now - dayMs, (length) => new Uint8Array(length));
  const ownerOf = (app: SQL) => sql`(SELECT owner FROM apps WHERE id = ${app})`;
  const isCounted =
    appId === null
      ? sql`q.app_id IS NULL`
      : sql`(q.app_id = ${appId} OR ${ownerOf(sql`q.app_id`)} = ${ownerOf(sql`${appId}`)})`;
  return sql`(SELECT q.created_at + ${integer(dayMs)} FROM deposits q
    WHERE q.handle = ${handle} AND q.id > ${oldest} AND ${isCounted}
    ORDER BY q.id DESC LIMIT 1 OFFSET ${integer(mostCheckouts - 1)})`;
}

/** Requirements for a deposit: on the person `w`, the wallet `a` and, once the fees are known, the limits. */
export const depositRequirements = {
  caller_refused: sql`w.handle IS NOT NULL`,
  ...mayMove,
  wallet_not_found: sql`a.id IS NOT NULL`,
  wallet_frozen: sql`a.status = 'active'`,
  limit_held: (v) => v && sql`${exceeded(v)} IS NULL`,
  rate_limited: (v) => v && sql`${fullUntil(v)} IS NULL`,
} satisfies Requirements<NewDeposit | null>;

/** The person who requests a deposit, with their wallet; always one row. */
export function asking(caller: Caller, now: number): SQL {
  return sql`FROM ${mode} m LEFT JOIN ${actingCaller(caller, now)} w ON true
    LEFT JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'`;
}

/** Records a deposit before the request to the provider. `readBegun` follows in the same batch. */
export function begin(v: NewDeposit): Statement[] {
  const insert =
    statement(sql`INSERT INTO deposits (id, handle, account, app_account, asset, gross, app_fee, platform_fee, net,
      fee_rules, app_id, gateway, method, return_url, idempotency_key, request_hash, created_at, updated_at, expires_at, next_at)
    SELECT ${v.id}, a.owner, a.id, ${v.appAccount}, a.asset, ${v.gross}, ${v.appFee}, ${v.platformFee},
      ${v.gross - v.appFee - v.platformFee}, ${v.rules}, ${v.caller.appId}, ${v.gateway}, ${v.method}, ${v.returnUrl}, ${v.key},
      ${v.key === null ? null : v.hash}, ${v.now}, ${v.now}, ${v.expiresAt}, ${v.now + leaseMs}
    ${asking(v.caller, v.now)} WHERE ${meets(depositRequirements, v)} ON CONFLICT DO NOTHING`);
  return [setLimits(v.limits), insert];
}

/**
 * Closes the person's open pages from the same app beyond the newest `openPages`, and pages that together with newer
 * ones exceed the balance limit. Follows `begin`. A payment on a closed page is still credited.
 */
export function endOldest(v: NewDeposit): Statement<{ id: string }> {
  const { id, now } = v;
  const { handle, appId } = v.caller;
  const others = sql`SELECT o.id, o.account, row_number() OVER newest AS n, sum(o.net) OVER newest AS total FROM deposits o
    WHERE o.handle = ${handle} AND o.app_id IS ${appId} AND o.status IN ('creating','pending') AND o.id <> ${id}
    WINDOW newest AS (ORDER BY o.id DESC)`;
  return statement(sql`UPDATE deposits SET status = 'expired', failure = 'replaced', updated_at = ${now}, next_at = ${now}
    WHERE id IN (SELECT p.id FROM (${others}) p
        WHERE p.n >= ${integer(openPages)} OR ${exceedsBy(v, sql`p.account`, sql`p.total + ${netOf(v)}`)} IS NOT NULL)
      AND EXISTS (SELECT 1 FROM deposits n WHERE n.id = ${id}) RETURNING id`);
}

type BeginVerdict = 'ok' | 'repeated' | 'idempotency_key_reused' | ReasonOf<typeof depositRequirements>;

/** The deposit made by this request or by an earlier one with the same key, or the reason why there is none. */
export function readBegun(
  v: NewDeposit,
): Statement<
  DepositRow & { verdict: BeginVerdict | null; exceeded: LimitVerdict | null; full: number | null }
> {
  const found = {
    ok: sql`deposits.id = ${v.id}`,
    repeated: sql`deposits.request_hash = ${v.hash}`,
    idempotency_key_reused: sql`deposits.id IS NOT NULL`,
  };
  return statement(sql`SELECT ${columns}, ${verdictOf(depositRequirements, v, found)} AS verdict, ${exceeded(v)} AS exceeded, ${fullUntil(v)} AS full
    ${asking(v.caller, v.now)}
      LEFT JOIN deposits ON deposits.id = coalesce((SELECT k.id FROM deposits k WHERE k.id = ${v.id}),
        (SELECT deposits.id FROM deposits WHERE ${hasKey(v.caller, v.key)}))`);
}

/** Records that the provider has opened its page for the deposit. */
export function opened(
  id: string,
  { session, url, expiresAt }: Checkout,
  { now, nextAt }: { now: number; nextAt: number | null },
): Statement<DepositRow> {
  return statement(sql`UPDATE deposits SET status = 'pending', session = ${session}, url = ${url},
      expires_at = ${expiresAt}, updated_at = ${now}, next_at = ${nextAt}
    WHERE id = ${id} AND status = 'creating' RETURNING ${columns}`);
}

/** A notification moves the next check to the current time, in any state, because it may announce a refund. */
export function notified(id: string, gateway: string, now: number): Statement<{ id: string }> {
  return statement(
    sql`UPDATE deposits SET next_at = ${now} WHERE id = ${id} AND gateway = ${gateway} RETURNING id`,
  );
}

interface Claim {
  readonly gateway: string;
  /** Selects due deposits. */
  readonly where: SQL;
  readonly now: number;
}

/**
 * Claims due deposits, while money may move. If a worker dies, the deposits it claimed are due again a minute later.
 */
export function claimDue({ gateway, where, now }: Claim): Statement<DepositRow> {
  return statement(sql`UPDATE deposits SET tries = tries + 1, asked_at = ${now}, next_at = ${now + leaseMs}
    WHERE gateway = ${gateway} AND next_at <= ${now} AND ${isOpen} AND ${where} RETURNING ${columns}`);
}

/** How many of the longest-waiting deposits alternate between people; this limits the rows that a claim sorts. */
const inTurn = 500;

/** Each person's longest-waiting deposit, then each person's second, so that nobody waits behind a person with many. */
export function longestDue(gateway: string, now: number, limit: number): SQL {
  return sql`id IN (SELECT t.id FROM (SELECT d.id, d.next_at, row_number() OVER (PARTITION BY d.handle ORDER BY d.next_at) AS turn
      FROM (SELECT x.id, x.handle, x.next_at FROM deposits x WHERE x.gateway = ${gateway} AND x.next_at IS NOT NULL
        AND x.next_at <= ${now} ORDER BY x.next_at LIMIT ${integer(inTurn)}) d) t
    ORDER BY t.turn, t.next_at LIMIT ${integer(limit)})`;
}

/** Claims one deposit that is not final, due or not. */
export function claimOne(where: SQL, now: number): Statement {
  return statement(sql`UPDATE deposits SET tries = tries + 1, asked_at = ${now}, next_at = ${now + leaseMs}
    WHERE ${where} AND status NOT IN ('credited','reversed','review')`);
}

/** Sets the time of the next check, unless another worker or a notification was faster. */
export function lookAgain({ id, tries, next_at }: DepositRow, nextAt: SQL): Statement {
  return statement(sql`UPDATE deposits SET next_at = ${nextAt}
    WHERE id = ${id} AND tries = ${tries} AND next_at IS ${next_at}`);
}

/** Late money is credited too, unless an administrator has rejected the deposit. */
const isUnsettled = sql`status IN ('creating','pending','expired','failed') AND failure IS NOT 'rejected'`;
/** True if another deposit has this payment. */
function isTaken({ id }: Payment): SQL {
  return sql`EXISTS (SELECT 1 FROM deposits o WHERE o.gateway = deposits.gateway AND o.payment IS NOT NULL
    AND o.payment = ${id} AND o.id <> deposits.id)`;
}

/**
 * Credits a deposit with the payment taken by the provider; a trigger posts its legs.
 * @param v.nextAt the next check
 */
export function settle(
  id: string,
  payment: Payment,
  { now, nextAt }: { readonly now: number; readonly nextAt: number | null },
): Statement {
  return statement(sql`UPDATE deposits SET status = 'credited', ${paidWith(payment)}, payment = ${payment.id},
      failure = NULL, credited_at = ${now}, updated_at = ${now}, next_at = ${nextAt}
    WHERE id = ${id} AND ${isUnsettled} AND gross = ${integerOrNull(payment.amount)} AND asset = ${payment.currency}
      AND ${isOpen} AND NOT ${isTaken(payment)}
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id IN (deposits.account, deposits.app_account) AND a.status <> 'active')`);
}

/**
 * Puts a deposit up for review: another amount or currency, a closed wallet, or a payment for another order.
 * @param isPartlyRefunded true if a part was refunded before the credit, which also needs a review
 */
export function sendToReview(
  id: string,
  payment: Payment,
  { now, isPartlyRefunded = 0 }: { readonly now: number; readonly isPartlyRefunded?: 0 | 1 },
): Statement {
  const isSame = sql`(gross, asset) IS (${integerOrNull(payment.amount)}, ${payment.currency})`;
  const isClosed = sql`EXISTS (SELECT 1 FROM accounts a WHERE a.id = deposits.account AND a.status = 'closed')`;
  return statement(sql`UPDATE deposits SET status = 'review', ${paidWith(payment)},
      payment = iif(${isTaken(payment)}, NULL, ${payment.id}), updated_at = ${now}, next_at = NULL,
      failure = iif(asset <> ${payment.currency}, 'currency_mismatch', iif(NOT ${isSame}, 'amount_mismatch',
        iif(${isClosed}, 'account_closed', iif(${isTaken(payment)}, 'payment_reused', 'partly_refunded'))))
    WHERE id = ${id} AND ${isUnsettled} AND (NOT ${isSame} OR ${isClosed} OR ${isTaken(payment)} OR ${isPartlyRefunded})`);
}

function paidWith({ amount, currency, method }: Payment): SQL {
  return sql`paid = ${amount ?? null}, paid_currency = ${currency}, method = coalesce(${method ?? null}, method)`;
}

export function integerOrNull(value: number | undefined): SQL {
  return value === undefined ? sql`NULL` : integer(value);
}

/** Closes a deposit that is unpaid according to the provider, unless late money arrives. */
export function end(
  id: string,
  { status, failure, now }: { status: 'expired' | 'failed'; failure: string | null; now: number },
): Statement {
  return statement(sql`UPDATE deposits SET status = ${status}, failure = ${failure}, updated_at = ${now}
    WHERE id = ${id} AND status IN ('creating','pending')`);
}

/** A deposit, and whether money may move. */
export function readOne(id: string): Statement<DepositRow & { mode: 'open' | 'frozen' | 'disabled' }> {
  return statement(
    sql`SELECT ${columns}, m.mode FROM deposits JOIN ledger m ON m.id = 1 WHERE deposits.id = ${id}`,
  );
}
