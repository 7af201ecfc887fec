import type { Statement } from '../../db/database.ts';
import { AppError } from '../../errors.ts';

/** A server's batch fails with 503 after this time, including waiting and retries. */
export const servicePatienceMs = 3_000;

/** Runs the statements in order as one transaction, and retries while the response is lost. */
export type Runner = (statements: readonly Statement[], patienceMs: number) => Promise<unknown[]>;

const tries = 3;

/**
 * Attempts a batch up to three times while its response is lost, then fails with 503. Retrying an applied batch is
 * safe, because its ids are created once per request, so the retry changes nothing.
 * @param again decides otherwise how often, and may wait
 */
export async function repeatLost<T>(
  work: () => Promise<T>,
  isLost: (error: Error) => boolean,
  again: (round: number) => boolean | Promise<boolean> = (round) => round < tries,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !isLost(error)) throw error;
      if (!(await again(round))) {
        throw new AppError('unavailable', null, {
          cause: error,
          reason: 'the database does not answer',
          retryAfterSeconds: 1,
        });
      }
    }
  }
}
