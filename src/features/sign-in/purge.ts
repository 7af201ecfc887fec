import { sql } from 'drizzle-orm';
import type { Statement } from '../../db/database.ts';
import { deleteExpired } from '../../db/purge.ts';

export function purgeClaimTickets(now: number): Statement {
  return deleteExpired(sql`claim_tickets`, sql`hash`, sql`expires_at`, now);
}
