import { deleteExpired, integer, type Statement, sql, statement } from './database.ts';

/** The time until an untouched bucket is full again and its row can be deleted. */
const idleMs = 10 * 60_000;

/**
 * Takes one token out of a bucket in one statement, so that any number of nodes may do it concurrently. Returns the
 * remaining tokens. A negative number means that the request is rejected, and is one less than the available tokens:
 * RETURNING sees only the written row, so the row must distinguish the two cases.
 */
export function takeToken(key: string, limit: number, now: number): Statement<{ tokens: number }> {
  return statement(sql`
    INSERT INTO rate_buckets (key, tokens, at) VALUES (${key}, ${limit} - 1.0, ${integer(now)})
    ON CONFLICT (key) DO UPDATE SET
      tokens = min(${limit}, tokens + (tokens < 0) + max(0, excluded.at - at) * ${limit} / 60000.0) - 1,
      at = max(at, excluded.at)
    RETURNING tokens`);
}

export function purgeRateBuckets(now: number): Statement {
  return deleteExpired(sql`rate_buckets`, sql`key`, sql`at`, now - idleMs);
}
