import { all, first, only, run, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { ClientInfo } from '../../http/context.ts';
import { describeClient } from '../../lib/device.ts';
import { readableName } from '../../lib/display-name.ts';
import { createId, isoTime } from '../../lib/id.ts';
import { createSecret } from '../../lib/secret.ts';
import { record } from '../activity/statements.ts';
import { payoutGateway } from '../gateway/configured.ts';
import { GatewayRefused, type PayoutGateway } from '../gateway/gateway.ts';
import { feesInForce, price, rulesOf } from '../ledger/fees.ts';
import { changeUnderLimits, limitRefusal } from '../ledger/limits.ts';
import { noticeStatement, sendSoon } from '../mail/mail.ts';
import { actingSession } from '../session/acting-session.ts';
import { decryptDestination, encryptDestination, hintOf } from './destination.ts';
import {
  type BankList,
  minWithdrawal,
  type Withdrawal,
  type WithdrawalInput,
  type WithdrawalQuote,
} from './schema.ts';
import {
  available,
  columnsOfW,
  explainHold,
  fullUntil,
  hold,
  quote,
  quoteMs,
  type WithdrawalRow,
} from './statements.ts';
import { feesOfRow, type Own, toWithdrawal } from './withdrawal.ts';

interface OwnRow {
  readonly handle: string | null;
  readonly mode: 'open' | 'frozen' | 'disabled';
  readonly withdrawals: number;
  readonly status: string | null;
  readonly available: number | null;
  /** When the person may ask for another quote; null if now. */
  readonly full: number | null;
}

function readOwn(sessionId: string, now: number) {
  return statement<OwnRow>(sql`SELECT s.handle, m.mode, m.withdrawals, a.status, ${available} AS available,
      ${fullUntil(sql`s.handle`, now)} AS full
    FROM ledger m LEFT JOIN ${actingSession(sessionId, now)} s ON true
      LEFT JOIN accounts a ON a.owner = s.handle AND a.kind = 'wallet' WHERE m.id = 1`);
}

/** @throws AppError session_ended, ledger_disabled, ledger_frozen, withdrawals_disabled, in this order */
function requireOpen(row: OwnRow): void {
  if (row.handle !== null && row.mode !== 'open') throw new AppError(`ledger_${row.mode}`);
  requireWithdrawals(row);
}

/**
 * Rejects a quote before the provider is asked, because its answer reveals the account holder's name.
 * @throws AppError insufficient_internal_credit, rate_limited, in this order
 */
function requireQuotable({ available, full }: OwnRow, totalDebit: number, now: number): void {
  if ((available ?? 0) < totalDebit) throw new AppError('insufficient_internal_credit');
  if (full !== null)
    throw new AppError('rate_limited', null, { retryAfterSeconds: Math.ceil((full - now) / 1000) });
}

/** For reads, which continue while the ledger is frozen. @throws AppError session_ended, withdrawals_disabled, in this order */
function requireWithdrawals({ handle, withdrawals }: OwnRow): void {
  if (handle === null) throw new AppError('session_ended');
  if (withdrawals !== 1) throw new AppError('withdrawals_disabled');
}

/** Returns whether the person can start a withdrawal now. */
export async function mayWithdraw(deps: Deps, sessionId: string): Promise<boolean> {
  const { mode, withdrawals, status } = only(await all(deps.db, readOwn(sessionId, deps.now())));
  const isOpen = mode === 'open' && withdrawals === 1 && status === 'active';
  return isOpen && deps.config.gateways.payouts !== null;
}

/** The result of a provider call. @throws AppError gateway_unavailable */
async function answerOf<Answer>(call: Promise<Answer>): Promise<Answer> {
  return call.catch((cause) => {
    throw new AppError('gateway_unavailable', null, { cause });
  });
}

/**
 * The available banks.
 * @throws AppError session_ended, withdrawals_disabled, gateway_not_configured, gateway_unavailable
 */
export async function listBanks(deps: Deps, sessionId: string): Promise<BankList> {
  requireWithdrawals(only(await all(deps.db, readOwn(sessionId, deps.now()))));
  const banks = await answerOf((await payoutGateway(deps)).listBanks());
  return { data: banks.map(({ code, name }) => ({ code, name })) };
}

/**
 * Computes the cost and the payee of a withdrawal, and stores the quote for five minutes.
 * @throws AppError session_ended, ledger_disabled, ledger_frozen, withdrawals_disabled, wallet_not_found,
 *   wallet_frozen, amount_too_large, amount_too_small, insufficient_internal_credit, rate_limited,
 *   gateway_not_configured, bank_account_unknown, gateway_unavailable, in this order
 */
export async function quoteWithdrawal(
  deps: Deps,
  sessionId: string,
  { amount, destination }: WithdrawalInput,
): Promise<WithdrawalQuote> {
  const asked = deps.now();
  const { own, fees } = await run(deps.db, {
    own: readOwn(sessionId, asked),
    fees: feesInForce(null, 'withdrawal'),
  });
  const row = only(own);
  requireOpen(row);
  if (row.status === null) throw new AppError('wallet_not_found');
  if (row.status !== 'active') throw new AppError('wallet_frozen');
  const { totalDebit } = price(amount, rulesOf(deps, fees), 'withdrawal');
  if (amount < minWithdrawal)
    throw new AppError('amount_too_small', `Amount too small: minimum withdrawal is ${minWithdrawal} IDR`);
  requireQuotable(row, totalDebit, asked);
  const gateway = await payoutGateway(deps);
  const holder = await holderOf(gateway, destination);
  const now = deps.now();
  const id = createId('wdr', now, deps.randomBytes);
  const sealed = await encryptDestination(deps, id, { ...destination, holder });
  const fee = totalDebit - amount;
  const { after, stored } = await run(deps.db, {
    change: [
      quote({ id, sessionId, amount, fee, gateway: gateway.name, sealed, hint: hintOf(destination), now }),
    ],
    after: readOwn(sessionId, now),
    stored: statement<{ id: string }>(sql`SELECT w.id FROM withdrawals w WHERE w.id = ${id}`),
  });
  if (stored.length === 0) {
    const current = only(after);
    requireOpen(current);
    if (current.status === 'active') requireQuotable(current, totalDebit, now);
    throw new AppError('wallet_frozen');
  }
  return {
    withdrawalId: id,
    accountHolderName: holder,
    asset: 'IDR',
    amount,
    fees: feesOfRow(fee),
    totalDebit,
    expiresAt: isoTime(now + quoteMs),
  };
}

/** The name of a bank account's holder. @throws AppError bank_account_unknown, gateway_unavailable */
async function holderOf(
  gateway: PayoutGateway,
  destination: WithdrawalInput['destination'],
): Promise<string> {
  const name = await answerOf(
    gateway.inquireAccount(destination).catch((error) => {
      if (error instanceof GatewayRefused) return undefined;
      throw error;
    }),
  );
  if (name === undefined) throw new AppError('bank_account_unknown');
  return readableName(name) ?? '?';
}

/** The person's quote if it can still be confirmed, for the confirmation page; otherwise null. */
export async function readQuote(
  deps: Deps,
  { sessionId, id }: Own,
): Promise<(WithdrawalQuote & { readonly destination: string }) | null> {
  const now = deps.now();
  const row = await first(
    deps.db,
    statement<WithdrawalRow>(sql`SELECT ${columnsOfW} FROM ${actingSession(sessionId, now)} s
      JOIN withdrawals w ON w.handle = s.handle AND w.id = ${id} AND w.status = 'quoted' AND w.expires_at > ${now}`),
  );
  const destination = row && (await decryptDestination(deps, row.id, row.destination_enc));
  if (!row || !destination) return null;
  return {
    withdrawalId: row.id,
    accountHolderName: destination.holder,
    destination: row.destination_hint,
    asset: row.asset,
    amount: row.amount,
    fees: feesOfRow(row.fee),
    totalDebit: row.amount + row.fee,
    expiresAt: isoTime(row.expires_at),
  };
}

interface Confirmation extends Own {
  readonly client: ClientInfo;
}

/**
 * Holds a quote's money, only once; the scheduled job pays it out. If the quote is already confirmed, returns its
 * withdrawal.
 * @throws AppError the reasons in `holdRequirements`
 */
export async function confirmWithdrawal(
  deps: Deps,
  { sessionId, id, client }: Confirmation,
): Promise<{ readonly answer: Withdrawal; readonly isReplayed: boolean }> {
  const now = deps.now();
  // A quote from a provider that is no longer configured could never be paid out.
  const gateway = deps.config.gateways.payouts?.name ?? null;
  const v = { deps, id, requestId: createSecret(deps.randomBytes), sessionId, gateway, now };
  const notice = await noticeStatement(deps, {
    kind: 'withdrawal_held',
    handle: sql`SELECT w.handle FROM withdrawals w WHERE w.id = ${id} AND w.held_by = ${v.requestId}`,
    when: sql`1`,
    params: { ...describeClient(client), withdrawal: id },
    now,
  });
  const line = record({
    type: 'withdrawal.held',
    sessionId,
    decisionId: v.requestId,
    rows: sql`SELECT w.handle, NULL AS credential_id, (w.amount + w.fee) || ' ' || w.destination_hint AS detail
      FROM withdrawals w WHERE w.id = ${id} AND w.held_by = ${v.requestId}
        AND NOT EXISTS (SELECT 1 FROM activity v WHERE v.handle = w.handle AND v.decision_id = ${v.requestId})`,
    now,
  });
  const { row, verdict } = await changeUnderLimits(deps, 'withdrawal.confirm', {
    change: hold(v),
    more: [line, notice],
    explain: () => explainHold(v),
  });
  if (verdict === 'limit_exceeded') throw limitRefusal(row.exceeded, true);
  if (verdict !== 'ok' && verdict !== 'already_held') throw new AppError(verdict);
  if (verdict === 'ok') {
    deps.log.info('withdrawal.held', { id, amount: row.amount, fee: row.fee });
    sendSoon(deps);
  }
  return { answer: toWithdrawal(row), isReplayed: verdict === 'already_held' };
}
