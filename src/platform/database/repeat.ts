import { AppError } from '../../errors.ts';

const tries = 3;

/**
 * Attempts a batch up to three times while its response is lost, then fails with 503. Retrying an applied batch is
 * safe, because its ids are created once per request, so the retry changes nothing.
 */
export async function repeatLost<T>(work: () => Promise<T>, isLost: (error: Error) => boolean): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !isLost(error)) throw error;
      if (round >= tries) {
        throw new AppError('unavailable', null, {
          cause: error,
          reason: 'the database does not answer',
          retryAfterSeconds: 1,
        });
      }
    }
  }
}
