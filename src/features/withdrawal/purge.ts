import { deleteExpired, integer, purgeLimit, type Statement, sql, statement } from '../../db/database.ts';

const dayMs = 86_400_000;
/** A bank account is kept for this time after the end of a withdrawal, for disputes. */
const keptMs = 90 * dayMs;

/** Deletes unconfirmed quotes. */
export function purgeQuotes(now: number): Statement {
  return deleteExpired(sql`withdrawals`, sql`id`, sql`expires_at`, now - dayMs, sql`status = 'quoted'`);
}

/** Erases the bank accounts of old withdrawals. The hint stays. */
export function eraseDestinations(now: number): Statement {
  return statement(sql`UPDATE withdrawals SET destination_enc = '' WHERE id IN (SELECT id FROM withdrawals
      WHERE ended_at IS NOT NULL AND destination_enc <> '' AND ended_at <= ${now - keptMs}
      ORDER BY ended_at LIMIT ${integer(purgeLimit)}) RETURNING 1 AS gone`);
}
