import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { createHistogram, durationBounds } from '../../lib/metrics.ts';
import { createGroupSizes, isWrite, mostTogether, type Waiting } from './group.ts';
import { FileConnection, isBusy, isFull, refused, type Table } from './libsql-connection.ts';

/** A service's batch waits this long for another process to release the write lock. */
const servicePatienceMs = 2_000;
const inMemory = ':memory:';

export interface OpenedFile {
  readonly db: Database;
  /** Runs a batch like `db`, and leaves its rows as the driver returns them. */
  tables(statements: readonly Statement[]): Promise<Table[]>;
  /** How it commits, in Prometheus's format. */
  figures(): string;
  close(): void;
}

/**
 * A libSQL file over one connection, opened by the first batch: `PRAGMA synchronous` belongs to a connection, and SQLite
 * has one writer at a time anyway.
 *
 * Group commit: batches that arrive in one turn of the event loop run in one transaction and share its wait for the disk.
 * They return after the commit, even those rejected by a constraint, because the conflicting row may come from the same
 * group. Single reads and settings run before it, on arrival.
 *
 * While another process holds the lock, a batch retries and finally fails with 503. SQLITE_BUSY refuses to begin, so
 * nothing was applied. It breaks the connection of a single statement (the next commit fails with "SQL statements in
 * progress"), so every error except a constraint error replaces the connection.
 */
/**
 * @param operatorPatienceMs how long a batch of a migration or command waits for another process to release the write lock. These
 * leave checkpoints to the service. Without it, the file is the service's.
 */
export function openFile(path: string, operatorPatienceMs?: number): OpenedFile {
  const patienceMs = operatorPatienceMs ?? servicePatienceMs;
  let connection: FileConnection | null = null;
  const waiting: Waiting<Table[]>[] = [];
  const groups = createGroupSizes();
  const commits = createHistogram({
    name: 'peridot_database_commit_seconds',
    help: 'Commits of transactions, which wait for the disk.',
    bounds: durationBounds,
  });

  function runOnce<T>(work: (connection: FileConnection) => T): T {
    connection ??= new FileConnection(path, operatorPatienceMs === undefined, (ms) =>
      commits.observe(ms / 1000),
    );
    try {
      return work(connection);
    } finally {
      if (connection.isSpent && path !== inMemory) {
        connection.close();
        connection = null;
      }
    }
  }

  const runAlone = (statements: readonly Statement[]) =>
    patiently(() => runOnce((opened) => opened.run(statements)), patienceMs);

  async function runGroup(group: readonly Waiting<Table[]>[]): Promise<void> {
    const batches = group.map(({ statements }) => statements);
    try {
      const outcomes = await patiently(() => runOnce((opened) => opened.runTogether(batches)), patienceMs);
      group.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome && 'tables' in outcome) resolve(outcome.tables);
        else reject(outcome?.error);
      });
    } catch (error) {
      for (const { statements, resolve, reject } of group) {
        if (error instanceof AppError) reject(error);
        // The database rejects one of them as invalid. None was applied.
        else runAlone(statements).then(resolve, reject);
      }
    }
  }

  function flush(): void {
    const group = waiting.splice(0, mostTogether);
    const [first, second] = group;
    if (first) groups.observe(group.length);
    if (first && second) void runGroup(group);
    else if (first) runAlone(first.statements).then(first.resolve, first.reject);
    if (waiting.length > 0) setImmediate(flush);
  }

  function tables(statements: readonly Statement[]): Promise<Table[]> {
    if (!isWrite(statements)) return runAlone(statements);
    return new Promise((resolve, reject) => {
      if (waiting.push({ statements, resolve, reject }) === 1) setImmediate(flush);
    });
  }

  return {
    tables,
    db: {
      batch: async (statements) => (await tables(statements)).map(rowsOf) as never,
    },
    figures: () => groups.text() + commits.text(),
    close() {
      while (waiting.length > 0) flush();
      connection?.close();
      connection = null;
    },
  };
}

/** A statement's rows as objects. */
export function rowsOf([names, ...rows]: Table): Record<string, unknown>[] {
  if (names === undefined) return [];
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    names.forEach((name, index) => {
      row[name] = values[index];
    });
    return row;
  });
}

/** Retries while another process holds the lock. */
async function patiently<T>(work: () => T, patienceMs: number): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pause = 10; ; pause = Math.min(pause * 2, 200)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw isFull(error) ? refused(error, 'the disk is full', 10) : error;
      if (performance.now() > giveUpAt) {
        throw refused(error, `the database is locked by another process for ${patienceMs / 1000} s`, 1);
      }
      await sleep(pause);
    }
  }
}
