import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Statement } from '../src/db/database.ts';
import { FileConnection } from '../src/platform/database/libsql-connection.ts';
import { openInThread } from '../src/platform/database/libsql-in-thread.ts';
import type { Contender } from './contenders.ts';
import { openFile } from './database.ts';
import { type Connection, drive, postRequest, type Round, summarize, WrongAnswer } from './load.ts';
import {
  addInquiries,
  type Consent,
  confirmation,
  fund,
  idOf,
  legAlone,
  migrate,
  openApp,
  openBook,
} from './money-book.ts';
import { cpuMicros, newFolder, projectRoot, type Service } from './processes.ts';
import type { Bar } from './report.ts';
import type { Scenario } from './scenarios.ts';
import { change } from './webhooks.ts';

const people = 1_000;
/** More than any machine can confirm in a second. */
const mostPerSecond = 20_000;

/** Work shared by many operations, which are counted per round. */
async function timed(seconds: number, step: () => Promise<number> | number): Promise<Round> {
  const latencies: number[] = [];
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  for (let at = startedAt; at - startedAt < seconds * 1000; ) {
    const count = await step();
    const now = performance.now();
    for (let index = 0; index < count; index += 1) latencies.push(now - at);
    at = now;
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    ...summarize(latencies, performance.now() - startedAt),
    cpuMicros: (user + system) / latencies.length,
  };
}

/** The statements of one round, created before it starts. */
type Supply = (count: number) => Promise<Statement[]>;

interface Load {
  readonly supply: Supply;
  /** The number of rows that each statement must return. */
  readonly rows: number;
}

/** Runs in the database's own thread, with this many statements in one transaction. */
function inGroups(connection: FileConnection, { supply, rows }: Load, size: number): Scenario {
  return async (seconds) => {
    const ready = await supply(Math.ceil(seconds * mostPerSecond));
    return timed(seconds, () => {
      const group = ready.splice(-size);
      if (group.length < size) throw new Error('The supply of a round was used up');
      const outcomes =
        size === 1 ? [{ tables: connection.run(group) }] : connection.runTogether(group.map((one) => [one]));
      for (const outcome of outcomes)
        expectRows('tables' in outcome ? Math.max(0, (outcome.tables[0]?.length ?? 0) - 1) : -1, rows);
      return size;
    });
  };
}

/** Runs through `deps.db` from another thread, with this many in parallel. */
function inFlight(db: Database, supply: Supply, count: number): Scenario {
  return async (seconds) => {
    const ready = await supply(Math.ceil(seconds * mostPerSecond));
    const endsAt = performance.now() + seconds * 1000;
    const latencies: number[] = [];
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    await Promise.all(
      Array.from({ length: count }, async () => {
        for (let at = performance.now(); at < endsAt; ) {
          const one = ready.pop();
          if (one === undefined) throw new Error('The supply of a round was used up');
          const [rows] = await db.batch([one]);
          expectRows(rows?.length ?? 0, 1);
          const now = performance.now();
          latencies.push(now - at);
          at = now;
        }
      }),
    );
    const { user, system } = process.cpuUsage(cpu);
    return {
      ...summarize(latencies, performance.now() - startedAt),
      cpuMicros: (user + system) / latencies.length,
    };
  };
}

function expectRows(found: number, expected: number): void {
  if (found !== expected) throw new Error(`${found} rows in place of ${expected}`);
}

interface Pair {
  readonly name: string;
  readonly ours: Scenario;
  readonly other: Scenario;
  readonly target: number;
}

/** Confirmations in the database's own thread, compared with only the leg. */
export async function inTheThread(): Promise<{ pairs: Pair[]; close(): void }> {
  const connection = new FileConnection(join(newFolder('money-thread'), 'money.db'));
  const execute = async (statements: readonly Statement[]) => connection.run(statements);
  await migrate(execute);
  const book = await openBook(execute, people);
  await openApp(execute);
  const confirms = (consent: Consent): Load => ({
    rows: 1,
    supply: async (count) =>
      (await addInquiries(execute, book, count, consent)).map((index) => confirmation(book, index, consent)),
  });
  let floors = 0;
  const legs: Supply = async (count) =>
    Array.from({ length: count }, () => {
      floors += 1;
      return legAlone(book, floors);
    });
  const pair = (name: string, size: number, target: number, of?: { ours: Load; other: Load }): Pair => ({
    name,
    ours: inGroups(connection, of?.ours ?? confirms('own'), size),
    other: inGroups(connection, of?.other ?? { supply: legs, rows: 0 }, size),
    target,
  });
  const approvals = { ours: confirms('approval'), other: confirms('grant') };
  return {
    pairs: [
      pair('confirm in groups of 64, against the leg alone', 64, 0.5),
      pair('confirm alone, against the leg alone', 1, 0.9),
      pair('confirm with an approval in groups of 64, against one within a grant', 64, 0.8, approvals),
    ],
    close: () => connection.close(),
  };
}

/** The sources without group commit: each batch commits separately, as soon as it arrives. */
export function withoutGroups(): string {
  const folder = newFolder('without-groups');
  for (const name of ['src', 'dev', 'migrations', 'public', 'package.json'])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'src/platform/database/libsql-file.ts');
  replaceIn(file, 'if (!isWrite(statements)) return runAlone(statements);', 'return runAlone(statements);');
  return folder;
}

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} no longer has: ${from}`);
  writeFileSync(file, text.replace(from, to));
}

type Opened = Awaited<ReturnType<typeof openInThread>>;

/** Confirmations through `deps.db`, 64 in parallel, compared with the same without group commit. */
export async function throughTheDatabase(
  sources: string,
): Promise<{ pairs: Pair[]; close(): Promise<void> }> {
  const alone = (await import(join(sources, 'src/platform/database/libsql-in-thread.ts'))) as {
    openInThread: typeof openInThread;
  };
  const sides: { opened: Opened; supply: Supply }[] = [];
  for (const open of [openInThread, alone.openInThread]) {
    const opened = await open(join(newFolder('money-database'), 'money.db'));
    const execute = (statements: readonly Statement[]) => opened.db.batch(statements);
    await migrate(execute);
    const book = await openBook(execute, people);
    const supply: Supply = async (count) =>
      (await addInquiries(execute, book, count)).map((index) => confirmation(book, index));
    sides.push({ opened, supply });
  }
  const [ours, other] = sides;
  if (!ours || !other) throw new Error('There are two sides');
  const of64 = ({ opened, supply }: { opened: Opened; supply: Supply }) => inFlight(opened.db, supply, 64);
  return {
    pairs: [
      {
        name: 'confirm through deps.db, 64 in flight, against one commit each',
        ours: of64(ours),
        other: of64(other),
        target: 3.5,
      },
    ],
    close: async () => {
      for (const { opened } of sides) await opened.close();
    },
  };
}

/** Confirmations over HTTP, with one person per connection. */
export async function confirmsOverHttp(
  service: Service,
  { port, targets }: Contender,
  connections: number,
): Promise<Scenario> {
  const database = openFile(service);
  const handles: string[] = targets.map(({ body }) => JSON.parse(body).handle);
  for (const { cookies } of targets) await change(port, cookies, '/v1/wallet', {});
  database.exec(fund().text);
  let last = 0;
  const add = (count: number) => {
    database
      .prepare(`INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee,
          app_fee, platform_fee, debit_total, net_amount, created_at, expires_at)
        WITH RECURSIVE n(i) AS (SELECT CAST(? AS INTEGER) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?),
          p AS MATERIALIZED (SELECT j.key AS k, a.owner, a.id FROM json_each(?) j
            JOIN accounts a ON a.owner = j.value AND a.kind = 'wallet')
        SELECT printf('%026d', i), x.owner, y.owner, x.id, y.id, 'IDR', 1, 0, 0, 0, 0, 1, 1, ?, ?
        FROM n JOIN p x ON x.k = i % ${connections} JOIN p y ON y.k = (i + 1) % ${connections}`)
      .run(
        ...[last, last + count, JSON.stringify(handles.slice(0, connections))],
        ...[Date.now(), Date.now() + 3_600_000],
      );
    last += count;
  };
  /** The next inquiry of each connection. */
  const next = Array.from({ length: connections }, (_, index) => index || connections);
  return async (seconds) => {
    const used = Math.max(...next);
    if (last < used + mostPerSecond * seconds) add(Math.ceil(mostPerSecond * seconds));
    const before = cpuMicros(service.pid);
    const round = await drive(
      port,
      seconds,
      async (connection, index) => {
        const number = next[index] ?? 0;
        if (number > last) throw new Error('The supply of a round was used up');
        next[index] = number + connections;
        await confirmOne(connection, targets[index]?.cookies ?? '', number);
        return true;
      },
      connections,
    );
    return { ...round, cpuMicros: (cpuMicros(service.pid) - before) / round.count };
  };
}

async function confirmOne(connection: Connection, cookies: string, number: number): Promise<void> {
  const answer = await connection.exchange(
    postRequest(
      '/v1/fiat/transfers/confirm',
      cookies,
      'application/json',
      `{"inquiryId":"inq_${idOf(number)}"}`,
      `Origin: http://127.0.0.1:${connection.port}\r\n`,
    ),
  );
  if (answer.status !== 200 || !answer.body.includes('"status":"completed"'))
    throw new WrongAnswer('200 with a completed transfer', answer);
}

/** A load with the service's CPU time per request. */
export function withCpu(service: Service, scenario: Scenario): Scenario {
  return async (seconds) => {
    const before = cpuMicros(service.pid);
    const round = await scenario(seconds);
    return { ...round, cpuMicros: (cpuMicros(service.pid) - before) / round.count };
  };
}

/** The memory that a million transfers in the file add to a process that confirms more. */
export function memoryOfHistory(transfers = 1_000_000): Bar {
  const holding = (count: number) => {
    const file = join(newFolder('money-memory'), 'money.db');
    const { stdout, stderr, status } = spawnSync(
      'bun',
      [join(import.meta.dirname, 'money-memory.ts'), file, String(count)],
      {
        cwd: projectRoot,
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(stderr);
    return Number(stdout);
  };
  const [few, many] = [holding(1_000), holding(transfers)];
  return {
    name: `memory for ${transfers.toLocaleString('en')} transfers in the file (${few.toFixed(0)} MiB without)`,
    value: many - few,
    unit: 'MiB',
    most: 10,
  };
}
