import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Statement } from '../src/db/database.ts';
import { selectEntries, selectLines } from '../src/features/ledger/lines.ts';
import { readOwn, selectPage, walletOf } from '../src/features/ledger/transactions.ts';
import { FileConnection } from '../src/platform/database/libsql-connection.ts';
import { rowsOf } from '../src/platform/database/libsql-file.ts';
import { preparePeridot } from './contenders.ts';
import { openFile } from './database.ts';
import { connectionCount } from './load.ts';
import { confirmsOverHttp } from './money.ts';
import { addHistory, migrate, of, openBook } from './money-book.ts';
import { newFolder, type Service } from './processes.ts';
import type { Bar } from './report.ts';
import { median } from './webhooks.ts';

const people = 1_000;
const [shortest, longest] = [100, Number(process.env['LINES'] ?? 1_000_000)];
const [pagesOfRound, readsOfRound] = [500, 400];
const statementLines = 100_000;
const person = {
  by: 'person',
  handle: 'pay0',
  sessionId: 'ses_pay0',
  appId: null,
  grantId: null,
  scopes: null,
} as const;

/** A wallet with this many received payments, in a separate file. */
async function openWallet(lines: number): Promise<FileConnection> {
  const connection = new FileConnection(join(newFolder('wallet'), 'peridot.db'));
  const execute = async (statements: readonly Statement[]) => connection.run(statements);
  await execute([of('PRAGMA synchronous = OFF')]);
  await migrate(execute);
  const book = await openBook(execute, people);
  // The first ten payments are outgoing, so a page of outgoing payments is the furthest away.
  const isOut = 'i <= 10';
  const other = `1 + i % ${people - 1}`;
  await addHistory(execute, book, lines, {
    payer: `iif(${isOut}, 0, ${other})`,
    payee: `iif(${isOut}, ${other}, 0)`,
  });
  return connection;
}

/** CPU time of a page of 20 in the database's thread, in µs. */
function cpuOfPages(connection: FileConnection, query: { direction?: 'out' }, at: number): number {
  const page = [readOwn(person, at), selectPage(person, { limit: 20, ...query })];
  const before = process.cpuUsage();
  for (let count = 0; count < pagesOfRound; count += 1) {
    const rows = rowsOf(connection.run(page)[1] ?? []).length;
    if (rows !== (query.direction ? 10 : 21)) throw new Error(`a page of ${rows} rows`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / pagesOfRound;
}

/** The cost of a page at the end of a long wallet, relative to a short one; and one read of a statement. */
export async function pagesOfWallets(rounds: number): Promise<Bar[]> {
  const [short, long] = [await openWallet(shortest), await openWallet(longest)];
  const now = Date.now();
  const ratioOf = (query: { direction?: 'out' }) => {
    const ratios = Array.from({ length: rounds }, () => {
      const [one, other] = [cpuOfPages(short, query, now), cpuOfPages(long, query, now)];
      console.error(`  page of 20: ${one.toFixed(0)} and ${other.toFixed(0)} us of CPU`);
      return other / one;
    });
    return median(ratios);
  };
  try {
    const [all, out] = [ratioOf({}), ratioOf({ direction: 'out' })];
    const lines = longest.toLocaleString('en');
    return [
      { name: `a page at ${lines} lines, to one at 100, CPU`, value: all, unit: 'x', most: 1.5 },
      { name: 'a page of ten that went out first, the same', value: out, unit: 'x', most: 1.5 },
      { name: 'one read of 500 lines of a statement, CPU', value: cpuOfReads(long), unit: 'ms', most: 5 },
    ];
  } finally {
    short.close();
    long.close();
  }
}

/** CPU time of one read of a statement in the database's thread, in ms. */
function cpuOfReads(connection: FileConnection): number {
  const ranges = [1, 2, 3, 4].map((way) => ({ way }));
  let after = 0;
  const before = process.cpuUsage();
  for (let count = 0; count < readsOfRound; count += 1) {
    const when = sql`at > ${after}`;
    const keys = selectEntries({ account: walletOf(person), ranges, when, order: 'ASC', limit: 500 });
    const rows = rowsOf(connection.run([selectLines(keys)])[0] ?? []);
    after = Number(rows.at(-1)?.['at'] ?? 0);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / readsOfRound / 1000;
}

/**
 * The p99 of confirmations on 16 connections while someone reads statements of 100,000 lines, relative to the p99
 * without.
 */
export async function confirmsBesideStatement(
  service: Service,
  rounds: number,
  seconds: number,
): Promise<Bar> {
  const ours = await preparePeridot(service);
  const confirms = await confirmsOverHttp(service, ours, connectionCount);
  const reader = ours.targets[connectionCount];
  if (reader === undefined) throw new Error('nobody is left to read');
  fillWallet(service, JSON.parse(reader.body).handle);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const without = await confirms(seconds);
    const stop = readStatements(service.port, reader.cookies);
    const beside = await confirms(seconds);
    console.error(
      `  p99 ${without.p99Ms.toFixed(1)} ms without, ${beside.p99Ms.toFixed(1)} ms beside ${await stop()} MB of statements`,
    );
    ratios.push(beside.p99Ms / without.p99Ms);
  }
  return {
    name: 'Bun: p99 of confirms beside statements of 100,000 lines, to that without',
    value: median(ratios),
    unit: 'x',
    most: 2,
  };
}

function fillWallet(service: Service, handle: string): void {
  const database = openFile(service);
  database.exec('BEGIN IMMEDIATE');
  database
    .prepare(`INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee, app_fee,
            platform_fee, debit_total, net_amount, created_at, expires_at)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${statementLines}),
            p AS MATERIALIZED (SELECT row_number() OVER (ORDER BY id) AS k, owner, id FROM accounts
              WHERE kind = 'wallet' AND owner <> ?)
          SELECT 'long' || i, p.owner, b.owner, p.id, b.id, 'IDR', 1, 0, 0, 0, 0, 1, 1, 1, 9
          FROM n JOIN p ON p.k = 1 + i % (SELECT count(*) FROM p) JOIN accounts b ON b.owner = ? AND b.kind = 'wallet'`)
    .run(handle, handle);
  database.exec(
    `UPDATE transfers SET status = 'confirmed', confirmed_by = id, confirmed_at = 2 WHERE id GLOB 'long*'; COMMIT`,
  );
  database.close();
}

/**
 * Reads statements in sequence in a separate process.
 * @returns a function that stops it and returns the number of MB read
 */
function readStatements(port: number, cookies: string): () => Promise<string> {
  const read = `let bytes = 0;
    process.on('SIGTERM', () => { process.stdout.write((bytes / 1e6).toFixed(1)); process.exit(); });
    for (;;) {
      const answer = await fetch('http://127.0.0.1:${port}/v1/wallet/statement?from=1970-01-01', {
        headers: { Cookie: '${cookies}' } });
      if (answer.status === 200) for await (const part of answer.body) bytes += part.length;
      // Whoever stores the next inquiries holds the write lock.
      else await new Promise((go) => setTimeout(go, 100));
    }`;
  const child = spawn(process.execPath, ['-e', read], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.on('data', (part) => {
    told += part;
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  return async () => {
    child.kill();
    await closed;
    if (Number(told) === 0) throw new Error('no statement was read');
    return told;
  };
}
