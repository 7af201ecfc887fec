import { sql } from 'drizzle-orm';
import { all, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';

/** Asks the database whether it answers and has been migrated. @throws whatever it answers instead */
export async function checkReadiness(deps: Deps): Promise<void> {
  await all(deps.db, statement(sql`SELECT id FROM settings WHERE id = 1`));
}
