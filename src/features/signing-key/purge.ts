import { sql } from 'drizzle-orm';
import type { Statement } from '../../db/database.ts';
import { deleteExpired } from '../../db/purge.ts';

export function purgeSigningKeys(now: number): Statement {
  return deleteExpired(sql`signing_keys`, sql`kid`, sql`verifies_until`, now);
}
