/**
 * Money as plain objects in memory: the expected responses of the service, and the expected balance of every account.
 */

import type { Limits as WalletLimits } from '../../src/config/limit-settings.ts';
import type { Level } from '../../src/lib/level.ts';

export type Mode = 'open' | 'frozen' | 'disabled';
export const periodMs = 86_400_000;
export const inquiryMs = 300_000;
export const refundableMs = 365 * 86_400_000;
export const approvalMs = 30_000;
export const holdMs = 7 * 86_400_000;

export interface Limits {
  readonly perTransfer: number | null;
  readonly perPeriod: number | null;
  readonly total: number | null;
  readonly maxUses: number | null;
  /** People by index; null means anyone. */
  readonly payees: readonly number[] | null;
  readonly expiresAt: number | null;
  /** The app's maximum fee, as shown to the person. */
  readonly feeBps: number;
  readonly feeFixed: number;
}

export interface Grant {
  readonly id: string;
  readonly person: number;
  limits: Limits;
  periodStart: number;
  spent: number;
  spentTotal: number;
  uses: number;
  end: 'expired' | 'person' | null;
}

export interface Approval {
  readonly id: string;
  readonly verifier: string;
  readonly session: string;
  status: 'created' | 'approved' | 'denied' | 'redeemed';
  readonly decidedAt: number;
  readonly expiresAt: number;
}

/** An inquiry, and the transfer it becomes; or a refund. */
export interface Transfer {
  readonly id: string;
  readonly payer: number;
  readonly payee: number;
  amount: number;
  total: number;
  net: number;
  appFee: number;
  platformFee: number;
  /** True if the recipient pays the fees. */
  readonly ofPayee: boolean;
  /** True if its inquiry is for a hold. */
  readonly isForHold: boolean;
  readonly byApp: boolean;
  readonly grant: Grant | null;
  readonly needsApproval: boolean;
  expiresAt: number;
  readonly refundOf: Transfer | null;
  readonly key: string | null;
  readonly hash: string | null;
  approval: Approval | null;
  status: 'open' | 'confirmed' | 'reversed' | 'cancelled';
  isHeld: boolean;
  releasedAt: number | null;
  confirmedAt: number;
  confirmedBy: string;
  refunded: number;
  /** The day whose limits it uses. */
  counted: string | null;
}

type Cost = Pick<Transfer, 'amount' | 'appFee' | 'total' | 'isForHold'>;

export interface Person {
  isActive: boolean;
  wallet: 'active' | 'frozen';
  level: Level;
  /** The outflows of the wallet on its latest day and in the same month, while limits were set. */
  out: { day: string; today: number; thisMonth: number };
}

export interface Model {
  mode: Mode;
  isAppActive: boolean;
  /** Wallet limits; null if there are none. */
  limits: Readonly<Record<Level, WalletLimits>> | null;
  readonly people: readonly Person[];
  /** By name: a person's index, or `app`, `platform`, `gateway`; `held 0` is the held money of person 0. */
  readonly balances: Map<number | string, number>;
  readonly grants: Grant[];
  readonly transfers: Transfer[];
}

export const peopleCount = 4;

export function createModel(): Model {
  return {
    mode: 'open',
    isAppActive: true,
    limits: null,
    people: Array.from({ length: peopleCount }, () => ({
      isActive: true,
      wallet: 'active',
      level: 'unverified',
      out: { day: '', today: 0, thisMonth: 0 },
    })),
    ...{ balances: new Map<number | string, number>(), grants: [], transfers: [] },
  };
}

export function move(model: Model, from: number | string, to: number | string, amount: number): void {
  if (amount === 0) return;
  model.balances.set(from, (model.balances.get(from) ?? 0) - amount);
  model.balances.set(to, (model.balances.get(to) ?? 0) + amount);
  settle(model, to);
}

/** Settles an owner's debt from their balance. */
export function settle({ balances }: Model, owner: number | string): void {
  const debt = balances.get(`debt ${owner}`) ?? 0;
  const paid = Math.min(debt, (balances.get(owner) ?? 0) - (balances.get(`held ${owner}`) ?? 0));
  if (paid <= 0) return;
  balances.set(owner, (balances.get(owner) ?? 0) - paid);
  balances.set('debts', (balances.get('debts') ?? 0) + paid);
  balances.set(`debt ${owner}`, debt - paid);
}

/** Reverses an amount that a provider has reversed; a shortfall becomes a debt. */
export function takeBack(model: Model, owner: number | 'app', amount: number): void {
  const { balances } = model;
  const short = Math.max(0, amount - balanceOf(model, owner));
  balances.set('debts', (balances.get('debts') ?? 0) - short);
  balances.set(`debt ${owner}`, (balances.get(`debt ${owner}`) ?? 0) + short);
  balances.set(owner, (balances.get(owner) ?? 0) + short - amount);
  balances.set('gateway', (balances.get('gateway') ?? 0) + amount);
}

/** Returns the balance without money held for a withdrawal or by an app. */
export const balanceOf = ({ balances }: Model, owner: number | string) =>
  (balances.get(owner) ?? 0) - (balances.get(`held ${owner}`) ?? 0);

const person = (model: Model, index: number): Person => {
  const found = model.people[index];
  if (!found) throw new Error('no such person');
  return found;
};

/** The day in Jakarta. */
const dayOf = (at: number) => new Date(at + 7 * 3_600_000).toISOString().slice(0, 10);

/** The amounts that a person may still move out: in one payment, today and this month. */
function leftOf(model: Model, index: number, now: number): Record<'payment' | 'day' | 'month', number> {
  const { out, level } = person(model, index);
  const limits = model.limits?.[level];
  const day = dayOf(now);
  const today = out.day >= day ? out.today : 0;
  const thisMonth = out.day.slice(0, 7) >= day.slice(0, 7) ? out.thisMonth : 0;
  return {
    payment: limits?.payment ?? Infinity,
    day: (limits?.day ?? Infinity) - today,
    month: (limits?.month ?? Infinity) - thisMonth,
  };
}

/** The limit that a payment would exceed; of several, the one with the smallest remainder. */
export function judgeLimits(model: Model, index: number, total: number, now: number): string | null {
  const left = leftOf(model, index, now);
  const least = Math.min(left.payment, left.day, left.month);
  if (total <= least) return null;
  const name = (['payment', 'day', 'month'] as const).find((one) => left[one] === least) ?? 'month';
  return `limit_${name} ${model.limits?.[person(model, index).level][name]} ${Math.max(0, least)}`;
}

/** The number of payments of this amount that a person may still make to another person. */
export function countWithin(
  model: Model,
  [from, to]: readonly [number, number],
  amount: number,
  now: number,
) {
  const { payment, day, month } = leftOf(model, from, now);
  if (amount > payment) return 0;
  return Math.max(0, Math.floor(Math.min(balanceOf(model, from), day, month, roomOf(model, to)) / amount));
}

/**
 * The amount by which a person's balance may still grow; a debt absorbs incoming money first.
 * @param isBlind true to treat the wallet as empty
 */
function roomOf(model: Model, index: number, isBlind = false): number {
  const { balances } = model;
  const holds = isBlind ? 0 : (balances.get(index) ?? 0) - (balances.get(`debt ${index}`) ?? 0);
  return (model.limits?.[person(model, index).level].held ?? Infinity) - holds;
}

export const isFull = (model: Model, index: number, amount: number, isBlind = false) =>
  amount > roomOf(model, index, isBlind);

/** Records an outflow. @returns the day, or null if there are no limits */
export function count(model: Model, index: number, total: number, now: number): string | null {
  if (model.limits === null) return null;
  const { out } = person(model, index);
  const day = dayOf(now);
  Object.assign(out, {
    day: day > out.day ? day : out.day,
    today: (day > out.day ? 0 : out.today) + total,
    thisMonth: (day.slice(0, 7) > out.day.slice(0, 7) ? 0 : out.thisMonth) + total,
  });
  return day;
}

/** Reverts an outflow that did not happen after all. */
export function uncount(model: Model, index: number, day: string | null, total: number): void {
  if (day === null) return;
  const { out } = person(model, index);
  if (out.day === day) out.today -= total;
  if (out.day.slice(0, 7) === day.slice(0, 7)) out.thisMonth -= total;
}

/** A person's grant that has not been revoked. */
export function grantOf(model: Model, index: number): Grant | null {
  return model.grants.find((grant) => grant.person === index && grant.end === null) ?? null;
}

const isLive = (model: Model, grant: Grant, now: number) =>
  grant.end === null &&
  model.isAppActive &&
  person(model, grant.person).isActive &&
  (grant.limits.expiresAt === null || grant.limits.expiresAt > now);

export function allowsPayee({ limits }: Grant, payee: number): boolean {
  return limits.payees === null || limits.payees.includes(payee);
}

/** Returns whether a grant covers a payment without an approval. */
export function isWithinLimits(
  grant: Grant,
  { amount, appFee, total, isForHold }: Cost,
  now: number,
): boolean {
  const { perTransfer, perPeriod, total: most, maxUses, feeBps, feeFixed } = grant.limits;
  if (perTransfer === null && perPeriod === null && most === null) return false;
  const length = perPeriod === null ? Number.MAX_SAFE_INTEGER : periodMs;
  const spent = now - grant.periodStart < length ? grant.spent : 0;
  return (
    appFee <= Math.ceil((amount * feeBps) / 10_000) + feeFixed &&
    // Any part of a hold may be captured; returns the app's highest fee for any part.
    (!isForHold || appFee <= feeFixed || feeBps >= 10_000) &&
    total <= (perTransfer ?? Infinity) &&
    spent + total <= (perPeriod ?? Infinity) &&
    grant.spentTotal + total <= (most ?? Infinity) &&
    grant.uses < (maxUses ?? Infinity)
  );
}

export interface ConfirmRequest {
  readonly transfer: Transfer | undefined;
  /** The acting person. */
  readonly payer: number;
  /** Null for the back end of the app. */
  readonly session: string | null;
  readonly isSessionLive: boolean;
  readonly byApp: boolean;
  readonly approvalId: string | null;
  readonly verifier: string | null;
  readonly hold: boolean;
  readonly now: number;
}

/** Returns the expected response to a confirmation; `confirmed` if it moves the money. */
export function judgeConfirm(model: Model, request: ConfirmRequest): string {
  const { transfer, payer, now } = request;
  if (request.session !== null && !(request.isSessionLive && person(model, payer).isActive))
    return 'session_ended';
  if (model.mode !== 'open') return `ledger_${model.mode}`;
  const isTheirs =
    transfer && transfer.payer === payer && transfer.byApp === request.byApp && transfer.refundOf === null;
  if (!isTheirs) return 'transaction_not_found';
  if (transfer.isForHold !== request.hold) return request.hold ? 'not_for_hold' : 'for_hold';
  if (transfer.isHeld) return 'already_held';
  if (transfer.status === 'confirmed' || transfer.status === 'reversed') return 'already_confirmed';
  return (
    judgeApp(model, transfer, now) ??
    (transfer.status !== 'open' || transfer.expiresAt <= now ? 'inquiry_expired' : null) ??
    judgeApproval(transfer, request) ??
    judgeMoney(model, transfer, now)
  );
}

function judgeApp(model: Model, { grant, byApp, payer }: Transfer, now: number): string | null {
  if (grant?.end === 'expired') return 'grant_expired';
  if (grant?.end === null && grant.limits.expiresAt !== null && grant.limits.expiresAt <= now)
    return 'grant_expired';
  if (grant && !isLive(model, grant, now)) return 'grant_revoked';
  if (byApp && !(model.isAppActive && person(model, payer).isActive)) return 'grant_revoked';
  return null;
}

function judgeApproval({ needsApproval, approval: given }: Transfer, request: ConfirmRequest): string | null {
  if (!needsApproval) return null;
  if (request.approvalId === null) return 'approval_required';
  const approval = given?.id === request.approvalId && given.verifier === request.verifier ? given : null;
  if (approval?.status === 'created' && approval.expiresAt > request.now) return 'approval_required';
  if (approval === null || approval.status === 'denied' || approval.status === 'redeemed')
    return 'approval_rejected';
  const isOthers = request.session !== null && approval.session !== request.session;
  if (approval.status === 'approved' && isOthers) return 'approval_rejected';
  const isInTime = approval.status === 'approved' && approval.decidedAt + approvalMs > request.now;
  return isInTime ? null : 'approval_expired';
}

function judgeMoney(model: Model, transfer: Transfer, now: number): string {
  const { payer, payee, grant, needsApproval, total } = transfer;
  if (person(model, payer).wallet !== 'active') return 'wallet_frozen';
  const { wallet, isActive } = person(model, payee);
  if (wallet !== 'active' || !isActive) return 'recipient_unavailable';
  if (grant && !needsApproval) {
    if (!allowsPayee(grant, payee)) return 'grant_recipient';
    if (!isWithinLimits(grant, transfer, now)) return 'grant_limit_exceeded';
  }
  if (balanceOf(model, payer) < total) return 'insufficient_internal_credit';
  const { isForHold, net } = transfer;
  const isTooMuch = !isForHold && isFull(model, payee, net);
  return judgeLimits(model, payer, total, now) ?? (isTooMuch ? 'recipient_limit' : 'confirmed');
}

/** Moves the money of a confirmed inquiry, or holds it. */
export function confirm(model: Model, transfer: Transfer, requestId: string, now: number): void {
  transfer.counted = count(model, transfer.payer, transfer.total, now);
  if (transfer.isForHold) {
    Object.assign(transfer, { isHeld: true, expiresAt: now + holdMs });
    addHeld(model, transfer, transfer.total);
  } else post(model, transfer, requestId, now);
  if (transfer.needsApproval && transfer.approval) transfer.approval.status = 'redeemed';
  const { grant } = transfer;
  if (!grant || transfer.needsApproval) return;
  const length = grant.limits.perPeriod === null ? Number.MAX_SAFE_INTEGER : periodMs;
  const isNew = now - grant.periodStart >= length;
  grant.spent = (isNew ? 0 : grant.spent) + transfer.total;
  if (isNew) grant.periodStart = now;
  grant.spentTotal += transfer.total;
  grant.uses += 1;
}

function post(model: Model, transfer: Transfer, requestId: string, now: number): void {
  Object.assign(transfer, { status: 'confirmed', confirmedAt: now, confirmedBy: requestId });
  move(model, transfer.payer, transfer.payee, transfer.net);
  move(model, transfer.payer, 'app', transfer.appFee);
  move(model, transfer.payer, 'platform', transfer.platformFee);
}

function addHeld({ balances }: Model, { payer }: Transfer, amount: number): void {
  balances.set(`held ${payer}`, (balances.get(`held ${payer}`) ?? 0) + amount);
}

/** The amounts of a partly captured transfer; a fee never exceeds its base. */
export function partOf(held: Transfer, amount: number) {
  const appFee = Math.min(amount, held.appFee);
  const platformFee = Math.min(amount, held.platformFee);
  const fees = appFee + platformFee;
  const [payerFee, payeeFee] = held.ofPayee ? [0, fees] : [fees, 0];
  return {
    amount,
    appFee,
    platformFee,
    payerFee,
    payeeFee,
    total: amount + payerFee,
    net: amount - payeeFee,
  };
}

/** Returns the expected response to a capture. */
export function judgeCapture(model: Model, held: Transfer, amount: number, now: number): string {
  if (!model.isAppActive) return 'caller_refused';
  if (model.mode !== 'open') return `ledger_${model.mode}`;
  if (held.status === 'confirmed' || held.status === 'reversed') return 'hold_captured';
  if ((held.releasedAt ?? Infinity) < held.expiresAt) return 'hold_released';
  if (held.status === 'cancelled' || held.expiresAt <= now) return 'hold_expired';
  if (amount > held.amount) return 'capture_exceeds';
  const payer = person(model, held.payer);
  if (payer.wallet !== 'active' || !payer.isActive) return 'wallet_frozen';
  const { wallet, isActive } = person(model, held.payee);
  if (wallet !== 'active' || !isActive) return 'recipient_unavailable';
  return isFull(model, held.payee, partOf(held, amount).net) ? 'recipient_limit' : 'ok';
}

/** Pays from a hold, before the remainder settles the payer's debt. */
export function capture(
  model: Model,
  held: Transfer,
  part: ReturnType<typeof partOf>,
  { requestId, now }: { requestId: string; now: number },
): void {
  addHeld(model, held, -held.total);
  const { amount, appFee, platformFee, total, net } = part;
  uncount(model, held.payer, held.counted, held.total - total);
  Object.assign(held, { amount, appFee, platformFee, total, net });
  post(model, held, requestId, now);
  settle(model, held.payer);
}

/** Returns held money. */
export function release(model: Model, held: Transfer, now: number): void {
  Object.assign(held, { status: 'cancelled', releasedAt: now });
  uncount(model, held.payer, held.counted, held.total);
  addHeld(model, held, -held.total);
  settle(model, held.payer);
}

/** Reverses a transfer, as the operator does. */
export function reverse(model: Model, transfer: Transfer): void {
  transfer.status = 'reversed';
  uncount(model, transfer.payer, transfer.counted, transfer.total);
  move(model, transfer.payee, transfer.payer, transfer.net);
  move(model, 'app', transfer.payer, transfer.appFee);
  move(model, 'platform', transfer.payer, transfer.platformFee);
}

export interface RefundRequest {
  readonly transfer: Transfer | undefined;
  /** The acting person, who received the payment. */
  readonly payee: number;
  readonly amount: number | null;
  readonly key: string;
  readonly hash: string;
  readonly session: string | null;
  readonly isSessionLive: boolean;
  readonly grant: Grant | null;
  readonly byApp: boolean;
  readonly now: number;
}

/** Returns the expected response to a refund. */
export function judgeRefund(model: Model, request: RefundRequest): string {
  const { transfer, payee, byApp, amount, now } = request;
  const earlier = model.transfers.find(
    (one) => one.refundOf && one.payer === payee && one.byApp === byApp && one.key === request.key,
  );
  if (earlier) return earlier.hash === request.hash ? 'repeated' : 'idempotency_key_reused';
  if (request.session !== null && !(request.isSessionLive && person(model, payee).isActive))
    return 'session_ended';
  if (model.mode !== 'open') return `ledger_${model.mode}`;
  const isPaid = transfer && transfer.payee === payee && ['confirmed', 'reversed'].includes(transfer.status);
  if (!isPaid || (byApp && !transfer.byApp)) return 'transaction_not_found';
  if (transfer.status === 'reversed') return 'already_reversed';
  if (byApp) {
    const { grant } = request;
    if (grant?.end === 'expired') return 'grant_expired';
    if (grant?.end === null && grant.limits.expiresAt !== null && grant.limits.expiresAt <= now)
      return 'grant_expired';
    if (!grant || !isLive(model, grant, now)) return 'grant_revoked';
  }
  if (transfer.refundOf !== null || transfer.confirmedAt + refundableMs <= now) return 'not_refundable';
  const left = transfer.net - transfer.refunded;
  if (left <= 0 || (amount ?? 0) > left) return 'refund_exceeds';
  if (person(model, payee).wallet !== 'active') return 'wallet_frozen';
  const { wallet, isActive } = person(model, transfer.payer);
  if (wallet !== 'active' || !isActive) return 'recipient_unavailable';
  return balanceOf(model, payee) < (amount ?? left) ? 'insufficient_internal_credit' : 'ok';
}

/** Moves the money of a refund, and records the refund. */
export function refund(
  model: Model,
  { transfer, payee, amount, key, hash, byApp, now }: RefundRequest,
  id: string,
): void {
  if (!transfer) throw new Error('no transfer');
  const sum = amount ?? transfer.net - transfer.refunded;
  move(model, payee, transfer.payer, sum);
  transfer.refunded += sum;
  model.transfers.push({
    id,
    payer: payee,
    payee: transfer.payer,
    amount: sum,
    total: sum,
    net: sum,
    appFee: 0,
    platformFee: 0,
    ofPayee: false,
    isForHold: false,
    isHeld: false,
    releasedAt: null,
    byApp,
    grant: null,
    needsApproval: false,
    expiresAt: now,
    refundOf: transfer,
    key,
    hash,
    approval: null,
    status: 'confirmed',
    confirmedAt: now,
    confirmedBy: id,
    refunded: 0,
    counted: null,
  });
}
