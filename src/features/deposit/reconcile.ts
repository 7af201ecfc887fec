import { only, run, type SQL, type Statement, sql } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { pidOf } from '../../lib/id.ts';
import { depositReturnPath } from '../../lib/page-paths.ts';
import {
  GatewayRefused,
  type Order,
  type Payment,
  type PaymentGateway,
  type PaymentStatus,
} from '../gateway/gateway.ts';
import { isOpen } from '../ledger/statements.ts';
import { deliverSoon } from '../webhook/deliver.ts';
import { effectOf } from './effects.ts';
import { dayMs, hourMs, lookAfterCredit, nextLook, untilAnswered } from './looks.ts';
import { changeReturned, leaveToPerson, takenOf } from './returns.ts';
import { suspendOthers } from './second-payments.ts';
import { type DepositRow, end, lookAgain, opened, readOne, sendToReview, settle } from './statements.ts';

const minuteMs = 60_000;
/** The time limit for opening the provider's page, including retries. */
const openingMs = 15 * minuteMs;

/** A deposit after a check. */
export interface Reconciled {
  readonly row: DepositRow;
  /** The reason why money received or returned by the provider does not move yet. */
  readonly blocked: 'ledger_frozen' | 'ledger_disabled' | 'wallet_frozen' | null;
}

/**
 * Queries the provider about a deposit and applies the result. This single function serves `sync`, the return page,
 * notifications and the scheduled job. Any number of calls may run concurrently: each effect is a conditional statement
 * and happens only once.
 * @param row as returned by the claim
 * @throws AppError gateway_unavailable; the deposit stays due
 */
export async function reconcileDeposit(
  deps: Deps,
  gateway: PaymentGateway,
  row: DepositRow,
): Promise<Reconciled> {
  try {
    const found = await asked(gateway.getStatus(row.id));
    return report(deps, row, await apply(deps, gateway, { row, found }));
  } catch (error) {
    if (error instanceof AppError)
      await run(deps.db, { again: [lookAgain(row, sql`${untilAnswered(row, deps.now())}`)] });
    throw error;
  }
}

/**
 * Opens the provider's page for a new deposit. A retry opens no second page, so it is safe after a lost response.
 * @throws AppError gateway_unavailable
 */
export async function createCheckout(
  deps: Deps,
  gateway: PaymentGateway,
  row: DepositRow,
): Promise<Reconciled> {
  return report(deps, row, await requestPage(deps, gateway, row));
}

/** Closes a deposit that the provider has cancelled. */
export async function endDeposit(deps: Deps, row: DepositRow): Promise<Reconciled> {
  return report(deps, row, await finish(deps, row, { status: 'expired', failure: 'cancelled' }));
}

/** Returns whether the provider cancelled it. @throws AppError gateway_unavailable */
export async function cancelAt(gateway: PaymentGateway, id: string, session: string): Promise<boolean> {
  try {
    await gateway.cancelCheckout(id, session);
    return true;
  } catch (cause) {
    if (cause instanceof GatewayRefused) return false;
    throw new AppError('gateway_unavailable', null, { cause, isLogged: true });
  }
}

/** All provider failures look the same to the caller. @throws AppError gateway_unavailable */
async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    throw new AppError('gateway_unavailable', null, { cause, isLogged: true });
  }
}

function report(deps: Deps, before: DepositRow, after: Reconciled): Reconciled {
  const { id, status, failure, returned, app_id: app } = after.row;
  if (status !== before.status || failure !== before.failure || returned !== before.returned) {
    const isForPerson = status === 'review' || failure === 'refund_uncovered' || failure === 'contradicted';
    const fields = { id, failure, returned, before: before.status };
    deps.log[isForPerson ? 'error' : 'info'](`deposit.${status}`, fields);
    if (app !== null) deliverSoon(deps);
  }
  return after;
}

interface Look {
  readonly row: DepositRow;
  readonly found: PaymentStatus;
}

async function apply(deps: Deps, gateway: PaymentGateway, look: Look): Promise<Reconciled> {
  const { row, found } = look;
  const { state } = found;
  const effect = effectOf(deps, row, found);
  switch (effect) {
    case 'open':
      return requestPage(deps, gateway, row);
    case 'credit':
    case 'review':
      return credit(deps, look);
    case 'end':
      return finish(deps, row, ended(state));
    case 'keep':
    case 'return':
    case 'alarm':
      return correct(deps, look, effect);
    case 'lapse':
      if (deps.now() >= row.expires_at + dayMs) return finish(deps, row, ended('expired'));
  }
  if (row.failure === 'replaced' && row.session !== null) await cancelAt(gateway, row.id, row.session);
  return leave(deps, row, state);
}

/** Closes a deposit that was not paid, or whose payment was returned before it was credited. */
function ended(state: PaymentStatus['state']) {
  const status = state === 'expired' ? 'expired' : 'failed';
  return { status, failure: state === 'refunded' ? state : null } as const;
}

/** Credits the matching payment, and keeps all others in suspense. */
async function credit(deps: Deps, { row, found: { state, payments } }: Look): Promise<Reconciled> {
  const now = deps.now();
  const isFit = ({ amount, currency }: Payment) => amount === row.gross && currency === row.asset;
  const fit = payments.find(isFit) ?? payments[0];
  if (!fit) throw new AppError('gateway_unavailable', null, { reason: 'a paid order without a payment' });
  const isPaid = state !== 'partly_refunded';
  const { row: after, mode } = await write(deps, row.id, [
    ...(isPaid ? [settle(row.id, fit, { now, nextAt: lookAfterCredit(now, now) })] : []),
    sendToReview(row.id, fit, { now, isPartlyRefunded: isPaid ? 0 : 1 }),
    ...(isPaid ? await suspendOthers(deps, row, { payments, own: fit.id }) : []),
    lookAgain(row, blockedUntil(row, now)),
  ]);
  return { row: after, blocked: unsettled.has(after.status) ? blockOf(mode) : null };
}

/** Aligns a credited deposit with the provider's current data about its payment. */
async function correct(
  deps: Deps,
  { row, found }: Look,
  effect: 'keep' | 'return' | 'alarm',
): Promise<Reconciled> {
  const now = deps.now();
  const { state, payments } = found;
  const others = state === 'paid' ? await suspendOthers(deps, row, { payments, own: row.payment }) : [];
  // A response about another payment for the order restores nothing for this one.
  const isOwn = effect === 'return' || payments.some(({ id }) => id === row.payment);
  const taken = takenOf(row, found);
  const failure =
    effect === 'alarm' ? 'contradicted' : isOwn && taken === undefined ? 'refund_uncovered' : null;
  const changes =
    failure === null
      ? [...others, ...(isOwn && taken ? await changeReturned(deps, row, { taken, state, now }) : [])]
      : leaveToPerson(row, { failure, state, now });
  const { row: after, mode } = await write(deps, row.id, [
    ...changes,
    lookAgain(row, blockedUntil(row, now)),
  ]);
  return { row: after, blocked: mode === 'open' ? null : blockOf(mode) };
}

const unsettled: ReadonlySet<string> = new Set(['creating', 'pending', 'expired', 'failed']);

/** When to retry a failed movement: as soon as the ledger opens, or an hour later. Moved money has its later checks. */
function blockedUntil({ credited_at: creditedAt }: DepositRow, now: number): SQL {
  const later = creditedAt === null ? null : lookAfterCredit(creditedAt, now);
  return sql`iif(NOT ${isOpen}, ${now}, iif(status IN ('credited','reversed'), ${later},
    iif(status = 'review' OR failure IS 'rejected', NULL, ${now + hourMs})))`;
}

function blockOf(mode: Written['mode']): Reconciled['blocked'] {
  return mode === 'open' ? 'wallet_frozen' : `ledger_${mode}`;
}

/** The provider has no payment. */
function finish(
  deps: Deps,
  row: DepositRow,
  { status, failure }: { status: 'expired' | 'failed'; failure: string | null },
): Promise<Reconciled> {
  const now = deps.now();
  const isOver = row.status !== 'creating' && row.status !== 'pending';
  const next = nextLook(isOver ? row : { ...row, status, updated_at: now }, now);
  return written(deps, row, [end(row.id, { status, failure, now }), lookAgain(row, sql`${next}`)]);
}

/** The person has not paid yet, or a final deposit is unchanged. */
function leave(deps: Deps, row: DepositRow, state: PaymentStatus['state']): Promise<Reconciled> {
  const now = deps.now();
  // A card charge is settled or voided within days, even after a credit.
  const isSettling = state === 'captured' && row.credited_at !== null;
  const next = isSettling ? now + dayMs : nextLook(row, now, state === 'unknown');
  return written(deps, row, [lookAgain(row, sql`${next}`)]);
}

async function requestPage(deps: Deps, gateway: PaymentGateway, row: DepositRow): Promise<Reconciled> {
  const now = deps.now();
  if (now - row.created_at >= openingMs)
    return finish(deps, row, { status: 'failed', failure: 'not_opened' });
  const order: Order = {
    id: row.id,
    amount: row.gross,
    asset: row.asset,
    ...(row.method === null ? {} : { method: row.method }),
    payer: { pid: pidOf(row.handle), name: row.display_name ?? row.handle },
    returnUrl: `${deps.config.origin}${depositReturnPath(row.id)}`,
    expiresAt: row.expires_at,
  };
  const checkout = await gateway.createCheckout(order).catch(async (cause: unknown) => {
    if (cause instanceof GatewayRefused)
      report(deps, row, await finish(deps, row, { status: 'failed', failure: 'refused' }));
    throw new AppError('gateway_unavailable', null, { cause, isLogged: true });
  });
  const nextAt = nextLook({ ...row, status: 'pending' }, now);
  const { rows } = await run(deps.db, { rows: opened(row.id, checkout, { now, nextAt }) });
  // Otherwise another request was faster, or the deposit has since been cancelled.
  return rows[0] ? { row: rows[0], blocked: null } : written(deps, row, []);
}

interface Written {
  readonly row: DepositRow;
  readonly mode: 'open' | 'frozen' | 'disabled';
}

/** Writes the result of a check and reads the resulting deposit in one round trip. */
async function write(deps: Deps, id: string, change: readonly Statement[]): Promise<Written> {
  const { rows } = await run(deps.db, { change, rows: readOne(id) });
  const { mode, ...row } = only(rows);
  return { row, mode };
}

async function written(deps: Deps, { id }: DepositRow, change: readonly Statement[]): Promise<Reconciled> {
  return { row: (await write(deps, id, change)).row, blocked: null };
}
