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
import { type Caller, callerActs } from '../grant/acting-caller.ts';
import {
  areInForce,
  counted,
  heldLimit,
  type LimitsInForce,
  type LimitVerdict,
  outLimit,
} from '../ledger/limits.ts';
import { areActive, isOpen, mayMove, mode } from '../ledger/statements.ts';
import { actingSession, exceedsStepUp, needsStepUp } from '../session/acting-session.ts';
import type { transfers } from './tables.ts';

/** How long an inquiry can be confirmed. */
export const inquiryMs = 5 * 60_000;
/** How long after its decision an approval can be redeemed. */
const approvalMs = 30_000;
/**
 * A placeholder wallet for app inquiries whose payer has no wallet or is the payee. It is permanently frozen and empty.
 */
export const accountOfNobody = 0;
/** Stands for an unset limit. */
const noLimit = sql`9007199254740991`;

const ofTransfers = columnsOf<typeof transfers>();

const transferColumns = ofTransfers(
  'id, payer, payee, asset, amount, payer_fee, payee_fee, app_fee, platform_fee, debit_total, net_amount',
  'memo, app_id, refund_of, refunded, status, confirmed_at, above_step_up',
);

/** The columns of a hold. A confirmation omits them, because each returned column costs time. */
const holdColumns = ofTransfers('expires_at, hold_rules, held_at, released_at');

export type HoldRow = RowOf<typeof holdColumns>;
export type TransferRow = RowOf<typeof transferColumns> & Partial<HoldRow>;

/** The columns of `TransferRow`, for a statement in which they are unambiguous. */
const columns = transferColumns();

/** The same for a hold. */
export const columnsOfHold = sql`${columns}, ${holdColumns()}`;

/** The same for the transfer `t`. */
export const columnsOfT = sql`${transferColumns('t')}, ${holdColumns('t')}`;

/** An inquiry as computed by the service. Ids have no prefix; parties are handles and account keys. */
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
  /** True if an app makes the inquiry and no grant covers it. */
  readonly needsApproval: boolean;
  /**
   * The parties whose `stepUpAmount` it exceeds, who are therefore notified of the payment: 1 the payer, 2 the payee, 3
   * both, 0 neither.
   */
  readonly aboveStepUp: number;
  readonly memo: string | null;
  /** The fee rules as JSON, for a hold. */
  readonly holdRules?: string | null;
  readonly now: number;
}

/** Stores an inquiry, which fixes its fees, while the ledger is open. A retry finds the stored inquiry. */
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

/** The ledger mode, with the inquiry if it was just stored. */
export function readInquired(id: string): Statement<{ mode: string; id: string | null }> {
  return statement(sql`SELECT m.mode, t.id FROM ${mode} m LEFT JOIN transfers t ON t.id = ${id}`);
}

/**
 * Cancels an open inquiry of the payer. An app can cancel only its own inquiries.
 * @param payer the handle, as a subquery that is empty if the caller may not act
 */
export function cancel(v: { id: string; payer: SQL; app: string | null; now: number }): Statement {
  return statement(sql`UPDATE transfers SET status = 'cancelled' WHERE id = ${v.id} AND payer = ${v.payer}
    AND (${v.app} IS NULL OR app_id = ${v.app}) AND status = 'open' AND held_at IS NULL
    AND expires_at > ${v.now}`);
}

/** True if the grant `g` allows the payee. */
const payeeAllowed = sql`(g.payees IS NULL OR t.payee IN (SELECT value FROM json_each(g.payees)))`;

/**
 * True if the grant `g` covers the payment without an approval: the fee and every limit that is set, with at least one
 * money limit.
 */
function withinLimits(now: number): SQL {
  return sql`(t.app_fee <= (t.amount * g.fee_bps + 9999) / 10000 + g.fee_fixed
    AND (coalesce(json_extract(t.hold_rules, '$.app.most') <= g.fee_fixed, 0)
      OR coalesce(json_extract(t.hold_rules, '$.app.bps') <= g.fee_bps
        AND max(json_extract(t.hold_rules, '$.app.fixed'), json_extract(t.hold_rules, '$.app.least')) <= g.fee_fixed, 1))
    AND coalesce(g.per_transfer, g.per_period, g.total_limit) IS NOT NULL
    AND t.debit_total <= coalesce(g.per_transfer, ${noLimit})
    AND t.debit_total + iif(${integer(now)} - g.period_start < coalesce(g.period_ms, ${noLimit}), g.spent, 0)
      <= coalesce(g.per_period, ${noLimit})
    AND t.debit_total + g.spent_total <= coalesce(g.total_limit, ${noLimit})
    AND g.uses < coalesce(g.max_uses, ${noLimit}) AND NOT ${exceedsStepUp(sql`g.handle`, sql`t.debit_total`)})`;
}

export interface Confirmation {
  /** Without a prefix. */
  readonly id: string;
  readonly payer: string;
  /** The request id, by which a retry recognises its own change; random. */
  readonly requestId: string;
  /** The app that made the inquiry; null for the person's own. */
  readonly app: string | null;
  /** The session of the person who is present; null for a back end, which acts under its grant. */
  readonly sessionId: string | null;
  /** The calling back end, if any. */
  readonly token?: Caller | null;
  /** True if the caller can pay only with an approval, regardless of grants. */
  readonly mustAsk?: boolean;
  readonly approvalId: string | null;
  /** SHA-256 of the opener's verifier. */
  readonly verifierHash: string | null;
  /** True if the money is to be held, which only an app's inquiry allows. */
  readonly hold?: boolean;
  /** The wallet limits. */
  readonly limits: LimitsInForce;
  readonly now: number;
}

/** True if a back end may still act, regardless of its grant. */
export function tokenActs(token: Caller | null | undefined, now: number): SQL {
  return token ? callerActs(token, now) : sql`1`;
}

/** The lifetime of a hold: 7 days. */
export const holdMs = 7 * 86_400_000;

/** A requirement only for inquiries of apps. */
const ofApp = (requirement: (v: Confirmation) => SQL) => (v: Confirmation) =>
  v.app === null ? null : requirement(v);

/** True if no person has to be present. */
const isBackEnd = ({ app, sessionId }: Confirmation) => app !== null && sessionId === null;

/** The limit that the payer of `t` would exceed, as a scalar. */
const exceeded = (now: number) => outLimit({ account: sql`t.payer_account`, total: sql`t.debit_total` }, now);

/**
 * Requirements for confirming or holding the inquiry `t`, on the session `s`, the payer's wallet `a`, the payee's
 * wallet `b` and identity `i`, and an app's grant `g` and approval `p`.
 */
export const confirmRequirements = {
  session_ended: (v) => (isBackEnd(v) ? null : sql`s.handle = ${v.payer}`),
  ...mayMove,
  transaction_not_found: sql`t.id IS NOT NULL AND t.refund_of IS NULL`,
  not_for_hold: ({ hold }) => (hold ? sql`t.hold_rules IS NOT NULL` : null),
  for_hold: ({ hold }) => (hold ? null : sql`t.hold_rules IS NULL`),
  already_held: sql`t.held_at IS NULL`,
  already_confirmed: sql`t.status NOT IN ('confirmed','reversed')`,
  grant_expired: ofApp(
    ({ now }) =>
      sql`(g.revoked_by = 'expired' OR (g.revoked_at IS NULL AND g.expires_at <= ${now})) IS NOT TRUE`,
  ),
  grant_revoked: ofApp(
    ({ token, now }) =>
      sql`(t.grant_id IS NULL OR EXISTS (SELECT 1 FROM live_grants l WHERE l.id = t.grant_id AND l.live_until > ${now}))
        AND EXISTS (SELECT 1 FROM apps x JOIN identities y ON y.handle = t.payer AND y.status = 'active'
          WHERE x.id = t.app_id AND x.status = 'active') AND ${tokenActs(token, now)}`,
  ),
  inquiry_expired: ({ now }) => sql`t.status = 'open' AND t.expires_at > ${now}`,
  not_fresh: ({ app }) =>
    app === null ? sql`NOT ${needsStepUp(sql`t.debit_total`, sql`t.created_at`)}` : null,
  approval_required: ofApp(
    ({ mustAsk, approvalId, now }) =>
      sql`iif(t.needs_approval = 1, ${approvalId} IS NOT NULL AND (p.status IN ('created','opened') AND p.expires_at > ${now}) IS NOT TRUE,
        t.grant_id IS NOT NULL AND ${Number(!mustAsk)})`,
  ),
  approval_rejected: ofApp(
    ({ sessionId }) =>
      sql`t.needs_approval = 0 OR (p.status NOT IN ('denied','cancelled','invalid','redeemed') AND p.handle = t.payer
        AND (${sessionId} IS NULL OR p.status <> 'approved' OR p.session_id = ${sessionId}))`,
  ),
  approval_expired: ofApp(
    ({ now }) =>
      sql`t.needs_approval = 0 OR (p.status = 'approved' AND p.decided_at + ${integer(approvalMs)} > ${now})`,
  ),
  wallet_closed: sql`a.status <> 'closed'`,
  wallet_frozen: sql`a.status = 'active'`,
  recipient_unavailable: sql`b.status = 'active' AND i.status = 'active'`,
  grant_recipient: ofApp(() => sql`t.needs_approval = 1 OR ${payeeAllowed}`),
  grant_limit_exceeded: ofApp(({ now }) => sql`t.needs_approval = 1 OR ${withinLimits(now)}`),
  insufficient_internal_credit: sql`a.credits_posted - a.debits_posted - a.debits_pending >= t.debit_total`,
  limits_changed: ({ limits }) => areInForce(limits),
  limit_exceeded: ({ limits, now }) => limits && sql`${exceeded(now)} IS NULL`,
  // A hold does not pay the recipient yet.
  recipient_limit: ({ limits, hold }) =>
    limits && !hold
      ? sql`${heldLimit({ account: sql`t.payee_account`, amount: sql`t.net_amount` })} IS NULL`
      : null,
} satisfies Requirements<Confirmation>;

const isAsked = ({ id, payer, app }: Confirmation) =>
  sql`t.id = ${id} AND t.payer = ${payer} AND t.app_id IS ${app}`;

/** The tables of the requirements. @param inquiry joins `t`, which is the row itself for the change */
function involved(v: Confirmation, inquiry = sql``): SQL {
  return sql`FROM ${mode} m ${isBackEnd(v) ? sql`` : sql`LEFT JOIN ${actingSession(v.sessionId, v.now)} s ON true`} ${inquiry}
    LEFT JOIN accounts a ON a.id = t.payer_account LEFT JOIN accounts b ON b.id = t.payee_account
    LEFT JOIN identities i ON i.handle = t.payee ${
      v.app === null
        ? sql``
        : sql`LEFT JOIN grants g ON g.id = t.grant_id LEFT JOIN popup_requests p ON p.id = ${v.approvalId}
            AND p.verifier_hash = ${v.verifierHash} AND p.inquiry_id = t.id AND p.app_id = t.app_id`
    }`;
}

/**
 * Confirms an inquiry, which posts its legs, or holds its money. The person confirms it, or an app does within its
 * grant limits or by redeeming an approval. If no row is returned, `explainConfirm` gives the reason.
 */
export function confirm(v: Confirmation): Statement<TransferRow> {
  const { requestId, sessionId, now } = v;
  const change = v.hold
    ? sql`session_id = ${sessionId}, held_at = ${now}, held_by = ${requestId}, held_total = debit_total, expires_at = ${now + holdMs}`
    : sql`session_id = ${sessionId}, status = 'confirmed', confirmed_at = ${now}, confirmed_by = ${requestId}`;
  const redeemed = sql`, approval_id = iif(needs_approval = 1, ${v.approvalId}, NULL),
    verifier_hash = iif(needs_approval = 1, ${v.verifierHash}, NULL)`;
  return statement(sql`UPDATE transfers AS t SET ${change}${counted(v.limits)} ${v.app === null ? sql`` : redeemed}
    WHERE ${isAsked(v)} AND EXISTS (SELECT 1 ${involved(v)} WHERE ${meets(confirmRequirements, v)})
    RETURNING ${v.hold ? columnsOfHold : columns}`);
}

/** The reason why a confirmation changed nothing; `ok` if it succeeded, but its response was lost. */
export function explainConfirm(v: Confirmation): Statement<
  TransferRow & {
    readonly verdict: 'ok' | ReasonOf<typeof confirmRequirements> | null;
    readonly exceeded: LimitVerdict | null;
  }
> {
  const found = { ok: sql`t.confirmed_by = ${v.requestId} OR t.held_by = ${v.requestId}` };
  return statement(sql`SELECT ${columnsOfT}, ${verdictOf(confirmRequirements, v, found)} AS verdict,
      ${exceeded(v.now)} AS exceeded
    ${involved(v, sql`LEFT JOIN transfers t ON ${isAsked(v)}`)}`);
}

/** Reverses a whole transfer, including fees; a trigger posts it. */
export function reverse(v: { readonly id: string; readonly now: number; readonly when: SQL }): Statement {
  return statement(sql`UPDATE transfers SET status = 'reversed', reversed_at = ${v.now}
    WHERE id = ${v.id} AND status = 'confirmed' AND ${v.when}`);
}

/**
 * Requirements for reversing the transfer `t`. A frozen wallet is no obstacle: a wallet is frozen to keep its money from
 * thieves, and the reversal takes their money, or returns it to where only an administrator can release it.
 */
export const reversalRequirements = {
  ...mayMove,
  transaction_not_found: sql`t.status NOT IN ('open','cancelled')`,
  moved_on: sql`t.status <> 'reversed' AND t.refunded = 0 AND t.refund_of IS NULL`,
  wallet_closed: areActive(sql`t.payer_account, t.payee_account, t.app_account`).wallet_closed,
  insufficient_internal_credit: sql`NOT EXISTS (SELECT 1 FROM legs l JOIN accounts a ON a.id = l.credit
    WHERE l.kind = 'transfer' AND l.ref = t.id AND a.credits_posted - a.debits_posted - a.debits_pending < l.amount)`,
};
