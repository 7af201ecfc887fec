import { afterEach, describe, expect, it } from 'vitest';
import type { Statement } from '../../src/db/database.ts';
import { AppError } from '../../src/errors.ts';
import { openRqlite, rqliteRunner } from '../../src/platform/database/rqlite.ts';
import { inspectCluster } from '../../src/platform/database/rqlite-check.ts';
import { createNodes } from '../../src/platform/database/rqlite-nodes.ts';
import { type Lie, startLyingRqlite, statusOf } from '../support/lying-rqlite.ts';
import { addressOf } from '../support/rqlite.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start() {
  const server = await startLyingRqlite();
  ends.push(server.close);
  return server;
}

const run = (text: string, values: Statement['values'] = []): Statement => ({ text, values });
/** Three statements, of which two have rows. */
const batchOf = (id: string) => [
  run('INSERT INTO a VALUES (?) RETURNING id', [id]),
  run('UPDATE a SET n = ?', [1]),
  run('SELECT ? AS id', [id]),
];
const rowsFor = (id: string) => [[{ id }], [], [{ id }]];
const send = (answer: Parameters<Lie>[0], value: unknown) => void answer.end(JSON.stringify(value));

const lies: Record<string, Lie> = {
  'fewer results': (answer, { results }) => send(answer, { results: results.slice(0, 2) }),
  'no proof': (answer, { results }) => send(answer, { results: results.slice(0, 3) }),
  'more results': (answer, { results }) => send(answer, { results: [...results, {}] }),
  'no leader, with status 200': (answer) => send(answer, { results: [], error: 'leader not found' }),
  'an error beside all results': (answer, truth) => send(answer, { ...truth, error: 'leadership lost' }),
  'the response to another batch': (answer, { results }) =>
    send(answer, { results: [...results.slice(0, 3), { ...results[3], values: [['another']] }] }),
  'a locked database': (answer) => send(answer, { results: [{ error: 'database is locked' }] }),
  'no rows of a SELECT': (answer, { results }) => send(answer, { results: results.with(2, {}) }),
  'rows of the wrong width': (answer, { results }) =>
    send(answer, { results: results.with(0, { columns: ['id'], types: ['text'], values: [[1, 2]] }) }),
  'a row that is no array': (answer, { results }) =>
    send(answer, { results: results.with(0, { columns: ['id'], types: ['text'], values: [7 as never] }) }),
  'results that are none': (answer) => send(answer, { results: [null, 'ok', 1, true] }),
  'an object': (answer) => send(answer, {}),
  null: (answer) => send(answer, null),
  nothing: (answer) => void answer.end(),
  'HTML with status 200': (answer) => void answer.end('<!doctype html><title>Welcome</title>'),
  'half a body': (answer, truth) => {
    const text = JSON.stringify(truth);
    answer.writeHead(200, { 'Content-Length': text.length });
    answer.write(text.slice(0, text.length / 2), () => answer.destroy());
  },
  'half a body, without a length': (answer, truth) => void answer.end(JSON.stringify(truth).slice(0, 40)),
  'status 503': (answer) => void answer.writeHead(503).end('leader not found'),
  'status 401': (answer) => void answer.writeHead(401).end(),
  'status 202 with the truth': (answer, truth) => void answer.writeHead(202).end(JSON.stringify(truth)),
  'a redirect without an address': (answer) => void answer.writeHead(301).end(),
  'a closed connection': (answer) => void answer.destroy(),
  silence: () => {},
};

describe('a response that proves nothing', () => {
  const patienceMs = 3_000;

  async function tryOut(name: string, lie: Lie) {
    const server = await start();
    const { run: ask } = rqliteRunner({ url: addressOf(server) });
    for (const applies of [false, true]) {
      server.lie(lie, 1, applies);
      const id = `${name} ${applies}`;
      expect(await ask(batchOf(id), patienceMs), id).toEqual(rowsFor(id));
      expect(server.applied).toContain(id);
    }
    server.lie(lie, 1_000);
    const error: unknown = await ask(batchOf('never'), 500).catch((thrown) => thrown);
    expect(error, name).toBeInstanceOf(AppError);
    expect(error, name).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(server.applied, name).not.toContain('never');
    server.lie(lie, 0);
    expect(await ask(batchOf('after'), patienceMs), name).toEqual(rowsFor('after'));
  }

  it('is requested again, and is reported as unavailable if it stays so', async () => {
    await Promise.all(Object.entries(lies).map(([name, lie]) => tryOut(name, lie)));
  });
});

describe('rqlite', () => {
  it('causes a separate error if it drops the rows of RETURNING, even if there are none', async () => {
    const server = await start();
    const { db } = openRqlite({ url: addressOf(server) });
    for (const dropped of [{}, { rows_affected: 1, last_insert_id: 3 }]) {
      server.lie((answer, { results }) => send(answer, { results: results.with(0, dropped) }), 1);
      const error: unknown = await db.batch(batchOf('a')).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'UNSUPPORTED', statementIndex: 0 });
    }
    server.lie((answer, { results }) => send(answer, { results: results.with(0, {}) }), 1);
    expect(await db.batch([run("INSERT INTO a VALUES ('RETURNING') -- RETURNING")])).toEqual([[]]);
  });

  it('is asked only once if it rejects a statement, and the error names the statement', async () => {
    const server = await start();
    const { db } = openRqlite({ url: addressOf(server) });
    server.lie((answer) => send(answer, { results: [{}, { error: 'UNIQUE constraint failed: a.id' }] }), 1);
    const error: unknown = await db.batch(batchOf('a')).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'SQLITE_CONSTRAINT', statementIndex: 1 });
    expect(server.asked).toHaveLength(2);
  });

  it('is followed only to one of the configured nodes', async () => {
    const [first, second, stranger] = [await start(), await start(), await start()] as const;
    const hosts = [first.host, second.host];
    for (const node of [first, second])
      node.beOther((request, answer) => {
        if (request.url !== '/status') return false;
        answer.end(statusOf(node.host, hosts));
        return true;
      });
    const { run: ask } = rqliteRunner({ url: addressOf(first, second) });
    const to =
      (host: string): Lie =>
      (answer) =>
        void answer.writeHead(301, { Location: `http://${host}/db/request?redirect` }).end();
    first.lie(to(stranger.host), 1);
    expect(await ask(batchOf('a'), 2_000)).toEqual(rowsFor('a'));
    // The node itself passed the batch on, because it was asked again without `redirect`.
    expect(first.applied).toContain('a');
    first.lie(to(second.host), 1);
    expect(await ask(batchOf('b'), 2_000)).toEqual(rowsFor('b'));
    expect([...second.applied]).toEqual(['b']);
    const asked = first.asked.length;
    // From now on the leader is asked first.
    expect(await ask(batchOf('c'), 2_000)).toEqual(rowsFor('c'));
    expect([second.applied.has('c'), first.asked.length]).toEqual([true, asked]);
    expect(stranger.asked).toEqual([]);
  });

  it('is asked node by node until one responds', async () => {
    const [first, second] = [await start(), await start()];
    second.beOther((request, answer) => {
      if (request.url !== '/status') return false;
      answer.end(statusOf(second.host, [first.host, second.host]));
      return true;
    });
    const { run: ask } = rqliteRunner({ url: addressOf(first, second) });
    await ask(batchOf('a'), 2_000);
    first.lie(() => {}, 1_000);
    expect(await ask(batchOf('b'), 2_000)).toEqual(rowsFor('b'));
    expect([...second.applied]).toEqual(['b']);
  });

  it('gets no statement if it belongs to another cluster, even if the leader does not respond', async () => {
    const [first, stranger] = [await start(), await start()];
    const { run: ask } = rqliteRunner({ url: addressOf(first, stranger) });
    await ask(batchOf('a'), 2_000);
    first.lie(() => {}, 1_000);
    await expect(ask(batchOf('b'), 400)).rejects.toMatchObject({ code: 'unavailable' });
    expect(new Set(stranger.asked)).toEqual(new Set(['/status']));
  });

  it('has port 4001 and no TLS unless its address says so', () => {
    expect(createNodes('rqlites://user:p%40ss@A.example,b.example:5,10.0.0.1').origins).toEqual([
      'https://a.example:4001',
      'https://b.example:5',
      'https://10.0.0.1:4001',
    ]);
    expect(createNodes('rqlite://a').origins).toEqual(['http://a:4001']);
  });

  it('serves no Worker in production if its version is old', async () => {
    const server = await start();
    server.beOther((request, answer) => {
      if (request.url === '/status') answer.end(statusOf(server.host, [server.host], '9'));
      return request.url === '/status';
    });
    const { run: ask } = rqliteRunner({ url: addressOf(server), isStrict: true });
    const cause = expect.objectContaining({ message: expect.stringContaining('run version 10.0 or later') });
    await expect(ask(batchOf('a'), 200)).rejects.toMatchObject({ code: 'unavailable', cause });
    expect(server.applied.size).toBe(0);
  });
});

describe('the check at startup', () => {
  type Other = Parameters<Awaited<ReturnType<typeof start>>['beOther']>[0];
  async function faultOf(...others: (Other | null)[]) {
    const servers = await Promise.all(others.map(start));
    servers.forEach((server, index) => {
      const other = others[index];
      if (other) server.beOther(other);
    });
    const error: unknown = await inspectCluster(addressOf(...servers)).catch((thrown) => thrown);
    const text = error instanceof Error ? error.message : JSON.stringify(error);
    return servers.reduce((message, { host }, index) => message.replaceAll(host, `node${index}`), text);
  }

  it('says in one sentence what is wrong with an address', async () => {
    const end =
      (status: number, body: string): Other =>
      (_, answer) => {
        answer.writeHead(status).end(body);
        return true;
      };
    expect(await faultOf(end(401, ''))).toContain(
      'DATABASE_URL: http://node0 rejects the user and password, or lets them not read /status',
    );
    for (const page of [
      end(200, '<h1>It works</h1>'),
      end(404, ''),
      end(200, '{"status":"ok"}'),
      end(302, ''),
    ])
      expect(await faultOf(page)).toContain('DATABASE_URL: http://node0 is not a node of rqlite');
    expect(await faultOf(null, null)).toContain(
      'DATABASE_URL: http://node1 and http://node0 are not two nodes of one cluster',
    );
    expect(await faultOf(end(200, statusOf('a', ['a', 'b'])), end(200, statusOf('a', ['a', 'b'])))).toContain(
      'http://node1 and http://node0 are not two nodes of one cluster',
    );
    expect(await faultOf(end(200, statusOf('a', ['a'], 'v10.0.0', false)))).toContain(
      'DATABASE_URL: http://node0 does not enforce foreign keys: start every node with -fk',
    );
    expect(await faultOf(end(503, ''))).toContain('DATABASE_URL: no node answers (http://node0)');
  });
});
