import { workerData } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { serveThread } from '../thread.ts';
import { openFile } from './libsql-file.ts';
import { type Answer, createReader, type Failure, type Order } from './libsql-in-thread.ts';

const file = openFile(String(workerData));
const read = createReader();

serveThread(
  async (order: Order): Promise<Answer> => {
    if (order === null) return { figures: file.figures() };
    const statements = read(order);
    try {
      return { tables: await file.tables(statements) };
    } catch (error) {
      return { failure: describe(error as Error) };
    }
  },
  () => file.close(),
);

function describe(error: Error & { code?: string }): Failure {
  const { name, message, code, cause } = error;
  const failure = { name, message, code, cause: cause instanceof Error ? cause.message : undefined };
  if (!(error instanceof AppError) || error.code !== 'unavailable') return failure;
  return { ...failure, unavailable: { reason: error.reason, retryAfterSeconds: error.retryAfterSeconds } };
}
