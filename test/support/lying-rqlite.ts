import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** How a lying server responds to one batch, instead of the truth. */
export type Lie = (answer: ServerResponse, truth: Truth) => void;

export interface Truth {
  readonly results: { columns?: string[]; types?: string[]; values?: unknown[][]; rows_affected?: number }[];
}

export interface LyingRqlite {
  readonly host: string;
  /** The ids of the batches that it applied. */
  readonly applied: ReadonlySet<unknown>;
  /** The paths of all requests. */
  readonly asked: string[];
  /** Lies about the next batches, having applied them or not. */
  lie(lie: Lie, times: number, applies?: boolean): void;
  /** Responds to everything, `/status` too, with this. */
  beOther(answer: (request: IncomingMessage, answer: ServerResponse) => boolean): void;
  close(): Promise<void>;
}

/** The result of one statement: each inserts its first value, and returns it if the statement asks for rows. */
function resultOf([text = '', value]: [string?, unknown?]): Truth['results'][number] {
  if (!/RETURNING|SELECT/.test(text)) return { rows_affected: 1 };
  return { columns: [/AS (\w+)/.exec(text)?.[1] ?? 'id'], types: ['text'], values: [[value]] };
}

/** A server that speaks like a node of rqlite, and lies as told. */
export async function startLyingRqlite(): Promise<LyingRqlite> {
  const applied = new Set<unknown>();
  const asked: string[] = [];
  let lie: { readonly with: Lie; readonly applies: boolean; left: number } | null = null;
  let other: (request: IncomingMessage, answer: ServerResponse) => boolean = () => false;
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    asked.push(request.url ?? '');
    answer.setHeader('X-Rqlite-Version', 'v10.2.7');
    if (other(request, answer)) return;
    if (request.url === '/status') return void answer.end(status);
    const statements = JSON.parse(Buffer.concat(parts).toString()) as [string, unknown?][];
    const now = lie !== null && lie.left > 0 ? lie : null;
    if (now?.applies ?? true)
      for (const [text, id] of statements) if (text.startsWith('INSERT')) applied.add(id);
    const truth = { results: statements.map(resultOf) };
    if (now === null) return void answer.end(JSON.stringify(truth));
    now.left -= 1;
    now.with(answer, truth);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `127.0.0.1:${address.port}`;
  const status = statusOf(host);
  return {
    host,
    applied,
    asked,
    lie(as, times, applies = false) {
      lie = { with: as, applies, left: times };
    },
    beOther(as) {
      other = as;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a node says about itself. */
export function statusOf(
  addr: string,
  members: readonly string[] = [addr],
  version = 'v10.2.7',
  keys = true,
): string {
  return JSON.stringify({
    build: { version },
    store: {
      addr,
      db_conf: { fk_constraints: keys },
      leader: { addr: members[0] },
      nodes: members.map((each) => ({ addr: each })),
      sqlite3: { version: '3.51.3' },
    },
  });
}
