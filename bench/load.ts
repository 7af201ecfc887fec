import { createConnection, type Socket } from 'node:net';

/** Head and body are read byte for byte (Latin-1), which is sufficient for comparing ASCII and costs the least. */
export interface Answer {
  status: number;
  head: string;
  body: string;
}

export interface Round {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  count: number;
  /** The CPU time of the measured side for one operation, if measured. */
  cpuMicros?: number;
}

/** One measured unit of work on one connection. False means that there is no more work. */
export type Step = (connection: Connection, index: number) => Promise<boolean>;

/** A wrong response, which fails the whole run: a fast wrong response is not a valid measurement. */
export class WrongAnswer extends Error {
  constructor(expected: string, answer: Answer) {
    super(
      `Expected ${expected}, got ${answer.status}: ${answer.head.slice(0, 800)}\n\n${answer.body.slice(0, 400)}`,
    );
    this.name = 'WrongAnswer';
  }
}

export const connectionCount = 16;

/**
 * A keep-alive HTTP/1.1 connection with one request in flight. The load shares two or more cores with the measured
 * service, so it only writes text, finds the end of the response and passes the response on.
 */
export class Connection {
  readonly port: number;
  readonly #socket: Socket;
  #received = '';
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  private constructor(port: number, socket: Socket) {
    this.port = port;
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The service closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: '127.0.0.1', port, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(port, socket));
      });
    });
  }

  exchange(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) throw new Error('The service has closed the connection');
      this.#waiting = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    this.#received += bytes.toString('latin1');
    const answer = parseAnswer(this.#received);
    if (answer === undefined) return;
    this.#received = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }
}

/** Repeats `step` on all connections in parallel until the time is up or there is no more work. */
export async function drive(
  port: number,
  seconds: number,
  step: Step,
  count = connectionCount,
): Promise<Round> {
  return await withConnections(port, count, async (connections) => {
    const latencies: number[] = [];
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    await Promise.all(
      connections.map(async (connection, index) => {
        for (let sentAt = performance.now(); sentAt < endsAt; ) {
          if (!(await step(connection, index))) return;
          const answeredAt = performance.now();
          latencies.push(answeredAt - sentAt);
          sentAt = answeredAt;
        }
      }),
    );
    return summarize(latencies, performance.now() - startedAt);
  });
}

/** Opens connections for `work` and always closes them. */
export async function withConnections<T>(
  port: number,
  count: number,
  work: (connections: Connection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

export function summarize(latencies: number[], elapsedMs: number): Round {
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    requestsPerSecond: (sorted.length / elapsedMs) * 1000,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    count: sorted.length,
  };
}

/** @param headers further header lines, each with its line break */
export function getRequest(path: string, cookies: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookies}\r\n${headers}\r\n`;
}

export function postRequest(
  path: string,
  cookies: string,
  contentType = '',
  body = '',
  headers = '',
): string {
  const type = contentType === '' ? '' : `Content-Type: ${contentType}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookies}\r\n${type}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function parseAnswer(text: string): Answer | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const status = Number(text.slice(9, 12));
  const bodyStart = headEnd + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const bodyEnd = bodyStart + Number(length);
    return text.length < bodyEnd ? undefined : { status, head, body: text.slice(bodyStart, bodyEnd) };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, head, body: '' };
  const body = joinChunks(text, bodyStart);
  return body === undefined ? undefined : { status, head, body };
}

/** The text of a chunked body, or undefined before its last chunk has arrived. */
function joinChunks(text: string, start: number): string | undefined {
  let body = '';
  for (let position = start; ; ) {
    const sizeEnd = text.indexOf('\r\n', position);
    if (sizeEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(position, sizeEnd), 16);
    const chunkEnd = sizeEnd + 2 + size;
    if (text.length < chunkEnd + 2) return undefined;
    if (size === 0) return body;
    body += text.slice(sizeEnd + 2, chunkEnd);
    position = chunkEnd + 2;
  }
}
