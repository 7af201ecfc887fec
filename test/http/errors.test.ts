import { describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { AppError } from '../../src/errors.ts';
import { settledLog } from '../support/answers.ts';
import { json, openBrowser } from '../support/browser.ts';
import { type InProcessTarget, serveInProcess } from '../support/in-process.ts';
import { newMember, startSignIn } from '../support/people.ts';
import { routesOf } from '../support/routes.ts';
import { startService, useSharedService } from '../support/service.ts';
import type { Target } from '../support/target.ts';
import { ticketCookies } from '../support/tickets.ts';

const target = useSharedService();

/** Internal details that a response must never reveal. */
const inside =
  /\bat \S+ \(|\.tsx?\b|node_modules|\/src\/|file:|SELECT|INSERT|UPDATE |no such table|sqlite|libsql|D1_|hono|drizzle|Error:/i;

async function expectError(answer: Response, status: number, code: string, message: unknown): Promise<void> {
  const text = await answer.text();
  expect([answer.status, answer.headers.get('X-Error-Code')], text).toEqual([status, code]);
  expect(JSON.parse(text)).toEqual({ statusCode: status, message, code });
  expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  expect(text).not.toMatch(inside);
}

/** The log lines of one request; waits, because a separate process may write them later. */
async function logOf(from: Target, answer: Response, event: string): Promise<Record<string, unknown>> {
  const id = answer.headers.get('X-Request-Id') ?? 'none';
  const line = () => from.log().find((text) => text.includes(id) && text.includes(`"event":"${event}"`));
  await expect.poll(line).toBeDefined();
  return JSON.parse(line() ?? '');
}

/** A service in this process without a database, which accepts requests that no client library would send. */
function inProcess(change: (deps: Deps) => void = () => {}): InProcessTarget {
  return serveInProcess({
    variables: {},
    db: { batch: () => Promise.reject(new Error('no database')) },
    rows: async () => [],
    close: async () => {},
    extend: (_, deps) => change(deps),
  });
}

function bound(real: Request, name: string | symbol): unknown {
  const value: unknown = Reflect.get(real, name);
  return typeof value === 'function' ? value.bind(real) : value;
}

describe('an error', () => {
  it('has a status, a code and one text, or one text per problem for a validation error [D-62]', async () => {
    await expectError(
      await target.request('/v1/auth/session'),
      401,
      'no_session',
      'Authentication is required',
    );
    await expectError(await target.request('/v1/auth/claim'), 410, 'ticket_gone', 'Claim ticket has expired');
    const refresh = await target.request('/v1/auth/refresh', { method: 'POST' });
    await expectError(refresh, 401, 'no_session', 'The refresh token is invalid, expired or already used');
    const login = await target.request(
      '/v1/auth/login',
      json('POST', { provider: 7, returnTo: '//evil.example' }),
    );
    const texts = [
      'provider must be idp, google or github',
      'returnTo must be a path such as /settings, or an address on an allowed origin',
    ];
    await expectError(login, 400, 'validation_failed', texts);
    const claim = await target.request('/v1/auth/claim', json('POST', { displayName: 'x'.repeat(65) }));
    const display = 'displayName must be shorter than or equal to 64 characters';
    await expectError(claim, 400, 'validation_failed', ['handle must be a string', display]);
  });

  it('is 404 for an unknown path or an unsupported method', async () => {
    const known = new Set(routesOf().map(({ method, pattern }) => `${method} ${pattern}`));
    const paths = [
      '/',
      '/v1',
      '/v1/',
      '/v1/nowhere',
      '/V1/auth/session',
      '/v1/auth/session/',
      '/v1//auth/session',
    ];
    const tries = [
      ...paths,
      '/v1/auth/login',
      '/v1/auth/refresh',
      '/healthz',
      '/v1/auth/google',
      '/.env',
      '/v1/auth/%2e%2e/x',
    ];
    for (const path of tries) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (known.has(`${method} ${path}`)) continue;
        const answer = await target.request(path, { method });
        expect([method, path, answer.status]).toEqual([method, path, 404]);
        await expectError(answer, 404, 'not_found', 'Not found');
      }
    }
  });

  it('is a 4xx, not a 5xx, for an address that cannot be decoded', async () => {
    for (const path of [
      '/v1/auth/%',
      '/v1/auth/%zz',
      '/v1/auth/claim/handles/%E0%A4%A',
      '/v1/credentials/%00',
    ]) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await target.request(path, { method });
        expect(answer.status, path).toBeGreaterThanOrEqual(400);
        expect(answer.status, path).toBeLessThan(500);
      }
    }
  });

  it('is the same for HEAD, without a body', async () => {
    const { browser } = await newMember(target);
    const signedIn = await browser.fetch('/v1/auth/session', { method: 'HEAD' });
    expect([signedIn.status, await signedIn.text()]).toEqual([200, '']);
    for (const path of ['/v1/auth/session', '/v1/nowhere', '/v1/auth/claim']) {
      const get = await target.request(path);
      const head = await target.request(path, { method: 'HEAD' });
      expect([head.status, await head.text()], path).toEqual([get.status, '']);
      for (const name of ['X-Error-Code', 'Content-Type', 'Cache-Control', 'Vary']) {
        expect(head.headers.get(name), `${path} ${name}`).toBe(get.headers.get(name));
      }
    }
  });

  it('is never sent for a HEAD navigation, and the navigation has no effect', async () => {
    const browser = openBrowser(target);
    const { callback } = await startSignIn(target, browser);
    const head = await browser.navigate(callback, { method: 'HEAD' });
    expect([head.status, head.headers.getSetCookie()]).toEqual([204, []]);
    expect((await browser.navigate(callback)).status).toBe(302);
  });
});

describe('a failure', () => {
  it('is 502 if the provider is at fault, and only the log has the cause [D-62]', async () => {
    for (const token of ['html', 'empty-object', '500', 'redirect'] as const) {
      const browser = openBrowser(target);
      const { callback } = await startSignIn(target, browser, { token });
      const answer = await browser.fetch(callback);
      await expectError(answer, 502, 'provider_failed', 'The identity provider did not respond as expected');
      const line = await logOf(target, answer, 'request.failed');
      expect(line).toMatchObject({ level: 'error', status: 502, errorCode: 'provider_failed' });
      expect(line['error']).toMatchObject({ name: 'AppError' });
    }
  });

  it('is logged as one warning a minute, without a stack, if a setting causes it', async () => {
    const bare = await startService({
      ENVIRONMENT: 'production',
      MAIL_TRANSPORT: 'outbox',
      BASE_URL: 'https://id.example.com',
      CLIENT_SUCCESS_URL: 'https://app.example.com/',
      IDP_ISSUER: 'https://accounts.example.com',
      IDP_CLIENT_ID: '',
    });
    for (let round = 0; round < 5; round += 1) expect((await bare.request('/v1/auth/idp')).status).toBe(503);
    const lines = (await settledLog(bare)).map((line) => JSON.parse(line) as Record<string, unknown>);
    const about = lines.filter(({ errorCode }) => errorCode === 'provider_not_configured');
    expect(about).toMatchObject([{ level: 'warn', event: 'request.switched_off', status: 503 }]);
    expect(about[0]).not.toHaveProperty('error');
  });

  it('is a plain 500 if the database is at fault, with an id that identifies the cause in the log [D-62]', async () => {
    const broken = await startService();
    const { browser } = await newMember(broken);
    await broken.rows('DROP VIEW live_sessions');
    await broken.rows('DROP TABLE claim_tickets');
    const answers = [
      await browser.fetch('/v1/credentials/crd_x', { method: 'DELETE' }),
      await browser.fetch('/v1/auth/claim', { headers: { Cookie: ticketCookies(target, 't'.repeat(43)) } }),
    ];
    for (const answer of answers) {
      const line = await logOf(broken, answer, 'request.failed');
      await expectError(answer, 500, 'internal', 'Internal server error');
      expect(line).toMatchObject({ level: 'error', status: 500, errorCode: 'internal' });
      expect(JSON.stringify(line['error'])).toMatch(/no such table/);
    }
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('falls back to the error as JSON if the error page cannot be rendered [D-62]', async () => {
    const service = inProcess((deps) => {
      const { randomBytes } = deps;
      const withoutNonce: Deps['randomBytes'] = (length) => {
        if (length === 16) throw new Error('no nonce for a page');
        return randomBytes(length);
      };
      Object.assign(deps, { randomBytes: withoutNonce });
    });
    const headers = { Accept: 'text/html' };
    const answer = await service.answer(new Request(`${target.origin}/v1/nowhere`, { headers }));
    await expectError(answer, 404, 'not_found', 'Not found');
    const line = await logOf(service, answer, 'error_page.failed');
    expect(line['error']).toMatchObject({ message: 'no nonce for a page' });
    await service.close();
  });

  it('is a 400 if the client sends an invalid Host or an incomplete body [D-62]', async () => {
    const service = inProcess();
    const headers = { Accept: 'text/html', 'Content-Type': 'application/json' };
    for (const url of ['/signin', 'http://x:99999/signin', 'http://[::1/']) {
      // Bun copies the Host header into a request's URL unchecked.
      const request = new Proxy(new Request(target.origin, { headers }), {
        get: (real, name) => (name === 'url' ? url : bound(real, name)),
      });
      const answer = await service.answer(request);
      await expectError(answer, 400, 'host_invalid', 'The Host header is not valid');
      await logOf(service, answer, 'request.refused');
    }
    const long = await service.answer(new Request(target.origin, { headers: { Host: 'x'.repeat(301) } }));
    await expectError(long, 400, 'host_invalid', 'The Host header is not valid');
    const query = new Request(`${target.origin}/signin?${'&'.repeat(8_000)}`, { headers });
    await expectError(await service.answer(query), 400, 'validation_failed', [
      'the address must have at most 8000 characters',
    ]);
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      pull: (controller) => controller.error(new Error('the connection was closed')),
    });
    const init = { method: 'POST', headers: { ...headers, Accept: '*/*' }, body, duplex: 'half' };
    const answer = await service.answer(new Request(`${target.origin}/v1/auth/login`, init as RequestInit));
    await expectError(answer, 400, 'malformed_body', 'The request body ended early');
    await logOf(service, answer, 'request.refused');
    expect(service.log().filter((line) => line.includes('"level":"error"'))).toEqual([]);
    await service.close();
  });

  it('reveals nothing about the error, whatever was thrown, and includes Retry-After if the time is known [D-62]', async () => {
    const secret = 'SELECT token FROM sessions -- at /srv/src/app.ts:1';
    const thrown: [unknown, number, string, string | null][] = [
      [new Error(secret, { cause: new TypeError(secret) }), 500, 'Internal server error', null],
      [Object.assign(new RangeError(secret), { status: 418 }), 500, 'Internal server error', null],
      [
        new AppError('unavailable', null, { reason: secret, retryAfterSeconds: 7 }),
        503,
        'Service is unavailable',
        '7',
      ],
      [new DOMException(secret, 'TimeoutError'), 500, 'Internal server error', null],
    ];
    for (const [error, status, message, retryAfter] of thrown) {
      const failing = serveInProcess({
        variables: {},
        db: { batch: () => Promise.reject(error) },
        rows: async () => [],
        close: async () => {},
      });
      for (const path of ['/readyz', '/v1/auth/claim', '/.well-known/jwks.json']) {
        const answer = await failing.request(path, {
          headers: { Cookie: ticketCookies(target, 't'.repeat(43)) },
        });
        const { statusCode, message: said } = (await answer.json()) as Record<string, unknown>;
        // Whatever is missing, the service is not ready.
        const due = path === '/readyz' ? [503, 503, 'Service is unavailable'] : [status, status, message];
        const got = [answer.status, statusCode, said, answer.headers.get('Retry-After')];
        expect(got).toEqual([...due, retryAfter]);
        expect(JSON.stringify(await logOf(failing, answer, 'request.failed'))).toContain('SELECT token');
      }
      expect((await failing.request('/healthz')).status).toBe(200);
      await failing.close();
    }
  });
});
