import { createClient, type InStatement } from '@libsql/client/web';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepStreams } from '../../src/platform/database/libsql-streams.ts';
import { hasLibsqlServer, type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts';

interface Sent {
  readonly baton?: string;
  readonly requests: readonly { readonly type: string }[];
}

describe.skipIf(!hasLibsqlServer)('streams of a libSQL server', () => {
  let server: LibsqlServer;
  let now = 0;
  let sent: Sent[] = [];
  let batch: (...texts: string[]) => Promise<unknown[][]>;

  beforeAll(async () => {
    server = await startLibsqlServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const send = keepStreams(
      async (request, signal) => {
        sent.push(JSON.parse(await request.clone().text()));
        return fetch(request, { signal });
      },
      () => now,
    );
    batch = async (...texts) => {
      const signal = AbortSignal.timeout(10_000);
      const client = createClient({ url: server.url, fetch: (request: Request) => send(request, signal) });
      const results = await client.batch(texts as InStatement[], 'write');
      return results.map(({ rows }) => rows.map((row) => row[0]));
    };
    await batch('DROP TABLE IF EXISTS t', 'CREATE TABLE t (n INTEGER PRIMARY KEY)');
    sent = [];
  });
  const types = () =>
    sent.map(({ requests }) =>
      requests
        .map(({ type }) => type)
        .filter((type) => !type.endsWith('_sql'))
        .join(),
    );

  it('continue with the next batch', async () => {
    await batch('INSERT INTO t VALUES (1)');
    await batch('INSERT INTO t VALUES (2)');
    expect(await batch('SELECT n FROM t ORDER BY n')).toEqual([[1, 2]]);
    expect(types()).toEqual(['batch', 'batch', 'batch']);
    expect(sent.every(({ baton }) => baton !== undefined)).toBe(true);
    expect(new Set(sent.map(({ baton }) => baton)).size).toBe(3);
  });

  it('stay open for at most sixteen batches at a time', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => batch(`INSERT INTO t VALUES (${n})`)));
    expect(types().filter((each) => each === 'batch')).toHaveLength(16);
    expect(types().filter((each) => each === 'batch,close')).toHaveLength(24);
    sent = [];
    await Promise.all(Array.from({ length: 16 }, () => batch('SELECT 1')));
    expect(sent.filter(({ baton }) => baton === undefined)).toEqual([]);
    expect(await batch('SELECT count(*) FROM t')).toEqual([[40]]);
  });

  it('are closed after a failed statement, which leaves no transaction open', async () => {
    await expect(batch('INSERT INTO t VALUES (1)', 'INSERT INTO t VALUES (1)')).rejects.toThrow(/UNIQUE/);
    expect(types()).toEqual(['batch', 'close']);
    expect(sent[1]?.baton).toBeDefined();
    expect(await batch('INSERT INTO t VALUES (1)', 'SELECT count(*) FROM t')).toEqual([[], [1]]);
    expect(sent[2]?.baton).toBeUndefined();
  });

  it('are replaced after five idle seconds', async () => {
    now += 5_000;
    await batch('INSERT INTO t VALUES (1)');
    expect(sent.map(({ baton }) => baton)).toEqual([undefined]);
  });

  it('are replaced if the server has ended them, and the batch takes effect once', async () => {
    await batch('INSERT INTO t VALUES (1)');
    await server.kill();
    await server.start();
    await batch('INSERT INTO t VALUES (2)');
    expect(sent.slice(1).map(({ baton }) => typeof baton)).toEqual(['string', 'undefined']);
    expect(await batch('SELECT n FROM t ORDER BY n')).toEqual([[1, 2]]);
  });

  it('are not continued at another address that the server names', async () => {
    const answers = [{ baton: 'b', base_url: 'http://127.0.0.1:1', results: [{ type: 'ok' }] }];
    const bodies: string[] = [];
    const send = keepStreams(async (request) => {
      bodies.push(await request.text());
      return Response.json(answers[0]);
    });
    const ask = () =>
      send(
        new Request('http://127.0.0.1:2/v2/pipeline', {
          method: 'POST',
          body: '{"requests":[{"type":"batch"},{"type":"close"}]}',
        }),
        AbortSignal.timeout(1_000),
      );
    expect(await (await ask()).json()).toMatchObject({ baton: null, results: [{}, { type: 'ok' }] });
    await ask();
    expect(bodies).toEqual(Array(2).fill('{"requests":[{"type":"batch"}]}'));
  });
});
