import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../../src/errors.ts';
import { openInThread, type ThreadedDatabase } from '../../src/platform/database/libsql-in-thread.ts';
import { openForOperator } from '../../src/platform/database/libsql-node.ts';
import '../support/web-worker.ts';
import { holdWriteLock } from '../support/write-lock.ts';

let folder: string;
let file: string;
let opened: ThreadedDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-thread-'));
  file = join(folder, 'peridot.db');
  opened = await openInThread(file);
  await opened.db.batch([
    { text: 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)', values: [] },
  ]);
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const insert = (id: number, name: string | null) => ({
  text: 'INSERT INTO things (id, name) VALUES (?, ?) RETURNING name',
  values: [id, name],
});
const count = async () => {
  const [rows] = await opened.db.batch([{ text: 'SELECT count(*) AS n FROM things', values: [] }]);
  return (rows as { n: number }[])[0]?.n;
};

describe('a libSQL file in a thread', () => {
  it('returns its own rows to each of many concurrent batches', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `thing ${index}`);
    const answers = await Promise.all(names.map((name, id) => opened.db.batch([insert(id, name)])));
    expect(answers).toEqual(names.map((name) => [[{ name }]]));
  });

  it('applies all of a batch or nothing and reports the database’s error', async () => {
    const before = await count();
    const refused = opened.db.batch([insert(1000, 'new'), insert(1001, 'thing 1')]);
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) });
    await expect(opened.db.batch([insert(1002, null)])).rejects.toThrow(/NOT NULL/);
    expect(await count()).toBe(before);
  });

  it('fails with a retryable error while another process locks the file, and works afterwards', async () => {
    const other = new DatabaseSync(file);
    other.exec(`BEGIN IMMEDIATE; INSERT INTO things (id, name) VALUES (2000, 'theirs')`);
    const refused = opened.db.batch([insert(2001, 'ours')]);
    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 1,
      reason: 'the database is locked by another process for 2 s',
    });
    other.exec('COMMIT');
    other.close();
    expect(await opened.db.batch([insert(2002, 'ours')])).toEqual([[{ name: 'ours' }]]);
  });

  it('fails to open if its thread cannot open it', async () => {
    const directory = join(folder, 'directory');
    await mkdir(directory);
    await expect(openInThread(directory)).rejects.toThrow(/open/);
  });

  it('completes pending batches before it closes', async () => {
    const { db, close } = await openInThread(file);
    const last = db.batch([insert(3000, 'the last one')]);
    await close();
    expect(await last).toEqual([[{ name: 'the last one' }]]);
  });
});

describe('a command on the service’s database file', () => {
  it('waits for another process’s lock longer than a request does', async () => {
    const command = await openForOperator(`file:${file}`);
    const { released } = await holdWriteLock(file, 3_000);
    expect(await command.db.batch([insert(9_000, 'by a command')])).toEqual([[{ name: 'by a command' }]]);
    await released;
    command.close();
  });

  it('reports how long the lock was held when it gives up, and writes nothing', async () => {
    const starting = await openForOperator(`file:${file}`, undefined, 300);
    const { released } = await holdWriteLock(file, 1_000);
    const refused = await starting.db.batch([insert(9_001, 'too late')]).catch(explain);
    expect(refused).toBe('the database is locked by another process for 0.3 s');
    await released;
    starting.close();
    expect(await opened.db.batch([insert(9_001, 'in time')])).toEqual([[{ name: 'in time' }]]);
  });

  it('leaves checkpoints to the service', async () => {
    const size = async () => (await stat(file)).size;
    const large = (id: number) => insert(id, 'x'.repeat(8_000_000) + id);
    const before = await size();
    const command = await openForOperator(`file:${file}`);
    await command.db.batch([large(9_010)]);
    await command.db.batch([insert(9_011, 'one more commit')]);
    command.close();
    expect(await size()).toBe(before);
    await opened.db.batch([insert(9_012, 'by the service')]);
    expect(await size()).toBeGreaterThan(before + 8_000_000);
  });
});
