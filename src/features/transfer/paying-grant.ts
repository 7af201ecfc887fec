import { type Row, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Caller } from '../grant/acting-caller.ts';
import type { grants } from '../grant/tables.ts';
import { type FeeRule, feeOf, isWithinCap } from '../ledger/fee.ts';
import type { price } from '../ledger/fees.ts';
import { isForHost } from '../session/granted-session.ts';

type GrantRow = Pick<
  Row<typeof grants>,
  | 'id'
  | 'per_transfer'
  | 'per_period'
  | 'period_ms'
  | 'period_start'
  | 'spent'
  | 'total_limit'
  | 'spent_total'
  | 'max_uses'
  | 'uses'
  | 'fee_bps'
  | 'fee_fixed'
> & { payee_allowed: number; reads_pid: number; reads_wallet: number };

/** The grant under which an app may pay, as a table of at most one row. */
export function payingGrant({ appId, handle, grantId, host }: Caller, now: number): SQL {
  return sql`(SELECT g.* FROM live_grants g WHERE g.app_id = ${appId} AND g.handle = ${handle}
    AND g.id = coalesce(${grantId}, g.id) AND g.live_until > ${now}
    AND EXISTS (SELECT 1 FROM json_each(g.scopes) WHERE value = 'fiat:transfer')
    ${host === undefined ? sql`` : sql`AND ${isForHost(host)}`})`;
}

/** The grant under which the caller may pay this recipient. */
export function readGrant(caller: Caller, to: string | null, now: number): Statement<GrantRow> {
  return statement(sql`SELECT g.id, g.per_transfer, g.per_period, g.period_ms, g.period_start, g.spent, g.total_limit,
      g.spent_total, g.max_uses, g.uses, g.fee_bps, g.fee_fixed,
      g.payees IS NULL OR ${to} IN (SELECT value FROM json_each(g.payees)) AS payee_allowed,
      EXISTS (SELECT 1 FROM json_each(g.scopes) WHERE value = 'openid') AS reads_pid,
      EXISTS (SELECT 1 FROM json_each(g.scopes) WHERE value = 'wallet:read') AS reads_wallet
    FROM ${payingGrant(caller, now)} g`);
}

type Cost = ReturnType<typeof price> & {
  readonly amount: number;
  /** The app's fee for a hold, of which any part may be captured. */
  readonly rule: FeeRule | null;
};

/** Returns whether the person has agreed to the app's own fee. */
function coversFee({ fee_bps: bps, fee_fixed: fixed }: GrantRow, { amount, fees, rule }: Cost): boolean {
  const isSmall = rule?.most != null && rule.most <= fixed;
  if (rule !== null && !isSmall && !isWithinCap(rule, { bps, fixed })) return false;
  return fees.app <= feeOf(amount, { bps, fixed, least: 0, most: null, payer: 'payer' });
}

/**
 * True if a grant lets its app make this payment without an approval: it covers fee, payee and every limit that is set,
 * with at least one money limit.
 */
export function covers(grant: GrantRow, cost: Cost, now: number): boolean {
  const total = cost.totalDebit;
  if (!coversFee(grant, cost)) return false;
  const { per_transfer, per_period, period_ms, total_limit, max_uses } = grant;
  if (grant.payee_allowed !== 1 || (per_transfer ?? per_period ?? total_limit) === null) return false;
  const spent = now - grant.period_start < (period_ms ?? Number.MAX_SAFE_INTEGER) ? grant.spent : 0;
  return (
    total <= (per_transfer ?? total) &&
    total + spent <= (per_period ?? total + spent) &&
    total + grant.spent_total <= (total_limit ?? total + grant.spent_total) &&
    grant.uses < (max_uses ?? Number.MAX_SAFE_INTEGER)
  );
}
