import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { type Client, LibsqlBatchError, LibsqlError } from '@libsql/client/web';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createTestHarness } from 'wrangler';
import type { Database, Statement } from '../../src/db/database.ts';
import { AppError } from '../../src/errors.ts';
import { createGate } from '../../src/lib/gate.ts';
import { openLibsql, operatorPatienceMs } from '../../src/platform/database/libsql-node.ts';
import { isReplica, openServer, runnerOf } from '../../src/platform/database/libsql-server.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { groupBatches } from '../../src/platform/database/server-group.ts';
import { runBun, startBun } from '../support/bun-process.ts';
import { hasLibsqlServer, startLibsqlServer } from '../support/libsql-server.ts';
import { type Member, newMember } from '../support/people.ts';
import { freePort } from '../support/processes.ts';
import { production } from '../support/production.ts';
import { sendTo } from '../support/send-to.ts';
import { type Reachable, testDefaults } from '../support/target.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const run = <Row>(text: string, values: Statement['values'] = []): Statement<Row> => ({ text, values });
const migrations = `${import.meta.dirname}/../../migrations`;
const migrated = async (url: string) =>
  migrate(openServer({ url, patienceMs: operatorPatienceMs }), migrations);

describe('a response from a libSQL server', () => {
  /** A client whose responses are lost, before or after the batch is applied. */
  function losing(times: number, lost: Error) {
    let calls = 0;
    const answer = async () => {
      calls += 1;
      if (calls <= times) throw lost;
      return [{ rows: [{ n: calls }] }];
    };
    const client = { batch: answer, execute: async () => (await answer())[0] } as unknown as Client;
    const ask = runnerOf(() => client);
    return { ask: (statements: readonly Statement[]) => ask(statements, 3_000), calls: () => calls };
  }
  const two = [run('SELECT 1'), run('SELECT 2')] as const;

  it('is requested again if it was lost, three times in all', async () => {
    for (const lost of [
      new TypeError('fetch failed'),
      new LibsqlError('stream closed', 'HRANA_CLOSED_ERROR'),
      new LibsqlError('502', 'SERVER_ERROR'),
    ]) {
      for (const times of [1, 2]) {
        const { ask, calls } = losing(times, lost);
        expect(await ask(two)).toEqual([[{ n: times + 1 }]]);
        expect(calls()).toBe(times + 1);
      }
    }
  });

  it('is reported as unavailable after the third attempt, with the cause in the log', async () => {
    const lost = new TypeError('fetch failed');
    const { ask, calls } = losing(9, lost);
    const error: unknown = await ask([run('SELECT 1')]).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1, cause: lost });
    expect(calls()).toBe(3);
  });

  it('is not requested again if it is a rejection', async () => {
    const refused = new LibsqlError('UNIQUE constraint failed', 'SQLITE_CONSTRAINT');
    const { ask, calls } = losing(1, refused);
    await expect(ask(two)).rejects.toBe(refused);
    expect(calls()).toBe(1);
  });
});

describe('queued changes', () => {
  const group = Array.from({ length: 70 }, (_, n) => [run(`UPDATE ${n}`)]);
  const together = (db: Database) => Promise.allSettled(group.map((statements) => db.batch(statements)));
  const oneAtATime = () => createGate({ atOnce: 1, maxWaiting: 1_000 });

  it('run as one transaction of at most 64, and a single read runs separately', async () => {
    const asked: string[][] = [];
    const db = groupBatches(
      async (statements) => {
        asked.push(statements.map(({ text }) => text));
        return statements.map(({ text }) => [text]);
      },
      { pass: oneAtATime() },
    );
    const read = db.batch([run('SELECT 1')]);
    const answers = await together(db);
    answers.forEach((answer, n) => {
      expect(answer).toEqual({ status: 'fulfilled', value: [[`UPDATE ${n}`]] });
    });
    expect(await read).toEqual([['SELECT 1']]);
    expect(asked.map((texts) => texts.length)).toEqual([1, 64, 6]);
  });

  it('all get 503 if the transaction is lost, including the rejected ones', async () => {
    const db = groupBatches(
      async (statements) => {
        if (statements.length === 64)
          throw new LibsqlBatchError('UNIQUE constraint failed', 40, 'SQLITE_CONSTRAINT');
        if (statements.length === 63) throw new AppError('unavailable');
        return statements.map(() => []);
      },
      { pass: oneAtATime() },
    );
    const answers = await together(db);
    for (const answer of answers.slice(0, 64)) {
      expect(answer).toMatchObject({ reason: { code: 'unavailable' } });
    }
    expect(answers.slice(64).map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
  });

  it('run one by one if the server does not identify the rejected one', async () => {
    const db = groupBatches(
      async (statements) => {
        if (statements.some(({ text }) => text === 'UPDATE 40'))
          throw new LibsqlError('refused', 'SQLITE_CONSTRAINT');
        return statements.map(({ text }) => [text]);
      },
      { pass: oneAtATime() },
    );
    const answers = await together(db);
    answers.forEach((answer, n) => {
      if (n === 40) expect(answer).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT' } });
      else expect(answer).toEqual({ status: 'fulfilled', value: [[`UPDATE ${n}`]] });
    });
  });
});

describe('a silent server', () => {
  /** Accepts connections and never responds. */
  async function openSilent() {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { url: `http://127.0.0.1:${address.port}`, sockets };
  }

  it('times out after three seconds for every waiting request [R-10]', async () => {
    const { url, sockets } = await openSilent();
    const { db } = await openLibsql(url);
    const startedAt = performance.now();
    const waiting = Promise.all(
      Array.from({ length: 1_200 }, async () => {
        const error: unknown = await db.batch([run('SELECT 1')]).catch((thrown) => thrown);
        return { error, ms: performance.now() - startedAt };
      }),
    );
    // Only a few are sent concurrently.
    await expect.poll(() => sockets.size, { timeout: 2_500 }).toBe(4);
    const answers = await waiting;
    for (const { error } of answers) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    }
    // A thousand wait for their turn; requests beyond that fail immediately.
    expect(answers.filter(({ ms }) => ms < 2_900)).toHaveLength(196);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(6_000);
  });
});

const origin = testDefaults['BASE_URL'] ?? '';

describe('an overloaded server', () => {
  it('continues to serve requests within its capacity', async () => {
    // Each takes 100 ms, so four in parallel are forty a second. Two hundred are requested.
    const slow = createHttpServer((request, answer) => {
      request.resume().once('end', () => setTimeout(() => answer.end(answerOfSelect), 100));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    ends.push(async () => {
      slow.closeAllConnections();
      slow.close();
    });
    const address = slow.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const { db } = await openLibsql(`http://127.0.0.1:${address.port}`);
    const startedAt = performance.now();
    const asked: Promise<number>[] = [];
    while (performance.now() - startedAt < 6_000) {
      const answered = db.batch([run('SELECT 1 AS n')]).then(
        () => performance.now() - startedAt,
        () => 0,
      );
      asked.push(answered);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const answered = await Promise.all(asked);
    // Long after the queue has filled. If the longest-waiting request went first, nobody would be served by now.
    expect(answered.filter((at) => at > 4_000 && at < 6_000).length).toBeGreaterThan(20);
  }, 30_000);
});

/** A libSQL server's response to one SELECT (Hrana over HTTP, version 2). */
const answerOfSelect = JSON.stringify({
  baton: null,
  base_url: null,
  results: [
    {
      type: 'ok',
      response: {
        type: 'execute',
        result: {
          cols: [{ name: 'n' }],
          rows: [[{ type: 'integer', value: '1' }]],
          affected_row_count: 0,
          last_insert_rowid: null,
        },
      },
    },
  ],
});

/** The service, wherever it listens. */
function reachable(request: Reachable['request']): Reachable {
  return { origin, request, now: Date.now };
}

const variables = () => ({
  ...testDefaults,
  IDP_ISSUER: inject('lyingIssuer'),
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
  RATE_LIMITS: '{"*":1000000}',
});

const refresh = ({ browser }: Member) => browser.fetch('/v1/auth/refresh', { method: 'POST' });

// Published for one platform only.
describe.runIf(hasLibsqlServer)('a real server', () => {
  async function start(authKey?: string) {
    const server = await startLibsqlServer({ authKey });
    ends.push(server.close);
    return server;
  }

  it('applies a batch completely or not at all, and reports the guard that rejected it', async () => {
    const { url } = await start();
    const { db } = await openLibsql(url);
    await db.batch([
      run('CREATE TABLE numbers (n INTEGER PRIMARY KEY, CONSTRAINT is_small CHECK (n < 10)) STRICT'),
    ]);
    const insert = (n: number) => run('INSERT INTO numbers (n) VALUES (?) RETURNING n', [n]);
    expect(await db.batch([insert(1), insert(2)])).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    await expect(db.batch([insert(3), insert(10)])).rejects.toThrow(/CHECK constraint failed: is_small/);
    await expect(db.batch([insert(4), insert(1)])).rejects.toThrow(/UNIQUE constraint failed/);
    expect(await db.batch([run('SELECT count(*) AS n FROM numbers')])).toEqual([[{ n: 2 }]]);
    await expect(db.batch([run('SELECT no_such_column')])).rejects.toThrow(/no such column/);
    expect(await db.batch([run('SELECT ? AS text', ['a\ud800'])])).toEqual([[{ text: 'a\ufffd' }]]);
  });

  it('commits 63 of 64 queued changes if one of them violates a constraint', async () => {
    const { url } = await start();
    const { db } = await openLibsql(url);
    await db.batch([
      run('CREATE TABLE numbers (n INTEGER PRIMARY KEY, CONSTRAINT is_small CHECK (n < 1000)) STRICT'),
    ]);
    const insert = (n: number) => run('INSERT INTO numbers (n) VALUES (?) RETURNING n', [n]);
    const answers = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) => db.batch(n === 40 ? [insert(100), insert(1000)] : [insert(n)])),
    );
    answers.forEach((answer, n) => {
      if (n !== 40) expect(answer).toEqual({ status: 'fulfilled', value: [[{ n }]] });
      else {
        expect(answer).toMatchObject({
          reason: { code: 'SQLITE_CONSTRAINT', message: expect.stringContaining('is_small') },
        });
      }
    });
    expect(await db.batch([run('SELECT count(*) AS n, max(n) AS most FROM numbers')])).toEqual([
      [{ n: 63, most: 63 }],
    ]);
  });

  it('works with Bun: migrates at startup, returns 503 while down, and loses nothing in a crash', async () => {
    const server = await start();
    const bun = await startBun({ ...variables(), DATABASE_URL: server.url });
    ends.push(bun.close);
    const target = reachable((path, init = {}) =>
      sendTo(bun.port, path, { ...init, headers: { Host: new URL(origin).host, ...init.headers } }),
    );
    const member = await newMember(target);
    expect((await refresh(member)).status).toBe(204);
    await server.kill();
    expect((await member.browser.fetch('/v1/auth/session')).status).toBe(200);
    const gone = await refresh(member);
    expect([gone.status, gone.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(await gone.json()).toEqual({
      statusCode: 503,
      message: expect.any(String),
      code: 'unavailable',
    });
    expect((await fetch(`${bun.origin}/readyz`)).status).toBe(503);
    await server.start();
    expect((await refresh(member)).status).toBe(204);
    expect((await fetch(`${bun.origin}/readyz`)).status).toBe(200);
    expect(await (await member.browser.fetch('/v1/me')).json()).toMatchObject({ handle: member.handle });
  });

  it('requires DATABASE_AUTH_TOKEN, and the service reports at startup that it is missing', async () => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    const { url } = await start(await exportSPKI(publicKey));
    const settings = { ...variables(), DATABASE_URL: url };
    const { code, output } = await runBun(settings);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Peridot could not start: the database does not answer: .*401.*\n$/),
    ]);
    const token = await new SignJWT({ a: 'rw' }).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
    const bun = await startBun({ ...settings, DATABASE_AUTH_TOKEN: token });
    await bun.close();
    expect(bun.output()).toContain('"event":"listening"');
  });

  it('serves Workers, even with many concurrent requests', async () => {
    const server = await start();
    await migrated(server.url);
    const config = {
      name: 'peridot',
      main: `${import.meta.dirname}/../../src/worker.ts`,
      compatibility_date: '2026-10-01',
      compatibility_flags: ['nodejs_compat'],
      vars: { ...variables(), DATABASE_URL: server.url },
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
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(members.map(refresh));
      expect(answers.map(({ status }) => status)).toEqual(members.map(() => 204));
    }
    const [first] = members;
    if (!first) throw new Error('nobody signed in');
    const headers = { Cookie: await first.browser.cookies('/v1/auth/refresh') };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => target.request('/v1/auth/refresh', { method: 'POST', headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      204,
      ...Array.from({ length: 7 }, () => 401),
    ]);
  }, 120_000);
});

describe.runIf(hasLibsqlServer)('a replica of a libSQL server', () => {
  async function newPair() {
    const grpc = `127.0.0.1:${await freePort()}`;
    const primary = await startLibsqlServer({ peers: ['--grpc-listen-addr', grpc] });
    ends.push(primary.close);
    await migrated(primary.url);
    const replica = await startLibsqlServer({ peers: ['--primary-grpc-url', `http://${grpc}`] });
    ends.push(replica.close);
    return { primary, replica };
  }

  it('is distinguished from its primary, and a change that the primary rejects is sent only once', async () => {
    const { primary, replica } = await newPair();
    expect(await isReplica(openServer({ url: primary.url }))).toBe(false);
    const db = openServer({ url: replica.url });
    expect(await isReplica(db)).toBe(true);
    const refused = db.batch([run("INSERT INTO settings (id) VALUES ('no number')")]);
    await expect(refused).rejects.toMatchObject({ code: 'PROXY_ERROR' });
  });

  it('is rejected in production and causes a warning in development', async () => {
    const { replica } = await newPair();
    const settings = { ...testDefaults, DATABASE_URL: replica.url };
    const bun = await startBun(settings);
    await bun.close();
    expect(bun.output()).toContain('"event":"database.replica"');
    const { code, output } = await runBun({
      ...settings,
      ...production,
    });
    expect([code, output]).toEqual([1, expect.stringContaining('DATABASE_URL must name the primary')]);
  });
});
