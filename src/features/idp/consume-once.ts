import { first, sql, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { secretHash } from '../../lib/secret.ts';

/** A single-use value and its expiry. */
interface OneTime {
  readonly value: string;
  readonly ttlSeconds: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Consumes a single-use value. Because of the primary key, only one of any number of requests gets true. A value
 * created before the last restore is rejected, because the backup does not show whether it was used later.
 */
export async function consumeOnce(deps: Deps, { value, ttlSeconds, expiresAt }: OneTime): Promise<boolean> {
  const madeAt = expiresAt - ttlSeconds * 1000;
  const row = await first(
    deps.db,
    statement(sql`INSERT INTO used_once (hash, expires_at)
      SELECT ${secretHash(value)}, ${expiresAt} FROM settings WHERE id = 1 AND sessions_not_before <= ${madeAt}
      ON CONFLICT (hash) DO NOTHING RETURNING hash`),
  );
  return row !== null;
}
