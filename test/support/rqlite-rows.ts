import { createServer } from 'node:http';

/**
 * Stands before a node of version 8 and makes up for its two defects with RETURNING, so that tests of the service run
 * on real nodes: it drops the rows unless its own parser reads the statement, and commits a transaction in which such a
 * statement fails. Version 10 has neither; a test of the adapter shows both without this.
 *
 * Each statement with RETURNING runs twice: first so that the node looks only at errors, and undone; then behind a
 * statement that its parser reads and SQLite never runs, because the node returns only the rows of the last.
 */
export async function standBefore(node: string, port: number): Promise<{ close(): Promise<void> }> {
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const isBatch = request.url?.startsWith('/db/request') ?? false;
    try {
      const { authorization } = request.headers;
      const response = await fetch(node + request.url, {
        method: request.method ?? 'GET',
        redirect: 'manual',
        headers: authorization === undefined ? {} : { authorization },
        ...(body === '' ? {} : { body: isBatch ? JSON.stringify(parse<Sent>(body).flatMap(twice)) : body }),
      });
      const text = await response.text();
      const isResult = isBatch && response.status === 200;
      for (const name of ['Location', 'X-Rqlite-Version'])
        if (response.headers.has(name)) answer.setHeader(name, response.headers.get(name) ?? '');
      answer.writeHead(response.status).end(isResult ? once(text, parse<Sent>(body)) : text);
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An empty table, whose name the migrations know as one of D1's own. */
const inert = '_cf_inert';
export const createInert = `CREATE TABLE IF NOT EXISTS ${inert} (n)`;

type Sent = [text: string, ...values: unknown[]][];

const hasRows = ([text = '']: Sent[number]) =>
  /^\s*(INSERT|UPDATE|DELETE|WITH)\b.*\bRETURNING\b/is.test(text);

function twice(statement: Sent[number]): Sent {
  if (!hasRows(statement)) return [statement];
  const [text, ...values] = statement;
  return [
    ['SAVEPOINT first'],
    [`DELETE FROM ${inert} WHERE (SELECT 0); ${text}`, ...values],
    ['ROLLBACK TO first'],
    ['RELEASE first'],
    [`DELETE FROM ${inert} WHERE 0 RETURNING n; ${text}`, ...values],
  ];
}

/** Leaves out the results of the additional statements. */
function once(text: string, sent: Sent): string {
  const answer = parse<{ results?: { error?: string }[] }>(text);
  const given = answer.results ?? [];
  const results: unknown[] = [];
  let at = 0;
  for (const statement of sent) {
    const run = hasRows(statement) ? given.slice(at, at + 5) : given.slice(at, at + 1);
    at += hasRows(statement) ? 5 : 1;
    const one =
      run.find(({ error }) => error !== undefined) ??
      (run.length === 5 || !hasRows(statement) ? run.at(-1) : undefined);
    if (one !== undefined) results.push(one);
  }
  return JSON.stringify({ ...answer, ...(answer.results ? { results } : {}) });
}

/** Keeps numbers as they are written. */
function parse<T>(text: string): T {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const keep = ((_: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? rawJSON(source) : value) as (key: string, value: unknown) => unknown;
  return JSON.parse(text, keep) as T;
}
