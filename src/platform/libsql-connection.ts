import Connection from 'libsql';
import type { Statement } from '../db/database.ts';
import { AppError } from '../errors.ts';

/** The rows of a statement: the names of the columns, then the values of each row. Without rows it is empty. */
export type Table = readonly [] | readonly [names: readonly string[], ...rows: (readonly unknown[])[]];

/** How one of several batches ended. */
export type Outcome = { readonly tables: Table[] } | { readonly error: unknown };

/** Far more texts than the service has; bounds the memory should a text contain data. */
export const mostTexts = 1_000;

/** A compiled statement: compiling takes several times as long as running it. */
interface Prepared {
  readonly statement: Connection.Statement;
  readonly answersRows: boolean;
  names: readonly string[];
}

/** One connection to a libSQL file. Its calls block until the disk has answered. */
export class FileConnection {
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

  /** Runs one batch: whole, or not at all. */
  run(statements: readonly Statement[]): Table[] {
    if (statements.length < 2) return this.#watch(() => this.#tablesOf(statements));
    return this.#transaction(() => this.#tablesOf(statements));
  }

  /**
   * Runs several batches in one transaction. What a constraint refuses fails alone.
   * @throws whatever else happens; then none of them was applied
   */
  runTogether(batches: readonly (readonly Statement[])[]): Outcome[] {
    return this.#transaction(() => batches.map((statements) => this.#runOneOf(statements)));
  }

  /** Writes the log into the file, unless another reader prevents it. */
  checkpoint(): void {
    this.#command('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#prepared.clear();
    this.#connection.close();
  }

  #transaction<T>(work: () => T): T {
    this.#watch(() => this.#command('BEGIN IMMEDIATE'), isBusy);
    return this.#watch(() => {
      try {
        const done = work();
        this.#commit();
        return done;
      } catch (error) {
        if (this.#connection.inTransaction) this.#command('ROLLBACK');
        throw error;
      }
    });
  }

  #commit(): void {
    try {
      this.#command('COMMIT');
    } catch (error) {
      throw isBusy(error) ? error : refused(error, 'the commit failed', 1);
    }
  }

  #runOneOf(statements: readonly Statement[]): Outcome {
    // SQLite undoes a single statement by itself.
    const isSeveral = statements.length > 1;
    if (isSeveral) this.#command('SAVEPOINT one');
    let outcome: Outcome;
    try {
      outcome = { tables: this.#tablesOf(statements) };
    } catch (error) {
      if (!isConstraint(error) || !this.#connection.inTransaction) throw error;
      if (isSeveral) this.#command('ROLLBACK TO one');
      outcome = { error };
    }
    if (isSeveral) this.#command('RELEASE one');
    return outcome;
  }

  /** Notes whether an error left the connection unfit for more. */
  #watch<T>(work: () => T, isHarmless: (error: unknown) => boolean = isConstraint): T {
    try {
      return work();
    } catch (error) {
      this.isSpent = !isHarmless(error);
      throw error;
    }
  }

  #command(text: string): void {
    this.#tablesOf([{ text, values: [] }]);
  }

  #tablesOf(statements: readonly Statement[]): Table[] {
    return statements.map(({ text, values }) => {
      const prepared = this.#prepare(text);
      if (prepared.answersRows) return tableOf(prepared, values);
      prepared.statement.run(values);
      return [];
    });
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known) return known;
    if (this.#prepared.size >= mostTexts) this.#prepared.clear();
    const statement = this.#connection.prepare(text);
    const prepared = { statement, answersRows: statement.reader, names: [] };
    if (prepared.answersRows) statement.raw();
    this.#prepared.set(text, prepared);
    return prepared;
  }
}

function tableOf(prepared: Prepared, values: Statement['values']): Table {
  const rows = prepared.statement.all(values) as unknown[][];
  const [first] = rows;
  if (first === undefined) return [];
  // SQLite compiles a text again by itself when its table has changed.
  if (first.length !== prepared.names.length) {
    prepared.names = prepared.statement.columns().map(({ name }) => name);
  }
  return [prepared.names, ...rows];
}

export function refused(cause: unknown, reason: string, retryAfterSeconds: number): AppError {
  return new AppError('unavailable', null, { cause, reason, retryAfterSeconds });
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_FULL';
}

function isConstraint(error: unknown): boolean {
  // The driver has no name for the newest ones (STRICT types), only the number (SQLITE_CONSTRAINT, 19).
  return Number((error as { rawCode?: unknown }).rawCode) % 256 === 19;
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
