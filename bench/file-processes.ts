/**
 * Three processes of the service's own code over one file: one writes at full speed, as the service does, one opens, writes and closes
 * in a loop as the service does, and one as a command does. Every acknowledged row must be there at the end.
 *
 * `SECONDS=600 bun bench/file-processes.ts`
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/db/database.ts';
import { AppError } from '../src/errors.ts';
import { openInThread } from '../src/platform/database/libsql-in-thread.ts';
import { openForOperator, openLibsql } from '../src/platform/database/libsql-node.ts';

const roles = ['writes', 'restarts', 'commands'] as const;
type Role = (typeof roles)[number];

const [, , role, file = ''] = process.argv;
if (role === undefined) await supervise(Number(process.env['SECONDS'] ?? 600));
else await write(role as Role, file);

/** Writes until the process ends, and prints the ids of the rows that the database has acknowledged. */
async function write(by: Role, path: string): Promise<void> {
  let id = 0;
  const insert = async (db: Database) => {
    id += 1;
    const own = id;
    const values = [by, own, 'x'.repeat(200)];
    const text = 'INSERT INTO rows (writer, id, text) VALUES (?, ?, ?)';
    // Two statements, as most changes of the service have: a transaction.
    await db.batch([
      { text, values },
      { text: 'UPDATE totals SET n = n + 1 WHERE writer = ?', values: [by] },
    ]);
    return own;
  };
  for (;;) {
    const opened = by === 'commands' ? await openForOperator(`file:${path}`) : await openInThread(path);
    do {
      const many = Array.from({ length: by === 'writes' ? 64 : 3 }, () =>
        insert(opened.db).catch(refusedOnly),
      );
      const acknowledged = (await Promise.all(many)).filter((each) => each !== null);
      if (acknowledged.length > 0) process.stdout.write(`${acknowledged.join(' ')}\n`);
    } while (by === 'writes');
    await opened.close();
  }
}

/** A batch that was refused because the file is locked was not applied, or not acknowledged. */
function refusedOnly(error: unknown): null {
  if (error instanceof AppError && error.code === 'unavailable') return null;
  throw error;
}

async function supervise(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'peridot-processes-'));
  const path = join(folder, 'peridot.db');
  const first = await openLibsql(`file:${path}`);
  await first.db.batch([
    {
      text: 'CREATE TABLE rows (writer TEXT, id INTEGER, text TEXT, PRIMARY KEY (writer, id)) STRICT, WITHOUT ROWID',
      values: [],
    },
    { text: 'CREATE TABLE totals (writer TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT', values: [] },
    ...roles.map((by) => ({ text: 'INSERT INTO totals VALUES (?, 0)', values: [by] })),
  ]);
  first.close();

  const acknowledged = new Map<Role, number[]>(roles.map((by) => [by, []]));
  let isOver = false;
  const children = roles.map((by) => {
    const child = spawn(process.execPath, [import.meta.filename, by, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(child.stdout).on('line', (line) =>
      acknowledged.get(by)?.push(...line.split(' ').map(Number)),
    );
    const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
    child.on('exit', (code) => {
      if (!isOver) throw new Error(`the process that ${by} ended with ${code}`);
    });
    return { child, closed };
  });
  await sleep(seconds * 1000);
  isOver = true;
  // They are stopped in the middle of their work.
  for (const { child } of children) child.kill('SIGKILL');
  await Promise.all(children.map(({ closed }) => closed));

  const opened = new DatabaseSync(path);
  const missing = roles.flatMap((by) => {
    const there = new Set(
      opened
        .prepare('SELECT id FROM rows WHERE writer = ?')
        .all(by)
        .map(({ id }) => id),
    );
    return (acknowledged.get(by) ?? []).filter((id) => !there.has(id)).map((id) => `${by} ${id}`);
  });
  const totals = opened.prepare(
    'SELECT count(*) AS wrong FROM totals WHERE n <> (SELECT count(*) FROM rows WHERE rows.writer = totals.writer)',
  );
  const wrong = totals.get()?.['wrong'];
  const sound = opened.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  opened.close();
  for (const [by, ids] of acknowledged)
    console.log(`${by}: ${ids.length.toLocaleString('en')} rows acknowledged`);
  console.log(`missing: ${missing.length}, wrong totals: ${wrong}, integrity_check: ${sound}`);
  rmSync(folder, { recursive: true });
  const isLost = missing.length > 0 || wrong !== 0 || sound !== 'ok';
  process.exit(isLost || [...acknowledged.values()].some((ids) => ids.length === 0) ? 1 : 0);
}
