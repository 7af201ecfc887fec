import { run } from '../../db/database.ts';
import { requireVerdict } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, isoTime, pidOf } from '../../lib/id.ts';
import { createSecret, secretHash } from '../../lib/secret.ts';
import { type Caller, mayReadWallet } from '../grant/acting-caller.ts';
import { changeUnderLimits, limitRefusal } from '../ledger/limits.ts';
import { maxAmount } from '../ledger/schema.ts';
import { sendSoon } from '../mail/mail.ts';
import { deliverSoon } from '../webhook/deliver.ts';
import { type Refund, readRefund, refund, refundableMs } from './refund-statements.ts';
import type { ConfirmInput, Inquiry, Refunded, RefundInput, Transfer } from './schema.ts';
import { confirm, explainConfirm, type TransferRow } from './statements.ts';

/** The stored form of an id with its prefix; with another prefix nothing is found. */
export function refOf(id: string, prefix: 'inq' | 'trf'): string {
  return id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
}

export function feesOfRow(row: TransferRow): Inquiry['fees'] {
  const { payer_fee: payer, payee_fee: payee, app_fee: app, platform_fee: platform } = row;
  return { payer, payee, app, platform, total: app + platform };
}

export function toTransfer(row: TransferRow, now: number): Transfer {
  const confirmedAt = row.confirmed_at ?? 0;
  const canBeRefunded =
    row.status === 'confirmed' && row.refund_of === null && confirmedAt + refundableMs > now;
  return {
    id: `trf_${row.id}`,
    inquiryId: row.refund_of === null ? `inq_${row.id}` : null,
    refundOf: row.refund_of === null ? null : `trf_${row.refund_of}`,
    status: statusOf(row, now),
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
    createdAt: isoTime(row.confirmed_at ?? row.held_at ?? 0),
    heldUntil: isHeld(row, now) ? isoTime(row.expires_at ?? 0) : null,
  };
}

const isHeld = ({ status, expires_at: until = 0 }: TransferRow, now: number) =>
  status === 'open' && until > now;

/** The money of an uncaptured hold is returned on release, or automatically on expiry. */
function statusOf(row: TransferRow, now: number): Transfer['status'] {
  if (row.status === 'reversed') return 'reversed';
  if (row.status === 'confirmed') return 'completed';
  if (isHeld(row, now)) return 'held';
  return (row.released_at ?? now) < (row.expires_at ?? 0) ? 'released' : 'expired';
}

/** A result, and whether an earlier request produced it. */
export interface Once<Answer> {
  readonly answer: Answer;
  readonly isReplayed: boolean;
}

/**
 * Confirms an inquiry: the money moves only once, or is held if the inquiry is for a hold. If the inquiry is already
 * confirmed or held, returns its transfer.
 * @throws AppError the reasons in `confirmRequirements`
 */
export async function confirmTransfer(
  deps: Deps,
  caller: Caller,
  input: ConfirmInput,
  hold = false,
): Promise<Once<Transfer>> {
  const now = deps.now();
  const { handle: payer, appId: app } = caller;
  const token = caller.by === 'token' ? caller : null;
  const v = {
    id: refOf(input.inquiryId, 'inq'),
    payer,
    app,
    requestId: createSecret(deps.randomBytes),
    sessionId: token === null ? caller.sessionId : null,
    token,
    mustAsk: caller.by === 'asker',
    hold,
    limits: deps.config.limits,
    now,
    approvalId: input.approvalId ?? null,
    verifierHash: input.verifier === undefined ? null : secretHash(input.verifier),
  };
  const { row, verdict } = await changeUnderLimits(deps, hold ? 'transfer.hold' : 'transfer.confirm', {
    change: confirm(v),
    explain: () => explainConfirm(v),
  });
  if (verdict === 'limit_exceeded') throw limitRefusal(row.exceeded, mayReadWallet(caller));
  if (verdict !== 'ok' && verdict !== 'already_confirmed' && verdict !== 'already_held')
    throw new AppError(verdict);
  const isReplayed = verdict !== 'ok';
  if (!isReplayed) {
    deps.log.info(hold ? 'transfer.held' : 'transfer.confirmed', {
      id: row.id,
      payer,
      payee: row.payee,
      total: row.debit_total,
    });
    if (app !== null) deliverSoon(deps);
    if (row.above_step_up && !hold) sendSoon(deps);
  }
  return { answer: toTransfer(row, now), isReplayed };
}

interface RefundRequest extends RefundInput {
  /** With its prefix. */
  readonly transfer: string;
  /** The `Idempotency-Key`. */
  readonly key: string | null;
}

/**
 * Refunds all or part of a transfer, for its payee or its app. Fees are kept.
 * @throws AppError idempotency_key_required, amount_too_large, idempotency_key_reused, then the reasons in
 *   `refundRequirements`
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
  const v: Refund = {
    id: createId('trf', now, deps.randomBytes).slice('trf_'.length),
    transfer: refOf(transfer, 'trf'),
    payee,
    amount,
    memo,
    key,
    hash: secretHash(JSON.stringify(['refund', transfer, amount, memo])),
    sessionId: token === null ? caller.sessionId : null,
    token,
    app,
    grant,
    now,
  };
  const { rows } = await run(deps.db, { change: [refund(v)], rows: readRefund(v) });
  const row = requireVerdict('transfer.refund', rows);
  if (row.verdict !== 'ok' && row.verdict !== 'repeated') throw new AppError(row.verdict);
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
