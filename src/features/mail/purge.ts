import { deleteExpired, type Statement, sql, statement } from '../../db/database.ts';

/** A mail counts against the hourly limit of its address for this long after it expired. */
const countedMs = 60 * 60_000;

/** Gives up every waiting mail, after a restore: they may have been sent since the backup. They still count for their limits. */
export function giveUpWaitingMails(): Statement {
  return statement(sql`UPDATE mails SET next_at = NULL, sealed_params = '' WHERE next_at IS NOT NULL`);
}

export function purgeMails(now: number): Statement {
  return deleteExpired(sql`mails`, sql`id`, sql`expires_at`, now - countedMs);
}
