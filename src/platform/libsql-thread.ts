import { workerData } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { BatchAnswer, BatchOrder, Failure } from './libsql-in-thread.ts';
import { openLibsql } from './libsql-node.ts';
import { serveThread } from './thread.ts';

// Not awaited: orders that arrive before the file is open need a listener.
const opened = openLibsql(String(workerData));
// Each order reports the error.
opened.catch(() => {});

serveThread(
  async (statements: BatchOrder): Promise<BatchAnswer> => {
    try {
      const { db } = await opened;
      return { results: await db.batch(statements) };
    } catch (error) {
      return { failure: describe(error as Error) };
    }
  },
  () =>
    opened.then(
      ({ close }) => close(),
      () => {},
    ),
);

function describe(error: Error & { code?: string }): Failure {
  const { name, message, code, cause } = error;
  const failure = { name, message, code, cause: cause instanceof Error ? cause.message : undefined };
  if (!(error instanceof AppError) || error.code !== 'unavailable') return failure;
  return { ...failure, unavailable: { reason: error.reason, retryAfterSeconds: error.retryAfterSeconds } };
}
