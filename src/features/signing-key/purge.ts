import { deleteExpired, type Statement, sql } from '../../db/database.ts';

export function purgeSigningKeys(now: number): Statement {
  return deleteExpired(sql`signing_keys`, sql`kid`, sql`verifies_until`, now);
}
