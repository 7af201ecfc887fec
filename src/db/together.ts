import type { Database, Statement } from './database.ts';

interface Waiting {
  readonly statements: readonly Statement[];
  taken(rows: unknown[]): void;
  failed(error: unknown): void;
}

/**
 * A database that sends batches started at the same moment as one: for a page that several reads make up, which then see
 * the same state in one round trip. When it fails, all of them fail.
 */
export function together(db: Database): Database {
  let waiting: Waiting[] = [];
  async function send(): Promise<void> {
    const batches = waiting;
    waiting = [];
    try {
      const rows: unknown[] = await db.batch(batches.flatMap(({ statements }) => statements));
      for (const { statements, taken } of batches) taken(rows.splice(0, statements.length));
    } catch (error) {
      for (const { failed } of batches) failed(error);
    }
  }
  return {
    batch: (statements) =>
      new Promise((taken, failed) => {
        if (waiting.length === 0) queueMicrotask(send);
        waiting.push({ statements, taken: taken as Waiting['taken'], failed });
      }),
  };
}
