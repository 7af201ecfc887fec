import { only, run, sql, statement } from '../../db/database.ts';
import { type ReasonOf, requireVerdict, verdictOf } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { createId } from '../../lib/id.ts';
import { secretHash } from '../../lib/secret.ts';
import { paymentGateway, paymentGatewayNamed } from '../gateway/configured.ts';
import type { PaymentGateway } from '../gateway/gateway.ts';
import { type Caller, explainCaller, mayReadWallet } from '../grant/acting-caller.ts';
import { feesOf } from '../ledger/fee.ts';
import { feesInForce, price, rulesOf } from '../ledger/fees.ts';
import { limitRefusal } from '../ledger/limits.ts';
import { maxAmount } from '../ledger/schema.ts';
import { mayReturn, returnOrigins, showTo } from './deposit.ts';
import { lookAt } from './due.ts';
import { createCheckout } from './reconcile.ts';
import { type CheckoutInput, type Deposit, returnUrlText } from './schema.ts';
import {
  asking,
  begin,
  columns,
  type DepositRow,
  depositRequirements,
  endOldest,
  hasKey,
  type NewDeposit,
  readBegun,
} from './statements.ts';

/** The smallest deposit, in minor units. */
const minAmount = 10_000;
const dayMs = 86_400_000;

interface CheckoutRequest extends CheckoutInput {
  /** The `Idempotency-Key`. */
  readonly key: string | null;
}

interface OwnRow {
  readonly refusal: ReasonOf<typeof depositRequirements> | null;
  readonly app_account: number | null;
}

/**
 * Opens the provider's page for a deposit. The deposit is stored first, so that every payment has one. A retry with the
 * same key returns the same deposit and continues where the first request stopped. A person's sixth open page from one
 * app closes the oldest page.
 * @throws AppError deposit_too_small, amount_too_large, validation_failed, idempotency_key_reused, those of
 *   `explainCaller`, the other reasons in `depositRequirements`, gateway_not_configured, amount_too_small,
 *   gateway_unavailable, in this order
 */
export async function checkout(
  deps: Deps,
  caller: Caller,
  request: CheckoutRequest,
): Promise<{ answer: Deposit; isReplayed: boolean }> {
  const { amount, asset, method, returnUrl = null, key } = request;
  if (amount < minAmount) throw new AppError('deposit_too_small');
  if (amount > maxAmount) throw new AppError('amount_too_large');
  const now = deps.now();
  const hash = secretHash(JSON.stringify(['deposit', amount, asset, method, returnUrl]));
  const read = await run(deps.db, readFor(caller, { key, now }));
  const { appId } = caller;
  if (returnUrl !== null && !mayReturn(deps, { appId, url: returnUrl }, read.origins))
    throw new AppError('validation_failed', [returnUrlText]);
  const [earlier] = read.earlier;
  if (earlier) return repeat(deps, caller, earlier, hash);
  const own = only(read.own);
  if (own.refusal !== null) throw await refusalOf(deps, caller, own.refusal);
  const gateway = await paymentGateway(deps);
  const rules = rulesOf(deps, read.fees);
  const { fees } = price(amount, rules, 'deposit');
  const { row, ended } = await store(deps, {
    id: createId('dep', now, deps.randomBytes),
    caller,
    appAccount: fees.app > 0 ? own.app_account : null,
    gross: amount,
    appFee: fees.app,
    platformFee: fees.platform,
    rules: JSON.stringify(rules),
    gateway: gateway.name,
    method: method === 'auto' ? null : method,
    returnUrl,
    key,
    hash,
    expiresAt: now + dayMs,
    limits: deps.config.limits,
    now,
  });
  if (row.verdict === 'repeated') return repeat(deps, caller, row, hash);
  for (const { id } of ended) deps.background(lookAt(deps, gateway, id));
  return { answer: await opened(deps, caller, gateway, row), isReplayed: false };
}

/**
 * The top-up amount, without an app, of which at least `missing` remains after fees. Null if there is no such amount or
 * no payment provider.
 * @param missing in minor units
 */
export async function topUpFor(deps: Deps, missing: number): Promise<number | null> {
  if (deps.config.gateways.payments === null) return null;
  const { fees } = await run(deps.db, { fees: feesInForce(null, 'deposit') });
  const rules = rulesOf(deps, fees);
  let amount = Math.max(missing, minAmount);
  for (let rounds = 0; rounds < 50 && amount <= maxAmount; rounds += 1) {
    const short = missing - amount + feesOf(amount, rules).platform;
    if (short <= 0) return amount;
    amount += short;
  }
  return null;
}

/** Stores the deposit, unless another request with the same key has already stored it. */
async function store(deps: Deps, deposit: NewDeposit) {
  const { rows, ended } = await run(deps.db, {
    change: begin(deposit),
    ended: endOldest(deposit),
    rows: readBegun(deposit),
  });
  const row = requireVerdict('deposit.checkout', rows);
  const { verdict, exceeded, full } = row;
  if (verdict === 'limit_held') throw limitRefusal(exceeded, mayReadWallet(deposit.caller));
  if (verdict === 'rate_limited')
    throw new AppError(verdict, null, {
      retryAfterSeconds: Math.max(1, Math.ceil(((full ?? 0) - deposit.now) / 1000)),
    });
  if (verdict !== 'ok' && verdict !== 'repeated') throw await refusalOf(deps, deposit.caller, verdict);
  return { row, ended };
}

async function refusalOf(deps: Deps, caller: Caller, reason: ErrorCode | 'caller_refused') {
  return reason === 'caller_refused' ? explainCaller(deps, caller) : new AppError(reason);
}

/** The deposit of an earlier request with the same key. Its page may still have to be opened. */
async function repeat(deps: Deps, caller: Caller, row: DepositRow, hash: string) {
  if (row.request_hash !== hash) throw new AppError('idempotency_key_reused');
  if (row.status !== 'creating') return { answer: showTo(deps, caller, row), isReplayed: true };
  const gateway = await paymentGatewayNamed(deps, row.gateway);
  if (gateway === null) throw new AppError('gateway_not_configured');
  return { answer: await opened(deps, caller, gateway, row), isReplayed: true };
}

async function opened(deps: Deps, caller: Caller, gateway: PaymentGateway, row: DepositRow) {
  return showTo(deps, caller, (await createCheckout(deps, gateway, row)).row);
}

function readFor(caller: Caller, { key, now }: { key: string | null; now: number }) {
  const { appId: app } = caller;
  return {
    earlier: statement<DepositRow>(sql`SELECT ${columns} FROM deposits WHERE ${hasKey(caller, key)}`),
    own: statement<OwnRow>(sql`SELECT ${verdictOf(depositRequirements, null)} AS refusal,
        (SELECT r.id FROM accounts r WHERE r.owner = ${app} AND r.kind = 'app') AS app_account
      ${asking(caller, now)}`),
    fees: feesInForce(app, 'deposit'),
    origins: returnOrigins(sql`${app}`),
  };
}
