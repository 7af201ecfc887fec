import type { Database, Statement, Value } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { present } from '../../lib/present.ts';
import { startThread } from '../thread.ts';
import { mostTexts, type Table } from './libsql-connection.ts';
import { rowsOf } from './libsql-file.ts';

/** A statement as sent between threads: its text the first time, then the number under which both threads know it. */
type Crossing = readonly [text: string | number, ...values: Value[]];
export type BatchOrder = readonly Crossing[];
/** A batch, or null to request the thread's metrics. */
export type Order = BatchOrder | null;
export type Answer =
  | { readonly tables: readonly Table[] }
  | { readonly failure: Failure }
  | { readonly figures: string };

/** An error as sent between threads. */
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
  /** The thread's commit metrics, in Prometheus format. */
  figures(): Promise<string>;
  /** Closes the file after all earlier batches are answered. */
  close(): Promise<void>;
}

/**
 * Opens a libSQL file in its own thread. The driver waits for the disk inside its calls, which would block every other
 * request in the server's thread (docs/performance.md has the figures).
 * @param the path of the file, whose folder must exist
 * @throws Error if the file cannot be opened
 */
export async function openInThread(path: string): Promise<ThreadedDatabase> {
  const thread = startThread<Order, Answer>('./database/libsql-thread.ts', path);
  const numbers = new Map<string, number>();
  const numberOf = (text: string): string | number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    if (numbers.size >= mostTexts) numbers.clear();
    numbers.set(text, numbers.size);
    return text;
  };
  const db: Database = {
    async batch(statements) {
      const answer = await thread.ask(statements.map(({ text, values }) => [numberOf(text), ...values]));
      if ('tables' in answer) return answer.tables.map(rowsOf) as never;
      if ('failure' in answer) throw revive(answer.failure);
      throw new TypeError('a batch is answered by tables or a failure');
    },
  };
  try {
    await db.batch([]);
  } catch (error) {
    await thread.close();
    throw error;
  }
  return {
    db,
    async figures() {
      const answer = await thread.ask(null);
      return 'figures' in answer ? answer.figures : '';
    },
    close: thread.close,
  };
}

/** Reads the messages of `openInThread`, which must be processed in order of arrival. */
export function createReader(): (order: BatchOrder) => Statement[] {
  const texts: string[] = [];
  const textOf = (given: string | number): string => {
    if (typeof given === 'number') return present(texts[given], 'a statement sent before');
    if (texts.length >= mostTexts) texts.length = 0;
    texts.push(given);
    return given;
  };
  return (order) => order.map(([text, ...values]) => ({ text: textOf(text), values }));
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
