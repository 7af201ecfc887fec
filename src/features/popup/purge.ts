import { deleteExpired, type Statement, sql, statement } from '../../db/database.ts';

/** How long openers may query the outcome of an expired request. */
const keptMs = 60 * 60_000;

/** Deletes every request except redeemed ones, after a restore that may have reopened a decided one. */
export function deleteUnredeemedPopups(): Statement {
  return statement(sql`DELETE FROM popup_requests WHERE status <> 'redeemed'`);
}

/** The consent of a redeemed sign-in is in its grant, and a revoked grant is kept for this time, too. */
const keptSignInMs = 90 * 86_400_000;

export function purgePopupRequests(now: number): Statement {
  const isUnredeemed = sql`status <> 'redeemed'`;
  return deleteExpired(sql`popup_requests`, sql`id`, sql`expires_at`, now - keptMs, isUnredeemed);
}

/** A redeemed approval stays, because it proves that the payer agreed to its transfer. */
export function purgePopupSignIns(now: number): Statement {
  const isSignIn = sql`status = 'redeemed' AND kind = 'login'`;
  return deleteExpired(sql`popup_requests`, sql`id`, sql`expires_at`, now - keptSignInMs, isSignIn);
}
