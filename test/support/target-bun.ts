import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { readFolder } from './folder.ts';
import { type Target, type TargetRequest, type TargetVariables, testDefaults } from './target.ts';

const root = join(import.meta.dirname, '../..');

interface Run {
  readonly server: ChildProcess;
  readonly port: number;
  readonly origin: string;
}

/** The service as `npm start` runs it: a Bun process of its own, reached over HTTP. */
export async function createTarget(variables: TargetVariables = {}): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'peridot-test-'));
  const file = `file:${join(folder, 'peridot.db')}`;
  const stores = { DATABASE_URL: file, KV_URL: `file:${join(folder, 'kv.db')}` };
  const lines: string[] = [];
  const begin = (others: TargetVariables) =>
    start({ ...testDefaults, ...stores, ...variables, ...others }, lines);
  let run = await begin({});
  const client = createClient({ url: file, timeout: 2_000 });
  let offset = 0;
  // As behind a proxy: the name people use stands in the Host header, wherever the socket leads.
  const send = (path: string, init: TargetRequest = {}) =>
    sendTo(run.port, path, { ...init, headers: { Host: new URL(run.origin).host, ...init.headers } });
  return {
    get origin() {
      return run.origin;
    },
    request: send,
    async advance(seconds) {
      await advanceClock(run, seconds);
      offset += seconds * 1000;
    },
    now: () => Date.now() + offset,
    async rows(sql, values = []) {
      const result = await client.execute({ sql, args: values });
      const objects = result.rows.map((row) =>
        Object.fromEntries(result.columns.map((name) => [name, row[name]])),
      );
      return objects as never;
    },
    trips: () => null,
    files: () => readFolder(folder),
    log: () => lines.filter((line) => line.startsWith('{')),
    async restart(others = {}) {
      await stop(run.server);
      run = await begin(others);
      if (offset > 0) await advanceClock(run, offset / 1000);
    },
    async close() {
      client.close();
      await stop(run.server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function start(variables: TargetVariables, lines: string[]): Promise<Run> {
  const port = await freePort();
  const server = spawn('npm', ['start', '--silent'], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...variables, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  collect(server, lines);
  await ready(server, port, lines);
  return { server, port, origin: new URL(variables['BASE_URL'] ?? '').origin };
}

/** In development the service's own clock can be moved from outside. */
async function advanceClock(run: Run, seconds: number): Promise<void> {
  const body = JSON.stringify({ advanceSeconds: seconds });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await sendTo(run.port, '/dev/clock', { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the clock did not move: ${answer.status} ${await answer.text()}`);
}

function collect(server: ChildProcess, lines: string[]): void {
  for (const stream of [server.stdout, server.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
  }
}

async function ready(server: ChildProcess, port: number, lines: string[]): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (server.exitCode !== null) break;
    const answers = await sendTo(port, '/readyz', {}).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await stop(server);
  throw new Error(`npm start did not come up:\n${lines.join('\n')}`);
}

/** Ends the whole process group: npm, and the server it started. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.pid === undefined) return;
  const exited = new Promise((resolve) => server.once('exit', resolve));
  process.kill(-server.pid, 'SIGTERM');
  await exited;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** node:http rather than fetch: it sends exactly the headers it is given. */
function sendTo(port: number, path: string, init: TargetRequest): Promise<Response> {
  const url = new URL(path, `http://127.0.0.1:${port}`);
  return new Promise((resolve, reject) => {
    const options = { method: init.method ?? 'GET', headers: init.headers ?? {}, agent: false as const };
    const request = httpRequest(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const headers = new Headers();
        for (let index = 0; index < answer.rawHeaders.length; index += 2) {
          headers.append(answer.rawHeaders[index] ?? '', answer.rawHeaders[index + 1] ?? '');
        }
        const status = answer.statusCode ?? 0;
        const body = status === 204 || status === 304 ? null : Buffer.concat(chunks);
        resolve(new Response(body, { status, headers }));
      });
    });
    request.on('error', reject);
    void sendBody(request, Buffer.from(init.body ?? ''), init.chunked ?? false);
  });
}

const pieceBytes = 65_536;

/** Sends a body in pieces until the answer is there: a server that has refused a body may hang up on the rest. */
async function sendBody(request: ClientRequest, body: Buffer, chunked: boolean): Promise<void> {
  let answered = false;
  request.once('response', () => {
    answered = true;
  });
  if (chunked) request.setHeader('Transfer-Encoding', 'chunked');
  else if (body.length > 0) request.setHeader('Content-Length', body.length);
  for (let at = 0; at < body.length; at += pieceBytes) {
    if (answered || request.destroyed) return;
    request.write(body.subarray(at, at + pieceBytes));
    await new Promise((resolve) => setImmediate(resolve));
  }
  request.end();
}
