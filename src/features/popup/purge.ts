import { deleteExpired, type Statement, sql, statement } from '../../db/database.ts';

/** The time for which openers may query the outcome of an expired request. */
const keptMs = 60 * 60_000;

/** Deletes every request except redeemed ones, after a restore that may have reopened a decided one. */
export function deleteUnredeemedPopups(): Statement {
  return statement(sql`DELETE FROM popup_requests WHERE status <> 'redeemed'`);
}

/** Redeemed requests stay, because they record a consent. */
export function purgePopupRequests(now: number): Statement {
  const isUnredeemed = sql`status <> 'redeemed'`;
  return deleteExpired(sql`popup_requests`, sql`id`, sql`expires_at`, now - keptMs, isUnredeemed);
}
