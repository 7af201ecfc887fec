import { AppError } from '../../errors.ts';
import { serveThread } from '../thread.ts';
import { openFile } from './libsql-file.ts';
import { type Answer, createReader, type Failure, type Order } from './libsql-in-thread.ts';

serveThread<Order, Answer>((path) => {
  const file = openFile(path);
  const read = createReader();
  return {
    async answer(order) {
      if (order === null) return { figures: file.figures() };
      const statements = read(order);
      try {
        return { tables: await file.tables(statements) };
      } catch (error) {
        return { failure: describe(error as Error) };
      }
    },
    close: file.close,
  };
});

function describe(error: Error & { code?: string }): Failure {
  const { name, message, code, cause } = error;
  const failure = { name, message, code, cause: cause instanceof Error ? cause.message : undefined };
  if (!(error instanceof AppError) || error.code !== 'unavailable') return failure;
  return { ...failure, unavailable: { reason: error.reason, retryAfterSeconds: error.retryAfterSeconds } };
}
