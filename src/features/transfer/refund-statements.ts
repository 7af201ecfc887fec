import { integer, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { meets, type ReasonOf, type Requirements, verdictOf } from '../../db/decision.ts';
import type { Caller } from '../grant/acting-caller.ts';
import { mayMove, mode } from '../ledger/statements.ts';
import { actingSession } from '../session/acting-session.ts';
import { columnsOfT, type TransferRow, tokenActs } from './statements.ts';

/** A transfer can be refunded for 365 days. */
export const refundableMs = 31_536_000_000;

export interface Refund {
  /** The refund's id, without a prefix; made once per request. */
  readonly id: string;
  /** The transfer's id, without a prefix. */
  readonly transfer: string;
  /** The payee, who pays back. */
  readonly payee: string;
  /** Null means the remaining amount. */
  readonly amount: number | null;
  readonly memo: string | null;
  readonly key: string;
  readonly hash: string;
  /** The session of the person who is present; null for a back end. */
  readonly sessionId: string | null;
  /** The calling back end, if any. */
  readonly token?: Caller | null;
  /** The transfer's app, whose grant allows the refund; null if the payee makes it. */
  readonly app: string | null;
  /** The grant of a back end; null for an app's page, which uses whichever grant it has. */
  readonly grant: string | null;
  readonly now: number;
}

/** True if the grant `g` is the one that an app acts under. */
function isGrant({ app, grant, payee }: Refund): SQL {
  return grant === null
    ? sql`g.app_id = ${app} AND g.handle = ${payee} AND g.revoked_at IS NULL`
    : sql`g.id = ${grant}`;
}

/** The refunded part of the transfer `o`. */
function amountOf({ amount }: Refund): SQL {
  return amount === null ? sql`(o.net_amount - o.refunded)` : integer(amount);
}

/**
 * Requirements for a refund: on the transfer `o`, the payee's wallet `a`, the payer's wallet `b` and identity `i`, and
 * an app's live grant `g`.
 */
export const refundRequirements = {
  session_ended: ({ sessionId, payee, now }) =>
    sessionId === null
      ? null
      : sql`EXISTS (SELECT 1 FROM ${actingSession(sessionId, now)} s WHERE s.handle = ${payee})`,
  ...mayMove,
  transaction_not_found: ({ app }) => (app === null ? sql`o.id IS NOT NULL` : sql`o.app_id = ${app}`),
  already_reversed: sql`o.status = 'confirmed'`,
  grant_expired: (v) =>
    v.app === null
      ? null
      : sql`NOT EXISTS (SELECT 1 FROM grants g WHERE ${isGrant(v)}
          AND (g.revoked_by = 'expired' OR (g.revoked_at IS NULL AND g.expires_at <= ${v.now})))`,
  grant_revoked: ({ app, token, now }) =>
    app === null ? null : sql`g.id IS NOT NULL AND ${tokenActs(token, now)}`,
  not_refundable: ({ now }) =>
    sql`o.refund_of IS NULL AND o.confirmed_at + ${integer(refundableMs)} > ${now}`,
  refund_exceeds: (v) => sql`${amountOf(v)} BETWEEN 1 AND o.net_amount - o.refunded`,
  wallet_closed: sql`a.status <> 'closed'`,
  wallet_frozen: sql`a.status = 'active'`,
  recipient_unavailable: sql`b.status = 'active' AND i.status = 'active'`,
  insufficient_internal_credit: (v) =>
    sql`a.credits_posted - a.debits_posted - a.debits_pending >= ${amountOf(v)}`,
} satisfies Requirements<Refund>;

function involved(v: Refund): SQL {
  const grant = sql`LEFT JOIN live_grants g ON ${isGrant(v)} AND g.app_id = o.app_id AND g.handle = o.payee
    AND g.live_until > ${v.now} AND EXISTS (SELECT 1 FROM json_each(g.scopes) WHERE value = 'fiat:refund')`;
  return sql`FROM ${mode} m LEFT JOIN transfers o ON o.id = ${v.transfer} AND o.payee = ${v.payee}
      AND o.status IN ('confirmed','reversed')
    LEFT JOIN accounts a ON a.id = o.payee_account LEFT JOIN accounts b ON b.id = o.payer_account
    LEFT JOIN identities i ON i.handle = o.payer ${v.app === null ? sql`` : grant}`;
}

/** Refunds a transfer to its payer; the row's trigger posts it. `readRefund` follows in the same batch. */
export function refund(v: Refund): Statement {
  return statement(sql`INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee,
      payee_fee, app_fee, platform_fee, debit_total, net_amount, app_id, grant_id, memo, status, confirmed_by, confirmed_at,
      created_at, expires_at, refund_of, idempotency_key, request_hash)
    SELECT ${v.id}, o.payee, o.payer, o.payee_account, o.payer_account, o.asset, ${amountOf(v)}, 0, 0, 0, 0, ${amountOf(v)},
      ${amountOf(v)}, ${v.app === null ? sql`NULL, NULL` : sql`g.app_id, g.id`}, ${v.memo}, 'confirmed', ${v.id}, ${v.now},
      ${v.now}, ${v.now}, o.id, ${v.key}, ${v.hash}
    ${involved(v)} WHERE ${meets(refundRequirements, v)} ON CONFLICT DO NOTHING`);
}

export type RefundedRow = TransferRow & {
  readonly verdict: 'ok' | 'repeated' | 'idempotency_key_reused' | ReasonOf<typeof refundRequirements> | null;
  readonly refunded_total: number;
  readonly refundable: number;
};

/**
 * The outcome of a refund: its row, the row of an earlier request with the same key, or the reason why there is none.
 */
export function readRefund(v: Refund): Statement<RefundedRow> {
  const isKey = v.app === null ? sql`k.app_id IS NULL` : sql`k.app_id IS NOT NULL AND k.app_id = ${v.app}`;
  const found = {
    ok: sql`t.id = ${v.id}`,
    repeated: sql`t.request_hash = ${v.hash}`,
    idempotency_key_reused: sql`t.id IS NOT NULL`,
  };
  return statement(sql`SELECT ${columnsOfT}, o.refunded AS refunded_total, o.net_amount - o.refunded AS refundable,
      ${verdictOf(refundRequirements, v, found)} AS verdict
    ${involved(v)}
      LEFT JOIN transfers t ON t.id = coalesce((SELECT k.id FROM transfers k WHERE k.id = ${v.id} AND k.payer = ${v.payee}),
        (SELECT k.id FROM transfers k WHERE k.payer = ${v.payee} AND ${isKey} AND k.idempotency_key IS NOT NULL
          AND k.idempotency_key = ${v.key}))`);
}
