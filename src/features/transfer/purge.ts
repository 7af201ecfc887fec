import { sql } from 'drizzle-orm';
import { integer, type Statement, statement } from '../../db/database.ts';
import { purgeLimit } from '../../db/purge.ts';

/** Inquiries that were never confirmed can be read for a day. */
const keptMs = 86_400_000;

export function purgeInquiries(now: number): Statement {
  return statement(sql`DELETE FROM transfers WHERE id IN (SELECT id FROM transfers
      WHERE status IN ('open','cancelled') AND expires_at <= ${now - keptMs} ORDER BY expires_at
      LIMIT ${integer(purgeLimit)}) AND status IN ('open','cancelled') RETURNING 1 AS gone`);
}
