import { integer, type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { type Caller, callerActs } from '../grant/acting-caller.ts';
import { isOpen, mode, stoppedWallet } from '../ledger/statements.ts';
import { actingSession, exceedsStepUp, needsStepUp } from '../session/acting-session.ts';
import type { transfers } from './tables.ts';

/** How long an inquiry can be confirmed. */
export const inquiryMs = 5 * 60_000;
/** How soon after its decision an approval is redeemed. */
const approvalMs = 30_000;
/** Stands for a wallet that the payer of an app's inquiry does not have, or is paid into. It is frozen and empty for good. */
export const accountOfNobody = 0;
/** Stands for a limit that is not set. */
const noLimit = sql`9007199254740991`;

/** What a hold adds. A confirmation returns none of it: each column costs time. */
export type HoldRow = Pick<Row<typeof transfers>, 'expires_at' | 'hold_rules' | 'held_at' | 'released_at'>;

export type TransferRow = Partial<HoldRow> &
  Pick<
    Row<typeof transfers>,
    | 'id'
    | 'payer'
    | 'payee'
    | 'asset'
    | 'amount'
    | 'payer_fee'
    | 'payee_fee'
    | 'app_fee'
    | 'platform_fee'
    | 'debit_total'
    | 'net_amount'
    | 'memo'
    | 'app_id'
    | 'refund_of'
    | 'refunded'
    | 'status'
    | 'confirmed_at'
    | 'above_step_up'
  >;

/** What `TransferRow` names, in a statement where no other table has such columns. */
const columns = sql`id, payer, payee, asset, amount, payer_fee, payee_fee, app_fee, platform_fee, debit_total,
  net_amount, memo, app_id, refund_of, refunded, status, confirmed_at, above_step_up`;

/** The same of a hold. */
export const columnsOfHold = sql`${columns}, expires_at, hold_rules, held_at, released_at`;

/** The same of the transfer `t`. */
export const columnsOfT = sql`t.id, t.payer, t.payee, t.asset, t.amount, t.payer_fee, t.payee_fee, t.app_fee, t.platform_fee,
  t.debit_total, t.net_amount, t.memo, t.app_id, t.refund_of, t.refunded, t.status, t.confirmed_at,
  t.above_step_up, t.expires_at, t.hold_rules, t.held_at, t.released_at`;

/** An inquiry as the service has computed it. Ids are without prefix, parties are handles and keys of accounts. */
export interface NewInquiry {
  readonly id: string;
  readonly payer: string;
  readonly payee: string;
  readonly payerAccount: number;
  readonly payeeAccount: number;
  readonly appAccount: number | null;
  readonly amount: number;
  readonly payerFee: number;
  readonly payeeFee: number;
  readonly appFee: number;
  readonly platformFee: number;
  readonly app: string | null;
  readonly grant: string | null;
  /** Whether an app asks, and no grant covers it. */
  readonly needsApproval: boolean;
  /** Whose `stepUpAmount` it is above, who then hear of the payment: 1 the payer's, 2 the payee's, 3 both, 0 nobody's. */
  readonly aboveStepUp: number;
  readonly memo: string | null;
  /** The fees as rules, as JSON, if it is for a hold. */
  readonly holdRules?: string | null;
  readonly now: number;
}

/** Stores an inquiry, which freezes its fees, while the ledger is open. Its repeat finds it stored. */
export function inquire(v: NewInquiry): Statement {
  return statement(sql`INSERT INTO transfers (id, payer, payee, payer_account, payee_account, app_account, asset, amount,
      payer_fee, payee_fee, app_fee, platform_fee, debit_total, net_amount, app_id, grant_id, needs_approval, memo,
      created_at, expires_at, above_step_up, hold_rules)
    SELECT ${v.id}, ${v.payer}, ${v.payee}, ${v.payerAccount}, ${v.payeeAccount}, ${v.appAccount}, 'IDR', ${v.amount},
      ${v.payerFee}, ${v.payeeFee}, ${v.appFee}, ${v.platformFee}, ${v.amount + v.payerFee}, ${v.amount - v.payeeFee},
      ${v.app}, ${v.grant}, ${Number(v.needsApproval)}, ${v.memo}, ${v.now}, ${v.now + inquiryMs}, ${v.aboveStepUp},
      ${v.holdRules ?? null}
    WHERE ${isOpen} ON CONFLICT (id) DO NOTHING`);
}

/** The mode of the ledger, beside the inquiry that was just stored, if it was. */
export function readInquired(id: string): Statement<{ mode: string; id: string | null }> {
  return statement(sql`SELECT m.mode, t.id FROM ${mode} m LEFT JOIN transfers t ON t.id = ${id}`);
}

/**
 * Cancels an open inquiry of the payer; an app only its own.
 * @param payer the handle, as a subquery that is empty when the caller may not act
 */
export function cancel(v: { id: string; payer: SQL; app: string | null; now: number }): Statement {
  return statement(sql`UPDATE transfers SET status = 'cancelled' WHERE id = ${v.id} AND payer = ${v.payer}
    AND (${v.app} IS NULL OR app_id = ${v.app}) AND status = 'open' AND held_at IS NULL
    AND expires_at > ${v.now}`);
}

/** The mode is open, the payer has the money and its wallet works, and who is paid can be. */
const canMove = sql`${isOpen} AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = transfers.payer_account AND a.status = 'active'
    AND a.credits_posted - a.debits_posted - a.debits_pending >= transfers.debit_total)
  AND EXISTS (SELECT 1 FROM accounts b JOIN identities i ON i.handle = b.owner AND i.status = 'active'
    WHERE b.id = transfers.payee_account AND b.status = 'active')`;

/** Whether the payee is among those that the grant `g` allows. */
const payeeAllowed = sql`(g.payees IS NULL OR payee IN (SELECT value FROM json_each(g.payees)))`;

/** Whether the grant `g` covers the payment without an approval: fee, every limit that is set, and at least one of money. */
function withinLimits(now: number): SQL {
  return sql`(app_fee <= (amount * g.fee_bps + 9999) / 10000 + g.fee_fixed
    AND (coalesce(json_extract(hold_rules, '$.app.most') <= g.fee_fixed, 0)
      OR coalesce(json_extract(hold_rules, '$.app.bps') <= g.fee_bps
        AND max(json_extract(hold_rules, '$.app.fixed'), json_extract(hold_rules, '$.app.least')) <= g.fee_fixed, 1))
    AND coalesce(g.per_transfer, g.per_period, g.total_limit) IS NOT NULL
    AND debit_total <= coalesce(g.per_transfer, ${noLimit})
    AND debit_total + iif(${integer(now)} - g.period_start < coalesce(g.period_ms, ${noLimit}), g.spent, 0)
      <= coalesce(g.per_period, ${noLimit})
    AND debit_total + g.spent_total <= coalesce(g.total_limit, ${noLimit})
    AND g.uses < coalesce(g.max_uses, ${noLimit}) AND NOT ${exceedsStepUp(sql`g.handle`, sql`debit_total`)})`;
}

export interface Confirmation {
  /** Without a prefix. */
  readonly id: string;
  readonly payer: string;
  /** The request, so that its repeat finds its own work; random. */
  readonly op: string;
  readonly sessionId: string;
  /** Whether the money is to be held, which only an app's inquiry allows. */
  readonly hold?: boolean;
  readonly now: number;
}

/** Confirms an inquiry of the person, which posts its legs. No row: `explainConfirm` says why. */
export function confirm(v: Confirmation): Statement<TransferRow> {
  return statement(sql`UPDATE transfers SET status = 'confirmed', confirmed_at = ${v.now}, confirmed_by = ${v.op}
    WHERE id = ${v.id} AND payer = ${v.payer} AND app_id IS NULL AND status = 'open' AND expires_at > ${v.now}
      ${v.hold ? sql`AND 0` : sql``}
      AND EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, v.now)} s WHERE s.handle = payer
        AND NOT ${needsStepUp(sql`transfers.debit_total`, sql`transfers.created_at`)})
      AND ${canMove} RETURNING ${columns}`);
}

export interface AppConfirmation extends Omit<Confirmation, 'sessionId'> {
  readonly app: string;
  /** Of the person who is present; null for a back end, which acts by its grant. */
  readonly sessionId: string | null;
  /** The caller, when a back end is one. */
  readonly token?: Caller | null;
  /** Whether only an approval lets the caller pay, whatever a grant says. */
  readonly mustAsk?: boolean;
  readonly approvalId: string | null;
  /** SHA-256 of the opener's verifier. */
  readonly verifierHash: string | null;
}

/** Whether a back end may still act, beside what its grant says. */
export function tokenActs(token: Caller | null | undefined, now: number): SQL {
  return token ? callerActs(token, now) : sql`1`;
}

/** How long money is held: 7 days. */
export const holdMs = 7 * 86_400_000;

/** The same for an app, or a hold: within the limits of its grant, or with an approval, which this redeems. */
export function confirmForApp(v: AppConfirmation): Statement<TransferRow> {
  const [change, isFor] = v.hold
    ? [
        sql`held_at = ${v.now}, held_by = ${v.op}, held_total = debit_total, expires_at = ${v.now + holdMs}`,
        sql`hold_rules IS NOT NULL AND held_at IS NULL`,
      ]
    : [sql`status = 'confirmed', confirmed_at = ${v.now}, confirmed_by = ${v.op}`, sql`hold_rules IS NULL`];
  return statement(sql`UPDATE transfers SET ${change},
      approval_id = iif(needs_approval = 1, ${v.approvalId}, NULL),
      verifier_hash = iif(needs_approval = 1, ${v.verifierHash}, NULL)
    WHERE id = ${v.id} AND payer = ${v.payer} AND app_id = ${v.app} AND status = 'open' AND expires_at > ${v.now}
      AND ${isFor} AND (${v.sessionId} IS NULL OR EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, v.now)} s WHERE s.handle = payer))
      AND ${tokenActs(v.token, v.now)}
      AND EXISTS (SELECT 1 FROM identities i WHERE i.handle = payer AND i.status = 'active')
      AND EXISTS (SELECT 1 FROM apps x WHERE x.id = transfers.app_id AND x.status = 'active')
      AND (grant_id IS NULL OR EXISTS (SELECT 1 FROM live_grants l WHERE l.id = grant_id AND l.live_until > ${v.now}))
      AND (grant_id IS NOT NULL OR needs_approval = 1) AND needs_approval >= ${Number(v.mustAsk ?? false)}
      AND iif(needs_approval = 1,
        EXISTS (SELECT 1 FROM popup_requests p WHERE p.id = ${v.approvalId} AND p.verifier_hash = ${v.verifierHash}
          AND p.inquiry_id = transfers.id AND p.app_id = transfers.app_id AND p.handle = payer
          AND (${v.sessionId} IS NULL OR p.session_id = ${v.sessionId})
          AND p.status = 'approved' AND p.decided_at + ${integer(approvalMs)} > ${v.now}),
        EXISTS (SELECT 1 FROM grants g WHERE g.id = grant_id AND ${payeeAllowed} AND ${withinLimits(v.now)}))
      AND ${canMove} RETURNING ${v.hold ? columnsOfHold : columns}`);
}

/** Takes a transfer back whole, fees included; a trigger posts it. */
export function reverse(v: { readonly id: string; readonly now: number; readonly when: SQL }): Statement {
  return statement(sql`UPDATE transfers SET status = 'reversed', reversed_at = ${v.now}
    WHERE id = ${v.id} AND status = 'confirmed' AND ${v.when}`);
}

const stopped = stoppedWallet(sql`t.payer_account, t.payee_account, t.app_account`);

/** Why the transfer `t` cannot be taken back, as conditions of a verdict; the order is fixed. */
export const reversalRefusals: SQL = sql`WHEN (SELECT mode FROM ledger WHERE id = 1) <> 'open'
    THEN 'ledger_' || (SELECT mode FROM ledger WHERE id = 1)
  WHEN t.id IS NULL OR t.status IN ('open','cancelled') THEN 'transaction_not_found'
  WHEN t.status = 'reversed' OR t.refunded > 0 OR t.refund_of IS NOT NULL THEN 'moved_on'
  WHEN ${stopped} IS NOT NULL THEN ${stopped}
  WHEN EXISTS (SELECT 1 FROM legs l JOIN accounts a ON a.id = l.credit WHERE l.kind = 'transfer' AND l.ref = t.id
    AND a.credits_posted - a.debits_posted - a.debits_pending < l.amount) THEN 'insufficient_internal_credit'`;

export type ConfirmVerdict =
  | 'ok'
  | 'already_confirmed'
  | 'already_held'
  | 'for_hold'
  | 'not_for_hold'
  | 'session_ended'
  | 'ledger_disabled'
  | 'ledger_frozen'
  | 'inquiry_not_found'
  | 'already_reversed'
  | 'grant_expired'
  | 'grant_revoked'
  | 'inquiry_expired'
  | 'not_fresh'
  | 'approval_required'
  | 'approval_rejected'
  | 'approval_expired'
  | 'wallet_frozen'
  | 'wallet_closed'
  | 'recipient_unavailable'
  | 'grant_recipient'
  | 'grant_limit_exceeded'
  | 'insufficient_internal_credit';

/** Why a confirmation changed nothing; `ok` when it did and its answer was lost; null for no reason. The order of the reasons is fixed. */
export function explainConfirm(
  v: Omit<AppConfirmation, 'app'> & { readonly app: string | null },
): Statement<TransferRow & { verdict: ConfirmVerdict | null }> {
  const { now } = v;
  return statement(sql`SELECT ${columnsOfT}, CASE
      WHEN t.confirmed_by = ${v.op} OR t.held_by = ${v.op} THEN 'ok'
      WHEN ${v.sessionId} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, now)}) THEN 'session_ended'
      WHEN m.mode <> 'open' THEN 'ledger_' || m.mode
      WHEN t.id IS NULL THEN 'inquiry_not_found'
      WHEN t.hold_rules IS NULL AND ${Number(v.hold ?? false)} THEN 'not_for_hold'
      WHEN t.hold_rules IS NOT NULL AND ${Number(!v.hold)} THEN 'for_hold'
      WHEN t.status IN ('confirmed','reversed') AND t.held_at IS NULL THEN 'already_confirmed'
      WHEN t.held_at IS NOT NULL THEN 'already_held'
      WHEN g.revoked_by = 'expired' OR (g.revoked_at IS NULL AND g.expires_at <= ${now}) THEN 'grant_expired'
      WHEN (t.grant_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM live_grants WHERE id = t.grant_id))
        OR (t.app_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM apps x JOIN identities i ON i.handle = t.payer
          AND i.status = 'active' WHERE x.id = t.app_id AND x.status = 'active'))
        OR NOT ${tokenActs(v.token, now)} THEN 'grant_revoked'
      WHEN t.status <> 'open' OR t.expires_at <= ${now} THEN 'inquiry_expired'
      WHEN t.app_id IS NULL AND EXISTS (SELECT 1 FROM ${actingSession(v.sessionId, now)} s
        WHERE ${needsStepUp(sql`t.debit_total`, sql`t.created_at`)}) THEN 'not_fresh'
      WHEN t.needs_approval < ${Number(v.mustAsk ?? false)} THEN 'approval_required'
      WHEN t.needs_approval = 1 AND (${v.approvalId} IS NULL
        OR (p.status IN ('created','opened') AND p.expires_at > ${now})) THEN 'approval_required'
      WHEN t.needs_approval = 1 AND (p.id IS NULL OR p.status IN ('denied','cancelled','invalid','redeemed')
        OR p.handle IS NOT t.payer OR (${v.sessionId} IS NOT NULL AND p.status = 'approved'
          AND p.session_id IS NOT ${v.sessionId})) THEN 'approval_rejected'
      WHEN t.needs_approval = 1 AND NOT (p.status = 'approved' AND p.decided_at + ${integer(approvalMs)} > ${now})
        THEN 'approval_expired'
      WHEN a.status <> 'active' THEN 'wallet_' || a.status
      WHEN b.status <> 'active' OR NOT EXISTS (SELECT 1 FROM identities i WHERE i.handle = t.payee
        AND i.status = 'active') THEN 'recipient_unavailable'
      WHEN t.needs_approval = 0 AND g.id IS NOT NULL AND NOT ${payeeAllowed} THEN 'grant_recipient'
      WHEN t.needs_approval = 0 AND g.id IS NOT NULL AND NOT ${withinLimits(now)} THEN 'grant_limit_exceeded'
      WHEN a.credits_posted - a.debits_posted - a.debits_pending < t.debit_total THEN 'insufficient_internal_credit'
      END AS verdict
    FROM ledger m LEFT JOIN transfers t ON t.id = ${v.id} AND t.payer = ${v.payer} AND t.app_id IS ${v.app}
      AND t.refund_of IS NULL
      LEFT JOIN accounts a ON a.id = t.payer_account LEFT JOIN accounts b ON b.id = t.payee_account
      LEFT JOIN grants g ON g.id = t.grant_id
      LEFT JOIN popup_requests p ON p.id = ${v.approvalId} AND p.verifier_hash = ${v.verifierHash}
        AND p.inquiry_id = t.id AND p.app_id = t.app_id
    WHERE m.id = 1`);
}
