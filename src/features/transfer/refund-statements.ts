import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Caller } from '../grant/acting-caller.ts';
import { isOpen } from '../ledger/statements.ts';
import { actingSession } from '../session/acting-session.ts';
import { columnsOfT, type TransferRow, tokenActs } from './statements.ts';

/** How long a transfer can be refunded: 365 days. */
export const refundableMs = 31_536_000_000;

export interface Refund {
  /** Of the refund, without a prefix; made once per request. */
  readonly id: string;
  /** The transfer, without a prefix. */
  readonly transfer: string;
  /** Who was paid, and pays back. */
  readonly payee: string;
  /** Null means what is left. */
  readonly amount: number | null;
  readonly memo: string | null;
  readonly key: string;
  readonly hash: string;
  /** Of the person who is present; null for a back end. */
  readonly sessionId: string | null;
  /** The caller, when a back end is one. */
  readonly token?: Caller | null;
  readonly now: number;
}

const refundInto = sql`INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee,
  payee_fee, app_fee, platform_fee, debit_total, net_amount, app_id, grant_id, memo, status, confirmed_by, confirmed_at,
  created_at, expires_at, refund_of, idempotency_key, request_hash)`;

/** The rows of a refund: the transfer `o` turned around. @param app the app and its grant, or NULL twice */
function turned(v: Refund, app: SQL): SQL {
  return sql`SELECT ${v.id}, o.payee, o.payer, o.payee_account, o.payer_account, o.asset, o.left_over, 0, 0, 0, 0,
      o.left_over, o.left_over, ${app}, ${v.memo}, 'confirmed', ${v.id}, ${v.now}, ${v.now}, ${v.now}, o.id, ${v.key},
      ${v.hash}
    FROM (SELECT t.*, coalesce(${integerOrNull(v.amount)}, t.net_amount - t.refunded) AS left_over FROM transfers t
      WHERE t.id = ${v.transfer} AND t.payee = ${v.payee}) o`;
}

function integerOrNull(value: number | null): SQL {
  return value === null ? sql`NULL` : integer(value);
}

/** The transfer `o` can be refunded by that much, and both wallets work. */
function canRefund(now: number): SQL {
  return sql`o.status = 'confirmed' AND o.refund_of IS NULL AND o.confirmed_at + ${integer(refundableMs)} > ${now}
    AND o.left_over BETWEEN 1 AND o.net_amount - o.refunded AND ${isOpen}
    AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = o.payee_account AND a.status = 'active'
      AND a.credits_posted - a.debits_posted - a.debits_pending >= o.left_over)
    AND EXISTS (SELECT 1 FROM accounts b JOIN identities i ON i.handle = b.owner AND i.status = 'active'
      WHERE b.id = o.payer_account AND b.status = 'active')`;
}

/** Refunds a transfer to who paid it: the row posts by its trigger. `readRefund` follows in the same batch. */
export function refund(v: Refund): Statement {
  return statement(sql`${refundInto} ${turned(v, sql`NULL, NULL`)}
    WHERE EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, v.now)} s WHERE s.handle = o.payee) AND ${canRefund(v.now)}
    ON CONFLICT DO NOTHING`);
}

export interface AppRefund extends Refund {
  readonly app: string;
  /** The grant that a back end acts by; null for the page of an app, which acts by whichever it has. */
  readonly grant: string | null;
}

const hasRefundScope = sql`EXISTS (SELECT 1 FROM json_each(g.scopes) WHERE value = 'fiat:refund')`;

/** Whether the grant `g` is the one by which an app acts. */
function isGrant({
  app,
  grant,
  payee,
}: Pick<Refund, 'payee'> & { app: string | null; grant: string | null }): SQL {
  return grant === null
    ? sql`g.app_id = ${app} AND g.handle = ${payee} AND g.revoked_at IS NULL`
    : sql`g.id = ${grant}`;
}

/** The same by the app of the transfer, with the grant of who was paid and its scope `fiat:refund`. */
export function refundForApp(v: AppRefund): Statement {
  return statement(sql`${refundInto} ${turned(v, sql`g.app_id, g.id`)}
      JOIN live_grants g ON ${isGrant(v)} AND g.app_id = ${v.app} AND g.app_id = o.app_id AND g.handle = o.payee
        AND g.live_until > ${v.now} AND ${hasRefundScope}
    WHERE (${v.sessionId} IS NULL
        OR EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, v.now)} s WHERE s.handle = o.payee))
      AND ${tokenActs(v.token, v.now)} AND ${canRefund(v.now)} ON CONFLICT DO NOTHING`);
}

export type RefundVerdict =
  | 'ok'
  | 'repeated'
  | 'idempotency_key_reused'
  | 'session_ended'
  | 'ledger_disabled'
  | 'ledger_frozen'
  | 'transfer_not_found'
  | 'already_reversed'
  | 'grant_expired'
  | 'grant_revoked'
  | 'not_refundable'
  | 'refund_exceeds'
  | 'wallet_frozen'
  | 'wallet_closed'
  | 'recipient_unavailable'
  | 'insufficient_internal_credit';

export type RefundedRow = TransferRow & {
  verdict: RefundVerdict;
  refunded_total: number;
  refundable: number;
};

/** What came of a refund: its row, or the reason that there is none, in a fixed order. */
export function readRefund(
  v: Refund & { readonly app: string | null; readonly grant: string | null },
): Statement<RefundedRow> {
  const { now, app } = v;
  const isKey = app === null ? sql`k.app_id IS NULL` : sql`k.app_id IS NOT NULL AND k.app_id = ${app}`;
  return statement(sql`SELECT ${columnsOfT}, o.refunded AS refunded_total, o.net_amount - o.refunded AS refundable, CASE
      WHEN t.id = ${v.id} THEN 'ok'
      WHEN t.request_hash = ${v.hash} THEN 'repeated'
      WHEN t.id IS NOT NULL THEN 'idempotency_key_reused'
      WHEN ${v.sessionId} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, now)}) THEN 'session_ended'
      WHEN m.mode <> 'open' THEN 'ledger_' || m.mode
      WHEN o.id IS NULL OR (${app} IS NOT NULL AND o.app_id IS NOT ${app}) THEN 'transfer_not_found'
      WHEN o.status = 'reversed' THEN 'already_reversed'
      WHEN EXISTS (SELECT 1 FROM grants g WHERE ${isGrant(v)}
        AND (g.revoked_by = 'expired' OR (g.revoked_at IS NULL AND g.expires_at <= ${now}))) THEN 'grant_expired'
      WHEN ${app} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM live_grants g WHERE ${isGrant(v)} AND g.app_id = o.app_id
        AND g.handle = o.payee AND ${hasRefundScope}) OR NOT ${tokenActs(v.token, now)} THEN 'grant_revoked'
      WHEN o.refund_of IS NOT NULL OR o.confirmed_at + ${integer(refundableMs)} <= ${now} THEN 'not_refundable'
      WHEN o.refunded >= o.net_amount OR ${integerOrNull(v.amount)} > o.net_amount - o.refunded THEN 'refund_exceeds'
      WHEN a.status <> 'active' THEN 'wallet_' || a.status
      WHEN b.status <> 'active' OR NOT EXISTS (SELECT 1 FROM identities i WHERE i.handle = o.payer
        AND i.status = 'active') THEN 'recipient_unavailable'
      ELSE 'insufficient_internal_credit' END AS verdict
    FROM ledger m LEFT JOIN transfers o ON o.id = ${v.transfer} AND o.payee = ${v.payee}
        AND o.status IN ('confirmed','reversed')
      LEFT JOIN accounts a ON a.id = o.payee_account LEFT JOIN accounts b ON b.id = o.payer_account
      LEFT JOIN transfers t ON t.id = coalesce((SELECT k.id FROM transfers k WHERE k.id = ${v.id} AND k.payer = ${v.payee}),
        (SELECT k.id FROM transfers k WHERE k.payer = ${v.payee} AND ${isKey} AND k.idempotency_key IS NOT NULL
          AND k.idempotency_key = ${v.key}))
    WHERE m.id = 1`);
}
