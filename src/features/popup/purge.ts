import { sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import { purgeLimit } from '../../db/purge.ts';

/** Openers may ask for an outcome this long after the request expired. */
const keptMs = 60 * 60_000;

/** Deletes every request but the redeemed, after a restore that may have brought back a decided one as open. */
export function deleteUnredeemedPopups(): Statement {
  return statement(sql`DELETE FROM popup_requests WHERE status <> 'redeemed'`);
}

/** Redeemed requests stay: they record a consent. */
export function purgePopupRequests(now: number): Statement {
  return statement(sql`DELETE FROM popup_requests WHERE id IN
    (SELECT id FROM popup_requests WHERE status <> 'redeemed' AND expires_at <= ${now - keptMs}
      ORDER BY expires_at LIMIT ${integer(purgeLimit)}) RETURNING 1 AS gone`);
}
