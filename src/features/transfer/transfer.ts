import { type SQL, sql } from 'drizzle-orm';
import { all, first, integer, only, run, type Statement, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { createId, pidOf } from '../../lib/id.ts';
import { type Page, toPage } from '../../lib/page.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { isoTime } from '../../lib/time.ts';
import { actingCaller, type Caller } from '../grant/acting-caller.ts';
import { refuseCaller } from '../grant/refuse-caller.ts';
import { maxAmount } from '../ledger/schema.ts';
import { deliverSoon } from '../webhook/deliver.ts';
import { readRefund, refund, refundableMs, refundForApp } from './refund-statements.ts';
import type { ConfirmInput, Inquiry, Refunded, RefundInput, Transfer, TransfersQuery } from './schema.ts';
import {
  type ConfirmVerdict,
  columnsOfT,
  confirm,
  confirmForApp,
  explainConfirm,
  type TransferRow,
} from './statements.ts';

/** The stored id of one that is shown with a prefix; one of another kind finds nothing. */
export function refOf(id: string, prefix: 'inq' | 'trf'): string {
  return id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
}

export function feesOfRow(row: TransferRow): Inquiry['fees'] {
  const { payer_fee: payer, payee_fee: payee, app_fee: app, platform_fee: platform } = row;
  return { payer, payee, app, platform, total: app + platform };
}

function toTransfer(row: TransferRow, now: number): Transfer {
  const confirmedAt = row.confirmed_at ?? 0;
  const canBeRefunded =
    row.status === 'confirmed' && row.refund_of === null && confirmedAt + refundableMs > now;
  return {
    id: `trf_${row.id}`,
    inquiryId: row.refund_of === null ? `inq_${row.id}` : null,
    refundOf: row.refund_of === null ? null : `trf_${row.refund_of}`,
    status: row.status === 'reversed' ? 'reversed' : 'completed',
    from: pidOf(row.payer),
    to: pidOf(row.payee),
    asset: row.asset,
    amount: row.amount,
    fees: feesOfRow(row),
    totalDebit: row.debit_total,
    netAmount: row.net_amount,
    refundedTotal: row.refunded,
    refundable: canBeRefunded ? row.net_amount - row.refunded : 0,
    memo: row.memo,
    appId: row.app_id,
    createdAt: isoTime(confirmedAt),
  };
}

/** Verdicts are the codes of errors, but for what is not found. */
function refusal(verdict: string): AppError {
  return new AppError(verdict.endsWith('_not_found') ? 'transaction_not_found' : (verdict as ErrorCode));
}

/** An answer, and whether an earlier request had the effect. */
interface Once<Answer> {
  readonly answer: Answer;
  readonly isReplayed: boolean;
}

/**
 * Confirms an inquiry: the money moves, once. An inquiry that was confirmed before answers its transfer.
 * @throws AppError session_ended, ledger_disabled, ledger_frozen, transaction_not_found, grant_expired, grant_revoked,
 *   inquiry_expired, approval_required, approval_rejected, approval_expired, wallet_frozen, recipient_unavailable,
 *   grant_recipient, grant_limit_exceeded, insufficient_internal_credit, in this order
 */
export async function confirmTransfer(
  deps: Deps,
  caller: Caller,
  input: ConfirmInput,
): Promise<Once<Transfer>> {
  const now = deps.now();
  const { handle: payer, appId: app } = caller;
  const token = caller.by === 'token' ? caller : null;
  const v = {
    id: refOf(input.inquiryId, 'inq'),
    payer,
    op: createSecret(deps.randomBytes),
    sessionId: token === null ? caller.sessionId : null,
    token,
    now,
    approvalId: input.approvalId ?? null,
    verifierHash: input.verifier === undefined ? null : secretHash(input.verifier),
  };
  const attempt =
    app === null ? confirm({ ...v, sessionId: v.sessionId ?? '' }) : confirmForApp({ ...v, app });
  const done = await first(deps.db, attempt);
  const row = done ?? (await explained(deps, explainConfirm({ ...v, app })));
  const isReplayed = 'verdict' in row && row.verdict === 'already_confirmed';
  if (!isReplayed) {
    deps.log.info('transfer.confirmed', { id: row.id, payer, payee: row.payee, total: row.debit_total });
    if (app !== null) deliverSoon(deps);
  }
  return { answer: toTransfer(row, now), isReplayed };
}

async function explained(
  deps: Deps,
  explain: ReturnType<typeof explainConfirm>,
): Promise<TransferRow & { verdict: ConfirmVerdict }> {
  const row = only(await all(deps.db, explain));
  if (row.verdict === 'ok' || row.verdict === 'already_confirmed') return row;
  throw refusal(row.verdict);
}

interface RefundRequest extends RefundInput {
  /** As it is shown. */
  readonly transfer: string;
  /** The `Idempotency-Key`. */
  readonly key: string | null;
}

/**
 * Gives back a transfer or a part of it, by who was paid or by the app of the transfer. Fees are kept.
 * @throws AppError idempotency_key_required, amount_too_large, idempotency_key_reused, session_ended, ledger_disabled,
 *   ledger_frozen, transaction_not_found, already_reversed, grant_expired, grant_revoked, not_refundable, refund_exceeds,
 *   wallet_frozen, recipient_unavailable, insufficient_internal_credit, in this order
 */
export async function refundTransfer(
  deps: Deps,
  caller: Caller,
  { transfer, key, memo = null, ...request }: RefundRequest,
): Promise<Once<Refunded>> {
  const amount = request.amount ?? null;
  if (key === null) throw new AppError('idempotency_key_required');
  if (amount !== null && amount > maxAmount) throw new AppError('amount_too_large');
  const now = deps.now();
  const { handle: payee, appId: app, grantId: grant } = caller;
  const token = caller.by === 'token' ? caller : null;
  const v = {
    id: createId('trf', now, deps.randomBytes).slice('trf_'.length),
    transfer: refOf(transfer, 'trf'),
    payee,
    amount,
    memo,
    key,
    hash: secretHash(JSON.stringify(['refund', transfer, amount, memo])),
    sessionId: token === null ? caller.sessionId : null,
    token,
    now,
  };
  const { rows } = await run(deps.db, {
    change: [app === null ? refund(v) : refundForApp({ ...v, app, grant })],
    rows: readRefund({ ...v, app, grant }),
  });
  const row = only(rows);
  if (row.verdict !== 'ok' && row.verdict !== 'repeated') throw refusal(row.verdict);
  if (row.verdict === 'ok') {
    deps.log.info('transfer.refunded', { id: row.id, transfer: row.refund_of, amount: row.amount });
    deliverSoon(deps);
  }
  const { refunded_total: refundedTotal, refundable } = row;
  return {
    answer: { ...toTransfer(row, now), refundedTotal, refundable, feesReturned: 0 },
    isReplayed: row.verdict === 'repeated',
  };
}

/** What the caller may see of a person's transfers: an app only its own, and their refunds, of which it gets events. */
function isVisible({ appId }: Caller): SQL {
  return appId === null
    ? sql`1`
    : sql`coalesce(t.app_id, (SELECT o.app_id FROM transfers o WHERE o.id = t.refund_of)) = ${appId}`;
}

function readOwn(caller: Caller, now: number): Statement<{ handle: string }> {
  return statement(sql`SELECT w.handle FROM ${actingCaller(caller, now)} w`);
}

/** A transfer or a refund that the person paid or received. @throws AppError transaction_not_found, and as `refuseCaller` */
export async function getTransfer(deps: Deps, caller: Caller, id: string): Promise<Transfer> {
  const now = deps.now();
  const { own, rows } = await run(deps.db, {
    own: readOwn(caller, now),
    rows: statement<TransferRow>(sql`SELECT ${columnsOfT} FROM ${actingCaller(caller, now)} w
      JOIN transfers t ON w.handle IN (t.payer, t.payee)
      WHERE t.id = ${refOf(id, 'trf')} AND t.status IN ('confirmed', 'reversed') AND ${isVisible(caller)}`),
  });
  if (own.length === 0) throw await refuseCaller(deps, caller);
  const [row] = rows;
  if (!row) throw new AppError('transaction_not_found');
  return toTransfer(row, now);
}

/** The person's transfers and refunds, the newest first. @throws as `refuseCaller` */
export async function listTransfers(
  deps: Deps,
  caller: Caller,
  query: TransfersQuery,
): Promise<Page<Transfer>> {
  const now = deps.now();
  const { direction, limit } = query;
  const [at = Number.MAX_SAFE_INTEGER, leg = 0] = query.cursor?.split('.').map(Number) ?? [];
  const isWay =
    direction === undefined ? sql`1` : direction === 'out' ? sql`l.debit = a.id` : sql`l.credit = a.id`;
  const { own, rows } = await run(deps.db, {
    own: readOwn(caller, now),
    rows: statement<TransferRow & { at: number; leg: number }>(sql`SELECT ${columnsOfT}, e.at, e.leg
      FROM ${actingCaller(caller, now)} w JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'
        JOIN entries e ON e.account = a.id
        JOIN legs l ON l.seq = e.leg AND l.n = 1 AND l.kind IN ('transfer', 'refund')
        JOIN transfers t ON t.id = l.ref
      WHERE (e.at, e.leg) < (${at}, ${leg}) AND ${isWay} AND ${isVisible(caller)}
      ORDER BY e.at DESC, e.leg DESC LIMIT ${integer(limit + 1)}`),
  });
  if (own.length === 0) throw await refuseCaller(deps, caller);
  return toPage(
    rows,
    limit,
    (row) => `${row.at}.${row.leg}`,
    (row) => toTransfer(row, now),
  );
}
