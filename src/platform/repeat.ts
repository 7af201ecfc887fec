import { AppError } from '../errors.ts';

const tries = 3;

/**
 * Runs a batch again when its answer was lost, up to three times in all, then answers 503. Safe whether or not
 * the lost one was applied: the ids in a batch are made once per request, so a repeat changes nothing.
 */
export async function repeatLost<T>(work: () => Promise<T>, isLost: (error: Error) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !isLost(error)) throw error;
      if (attempt >= tries) {
        throw new AppError('unavailable', null, {
          cause: error,
          reason: 'the database does not answer',
          retryAfterSeconds: 1,
        });
      }
    }
  }
}
