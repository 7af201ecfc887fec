import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Statement } from '../../src/db/database.ts';
import { AppError } from '../../src/errors.ts';
import { type OpenedDatabase, openLibsql } from '../../src/platform/database/libsql-node.ts';
import { startBun } from '../support/bun-process.ts';
import { ticketCookies } from '../support/tickets.ts';
import { holdWriteLock } from '../support/write-lock.ts';

const folders: string[] = [];
const opened: OpenedDatabase[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) close();
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-libsql-'));
  folders.push(folder);
  return join(folder, 'peridot.db');
}

async function openFile(file: string): Promise<OpenedDatabase> {
  const database = await openLibsql(`file:${file}`);
  opened.push(database);
  return database;
}

const run = <Row>(text: string, values: Statement['values'] = []): Statement<Row> => ({ text, values });

async function settings({ db }: OpenedDatabase): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of ['journal_mode', 'synchronous', 'foreign_keys']) {
    const [rows] = await db.batch([run<Record<string, unknown>>(`PRAGMA ${name}`)]);
    found[name] = rows[0]?.[name];
  }
  return found;
}

describe('a libSQL file', () => {
  it('is opened with WAL, full synchronisation and foreign keys', async () => {
    const database = await openFile(await newFile());
    expect(await settings(database)).toEqual({ journal_mode: 'wal', synchronous: 2, foreign_keys: 1 });
  });

  it('reruns a statement with other values, after a rejection and after its table has changed', async () => {
    const { db } = await openFile(await newFile());
    await db.batch([run('CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT')]);
    const insert = (n: number | null) => run('INSERT INTO numbers (n) VALUES (?) RETURNING *', [n]);
    const both = (first: number, second: number) => db.batch([insert(first), insert(second)]);
    expect(await both(1, 2)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(both(3, 1)).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) });
      await expect(db.batch([insert(2)])).rejects.toThrow(/UNIQUE constraint failed/);
    }
    await db.batch([run('ALTER TABLE numbers ADD COLUMN name TEXT')]);
    expect(await both(3, 4)).toEqual([[{ n: 3, name: null }], [{ n: 4, name: null }]]);
    // The driver fetches 100 rows at a time.
    await db.batch(Array.from({ length: 196 }, (_, index) => insert(index + 5)));
    for (const limit of [0, 99, 100, 101, 200]) {
      const [rows] = await db.batch([run(`SELECT n FROM numbers LIMIT ${limit}`)]);
      expect(rows).toHaveLength(limit);
    }
  });

  it('returns 503 on a full disk without applying anything, and works again when there is room [R-13]', async () => {
    const { db } = await openFile(await newFile());
    await db.batch([run('CREATE TABLE texts (t TEXT) STRICT')]);
    await db.batch([run('PRAGMA max_page_count = 8')]);
    const large = run('INSERT INTO texts VALUES (?)', ['x'.repeat(20_000)]);
    const refused = db.batch([run('INSERT INTO texts VALUES (?)', ['small']), large, large]);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', reason: 'the disk is full' });
    const [rows] = await db.batch([run('SELECT t FROM texts')]);
    expect(rows).toEqual([]);
    await db.batch([large, large]);
  });

  it('is found by its URL, percent-encoded or not, without a query or fragment', async () => {
    const folder = dirname(await newFile());
    const place = relative(process.cwd(), folder);
    for (const url of [`file:${place}/my%20file.db`, `file://${folder}/my%20file.db`]) {
      const opened = await openLibsql(url);
      await opened.db.batch([run('CREATE TABLE IF NOT EXISTS numbers (n INTEGER) STRICT')]);
      opened.close();
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.db'))).toEqual(['my file.db']);
    for (const url of [`file:${place}/a.db?mode=ro`, `file:${place}/a.db#b`, 'file::memory:?cache=shared']) {
      await expect(openLibsql(url)).rejects.toThrow('must not have a query or a fragment');
    }
  });

  it('survives every rejection if held in memory', async () => {
    const { db, close } = await openLibsql('file::memory:');
    await db.batch([run('CREATE TABLE numbers (n INTEGER) STRICT')]);
    await expect(db.batch([run('INSERT INTO numbers VALUES (?)', ['text'])])).rejects.toThrow();
    await expect(db.batch([run('SELECT missing FROM numbers')])).rejects.toThrow(/no such column/);
    expect(await db.batch([run('SELECT n FROM numbers')])).toEqual([[]]);
    close();
  });

  it('is a single complete file after it is closed', async () => {
    const file = await newFile();
    const { db, close } = await openFile(file);
    await db.batch([run('CREATE TABLE numbers (n INTEGER) STRICT')]);
    await db.batch([run('INSERT INTO numbers VALUES (7)')]);
    close();
    const copy = `${file}.copy`;
    await copyFile(file, copy);
    const [rows] = await (await openFile(copy)).db.batch([run('SELECT n FROM numbers')]);
    expect(rows).toEqual([{ n: 7 }]);
  });

  it('keeps its settings after a lock forced it to reconnect [R-10]', async () => {
    const file = await newFile();
    const database = await openFile(file);
    await database.db.batch([run('CREATE TABLE numbers (n INTEGER)')]);
    const { released } = await holdWriteLock(file, 400);
    await database.db.batch([run('INSERT INTO numbers VALUES (1)')]);
    expect(await settings(database)).toEqual({ journal_mode: 'wal', synchronous: 2, foreign_keys: 1 });
    await released;
  });

  it('applies a batch completely or not at all', async () => {
    const { db } = await openFile(await newFile());
    await db.batch([run('CREATE TABLE numbers (n INTEGER PRIMARY KEY CHECK (n < 10)) STRICT')]);
    const inserts = [1, 2, 99].map((n) => run('INSERT INTO numbers VALUES (?)', [n]));
    await expect(db.batch(inserts)).rejects.toThrow(/CHECK constraint failed/);
    const [rows] = await db.batch([run('SELECT n FROM numbers')]);
    expect(rows).toEqual([]);
    expect(await db.batch([])).toEqual([]);
  });

  it('waits for another process’s short write, and every waiting request succeeds [R-10]', async () => {
    const file = await newFile();
    const { db } = await openFile(file);
    await db.batch([run('CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT')]);
    const { released } = await holdWriteLock(file, 1_000);
    const writes = Array.from({ length: 50 }, (_, n) =>
      db.batch([run('INSERT INTO numbers VALUES (?)', [n]), run('SELECT count(*) FROM numbers')]),
    );
    await Promise.all(writes);
    await released;
    const [rows] = await db.batch([run('SELECT n FROM numbers')]);
    expect(rows).toHaveLength(50);
  });

  it('gives up after two seconds with 503, applies nothing, and works again after the release [R-10]', async () => {
    const file = await newFile();
    const { db } = await openFile(file);
    await db.batch([run('CREATE TABLE numbers (n INTEGER) STRICT')]);
    const { released } = await holdWriteLock(file, 4_000);
    const startedAt = performance.now();
    const writes = Array.from({ length: 50 }, (_, n) =>
      db
        .batch([run('INSERT INTO numbers VALUES (?)', [n]), run('INSERT INTO numbers VALUES (?)', [n])])
        .catch((error) => error),
    );
    // The event loop keeps running in the meantime, so a timer is only slightly late.
    const late = await new Promise<number>((resolve) =>
      setTimeout(() => resolve(performance.now() - startedAt - 500), 500),
    );
    expect(late).toBeLessThan(500);
    for (const error of await Promise.all(writes)) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    }
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await released;
    for (let turn = 0; turn < 5; turn += 1) {
      await db.batch([run('INSERT INTO numbers VALUES (1)'), run('INSERT INTO numbers VALUES (1)')]);
    }
    const [rows] = await db.batch([run('SELECT n FROM numbers')]);
    expect(rows).toHaveLength(10);
  });
});

describe('the service with a locked file', () => {
  /** Sends a mix of requests for some time, each for at most 3 s, and returns the outcome of each. */
  async function press(origin: string, forMs: number) {
    const answers: { path: string; status: number; ms: number; retryAfter: string | null }[] = [];
    const one = async (path: string, method: string) => {
      const startedAt = performance.now();
      const answer = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        headers: { Cookie: ticketCookies({ origin }, 't'.repeat(43)) },
      });
      await answer.text();
      answers.push({
        path,
        status: answer.status,
        ms: performance.now() - startedAt,
        retryAfter: answer.headers.get('Retry-After'),
      });
    };
    const until = performance.now() + forMs;
    const worker = async (path: string, method: string) => {
      while (performance.now() < until) {
        await one(path, method);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await Promise.all([
      ...Array.from({ length: 10 }, () => worker('/v1/auth/claim', 'DELETE')),
      ...Array.from({ length: 5 }, () => worker('/readyz', 'GET')),
      worker('/healthz', 'GET'),
    ]);
    return answers;
  }

  it.concurrent.for([2_500, 10_000])(
    'responds within 3 s and recovers after the lock was held for %i ms [R-10]',
    { timeout: 60_000 },
    async (held, { expect }) => {
      const server = await startBun({ IDP_ISSUER: inject('lyingIssuer'), RATE_LIMITS: '{"*":1000000}' });
      try {
        const { released } = await holdWriteLock(server.file, held);
        const during = await press(server.origin, held - 300);
        await released;
        const releasedAt = performance.now();
        for (const { path, status, ms, retryAfter } of during) {
          expect(ms, path).toBeLessThan(path === '/healthz' ? 2_500 : 3_000);
          if (status === 503) expect(retryAfter).toMatch(/^\d+$/);
          else expect([200, 204], path).toContain(status);
        }
        const refused = during.filter(({ status }) => status === 503);
        expect(refused.length).toBeGreaterThan(0);
        expect(refused.filter(({ path }) => path === '/healthz')).toEqual([]);
        await expect
          .poll(async () => (await press(server.origin, 100)).every(({ status }) => status < 300), {
            timeout: 5_000,
          })
          .toBe(true);
        const after = await press(server.origin, 1_000);
        expect(after.filter(({ status }) => status >= 300)).toEqual([]);
        expect(performance.now() - releasedAt).toBeLessThan(6_500);
      } finally {
        await server.close();
      }
    },
  );

  it('starts even if another process holds the lock longer than a request would wait', {
    timeout: 60_000,
  }, async () => {
    const first = await startBun();
    await first.end('SIGTERM');
    const { released } = await holdWriteLock(first.file, 4_000);
    const second = await startBun({ DATABASE_URL: `file:${first.file}` });
    await released;
    await second.close();
    await first.close();
  });
});
