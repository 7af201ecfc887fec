import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createTestHarness } from 'wrangler';
import type { Database, Statement } from '../../src/db/database.ts';
import { openLibsql, operatorPatienceMs } from '../../src/platform/database/libsql-node.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { inspectCluster } from '../../src/platform/database/rqlite-check.ts';
import { runBun, startBun } from '../support/bun-process.ts';
import { type Member, newMember } from '../support/people.ts';
import { production } from '../support/production.ts';
import { addressOf, hasRqlite, type NodeOptions, startRqlite } from '../support/rqlite.ts';
import { sendTo } from '../support/send-to.ts';
import { type Reachable, testDefaults, testSecretKey } from '../support/target.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(options?: NodeOptions) {
  const node = await startRqlite(options);
  ends.push(node.close);
  return node;
}

const run = <Row>(text: string, values: Statement['values'] = []): Statement<Row> => ({ text, values });
const origin = testDefaults['BASE_URL'] ?? '';
const variables = () => ({
  ...testDefaults,
  IDP_ISSUER: inject('lyingIssuer'),
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
  RATE_LIMITS: '{"*":1000000}',
});
const refresh = ({ browser }: Member) => browser.fetch('/v1/auth/refresh', { method: 'POST' });

async function doctor(env: Record<string, string>): Promise<unknown> {
  const script = join(import.meta.dirname, '../../scripts/cli.ts');
  const child = spawn(process.execPath, [script, 'doctor', '--json'], { env: { ...process.env, ...env } });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return JSON.parse(out);
}

describe.runIf(hasRqlite)('a real node of rqlite', () => {
  it('returns values as a file does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'peridot-values-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const file = await openLibsql(`file:${join(folder, 'values.db')}`);
    const { db } = await openLibsql(addressOf(await start()));
    const text = 'é😀\u0000 \ud800 "quoted" \'?\' \\ \u2028';
    const values = [text, 1, -2.5, 2 ** 53, 1e21, 1e-7, 1.7e308, 0, null, ''];
    const columns = 'a, b, c, d, e, f, g, h, i, j';
    const asked = [
      run(`CREATE TABLE v (t TEXT, i INTEGER, r REAL, x ANY) STRICT`),
      run('INSERT INTO v VALUES (?, ?, ?, ?) RETURNING x, r, i, t', [text, 3, 3, 3]),
      run('SELECT t, i, r, x, typeof(i) AS ti, typeof(r) AS tr, typeof(x) AS tx FROM v'),
      run('SELECT i FROM v WHERE i > ?', [3]),
      run(`WITH v(${columns}) AS (VALUES (${values.map(() => '?').join()})) SELECT * FROM v`, values),
      run('SELECT typeof(?) AS a, ? / 2 AS b, 7 / 2 AS c, 9007199254740991 AS d', [5, 5]),
      run('SELECT 1e17 AS big'),
    ];
    const expected = await file.db.batch(asked);
    expect(await db.batch(asked)).toEqual(expected);
    for (const [of] of [[file.db], [db]] as const) {
      await expect(of.batch([run('SELECT 9007199254740993 AS a')])).rejects.toBeInstanceOf(RangeError);
      expect(await of.batch([])).toEqual([]);
    }
    await expect(db.batch([run('SELECT ?', [Number.NaN])])).rejects.toBeInstanceOf(RangeError);
    file.close();
  });

  it('applies a batch completely or not at all, and rolls back a migration that does not compile', async () => {
    const { db } = await openLibsql(addressOf(await start({ isRepaired: true })));
    await db.batch([
      run('CREATE TABLE numbers (n INTEGER PRIMARY KEY, CONSTRAINT is_small CHECK (n < 10)) STRICT'),
      run(`CREATE TRIGGER no_seven BEFORE INSERT ON numbers WHEN NEW.n = 7 BEGIN
        SELECT RAISE(ABORT, 'guard:no_seven'); SELECT 1; END`),
    ]);
    const insert = (n: number, returning = 'RETURNING n') =>
      run(`INSERT INTO numbers (n) VALUES (?) ${returning}`, [n]);
    expect(await db.batch([insert(1), insert(2)])).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    for (const returning of ['', 'RETURNING n']) {
      const refused = (n: number) => db.batch([insert(3), insert(n, returning), insert(4)]);
      await expect(refused(10)).rejects.toThrow('CHECK constraint failed: is_small');
      await expect(refused(1)).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT', statementIndex: 1 });
      await expect(refused(7)).rejects.toThrow('guard:no_seven');
    }
    await expect(
      db.batch([run('CREATE TABLE other (n)'), insert(5, ''), run('CREATE TABLE numbers (n)')]),
    ).rejects.toThrow('already exists');
    await expect(
      db.batch([run('CREATE TABLE other (n)'), insert(5, ''), run('INSERT INTO missing VALUES (1)')]),
    ).rejects.toThrow('no such table: missing');
    expect(await db.batch([run('SELECT n FROM numbers')])).toEqual([[{ n: 1 }, { n: 2 }]]);
    expect(await db.batch([run("SELECT name FROM sqlite_schema WHERE name = 'other'")])).toEqual([[]]);
  });

  it('commits 63 of 64 queued changes if one of them violates a constraint', async () => {
    const { db, figures } = await openLibsql(addressOf(await start({ isRepaired: true })));
    await db.batch([
      run('CREATE TABLE numbers (n INTEGER PRIMARY KEY, CONSTRAINT is_small CHECK (n < 1000)) STRICT'),
    ]);
    const insert = (n: number) => run('INSERT INTO numbers (n) VALUES (?) RETURNING n', [n]);
    const answers = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => db.batch(n === 40 ? [insert(100), insert(1000)] : [insert(n)])),
    );
    answers.forEach((answer, n) => {
      if (n !== 40) expect(answer).toEqual({ status: 'fulfilled', value: [[{ n }]] });
      else expect(answer).toMatchObject({ reason: { message: expect.stringContaining('is_small') } });
    });
    const [[found]] = await db.batch([run('SELECT count(*) AS n, max(n) AS most FROM numbers')]);
    expect(found).toEqual({ n: 63, most: 63 });
    const [, transactions = ''] = /group_size_count (\d+)/.exec(figures()) ?? [];
    expect(Number(transactions)).toBeLessThan(10);
  });

  it('causes a warning in version 8, a separate error for the rows that it drops, and no start in production', async () => {
    const node = await start({ isMigrated: true });
    const { fault, engine } = await inspectCluster(addressOf(node));
    expect([engine, fault]).toEqual([
      expect.stringMatching(/^rqlite 8 \(SQLite 3\.\d+\.\d+\)$/),
      'rqlite 8 drops rows of RETURNING and keeps parts of rejected transactions: run version 10.0 or later',
    ]);
    const { db } = await openLibsql(addressOf(node));
    const nested = run('UPDATE settings SET id = id WHERE id = (SELECT 1) RETURNING id');
    await expect(db.batch([nested])).rejects.toMatchObject({ code: 'UNSUPPORTED', statementIndex: 0 });
    const settings = { ...testDefaults, DATABASE_URL: addressOf(node) };
    const { code, output } = await runBun({ ...settings, ...production });
    expect([code, output]).toEqual([1, expect.stringContaining('run version 10.0 or later')]);
    const findings = await doctor({ ...settings, SECRET_KEY: testSecretKey });
    expect(findings).toContainEqual({ check: 'engine', verdict: 'problem', says: fault });
  });

  it('with a wrong password, or no foreign keys, ends the start with one sentence', async () => {
    const [locked, loose] = await Promise.all([
      start({ user: ['peridot', 'sekret'] }),
      start({ hasKeys: false }),
    ]);
    const ending = async (DATABASE_URL: string) => {
      const { code, output } = await runBun({ ...testDefaults, DATABASE_URL });
      expect(code).toBe(1);
      return output.trim().split('\n').at(-1);
    };
    expect(await ending(addressOf({ host: `peridot:wrong@${locked.host}` }))).toContain(
      `DATABASE_URL: http://${locked.host} rejects the user and password`,
    );
    expect(await ending(addressOf(loose))).toContain(
      'does not enforce foreign keys: start every node with -fk',
    );
  });

  it('works with Bun: migrates at startup, returns 503 while down, and loses nothing in a crash', async () => {
    const node = await start({ user: ['peridot', 'se:kr%et'], isRepaired: true });
    const DATABASE_URL = addressOf({ host: `peridot:${encodeURIComponent('se:kr%et')}@${node.host}` });
    const bun = await startBun({ ...variables(), DATABASE_URL });
    ends.push(bun.close);
    const target = reachable((path, init = {}) =>
      sendTo(bun.port, path, { ...init, headers: { Host: new URL(origin).host, ...init.headers } }),
    );
    const member = await newMember(target);
    const old = await member.browser.cookies('/v1/auth/refresh');
    expect((await refresh(member)).status).toBe(204);
    const replay = await target.request('/v1/auth/refresh', { method: 'POST', headers: { Cookie: old } });
    expect(replay.status).toBe(401);
    const ready = async () => (await fetch(`${bun.origin}/readyz`)).json();
    expect(await ready()).toEqual({ status: 'ok', database: expect.stringMatching(/^rqlite 8 /) });
    expect(bun.output()).toMatch(/"event":"database.engine".*"engine":"rqlite 8 /);
    expect(bun.output()).not.toContain('se:kr');
    await node.kill();
    expect((await member.browser.fetch('/v1/auth/session')).status).toBe(200);
    const askedAt = performance.now();
    const gone = await refresh(member);
    expect([gone.status, gone.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(performance.now() - askedAt).toBeLessThan(4_000);
    await node.start();
    expect((await refresh(member)).status).toBe(204);
    expect((await fetch(`${bun.origin}/readyz`)).status).toBe(200);
    expect(await (await member.browser.fetch('/v1/me')).json()).toMatchObject({ handle: member.handle });
  });

  it('serves Workers, even with many concurrent requests', async () => {
    const node = await start({ isMigrated: true, isRepaired: true });
    const config = {
      name: 'peridot',
      main: `${import.meta.dirname}/../../src/worker.ts`,
      compatibility_date: '2026-10-01',
      compatibility_flags: ['nodejs_compat'],
      vars: { ...variables(), DATABASE_URL: addressOf(node) },
      kv_namespaces: [{ binding: 'KV', id: 'kv' }],
    };
    const harness = createTestHarness({ workers: [{ config }] });
    await harness.listen();
    ends.push(() => harness.close());
    const worker = harness.getWorker('peridot');
    const target = reachable(
      (path, { method = 'GET', headers = {}, body } = {}) =>
        worker.fetch(`${origin}${path}`, {
          method,
          headers,
          redirect: 'manual',
          ...(body ? { body } : {}),
        } as never) as never,
    );
    const members = await Promise.all(Array.from({ length: 8 }, () => newMember(target)));
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(members.map(refresh));
      expect(answers.map(({ status }) => status)).toEqual(members.map(() => 204));
    }
    const answer = await target.request('/readyz');
    expect(await answer.json()).toMatchObject({ database: expect.stringMatching(/^rqlite 8 /) });
  }, 120_000);
});

describe.runIf(hasRqlite)('migrations', () => {
  it('apply in one transaction each, with triggers that contain semicolons', async () => {
    const { db } = await openLibsql(addressOf(await start()), undefined, operatorPatienceMs);
    const folder = `${import.meta.dirname}/../../migrations`;
    const names = await migrate(db, folder);
    expect(await migrate(db, folder)).toEqual([]);
    const objects = run('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name');
    const file = await openLibsql('file::memory:');
    expect(await migrate(file.db, folder)).toEqual(names);
    const schemaOf = (of: Database) => of.batch([objects]);
    expect(await schemaOf(db)).toEqual(await schemaOf(file.db));
    file.close();
  });
});

/** The service, wherever it listens. */
function reachable(request: Reachable['request']): Reachable {
  return { origin, request, now: Date.now };
}
