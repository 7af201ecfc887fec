import { deleteExpired, type Statement, sql } from '../../db/database.ts';

export function purgeClaimTickets(now: number): Statement {
  return deleteExpired(sql`claim_tickets`, sql`hash`, sql`expires_at`, now);
}
