import { integer, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime } from '../../lib/id.ts';
import { isFirstParty, originOfAddress } from '../../lib/origin.ts';
import { type Page, toPage } from '../../lib/page.ts';
import { accountPaths, depositPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { paymentGatewayNamed } from '../gateway/configured.ts';
import { actingCaller, type Caller, explainCaller } from '../grant/acting-caller.ts';
import { type Reconciled, reconcileDeposit } from './reconcile.ts';
import type { Deposit, DepositsQuery, SyncedDeposit } from './schema.ts';
import { claimOne, columns, type DepositRow } from './statements.ts';

/** States in which the provider is queried only after a notification. */
const final: ReadonlySet<string> = new Set(['credited', 'reversed', 'review']);

export function toDeposit(row: DepositRow): Deposit {
  const { app_fee: app, platform_fee: platform } = row;
  return {
    id: row.id,
    status: row.status,
    asset: row.asset,
    amount: row.gross,
    fees: { app, platform, total: app + platform },
    netAmount: row.net,
    method: row.method ?? 'auto',
    provider: row.gateway,
    checkoutUrl: row.status === 'pending' ? row.url : null,
    failure: row.failure,
    returnedAmount: row.returned,
    appId: row.app_id,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
    creditedAt: row.credited_at === null ? null : isoTime(row.credited_at),
  };
}

/**
 * A deposit as returned to its caller. An app that takes a fee gets the address of our page instead of the provider's
 * page: there the signed-in person sees the amount, the fee and the net amount before paying. If wallets have limits,
 * every caller gets our page, because only that page compares an app's checkout with the wallet's balance.
 */
export function showTo({ config }: Deps, { appId }: Caller, row: DepositRow): Deposit {
  const deposit = toDeposit(row);
  const isLimited = row.app_id !== null && config.limits !== null;
  if (deposit.checkoutUrl === null || !(isLimited || (appId !== null && row.app_fee > 0))) return deposit;
  return { ...deposit, checkoutUrl: config.origin + depositPath(row.id) };
}

/** Limits a person's deposits to those visible to the caller: an app sees only its own. */
function isOwn(caller: Caller, now: number): SQL {
  const { appId: app } = caller;
  const isApps = app === null ? sql`1` : sql`deposits.app_id = ${app}`;
  return sql`deposits.handle = (SELECT w.handle FROM ${actingCaller(caller, now)} w) AND ${isApps}`;
}

function readOwn(caller: Caller, now: number): Statement<{ handle: string }> {
  return statement(sql`SELECT w.handle FROM ${actingCaller(caller, now)} w`);
}

/** Returns a deposit of the person. @throws AppError transaction_not_found, and those of `explainCaller` */
export async function getDeposit(deps: Deps, caller: Caller, id: string): Promise<Deposit> {
  return showTo(deps, caller, await findDeposit(deps, caller, id));
}

/** @throws AppError transaction_not_found, and those of `explainCaller` */
export async function findDeposit(
  deps: Deps,
  caller: Caller,
  id: string,
  change: readonly Statement[] = [],
): Promise<DepositRow> {
  const now = deps.now();
  const { own, rows } = await run(deps.db, {
    change,
    own: readOwn(caller, now),
    rows: selectDeposits(sql`deposits.id = ${id} AND ${isOwn(caller, now)}`),
  });
  if (own.length === 0) throw await explainCaller(deps, caller);
  const [row] = rows;
  if (!row) throw new AppError('transaction_not_found');
  return row;
}

/** @param where a condition on `deposits`, and any clauses after it */
export function selectDeposits(where: SQL): Statement<DepositRow> {
  return statement(sql`SELECT ${columns} FROM deposits WHERE ${where}`);
}

/** Lists the person's deposits, newest first. @throws AppError those of `explainCaller` */
export async function listDeposits(
  deps: Deps,
  caller: Caller,
  { status, limit, cursor }: DepositsQuery,
): Promise<Page<Deposit>> {
  const now = deps.now();
  const isWanted = status === undefined ? sql`1` : sql`deposits.status = ${status}`;
  const { own, rows } = await run(deps.db, {
    own: readOwn(caller, now),
    rows: selectDeposits(sql`${isOwn(caller, now)} AND deposits.id < ${cursor ?? '~'} AND ${isWanted}
      ORDER BY deposits.id DESC LIMIT ${integer(limit + 1)}`),
  });
  if (own.length === 0) throw await explainCaller(deps, caller);
  return toPage(
    rows,
    limit,
    ({ id }) => id,
    (row) => showTo(deps, caller, row),
  );
}

/**
 * Queries the provider about one of the person's deposits, unless the deposit is final.
 * @throws AppError transaction_not_found, gateway_not_configured, gateway_unavailable; ledger_frozen or ledger_disabled
 *   if money would move; and those of `explainCaller`
 */
export async function syncDeposit(deps: Deps, caller: Caller, id: string): Promise<SyncedDeposit> {
  const now = deps.now();
  const claim = claimOne(sql`id = ${id} AND ${isOwn(caller, now)}`, now);
  const row = await findDeposit(deps, caller, id, [claim]);
  const { row: after, blocked } = await look(deps, row);
  if (blocked === 'ledger_frozen' || blocked === 'ledger_disabled') throw new AppError(blocked);
  return {
    ...showTo(deps, caller, after),
    synced: true,
    syncedAt: isoTime(after.asked_at || after.updated_at),
  };
}

/** The origins of an app to which a provider may redirect people. */
export function returnOrigins(app: SQL): Statement<{ origin: string }> {
  return statement(sql`SELECT o.origin FROM app_origins o WHERE o.app_id = ${app}`);
}

/** Returns whether a URL is on one of these origins or, for a deposit without an app, on a first-party origin. */
export function mayReturn(
  { config }: Deps,
  { appId, url }: { readonly appId: string | null; readonly url: string },
  origins: readonly { readonly origin: string }[],
): boolean {
  const at = originOfAddress(url);
  if (appId === null) return at !== null && isFirstParty(config, at);
  return origins.some(({ origin }) => origin === at);
}

/**
 * Checks a deposit when the provider redirects the person back. The check reveals nothing about the deposit, so it
 * needs no session.
 * @returns the redirect target: the app's address if the app still lists the origin, otherwise the deposit's page
 */
export async function returnAddress(deps: Deps, id: string): Promise<string> {
  const { rows, origins } = await run(deps.db, {
    claim: [claimOne(sql`id = ${id}`, deps.now())],
    rows: selectDeposits(sql`deposits.id = ${id}`),
    origins: returnOrigins(sql`(SELECT d.app_id FROM deposits d WHERE d.id = ${id})`),
  });
  const [row] = rows;
  if (!row) return accountPaths.wallet;
  await look(deps, row).catch((error: unknown) => {
    // The scheduled job checks again.
    if (!(error instanceof AppError)) throw error;
  });
  const { app_id: appId, return_url: url } = row;
  if (url === null || !mayReturn(deps, { appId, url }, origins)) return depositPath(id);
  return withQuery(url, { deposit: id });
}

/** @throws AppError gateway_not_configured, gateway_unavailable */
async function look(deps: Deps, row: DepositRow): Promise<Reconciled> {
  if (final.has(row.status)) return { row, blocked: null };
  const gateway = await paymentGatewayNamed(deps, row.gateway);
  if (gateway === null) throw new AppError('gateway_not_configured');
  return reconcileDeposit(deps, gateway, row);
}
