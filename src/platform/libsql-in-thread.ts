import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { startThread } from './thread.ts';

export type BatchOrder = readonly Statement[];
export type BatchAnswer = { readonly results: readonly unknown[][] } | { readonly failure: Failure };

/** What is told of an error across threads. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly cause: string | undefined;
  /** Set for the refusal that asks to come again. */
  readonly unavailable?: { reason: string | undefined; retryAfterSeconds: number | undefined };
}

export interface ThreadedDatabase {
  readonly db: Database;
  /** Closes the file once everything asked before is answered. */
  close(): Promise<void>;
}

/**
 * Opens a libSQL file in a thread of its own. The driver waits for the disk inside its calls, and in the server's own
 * thread every other request would wait along, those that need no database too (docs/performance.md has the figures).
 * Rejects when the file cannot be opened: a thread without one would refuse every batch for as long as it runs.
 * @param url `file:…`
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
