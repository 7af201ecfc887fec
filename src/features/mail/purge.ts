import { deleteExpired, type Statement, sql, statement } from '../../db/database.ts';

/** How long an expired email still counts toward the hourly limit of its address. */
const countedMs = 60 * 60_000;

/**
 * Abandons all queued email after a restore, because it may have been sent since the backup. Abandoned emails still
 * count toward their limits.
 */
export function giveUpWaitingMails(): Statement {
  return statement(sql`UPDATE mails SET next_at = NULL, sealed_params = '' WHERE next_at IS NOT NULL`);
}

export function purgeMails(now: number): Statement {
  return deleteExpired(sql`mails`, sql`id`, sql`expires_at`, now - countedMs);
}
