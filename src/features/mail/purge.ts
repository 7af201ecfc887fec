import { deleteExpired, type Statement, sql, statement } from '../../db/database.ts';

/** An expired mail counts toward its address's hourly limit for this time. */
const countedMs = 60 * 60_000;

/** Abandons every waiting mail after a restore: they may have been sent since the backup. They still count toward their limits. */
export function giveUpWaitingMails(): Statement {
  return statement(sql`UPDATE mails SET next_at = NULL, sealed_params = '' WHERE next_at IS NOT NULL`);
}

export function purgeMails(now: number): Statement {
  return deleteExpired(sql`mails`, sql`id`, sql`expires_at`, now - countedMs);
}
