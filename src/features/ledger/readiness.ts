import { all, only, sql, statement } from '../../db/database.ts';
import { takeLease } from '../../db/lease.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { requireSigner } from '../signing-key/signing-key.ts';

/** The minimum time between two test writes, regardless of the number of calls. After a failure every call retries. */
const writePauseMs = 10_000;

/**
 * Checks that the service works: the database responds, accepts writes and has been migrated, and a signing key is
 * available.
 * @returns a note about the ledger for the operator, or null
 * @throws AppError unavailable, whatever the reason
 */
export async function checkReadiness(deps: Deps): Promise<string | null> {
  const now = deps.now();
  try {
    const rows = await all(
      deps.db,
      statement<{
        mode: string;
        reason: string | null;
      }>(sql`SELECT m.mode, m.reason FROM settings s JOIN ledger m ON m.id = 1
        WHERE s.id = 1`),
    );
    await takeLease(deps.db, { job: 'readiness', holder: String(now), until: now + writePauseMs }, now);
    await requireSigner(deps, now);
    const { mode, reason } = only(rows);
    return mode === 'open' ? null : `The ledger is ${mode}: ${reason ?? 'no reason was given'}`;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('unavailable', null, {
      cause: error,
      reason: 'the database does not answer, takes no writes or is not migrated',
    });
  }
}
