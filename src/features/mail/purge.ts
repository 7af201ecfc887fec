import { sql } from 'drizzle-orm';
import type { Statement } from '../../db/database.ts';
import { deleteExpired } from '../../db/purge.ts';

/** A mail counts against the hourly limit of its address for this long after it expired. */
const countedMs = 60 * 60_000;

export function purgeMails(now: number): Statement {
  return deleteExpired(sql`mails`, sql`id`, sql`expires_at`, now - countedMs);
}
