import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, inject, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { type BunProcess, bun, entryFile, npmStart, startBun } from './support/bun-process.ts';
import { production } from './support/production.ts';
import { makeCode } from './support/provider-driver.ts';
import { sendTo } from './support/send-to.ts';

const running: BunProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(variables: Record<string, string> = {}): Promise<BunProcess> {
  const server = await startBun({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
    ...variables,
  });
  running.push(server);
  return server;
}

/** A sign-in whose provider returns tokens slowly; opening it is a slow request. */
async function slowCallback(server: BunProcess, delayMs: number): Promise<() => Promise<Response>> {
  const started = await fetch(`${server.origin}/v1/auth/idp`, { redirect: 'manual' });
  const authorizeUrl = started.headers.get('Location') ?? '';
  const Cookie = started.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const { callbackUrl = '' } = await makeCode(inject('lyingIssuer'), {
    authorizeUrl,
    token: 'slow',
    delayMs,
  });
  const { pathname, search } = new URL(callbackUrl);
  return () => fetch(`${server.origin}${pathname}${search}`, { redirect: 'manual', headers: { Cookie } });
}

/** Sends raw text over a connection and returns everything received until it closes. */
function speak(server: BunProcess, text: string, patienceMs = 2_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    let heard = '';
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.setEncoding('latin1').on('data', (part: string) => {
      heard += part;
    });
    socket.on('error', reject).on('close', () => resolve(heard));
  });
}

describe('stopping the Bun entry', () => {
  it('finishes 200 requests in flight, accepts no more, and exits with code 0 within 10 s [R-18]', async () => {
    const server = await start();
    const callbacks = await Promise.all(Array.from({ length: 200 }, () => slowCallback(server, 1_500)));
    const answers = callbacks.map((open) =>
      open().then(
        ({ status }) => status,
        (error: Error) => `${error.cause ?? error}`,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 700));
    const ending = server.end('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const late = await fetch(`${server.origin}/healthz`).then(
      ({ status }) => status,
      () => 'refused',
    );
    expect(late).toBe('refused');
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => status !== 302 && status !== 503)).toEqual([]);
    const { code, tookMs, output } = await ending;
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    expect(Number(/"event":"stopping".*"inFlight":(\d+)/.exec(output)?.[1])).toBeGreaterThanOrEqual(200);
  });

  it('works if `npm start` started it and only npm receives the signal [R-18]', async () => {
    const server = await startBun({}, npmStart);
    running.push(server);
    const { output } = await server.end('SIGTERM');
    expect(output).toContain('"event":"stopping"');
    await expect(fetch(`${server.origin}/healthz`)).rejects.toThrow();
  });

  it('does not wait forever for a request that never ends [R-18]', async () => {
    const server = await start();
    const head = `POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const heard = speak(server, head, 15_000).catch((error: Error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { code, tookMs } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    await heard;
  });

  it('is immediate if no requests are in flight, even on SIGINT [R-18]', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await start();
      await fetch(`${server.origin}/healthz`);
      const { code, tookMs } = await server.end(signal);
      expect(code).toBe(0);
      expect(tookMs).toBeLessThan(2_000);
    }
  });
});

describe('the Bun entry on an in-memory database', () => {
  it('serves and stops', async () => {
    const server = await start({ DATABASE_URL: 'file::memory:' });
    expect((await fetch(`${server.origin}/.well-known/jwks.json`)).status).toBe(200);
    expect((await server.end('SIGTERM')).code).toBe(0);
  });
});

describe('the Bun entry’s log', () => {
  const { version } = packageJson;

  it('names version and environment when it listens, and warns of development mode', async () => {
    const server = await start();
    await server.end('SIGTERM');
    expect(server.output()).toContain(
      `"event":"listening","version":"${version}","environment":"development"`,
    );
    expect(server.output()).toMatch(
      /"level":"warn","event":"environment.development","message":"this is dev/,
    );
  });

  it('does not warn in production', async () => {
    const server = await start({ ...production, HOST: '127.0.0.1' });
    await server.end('SIGTERM');
    expect(server.output()).toContain(`"version":"${version}","environment":"production"`);
    expect(server.output()).not.toContain('environment.development');
  });
});

describe('the Bun entry’s files', () => {
  it('are readable only by their owner, both while the service runs and after it stops', async () => {
    const server = await start();
    const folder = dirname(server.file);
    const modes = async () => {
      const names = (await readdir(folder)).sort();
      return Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o777]));
    };
    const open = ['kv.db', 'kv.db-shm', 'kv.db-wal', 'peridot.db', 'peridot.db-shm', 'peridot.db-wal'];
    expect(await modes()).toEqual(open.map((name) => [name, 0o600]));
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(await modes()).toEqual(['kv.db', 'peridot.db'].map((name) => [name, 0o600]));
  });
});

describe('a client’s address', () => {
  /** Counts the requests that pass at a limit of 2, each with another forged address. */
  async function admitted(
    server: BunProcess,
    headers: (index: number) => Record<string, string>,
  ): Promise<number> {
    let passed = 0;
    for (let index = 0; index < 8; index += 1) {
      const answer = await fetch(`${server.origin}/v1/auth/login`, {
        method: 'POST',
        headers: headers(index),
      });
      if (answer.status === 200) passed += 1;
    }
    return passed;
  }
  const RATE_LIMITS = '{"POST /v1/auth/login":2}';
  const claimed = (index: number) => ({ 'X-Forwarded-For': `203.0.113.${index}` });

  it('is the address of the TCP peer, regardless of headers, if no proxy is trusted [D-65]', async () => {
    const server = await start({ RATE_LIMITS });
    expect(await admitted(server, claimed)).toBe(2);
    expect(
      await admitted(server, (index) => ({
        'CF-Connecting-IP': `203.0.113.${index}`,
        Forwarded: `for=203.0.113.${index}`,
      })),
    ).toBe(0);
  });

  it('is reported with a warning if TRUSTED_PROXIES omits the proxy', async () => {
    const server = await start({ RATE_LIMITS, TRUSTED_PROXIES: '10.0.0.0/8' });
    const ready = async () => (await fetch(`${server.origin}/readyz`)).json();
    expect(await ready()).toEqual({ status: 'ok' });
    expect(server.output()).not.toContain('proxy.not_trusted');
    await admitted(server, claimed);
    expect(await ready()).toEqual({
      status: 'ok',
      warnings: [expect.stringMatching(/^TRUSTED_PROXIES does not list the proxy/)],
    });
    await server.end('SIGTERM');
    expect(server.output().match(/proxy\.not_trusted/g)).toHaveLength(1);

    const trusting = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    await admitted(trusting, claimed);
    expect(await (await fetch(`${trusting.origin}/readyz`)).json()).toEqual({ status: 'ok' });
  });

  it('is reported at startup as unknown in production without TRUSTED_PROXIES', async () => {
    const server = await start({ ...production, HOST: '127.0.0.1' });
    await server.end('SIGTERM');
    expect(server.output()).toContain('TRUSTED_PROXIES is empty: name the TLS proxy in front');
    expect(server.output()).toMatch(/"event":"database.engine","sqlite":"3\.\d+\.\d+"/);
  });

  it('is never taken from a header of an untrusted peer [D-65]', async () => {
    const server = await start({ RATE_LIMITS, TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1' });
    expect(await admitted(server, claimed)).toBe(2);
  });

  it('is taken only from the header entry that a trusted proxy wrote [D-65]', async () => {
    const server = await start({ RATE_LIMITS, TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8' });
    expect(await admitted(server, claimed)).toBe(8);
    expect(
      await admitted(server, (index) => ({ 'X-Forwarded-For': `203.0.113.${index}, 198.51.100.1` })),
    ).toBe(2);
    expect(
      await admitted(server, (index) => ({
        'X-Forwarded-For': `6.6.6.${index}, 198.51.100.2, 10.0.0.${index}`,
      })),
    ).toBe(2);
    expect(
      await admitted(server, (index) => ({
        'X-Forwarded-For': `6.6.6.${index}, 198.51.100.3:${4000 + index}`,
      })),
    ).toBe(2);
    expect(await admitted(server, (index) => ({ 'X-Forwarded-For': `2001:db8::${index}` }))).toBe(2);
    // It is unreadable, so the proxy's own address is counted for all of them together.
    expect(await admitted(server, (index) => ({ 'X-Forwarded-For': `6.6.6.${index}, unknown` }))).toBe(2);
    expect(await admitted(server, (index) => ({ 'X-Real-IP': `203.0.113.${index + 100}` }))).toBe(0);
  });
});

describe('a page on Bun', () => {
  it('is compressed only if it contains no secrets other than those in its own URL', async () => {
    const server = await start({ IDP_ISSUER: '' });
    const ask = (path: string, headers: Record<string, string>) =>
      sendTo(server.port, path, {
        headers: { Host: 'localhost:8787', Accept: 'text/html', 'Accept-Encoding': 'gzip, br', ...headers },
      });
    const text = async (answer: Response) => brotliDecompressSync(await answer.arrayBuffer()).toString();
    for (const [path, status] of [
      ['/signin', 200],
      ['/v1/nowhere', 404],
    ] as const) {
      const page = await ask(path, { Cookie: 'pid_lang=id; pid_theme=dark' });
      expect([path, page.status, page.headers.get('Content-Encoding')]).toEqual([path, status, 'br']);
      expect(page.headers.get('Vary')).toContain('Accept-Encoding');
      const body = Buffer.from(await page.clone().arrayBuffer());
      const unpacked = await text(page);
      expect(unpacked).toMatch(/<html lang="id">.*<\/html>$/s);
      expect(body.length).toBeLessThan(unpacked.length / 2);
      for (const cookie of [
        'pid_access',
        'pid_refresh',
        'pid_claim',
        'pid_email',
        '__Host-pid_email',
        'pid_oauth',
        'x',
      ]) {
        const own = await ask(path, { Cookie: `pid_lang=id; ${cookie}=a` });
        expect([cookie, own.headers.get('Content-Encoding')]).toEqual([cookie, null]);
      }
      for (const [site, encoding] of [
        ['none', 'br'],
        ['same-origin', 'br'],
        ['same-site', null],
        ['cross-site', null],
      ] as const) {
        const from = await ask(path, { Cookie: 'pid_access=a', 'Sec-Fetch-Site': site });
        expect([site, from.headers.get('Content-Encoding')]).toEqual([site, encoding]);
      }
      expect((await ask(path, { 'Accept-Encoding': 'identity' })).headers.get('Content-Encoding')).toBeNull();
    }
    const json = await ask('/v1/auth/providers', { Accept: '*/*' });
    expect([json.status, json.headers.get('Content-Encoding')]).toEqual([200, null]);
    expect((await ask('/docs', {})).headers.get('Content-Encoding')).toBe('br');
  });
});

describe('the sandbox on Bun', () => {
  it('is hidden from clients that a trusted proxy reports as remote, regardless of the Host header', async () => {
    const server = await start({ IDP_ISSUER: '', TRUSTED_PROXIES: '127.0.0.0/8' });
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${server.origin}/dev/mail.json`, { headers })).status;
    expect(await ask({})).toBe(200);
    expect(await ask({ 'X-Forwarded-For': '203.0.113.9' })).toBe(404);
  });
});

describe('a malformed request to the Bun entry', () => {
  it('is read only up to the body limit, even with two Content-Length headers', async () => {
    const server = await start();
    const size = 2_000_000;
    const head =
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
    for (const lengths of [1, 2]) {
      const said = `Content-Length: ${size}\r\n`.repeat(lengths);
      const heard = await speak(server, `${head}${said}\r\n${' '.repeat(size)}`);
      expect(heard).toMatch(/^HTTP\/1\.1 413 /);
      expect(heard.toLowerCase()).toContain('x-error-code: body_too_large');
    }
  });

  it.each([
    { name: 'development', variables: {} },
    { name: 'production', variables: production },
  ])(
    'is rejected in the API’s error format in $name if Host is not a valid host [D-62]',
    async ({ variables }) => {
      const server = await start({ ...variables, IDP_ISSUER: '', LOG_LEVEL: 'info' });
      const hosts = ['a b', '', '[::1', 'a%00b', 'x:99999', 'a/b', 'u@b', 'xn--a', 'a\r\nHost: b'];
      for (const host of hosts) {
        const heard = await speak(
          server,
          `GET /signin?host=${hosts.indexOf(host)} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
        );
        const [head = '', body = ''] = heard.split('\r\n\r\n');
        expect(head, host).toMatch(/^HTTP\/1\.1 400 /);
        expect(head.toLowerCase(), host).toContain('x-error-code: host_invalid');
        expect(JSON.parse(body)).toEqual({
          statusCode: 400,
          message: 'The Host header is not valid',
          code: 'host_invalid',
        });
      }
      const refused = () =>
        server
          .output()
          .split('\n')
          .filter((line) => line.includes('host_invalid'));
      await expect.poll(() => refused().length).toBe(hosts.length);
      expect(refused().map((line) => JSON.parse(line).event)).toEqual(hosts.map(() => 'request.refused'));
      expect(server.output()).not.toMatch(/"level":"error"|\bat \S+ \(/);
    },
  );

  it('gets a response that reveals nothing about the failure, even outside the app [D-62]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'peridot-broken-'));
    const preload = join(folder, 'preload.ts');
    // The entry reads this header before it calls the app.
    await writeFile(
      preload,
      "const has = Headers.prototype.has;\nHeaders.prototype.has = function (name) { if (this.get('X-Break')) throw new Error('the inside'); return has.call(this, name); };\n",
    );
    for (const variables of [{}, production]) {
      const server = await startBun({ ...variables, IDP_ISSUER: '' }, [bun, '--preload', preload, entryFile]);
      running.push(server);
      const answer = await fetch(`${server.origin}/v1/auth/login`, {
        method: 'POST',
        headers: { 'X-Break': '1', Accept: 'text/html' },
      });
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([500, 'internal']);
      expect(await answer.json()).toEqual({
        statusCode: 500,
        message: 'Internal server error',
        code: 'internal',
      });
      await expect.poll(() => server.output()).toMatch(/"event":"request.failed".*the inside/);
    }
    await rm(folder, { recursive: true });
  });

  it('is logged as a client error, not a service error, if its body never ends', async () => {
    const server = await start({ LOG_LEVEL: 'info' });
    const head = 'POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    for (const [index, start] of [
      'Content-Length: 100\r\n\r\n{',
      'Transfer-Encoding: chunked\r\n\r\n5\r\n{',
    ].entries()) {
      // Hangs up when the server starts waiting for the rest.
      await speak(server, head + start, 300);
      const lines = () =>
        server
          .output()
          .split('\n')
          .filter((line) => line.includes('"event":"request.'));
      await expect.poll(() => lines().length).toBe(index + 1);
      const line = JSON.parse(lines().at(-1) ?? '');
      expect(line).toMatchObject({ event: 'request.refused', status: 400, errorCode: 'malformed_body' });
    }
  });

  it('gets a response that reveals nothing, or is disconnected, and leaves the service running [D-62]', async () => {
    const server = await start();
    const end = 'Connection: close\r\n\r\n';
    const requests = [
      `GET / HTTP/1.1\r\n${end}`,
      `GET / HTTP/1.1\r\nHost: \r\n${end}`,
      `GET / HTTP/1.1\r\nHost: evil%%.example:99999\r\n${end}`,
      `GET / HTTP/1.1\r\nHost: [::1\r\n${end}`,
      `GET http:// HTTP/1.1\r\nHost: localhost\r\n${end}`,
      `GET //evil.example/v1 HTTP/1.1\r\nHost: localhost\r\n${end}`,
      `GET /%00%ff%c0 HTTP/1.1\r\nHost: localhost\r\n${end}`,
      `GARBAGE\r\n\r\n`,
      `POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n${end}`,
      `POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(64 * 1024)}\r\n${end}`,
    ];
    for (const request of requests) {
      const heard = await speak(server, request).catch((error: Error) => error.message);
      const said = `${request.slice(0, 60)} → ${heard.slice(0, 300)}`;
      expect(heard, said).not.toMatch(/ 200 | 5\d\d |<html|<!doctype|\.ts\b|at \w+ \(|node_modules/i);
    }
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });
});
