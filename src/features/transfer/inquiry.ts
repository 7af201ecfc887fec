import { only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { createId, handleOf, isoTime, pidOf } from '../../lib/id.ts';
import { actingCaller, type Caller, explainCaller } from '../grant/acting-caller.ts';
import { feesInForce, price, rulesOf } from '../ledger/fees.ts';
import { actingSession } from '../session/acting-session.ts';
import { covers, payingGrant, readGrant } from './paying-grant.ts';
import type { Inquiry, InquiryInput } from './schema.ts';
import {
  accountOfNobody,
  cancel,
  columnsOfT,
  type HoldRow,
  inquire,
  inquiryMs,
  readInquired,
  type TransferRow,
} from './statements.ts';
import { feesOfRow, refOf } from './transfer.ts';

interface OwnRow {
  readonly mode: 'open' | 'frozen' | 'disabled';
  readonly handle: string | null;
  readonly account: number | null;
  readonly status: string | null;
  readonly available: number;
  readonly step_up_amount: number | null;
}

interface PayeeRow {
  readonly handle: string;
  readonly display_name: string;
  readonly account: number | null;
  readonly status: string | null;
  readonly step_up_amount: number | null;
}

/** The payer. A person who is present needs no grant, because an app's page can request an approval. */
function payerHandle(caller: Caller, now: number): SQL {
  return caller.by === 'token' ? actingCaller(caller, now) : actingSession(caller.sessionId, now);
}

/** Returns whether the caller may see the wallet balance; `reads` says whether the grant allows it. */
function seesFunds({ by, scopes }: Caller, reads: boolean): boolean {
  return by === 'person' || (reads && (by !== 'token' || (scopes ?? []).includes('wallet:read')));
}

/** The payer, unless an app's page sends the request without a grant from its visitor. */
function payerPid({ by }: Caller, payer: string, reads: boolean): string | null {
  return by === 'person' || by === 'token' || reads ? pidOf(payer) : null;
}

/**
 * Computes the cost of a transfer, and stores it for five minutes. A confirmation uses exactly these numbers.
 * @throws AppError session_ended, grant_expired, grant_revoked, ledger_disabled, ledger_frozen, wallet_not_found,
 *   own_wallet, wallet_frozen, recipient_unavailable, amount_too_large, amount_too_small, in this order; the page of a
 *   third-party app never receives the three about the payer's wallet, which only the approval page shows
 */
export async function createInquiry(deps: Deps, caller: Caller, input: InquiryInput): Promise<Inquiry> {
  const now = deps.now();
  const isHold = input.hold === true;
  if (isHold && caller.appId === null) throw new AppError('validation_failed', ['hold is for apps']);
  // Such an app may have no token to end a hold with.
  if (isHold && caller.by === 'asker') throw new AppError('origin_not_first_party');
  const to = handleOf(input.to.trim().toLowerCase());
  const { own, payee, fees, grant, appAccount } = await run(deps.db, readFor(caller, to, now));
  const [allowed] = grant;
  const person = only(own);
  const payer = requirePayer(person, to, caller);
  if (payer === null) throw await explainCaller(deps, caller);
  const [recipient] = payee;
  if (!recipient || recipient.account === null || recipient.status !== 'active')
    throw new AppError('recipient_unavailable');
  const rules = rulesOf(deps, fees);
  const cost = { ...price(input.amount, rules, 'transfer'), amount: input.amount };
  const aboveStepUp = isAbove(cost.totalDebit, person);
  const isCovered =
    caller.by !== 'asker' &&
    !aboveStepUp &&
    allowed &&
    covers(allowed, { ...cost, rule: isHold ? rules.app : null }, now);
  const needsApproval = caller.appId !== null && !isCovered;
  const id = createId('trf', now, deps.randomBytes).slice('trf_'.length);
  const memo = input.memo ?? null;
  const stored = await run(deps.db, {
    change: [
      inquire({
        id,
        payer: caller.handle,
        payee: recipient.handle,
        payerAccount: payer.account,
        payeeAccount: recipient.account,
        appAccount: cost.fees.app > 0 ? (appAccount[0]?.id ?? null) : null,
        amount: input.amount,
        payerFee: cost.fees.payer,
        payeeFee: cost.fees.payee,
        appFee: cost.fees.app,
        platformFee: cost.fees.platform,
        app: caller.appId,
        grant: allowed?.id ?? null,
        needsApproval,
        aboveStepUp: Number(aboveStepUp) + 2 * Number(isAbove(cost.netAmount, recipient)),
        memo,
        holdRules: isHold ? JSON.stringify(rules) : null,
        now,
      }),
    ],
    inquired: readInquired(id),
  });
  const inquired = only(stored.inquired);
  if (inquired.id === null)
    throw new AppError(inquired.mode === 'disabled' ? 'ledger_disabled' : 'ledger_frozen');
  return {
    id: `inq_${id}`,
    status: 'open',
    from: payerPid(caller, caller.handle, allowed?.reads_pid === 1),
    to: { pid: pidOf(recipient.handle), displayName: recipient.display_name },
    asset: 'IDR',
    ...cost,
    sufficientFunds: seesFunds(caller, allowed?.reads_wallet === 1)
      ? payer.available >= cost.totalDebit
      : null,
    requiresApproval: needsApproval,
    hold: isHold,
    memo,
    expiresAt: isoTime(now + inquiryMs),
  };
}

/** Returns whether an amount exceeds the person's `stepUpAmount`; false if it is unset. */
function isAbove(amount: number, { step_up_amount: limit }: Pick<OwnRow, 'step_up_amount'>): boolean {
  return limit !== null && amount > limit;
}

/**
 * The paying account. The page of a third-party app always gets one, so that it learns nothing about its visitor. If
 * the visitor has no wallet, it is a placeholder from which no payment can be confirmed.
 * @returns null if the caller may not act
 * @throws AppError ledger_disabled, ledger_frozen, wallet_not_found, own_wallet, wallet_frozen
 */
function requirePayer(
  { handle, mode, account, status, available }: OwnRow,
  to: string | null,
  { by }: Caller,
): { account: number; available: number } | null {
  if (handle === null) return null;
  if (mode !== 'open') throw new AppError(`ledger_${mode}`);
  const isOwn = to === handle;
  if (by === 'asker' && (account === null || isOwn)) return { account: accountOfNobody, available: 0 };
  if (account === null) throw new AppError('wallet_not_found');
  if (isOwn) throw new AppError('own_wallet');
  if (by !== 'asker' && status !== 'active') throw new AppError('wallet_frozen');
  return { account, available };
}

function readFor(caller: Caller, to: string | null, now: number) {
  return {
    own: statement<OwnRow>(sql`SELECT m.mode, w.handle, a.id AS account, a.status,
        a.credits_posted - a.debits_posted - a.debits_pending AS available, p.step_up_amount
      FROM ledger m LEFT JOIN ${payerHandle(caller, now)} w ON true
        LEFT JOIN accounts a ON a.owner = w.handle AND a.kind = 'wallet'
        LEFT JOIN profiles p ON p.handle = w.handle WHERE m.id = 1`),
    payee: statement<PayeeRow>(sql`SELECT i.handle, p.display_name, b.id AS account, b.status,
        p.step_up_amount
      FROM identities i JOIN profiles p ON p.handle = i.handle
        LEFT JOIN accounts b ON b.owner = i.handle AND b.kind = 'wallet'
      WHERE i.handle = ${to} AND i.status = 'active'`),
    fees: feesInForce(caller.appId, 'transfer'),
    grant: readGrant(caller, to, now),
    appAccount: statement<{ id: number }>(sql`SELECT a.id FROM accounts a WHERE a.owner = ${caller.appId}
      AND a.kind = 'app'`),
  };
}

type InquiryRow = TransferRow &
  HoldRow & {
    needs_approval: number;
    display_name: string | null;
    available: number;
    reads_pid: number;
    reads_wallet: number;
  };

/** An inquiry of the payer, for a day; an app sees only its own. @throws AppError transaction_not_found */
export async function getInquiry(deps: Deps, caller: Caller, id: string): Promise<Inquiry> {
  const now = deps.now();
  const { own, rows } = await run(deps.db, { own: readOwn(caller, now), rows: readOne(caller, id, now) });
  return theInquiry(deps, caller, { own, rows });
}

function readOwn(caller: Caller, now: number): Statement<{ handle: string }> {
  return statement(sql`SELECT w.handle FROM ${payerHandle(caller, now)} w`);
}

function readOne(caller: Caller, id: string, now: number): Statement<InquiryRow> {
  const { appId: app } = caller;
  return statement(sql`SELECT ${columnsOfT}, t.needs_approval, p.display_name,
      a.credits_posted - a.debits_posted - a.debits_pending AS available,
      EXISTS (SELECT 1 FROM ${payingGrant(caller, now)} g, json_each(g.scopes) WHERE value = 'openid') AS reads_pid,
      EXISTS (SELECT 1 FROM ${payingGrant(caller, now)} g, json_each(g.scopes) WHERE value = 'wallet:read') AS reads_wallet
    FROM ${payerHandle(caller, now)} w JOIN transfers t ON t.payer = w.handle
      JOIN accounts a ON a.id = t.payer_account LEFT JOIN profiles p ON p.handle = t.payee
    WHERE t.id = ${refOf(id, 'inq')} AND t.refund_of IS NULL AND (${app} IS NULL OR t.app_id = ${app})`);
}

async function theInquiry(
  deps: Deps,
  caller: Caller,
  { own, rows: [row] }: { own: readonly unknown[]; rows: readonly InquiryRow[] },
): Promise<Inquiry> {
  if (own.length === 0) throw await explainCaller(deps, caller);
  if (!row) throw new AppError('transaction_not_found');
  return toInquiry(row, caller, deps.now());
}

function toInquiry(row: InquiryRow, caller: Caller, now: number): Inquiry {
  const isExpired = row.status === 'open' && row.expires_at <= now;
  const status = row.status === 'reversed' ? 'confirmed' : row.status;
  return {
    id: `inq_${row.id}`,
    status: isExpired ? 'expired' : status === 'open' && row.held_at !== null ? 'held' : status,
    from: payerPid(caller, row.payer, row.reads_pid === 1),
    to: { pid: pidOf(row.payee), displayName: row.display_name ?? row.payee },
    asset: row.asset,
    amount: row.amount,
    fees: feesOfRow(row),
    totalDebit: row.debit_total,
    netAmount: row.net_amount,
    sufficientFunds: seesFunds(caller, row.reads_wallet === 1) ? row.available >= row.debit_total : null,
    requiresApproval: row.needs_approval === 1,
    hold: row.hold_rules !== null,
    memo: row.memo,
    expiresAt: isoTime(row.expires_at),
  };
}

/** Cancels an open inquiry. A retry returns it. @throws AppError transaction_not_found, inquiry_not_open */
export async function cancelInquiry(deps: Deps, caller: Caller, id: string): Promise<Inquiry> {
  const now = deps.now();
  const { own, rows } = await run(deps.db, {
    change: [
      cancel({
        id: refOf(id, 'inq'),
        payer: sql`(SELECT w.handle FROM ${payerHandle(caller, now)} w)`,
        app: caller.appId,
        now,
      }),
    ],
    own: readOwn(caller, now),
    rows: readOne(caller, id, now),
  });
  const inquiry = await theInquiry(deps, caller, { own, rows });
  if (inquiry.status !== 'cancelled') throw new AppError('inquiry_not_open');
  return inquiry;
}
