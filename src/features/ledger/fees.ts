import { integer, only, type Row, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { isoTime } from '../../lib/id.ts';
import { actingHandle, actingSessionStatement } from '../session/acting-session.ts';
import { capped, type FeeCap, type FeeRules, feesOf, isWithinCap } from './fee.ts';
import {
  type Fee,
  type FeeInput,
  type FeeList,
  type FeeOperation,
  type FeePreview,
  feeOperations,
  maxAmount,
  operationText,
} from './schema.ts';
import { insertAppAccounts } from './statements.ts';
import type { feeVersions } from './tables.ts';

export type FeeRow = Row<typeof feeVersions>;

export interface OwnApp {
  readonly sessionId: string;
  readonly appId: string;
}

/** True if `f` is one of the newest `count` versions for a scope and an operation, which the key finds. */
function isNewest(scope: SQL, operation: SQL, count = 1): SQL {
  return sql`f.scope = ${scope} AND f.operation = ${operation} AND f.version > (SELECT max(latest.version)
    FROM fee_versions latest WHERE latest.scope = ${scope} AND latest.operation = ${operation}) - ${integer(count)}`;
}

/** The scopes of an app and the operator, as a subquery. */
const scopesOf = (app: SQL) => sql`(SELECT 'platform' AS scope UNION ALL SELECT ${app})`;

/** The current fees for an operation: the app's and the operator's. @param app NULL for only the operator's */
export function feesInForce(app: string | null, operation: FeeOperation): Statement<FeeRow> {
  return statement(sql`SELECT f.* FROM ${scopesOf(sql`${app}`)} s
    CROSS JOIN fee_versions f ON ${isInForce(sql`s.scope`, operation)}`);
}

/** The operator's caps on app fees. */
export function capOf({ config }: Deps): FeeCap {
  return { bps: config.APP_FEE_MAX_BASIS_POINTS, fixed: config.APP_FEE_MAX_FIXED };
}

/** The rules for `price`. An app's fee set before the operator lowered the cap is reduced to the cap. */
export function rulesOf(deps: Deps, rows: readonly FeeRow[]): FeeRules {
  const app = rows.find(({ scope }) => scope !== 'platform');
  return {
    app: app ? capped(app, capOf(deps)) : null,
    platform: rows.find(({ scope }) => scope === 'platform') ?? null,
  };
}

/** An app of the acting session's identity, as a subquery for its id. */
export function ownApp({ sessionId, appId }: OwnApp, now: number): SQL {
  return sql`(SELECT p.id FROM apps p WHERE p.id = ${appId} AND p.owner = ${actingHandle(sessionId, now)}
    AND p.status <> 'deleted')`;
}

/** No version is ever deleted. */
const mostVersions = 1_000;

/** The new versions that the owner of apps may create in a day, which a trigger also checks. */
const mostChanges = 100;
const dayMs = 86_400_000;

/**
 * The fees of an app and the operator.
 * @param history returns the newest 1,000 versions, newest first, instead of the current ones
 */
export async function listFees(deps: Deps, own: OwnApp, history: boolean): Promise<FeeList> {
  const now = deps.now();
  const { acting, app, rows } = await run(deps.db, {
    acting: actingSessionStatement(own.sessionId, now),
    app: statement<{ id: string }>(sql`SELECT x.id FROM apps x WHERE x.id = ${ownApp(own, now)}`),
    rows: statement<FeeRow>(sql`SELECT f.* FROM ${scopesOf(ownApp(own, now))} s
      CROSS JOIN json_each(${JSON.stringify(feeOperations)}) p
      CROSS JOIN fee_versions f ON ${isNewest(sql`s.scope`, sql`p.value`, history ? mostVersions : 1)} ORDER BY f.created_at DESC, f.version DESC
      LIMIT ${integer(mostVersions)}`),
  });
  requireApp({ acting, app });
  return {
    data: rows.filter(({ scope }) => scope !== 'platform').map(toFee),
    platform: rows.filter(({ scope }) => scope === 'platform').map(toFee),
  };
}

/** @throws AppError session_ended, app_not_found */
export function requireApp(found: {
  readonly acting: readonly unknown[];
  readonly app: readonly unknown[];
}): void {
  if (found.acting.length === 0) throw new AppError('session_ended');
  if (found.app.length === 0) throw new AppError('app_not_found');
}

export function toFee(row: FeeRow): Fee {
  const { operation, fixed, bps, least: min, most: max, payer, version, created_at } = row;
  return { operation, fixed, bps, min, max, payer, version, createdAt: isoTime(created_at) };
}

/** @throws AppError validation_failed */
export function readOperation(text: string): FeeOperation {
  const found = feeOperations.find((operation) => operation === text);
  if (found === undefined) throw new AppError('validation_failed', [operationText]);
  return found;
}

export interface FeeChange {
  readonly operation: FeeOperation;
  readonly input: FeeInput;
  /** The header `If-Match`: the version known to the caller, 0 for none yet. */
  readonly ifMatch: string | undefined;
}

/**
 * Creates a new version of an app's fee, unless it is unchanged, so a retry creates none. Existing inquiries keep their
 * fee.
 * @throws AppError fee_too_high, session_ended, app_not_found, app_suspended, rate_limited, fee_changed if the caller
 *   does not know the current version
 */
export async function setFee(
  deps: Deps,
  own: OwnApp,
  { operation, input, ifMatch }: FeeChange,
): Promise<Fee> {
  requirePayer(operation, input);
  requireWithinCap(deps, input);
  const now = deps.now();
  const scope = ownApp(own, now);
  const { full, acting, app, rows } = await run(deps.db, {
    full: statement<{ until: number }>(
      sql`SELECT ${fullSince(actingHandle(own.sessionId, now))} + ${dayMs} AS until`,
    ),
    change: [
      insertFee({
        of: sql`SELECT p.id AS scope, p.owner AS actor FROM apps p
          WHERE p.id = ${scope} AND p.status = 'active' AND coalesce(${fullSince(sql`p.owner`)}, 0) <= ${now - dayMs}`,
        ...{ operation, input, ifMatch, now },
      }),
      insertAppAccounts(
        sql`SELECT p.id FROM apps p WHERE p.id = ${scope} AND EXISTS (SELECT 1 FROM fee_versions WHERE scope = p.id)`,
        now,
      ),
    ],
    acting: actingSessionStatement(own.sessionId, now),
    app: statement<{ status: string }>(sql`SELECT x.status FROM apps x WHERE x.id = ${scope}`),
    rows: readFee(scope, { operation, input }),
  });
  requireApp({ acting, app });
  if (only(app).status === 'suspended') throw new AppError('app_suspended');
  const [row] = rows;
  const waitMs = only(full).until - now;
  if (!row && waitMs > 0)
    throw new AppError('rate_limited', null, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  if (!row) throw new AppError('fee_changed');
  deps.log.info('fee.changed', { app: own.appId, operation, version: row.version });
  return toFee(row);
}

/** When the owner's last `mostChanges` versions began; NULL if there are fewer. */
function fullSince(owner: SQL): SQL {
  return sql`(SELECT created_at FROM fee_versions WHERE created_by = ${owner} AND scope <> 'platform'
    ORDER BY created_at DESC LIMIT 1 OFFSET ${integer(mostChanges - 1)})`;
}

/** Only a transfer has a recipient who could pay the fee. @throws AppError validation_failed */
export function requirePayer(operation: FeeOperation, { payer }: FeeInput): void {
  if (payer === 'payee' && operation !== 'transfer')
    throw new AppError('validation_failed', ['payer must be payer, except for a transfer']);
}

/** @throws AppError fee_too_high */
function requireWithinCap(deps: Deps, { fixed, bps, min: least, max: most, payer }: FeeInput): void {
  const cap = capOf(deps);
  if (isWithinCap({ fixed, bps, least, most, payer }, cap)) return;
  throw new AppError(
    'fee_too_high',
    `Fee exceeds the maximum for apps: at most ${cap.bps} basis points, and ${cap.fixed} IDR as fixed and as min`,
  );
}

interface NewFee extends FeeChange {
  /** A SELECT of `scope` and `actor`: one row, or none if the change is not allowed. */
  readonly of: SQL;
  readonly now: number;
}

/** Creates a new version of a fee, unless the fee is unchanged or the caller does not know the current version. */
export function insertFee({ of, operation, input, ifMatch, now }: NewFee): Statement {
  const { fixed, bps, min, max, payer } = input;
  return statement(sql`INSERT INTO fee_versions (scope, operation, version, fixed, bps, least, most, payer, created_by,
      created_at)
    SELECT o.scope, ${operation}, coalesce(f.version, 0) + 1, ${fixed}, ${bps}, ${min}, ${max}, ${payer}, o.actor, ${now}
    FROM (${of}) o LEFT JOIN fee_versions f ON ${isInForce(sql`o.scope`, operation)}
    WHERE (f.version IS NULL OR NOT (${isSameFee(input)})) AND ${isSeen(ifMatch)}`);
}

/** The current version, if it has this fee. */
export function readFee(scope: SQL, { operation, input }: Omit<FeeChange, 'ifMatch'>): Statement<FeeRow> {
  return statement(
    sql`SELECT f.* FROM fee_versions f WHERE ${isInForce(scope, operation)} AND ${isSameFee(input)}`,
  );
}

/** True if the version `f` is current. */
export function isInForce(scope: SQL, operation: FeeOperation): SQL {
  return isNewest(scope, sql`${operation}`);
}

/** True if the version `f` has this fee. */
export function isSameFee({ fixed, bps, min, max, payer }: FeeInput): SQL {
  return sql`f.fixed = ${fixed} AND f.bps = ${bps} AND f.least = ${min} AND f.most IS ${max} AND f.payer = ${payer}`;
}

/** True if the current version, `f`, matches `If-Match` (RFC 9110 section 13.1.1). */
export function isSeen(ifMatch: string | undefined): SQL {
  if (ifMatch === undefined) return sql`1`;
  if (ifMatch.trim() === '*') return sql`f.version IS NOT NULL`;
  const version = /^"?(\d{1,9})"?$/.exec(ifMatch.trim())?.[1];
  return version === undefined ? sql`0` : sql`coalesce(f.version, 0) = ${Number(version)}`;
}

/**
 * Computes the cost of a movement under the current fees.
 * @throws AppError session_ended, app_not_found, amount_too_small, amount_too_large
 */
export async function previewFee(
  deps: Deps,
  own: OwnApp,
  { operation, amount }: { operation: FeeOperation; amount: number },
): Promise<FeePreview> {
  const now = deps.now();
  const { acting, app, rows } = await run(deps.db, {
    acting: actingSessionStatement(own.sessionId, now),
    app: statement<{ id: string }>(sql`SELECT x.id FROM apps x WHERE x.id = ${ownApp(own, now)}`),
    rows: feesInForce(own.appId, operation),
  });
  requireApp({ acting, app });
  return { operation, asset: 'IDR', scale: 0, amount, ...price(amount, rulesOf(deps, rows), operation) };
}

/**
 * Computes the fees for an amount, the total paid and the amount received.
 * @throws AppError amount_too_large; amount_too_small if nothing would remain
 */
export function price(
  amount: number,
  rules: FeeRules,
  operation: FeeOperation,
): Pick<FeePreview, 'fees' | 'totalDebit' | 'netAmount'> {
  if (amount > maxAmount) throw new AppError('amount_too_large');
  const { payer, payee, app, platform } = feesOf(amount, rules);
  if (Math.max(app, platform) > maxAmount) throw new AppError('amount_too_large');
  // Deposit fees are deducted from the deposit; others are added on top, or deducted from the recipient's amount.
  const isTakenOut = operation === 'deposit';
  const netAmount = amount - (isTakenOut ? payer + payee : payee);
  if (netAmount < 1) throw new AppError('amount_too_small');
  return {
    fees: { payer, payee, app, platform, total: app + platform },
    totalDebit: isTakenOut ? amount : amount + payer,
    netAmount,
  };
}
