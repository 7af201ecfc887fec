import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { startThread } from './thread.ts';

export type BatchOrder = readonly Statement[];
export type BatchAnswer = { readonly results: readonly unknown[][] } | { readonly failure: Failure };

/** An error as it crosses threads. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly cause: string | undefined;
  /** Set for an AppError `unavailable`. */
  readonly unavailable?: { reason: string | undefined; retryAfterSeconds: number | undefined };
}

export interface ThreadedDatabase {
  readonly db: Database;
  /** Closes the file once all earlier batches are answered. */
  close(): Promise<void>;
}

/**
 * Opens a libSQL file in its own thread. The driver waits for the disk inside its calls, which in the server's thread
 * would block every other request (docs/performance.md has the figures).
 * @param url `file:…`
 * @throws Error when the file cannot be opened
 */
export async function openInThread(url: string): Promise<ThreadedDatabase> {
  const thread = startThread<BatchOrder, BatchAnswer>('./libsql-thread.ts', url);
  const db: Database = {
    async batch(statements) {
      const answer = await thread.ask(statements);
      if ('results' in answer) return answer.results as never;
      throw revive(answer.failure);
    },
  };
  try {
    await db.batch([]);
  } catch (error) {
    await thread.close();
    throw error;
  }
  return { db, close: thread.close };
}

function revive({ name, message, code, cause, unavailable }: Failure): Error {
  const options = cause === undefined ? {} : { cause: new Error(cause) };
  if (!unavailable) return Object.assign(new Error(message, options), { name, code });
  const { reason, retryAfterSeconds } = unavailable;
  return new AppError('unavailable', null, {
    ...options,
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
