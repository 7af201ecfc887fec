import { setTimeout as sleep } from 'node:timers/promises';
import Connection from 'libsql';
import type { Database, Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';

/** How long a batch waits for another process to release the write lock. */
const patienceMs = 2_000;
/** Far more texts than the service has; bounds the memory should a text contain data. */
const mostPrepared = 1_000;
const inMemory = ':memory:';

/** A compiled statement: compiling takes several times as long as running it. */
interface Prepared {
  readonly statement: Connection.Statement;
  readonly answersRows: boolean;
}

/**
 * A libSQL file over one connection, opened at the first batch: `PRAGMA synchronous` belongs to a connection, and SQLite
 * has one writer at a time anyway.
 *
 * While another process holds the lock, a batch tries again and finally answers 503. SQLITE_BUSY refuses to begin, so
 * nothing was applied. It breaks the connection of a single statement (the next commit fails with "SQL statements in
 * progress"), so every error but that of a constraint replaces the connection.
 */
export function openFile(path: string): { db: Database; close(): void } {
  let connection: FileConnection | null = null;

  function runOnce(statements: readonly Statement[]): unknown[][] {
    connection ??= new FileConnection(path);
    try {
      return connection.run(statements);
    } finally {
      if (connection.isSpent && path !== inMemory) {
        connection.close();
        connection = null;
      }
    }
  }

  return {
    db: {
      async batch(statements) {
        const giveUpAt = performance.now() + patienceMs;
        for (let pause = 10; ; pause = Math.min(pause * 2, 200)) {
          try {
            return runOnce(statements) as never;
          } catch (error) {
            if (!isBusy(error)) throw isFull(error) ? refused(error, 'the disk is full', 10) : error;
            if (performance.now() > giveUpAt) throw refused(error, 'the database is locked', 1);
            await sleep(pause);
          }
        }
      },
    },
    close() {
      try {
        connection?.checkpoint();
      } catch {
        // On a full disk the log stays beside the file, and the next connection reads both.
      }
      connection?.close();
      connection = null;
    },
  };
}

class FileConnection {
  readonly #connection: Connection.Database;
  readonly #prepared = new Map<string, Prepared>();
  /** An error may have left something open. */
  isSpent = false;

  constructor(path: string) {
    // The driver waits for a lock inside a synchronous call, which would block the thread.
    this.#connection = new Connection(path, { timeout: 0 });
    try {
      // WAL and FULL: an acknowledged write survives a power cut.
      for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
        this.#connection.exec(`PRAGMA ${setting}`);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  run(statements: readonly Statement[]): unknown[][] {
    const isSpentBy = (error: unknown) => !isConstraint(error);
    if (statements.length < 2) return this.#try(() => statements.map((one) => this.#rowsOf(one)), isSpentBy);
    this.#try(
      () => this.#command('BEGIN IMMEDIATE'),
      (error) => !isBusy(error),
    );
    return this.#try(() => this.#finish(statements), isSpentBy);
  }

  #finish(statements: readonly Statement[]): unknown[][] {
    try {
      const rows = statements.map((one) => this.#rowsOf(one));
      this.#command('COMMIT');
      return rows;
    } catch (error) {
      if (this.#connection.inTransaction) this.#command('ROLLBACK');
      throw error;
    }
  }

  #try<T>(work: () => T, isSpentBy: (error: unknown) => boolean): T {
    try {
      return work();
    } catch (error) {
      this.isSpent = isSpentBy(error);
      throw error;
    }
  }

  /** Writes the log into the file, unless another reader prevents it. */
  checkpoint(): void {
    this.#command('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#prepared.clear();
    this.#connection.close();
  }

  #command(text: string): void {
    this.#rowsOf({ text, values: [] });
  }

  #rowsOf({ text, values }: Statement): unknown[] {
    const { statement, answersRows } = this.#prepare(text);
    if (answersRows) return statement.all(values);
    statement.run(values);
    return [];
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known) return known;
    if (this.#prepared.size >= mostPrepared) this.#prepared.clear();
    const statement = this.#connection.prepare(text);
    const prepared = { statement, answersRows: statement.reader };
    this.#prepared.set(text, prepared);
    return prepared;
  }
}

function refused(cause: unknown, reason: string, retryAfterSeconds: number): AppError {
  return new AppError('unavailable', null, { cause, reason, retryAfterSeconds });
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

function isConstraint(error: unknown): boolean {
  // The driver has no name for the newest ones (STRICT types), only the number (SQLITE_CONSTRAINT, 19).
  return Number((error as { rawCode?: unknown }).rawCode) % 256 === 19;
}

function isFull(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_FULL';
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
