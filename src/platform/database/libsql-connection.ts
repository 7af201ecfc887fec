import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Statement, Value } from '../../db/database.ts';
import { AppError } from '../../errors.ts';

/** A statement's rows: the column names, then each row's values. Empty if there are no rows. */
export type Table = readonly [] | readonly [names: readonly string[], ...rows: (readonly unknown[])[]];

/** The outcome of one of several batches. */
export type Outcome = { readonly tables: Table[] } | { readonly error: unknown };

/** Far more than the number of statements in the service; limits the memory in case the text contains data. */
export const mostTexts = 1_000;

/** A compiled statement. Compiling takes several times as long as running. */
interface Prepared {
  readonly statement: StatementSync;
  readonly answersRows: boolean;
  names: readonly string[];
}

/** The version of the runtime's own SQLite, which opens files. */
export function sqliteVersion(): string {
  const connection = new DatabaseSync(':memory:');
  const row = connection.prepare('SELECT sqlite_version() AS version').get();
  connection.close();
  return String(row?.['version']);
}

/** One connection to a file, with the runtime's own SQLite. Its calls block until the disk responds. */
export class FileConnection {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  /** An error may have left a statement or transaction open. */
  isSpent = false;

  readonly #onCommit: (ms: number) => void;

  /**
   * @param checkpoints whether commits copy a long log into the file; when the last connection closes, SQLite does in any case
   * @param onCommit called with the time that a transaction's commit took, which is mostly that of the disk
   */
  constructor(path: string, checkpoints = true, onCommit: (ms: number) => void = () => {}) {
    this.#onCommit = onCommit;
    // The driver waits for a lock inside a synchronous call, which would block the thread.
    this.#connection = new DatabaseSync(path, { timeout: 0 });
    try {
      // WAL and FULL: an acknowledged write survives a power cut.
      for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
        this.#command(`PRAGMA ${setting}`);
      }
      if (!checkpoints) this.#command('PRAGMA wal_autocheckpoint = 0');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Runs one batch, all or nothing. */
  run(statements: readonly Statement[]): Table[] {
    if (statements.length < 2) return this.#watch(() => this.#tablesOf(statements));
    return this.#transaction(() => this.#tablesOf(statements));
  }

  /**
   * Runs several batches in one transaction. If a constraint rejects a batch, only that batch fails.
   * @throws any other error; then none of them was applied
   */
  runTogether(batches: readonly (readonly Statement[])[]): Outcome[] {
    return this.#transaction(() => batches.map((statements) => this.#runOneOf(statements)));
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
        if (this.#connection.isTransaction) this.#command('ROLLBACK');
        throw error;
      }
    });
  }

  #commit(): void {
    const startedAt = performance.now();
    try {
      this.#command('COMMIT');
      this.#onCommit(performance.now() - startedAt);
    } catch (error) {
      throw isBusy(error) ? error : refused(error, 'the commit failed', 1);
    }
  }

  #runOneOf(statements: readonly Statement[]): Outcome {
    // SQLite itself rolls back a single statement.
    const isSeveral = statements.length > 1;
    if (isSeveral) this.#command('SAVEPOINT one');
    let outcome: Outcome;
    try {
      outcome = { tables: this.#tablesOf(statements) };
    } catch (error) {
      if (!isConstraint(error) || !this.#connection.isTransaction) throw error;
      if (isSeveral) this.#command('ROLLBACK TO one');
      outcome = { error };
    }
    if (isSeveral) this.#command('RELEASE one');
    return outcome;
  }

  /** Records whether an error left the connection unusable. */
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
    try {
      return statements.map(({ text, values }) => tableOf(this.#prepare(text), values as Value[]));
    } catch (error) {
      throw named(error);
    }
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known) return known;
    if (this.#prepared.size >= mostTexts) this.#prepared.clear();
    const statement = this.#connection.prepare(withoutRecompiling(text));
    const prepared = { statement, answersRows: statement.columns().length > 0, names: [] };
    statement.setReturnArrays(true);
    this.#prepared.set(text, prepared);
    return prepared;
  }
}

/** Text in quotes, comments, and the places of values. */
const quotedOrValue = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** SQLite from 3.54 recompiles a statement at each bind when a join or EXISTS compares a column with a bare `?`. */
export function withoutRecompiling(text: string): string {
  return text.replace(quotedOrValue, (part) => (part === '?' ? '+?' : part));
}

function tableOf(prepared: Prepared, values: Value[]): Table {
  if (!prepared.answersRows) {
    prepared.statement.run(...values);
    return [];
  }
  const rows = prepared.statement.all(...values) as unknown as unknown[][];
  const [first] = rows;
  if (first === undefined) return [];
  // SQLite itself recompiles a statement when its table has changed.
  if (first.length !== prepared.names.length) {
    prepared.names = prepared.statement.columns().map(({ name }) => name);
  }
  return [prepared.names, ...rows];
}

/** SQLite's names for the result codes that callers check (https://www.sqlite.org/rescode.html). */
const codes: Record<number, string> = { 5: 'SQLITE_BUSY', 13: 'SQLITE_FULL', 19: 'SQLITE_CONSTRAINT' };

/** Gives a driver error, whose own code is always the same, the SQLite code. */
function named(error: unknown): unknown {
  const { errcode } = error as { errcode?: number };
  if (errcode === undefined) return error;
  return Object.assign(error as Error, { code: codes[errcode % 256] ?? `SQLITE_ERROR_${errcode}` });
}

export function refused(cause: unknown, reason: string, retryAfterSeconds: number): AppError {
  return new AppError('unavailable', null, { cause, reason, retryAfterSeconds });
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_BUSY';
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_FULL';
}

function isConstraint(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT';
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
