import { first, type SQL, type Statement, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { secretHash } from '../../lib/secret.ts';

/** A single-use value and its expiry. */
export interface OneTime {
  readonly value: string;
  readonly ttlSeconds: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Consumes a single-use value. Because of the primary key, only one of any number of requests gets true. A value
 * created before the last restore is rejected, because the backup does not show whether it was used later.
 */
export async function consumeOnce(deps: Deps, oneTime: OneTime): Promise<boolean> {
  return (await first(deps.db, insertUsed(oneTime, null, sql`NOTHING`))) !== null;
}

/**
 * Consumes a single-use value for a request, which may repeat the statement. Returns a row only for that request.
 * @param by an id or a secret of the request
 * @param when otherwise the value is not consumed, and leaves no row
 */
export function useOnce(oneTime: OneTime, by: string, when: SQL = sql`1`): Statement {
  return insertUsed(
    oneTime,
    by,
    sql`UPDATE SET expires_at = used_once.expires_at WHERE used_by = excluded.used_by`,
    when,
  );
}

/** True if `useOnce` has consumed the value for this request. */
export function isUsedBy(oneTime: OneTime, by: string): SQL {
  return sql`EXISTS (SELECT 1 FROM used_once u WHERE u.hash = ${keyOf(oneTime)} AND u.used_by = ${by})`;
}

/** Keys up to this one belong to values that have expired. */
export function lastExpiredKey(now: number): string {
  return `${inOrder(now)}~`;
}

/** The digest of a value behind its expiry, so that rows are added in order, to the same page, and need no index. */
function keyOf({ value, expiresAt }: OneTime): string {
  return inOrder(expiresAt) + secretHash(value);
}

/** A time whose text sorts like the number. */
function inOrder(time: number): string {
  return String(time).padStart(13, '0');
}

function insertUsed(oneTime: OneTime, by: string | null, otherwise: SQL, when = sql`1`): Statement {
  const { ttlSeconds, expiresAt } = oneTime;
  const madeAt = expiresAt - ttlSeconds * 1000;
  return statement(sql`INSERT INTO used_once (hash, expires_at, used_by)
    SELECT ${keyOf(oneTime)}, ${expiresAt}, ${by} FROM settings WHERE id = 1 AND sessions_not_before <= ${madeAt} AND ${when}
    ON CONFLICT (hash) DO ${otherwise} RETURNING hash`);
}
