import { sql } from 'drizzle-orm';
import { all, statement } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { requireSigner } from '../signing-key/signing-key.ts';

/**
 * Whether the service can do its work: the database answers and has been migrated, and a key can sign.
 * @throws AppError unavailable, whatever the reason
 */
export async function checkReadiness(deps: Deps): Promise<void> {
  try {
    await all(deps.db, statement(sql`SELECT id FROM settings WHERE id = 1`));
    await requireSigner(deps, deps.now());
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', null, {
      cause: error,
      reason: 'the database does not answer or is not migrated',
    });
  }
}
