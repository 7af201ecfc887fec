import { sql } from 'drizzle-orm';
import { integer, type Statement, statement } from './database.ts';

/**
 * Takes one token out of a bucket, in one statement, so any number of nodes may do it at once. It answers what is
 * left: less than nothing when there was no whole token, and then one has to be added to know the true rest. The
 * row is kept like that, because RETURNING sees only what was written and must tell one case from the other.
 */
export function takeToken(key: string, limit: number, now: number): Statement<{ tokens: number }> {
  return statement(sql`
    INSERT INTO rate_buckets (key, tokens, at) VALUES (${key}, ${limit} - 1.0, ${integer(now)})
    ON CONFLICT (key) DO UPDATE SET
      tokens = min(${limit}, tokens + (tokens < 0) + max(0, excluded.at - at) * ${limit} / 60000.0) - 1,
      at = max(at, excluded.at)
    RETURNING tokens`);
}
