import type { WalletLimits } from '../../config/limit-settings.ts';
import { all, integer, only, run, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import { changeOrExplain, type Decision, type Explained, requireVerdict } from '../../db/decision.ts';
import type { Deps } from '../../deps.ts';
import { AppError, messageByCode } from '../../errors.ts';
import { jakartaDay } from '../../lib/jakarta.ts';
import type { Level } from '../../lib/level.ts';
import type { HeldRow } from './balance.ts';
import type { Wallet } from './schema.ts';

/** The configured limits; null if there are none. */
export type LimitsInForce = WalletLimits | null;

/** True if the limits stored in the ledger row `m` match the settings. Otherwise `setLimits` has to run first. */
export function areInForce(limits: LimitsInForce): SQL {
  return limits === null ? sql`m.limits IS NULL` : sql`m.limits = ${limits.json}`;
}

/** Marks a statement that moves or holds a wallet's money, so that a trigger applies the limits to it. */
export function counted(limits: LimitsInForce): SQL {
  return limits === null ? sql`` : sql`, counted = 1`;
}

/** Stores the configured limits, where the database guards can read them. */
export function setLimits(limits: LimitsInForce): Statement {
  const json = limits?.json ?? null;
  return statement(sql`UPDATE ledger SET limits = ${json} WHERE id = 1 AND limits IS NOT ${json}`);
}

interface Limited<Done, Row> {
  readonly change: Statement<Done>;
  /** Statements that follow the change in its batch. */
  readonly more?: readonly Statement[];
  /** Called only if nothing changed, because building its text costs more than the rest of a change. */
  readonly explain: () => Statement<Row>;
}

/**
 * Makes a change that is subject to limits. If the stored limits differ from the settings, the second attempt stores
 * the configured limits in its own batch, so an instance with different settings cannot block the change.
 */
export async function changeUnderLimits<Done, Row extends Explained>(
  { db, config }: Deps,
  operation: string,
  { change, more = [], explain }: Limited<Done, Row>,
): Promise<Decision<Done, Row, 'limits_changed'>> {
  const attempt = { done: change, more };
  const decided = await changeOrExplain(
    operation,
    async () => (await run(db, attempt)).done[0] ?? null,
    async () => only(await all(db, explain())),
  );
  if (decided.verdict !== 'limits_changed') return decided as Decision<Done, Row, 'limits_changed'>;
  const limits = [setLimits(config.limits)];
  const { done, rows } = await run(db, { limits, ...attempt, rows: explain() });
  if (done[0]) return { row: done[0], verdict: 'ok' };
  const row = requireVerdict(operation, rows);
  return { row, verdict: row.verdict } as Decision<Done, Row, 'limits_changed'>;
}

/** Stands for an unset limit. */
const none = integer(Number.MAX_SAFE_INTEGER);

/** The outflows of the `outflows` row `o` on the day and in the month of `now`, in Jakarta time. */
function movedOut(now: number): { today: SQL; thisMonth: SQL } {
  const day = jakartaDay(now);
  return {
    today: sql`iif(o.day >= ${day}, o.day_total, 0)`,
    thisMonth: sql`iif(substr(o.day, 1, 7) >= ${day.slice(0, 7)}, o.month_total, 0)`,
  };
}

type LimitCode = `limit_${'payment' | 'day' | 'month' | 'held'}`;

/** The code of a limit, the limit, and the remaining amount. */
export type LimitVerdict = `${LimitCode} ${number} ${number}`;

/**
 * The limit that a wallet would exceed with this outflow, as a scalar `LimitVerdict`: the limit with the smallest
 * remainder; NULL if there is none.
 */
export function outLimit({ account, total }: { account: SQL; total: SQL }, now: number): SQL {
  const { today, thisMonth } = movedOut(now);
  return sql`(SELECT CASE WHEN ${total} <= min(x.once, x.today, x.this_month) THEN NULL
      WHEN x.once <= min(x.today, x.this_month) THEN 'limit_payment ' || x.payment || ' ' || x.once
      WHEN x.today <= x.this_month THEN 'limit_day ' || x.day || ' ' || max(x.today, 0)
      ELSE 'limit_month ' || x.month || ' ' || max(x.this_month, 0) END
    FROM (SELECT wl.payment, wl.day, wl.month, coalesce(wl.payment, ${none}) AS once, coalesce(wl.day - coalesce(${today}, 0), ${none}) AS today,
        coalesce(wl.month - coalesce(${thisMonth}, 0), ${none}) AS this_month
      FROM wallet_limits wl LEFT JOIN outflows o ON o.account = wl.account WHERE wl.account = ${account}) x)`;
}

interface Incoming {
  readonly account: SQL;
  readonly amount: SQL;
  readonly isBlind?: boolean;
}

/**
 * The balance limit that a wallet would exceed with this inflow, as a scalar `LimitVerdict`; NULL if there is none.
 * @param isBlind whether to treat the wallet as empty, so that the result does not reveal its balance
 */
export function heldLimit({ account, amount, isBlind = false }: Incoming): SQL {
  const left = isBlind ? sql`wl.held` : sql`wl.held - wl.holds`;
  return sql`(SELECT 'limit_held ' || wl.held || ' ' || max(${left}, 0) FROM wallet_limits wl
    WHERE wl.account = ${account} AND ${amount} > ${left})`;
}

/** The error for exceeding a limit. @param isTold whether the caller may learn the amounts */
export function limitRefusal(verdict: LimitVerdict | null, isTold: boolean): AppError {
  if (verdict === null) throw new TypeError('a limit that was exceeded is named');
  const [code, most, left] = verdict.split(' ') as [LimitCode, string, string];
  if (!isTold) return new AppError(code);
  const limit = { most: Number(most), left: Number(left) };
  return new AppError(code, `${messageByCode[code]}: ${left} of ${most} IDR left`, { limit });
}

/** A wallet and, as JSON, its level with its outflows today and this month. */
export type LimitedRow = HeldRow & { readonly used: string | null };

/** The column `used` of the wallet `a`; NULL if there are no limits. */
export function usedColumn(limits: LimitsInForce, now: number): SQL {
  if (limits === null) return sql`NULL AS used`;
  const { today, thisMonth } = movedOut(now);
  return sql`(SELECT json_array(i.level, coalesce(${today}, 0), coalesce(${thisMonth}, 0)) FROM identities i
    LEFT JOIN outflows o ON o.account = a.id WHERE i.handle = a.owner) AS used`;
}

/** A wallet's limits with the remaining amounts; null if there are none. */
export function toLimits(limits: LimitsInForce, { used, balance, debt }: LimitedRow): Wallet['limits'] {
  if (limits === null || used === null) return null;
  const [level, today, thisMonth] = JSON.parse(used) as [Level, number, number];
  const { payment, held, day, month } = limits.levels[level];
  const left = (most: number | null, gone: number) =>
    most === null ? null : { most, left: Math.max(0, most - gone) };
  return {
    level,
    payment,
    held: left(held, balance - debt),
    day: left(day, today),
    month: left(month, thisMonth),
  };
}
