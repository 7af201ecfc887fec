import { beforeAll, describe, expect, it } from 'vitest';
import { json, openBrowser } from '../support/browser.ts';
import { freshHandle, newMember, somebody, startSignIn } from '../support/people.ts';
import { production } from '../support/production.ts';
import { routesOf } from '../support/routes.ts';
import { useService } from '../support/service.ts';
import { ticketCookies } from '../support/tickets.ts';

const jsonType = 'application/json; charset=utf-8';
/** Responses that anyone may cache, because nothing in them belongs to a person. */
const cacheable = new Set([
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/v1',
  '/.well-known/webauthn',
]);

/** Expects the headers that every response must have. */
function expectSafe(answer: Response, path: string, isProduction: boolean): void {
  const said = `${path} ${answer.status}`;
  const { headers } = answer;
  expect(headers.get('X-Content-Type-Options'), said).toBe('nosniff');
  expect(headers.get('Referrer-Policy'), said).toMatch(/^(no-referrer|same-origin|strict-origin)$/);
  expect(headers.get('X-Request-Id'), said).toMatch(/^[\w-]{16}$/);
  // Only public responses may become part of another site's page.
  const readers = cacheable.has(path) ? 'cross-origin' : 'same-origin';
  expect(headers.get('Cross-Origin-Resource-Policy'), said).toBe(readers);
  const policy = headers.get('Content-Security-Policy');
  const type = headers.get('Content-Type');
  if (type?.startsWith('text/html')) {
    expect(policy, said).toMatch(/(^|; )default-src 'none'/);
    expect(policy, said).toMatch(/(^|; )frame-ancestors 'none'(;|$)/);
    const powers = headers.get('Permissions-Policy')?.split(', ');
    expect(powers, said).toEqual(expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()']));
    expect(type, said).toMatch(/charset=utf-8/i);
  } else {
    expect(policy, said).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('Referrer-Policy'), said).toBe('no-referrer');
    if (type !== null) expect(type, said).toBe(jsonType);
  }
  if (!cacheable.has(path) || headers.has('Set-Cookie')) {
    expect(headers.get('Cache-Control'), said).toBe('no-store');
  }
  const transport = headers.get('Strict-Transport-Security');
  if (isProduction)
    expect(Number(/max-age=(\d+)/.exec(transport ?? '')?.[1]), said).toBeGreaterThanOrEqual(31_536_000);
  else expect(transport, said).toBeNull();
  expect(headers.get('X-Powered-By'), said).toBeNull();
  expect(headers.get('Cross-Origin-Opener-Policy'), said).toBeNull();
}

describe.each([
  { name: 'in development', variables: {} as Record<string, string>, isProduction: false },
  { name: 'in production', variables: production, isProduction: true },
])('headers $name', ({ variables, isProduction }) => {
  const routes = routesOf(variables);
  const target = useService();
  beforeAll(async () => {
    await target.restart(variables);
  });

  it('are safe on every route and on unknown paths [D-60]', async () => {
    const nowhere = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'].map((method) => ({
      method,
      path: '/v1/nowhere',
    }));
    for (const { method, path } of [...routes, ...nowhere, { method: 'OPTIONS', path: '/v1/auth/login' }]) {
      const answer = await target.request(path, { method });
      expectSafe(answer, path, isProduction);
      const text = await answer.text();
      if (text !== '') expect(answer.headers.get('Content-Type'), path).not.toBeNull();
    }
  });

  it('are safe on preflights, disallowed origins, invalid bodies and duplicate cookies [D-60]', async () => {
    const Origin = 'https://evil.example';
    const answers = [
      await target.request('/v1/auth/login', { method: 'OPTIONS', headers: { Origin } }),
      await target.request('/v1/auth/login', { method: 'POST', headers: { Origin } }),
      await target.request('/v1/auth/login', {
        method: 'POST',
        body: '{',
        headers: { 'Content-Type': 'text/plain' },
      }),
      await target.request('/v1/auth/login', json('POST', { provider: 'nobody' })),
      await target.request('/v1/auth/login', json('POST', 'x'.repeat(20_000))),
      await target.request('/v1/auth/refresh', {
        method: 'POST',
        headers: { Cookie: 'pid_refresh=a; pid_refresh=b' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 403, 415, 400, 413, 401]);
    for (const answer of answers) expectSafe(answer, '/v1/auth', isProduction);
  });

  it('are safe when a limit is reached [D-60]', async () => {
    await target.restart({ ...variables, RATE_LIMITS: '{"*":1}' });
    const address = '192.0.2.60';
    await target.request('/v1/auth/login', { method: 'POST', address });
    const answer = await target.request('/v1/auth/login', { method: 'POST', address });
    expect(answer.status).toBe(429);
    expectSafe(answer, '/v1/auth/login', isProduction);
  });

  it('are safe when the service fails [D-60]', async () => {
    await target.rows('DROP TABLE claim_tickets');
    const answer = await target.request('/v1/auth/claim', {
      headers: { Cookie: ticketCookies(target, 't'.repeat(43)) },
    });
    expect(answer.status).toBe(500);
    expectSafe(answer, '/v1/auth/claim', isProduction);
  });
});

describe('sign-in headers', () => {
  const target = useService();

  it('never sever a popup from its opener, and never allow caching [D-60]', async () => {
    const browser = openBrowser(target);
    const answers = [await browser.fetch('/v1/auth/login', json('POST', { returnTo: '/settings' }))];
    const { callback } = await startSignIn(target, browser, {
      claims: { ...somebody(), email_verified: true },
    });
    answers.push(await openBrowser(target).navigate('/v1/auth/idp'), await browser.navigate(callback));
    answers.push(await browser.fetch('/v1/auth/claim'));
    answers.push(await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() })));
    for (const path of ['/v1/auth/session', '/v1/credentials']) answers.push(await browser.fetch(path));
    answers.push(await browser.fetch('/v1/auth/refresh', { method: 'POST' }));
    answers.push(await browser.fetch('/v1/auth/logout', { method: 'POST' }));
    expect(answers.map(({ status }) => status)).toEqual([200, 302, 302, 200, 200, 200, 200, 204, 204]);
    for (const answer of answers) expectSafe(answer, '/v1/auth', false);
    const refused = await openBrowser(target).navigate(callback);
    expect(refused.status).toBe(400);
    expectSafe(refused, '/v1/auth/idp/callback', false);
  });

  it('contain the request id that the log uses [D-60]', async () => {
    const { browser } = await newMember(target);
    const answers = [
      await browser.fetch('/v1/auth/session'),
      await browser.fetch('/v1/nowhere'),
      await browser.fetch('/v1/auth/claim'),
      await target.request('/v1/auth/login', { method: 'POST', headers: { Origin: 'https://evil.example' } }),
      await target.request('/v1/auth/session', { method: 'HEAD' }),
    ];
    const ids = answers.map((answer) => answer.headers.get('X-Request-Id') ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, id] of ids.entries()) {
      const { status } = answers[index] ?? {};
      const line = () =>
        target.log().find((text) => text.includes(id) && text.includes(`"status":${status}`));
      await expect.poll(line).toBeDefined();
      expect(JSON.parse(line() ?? '')).toMatchObject({ requestId: id, status });
    }
    const refusal = target
      .log()
      .find((text) => text.includes(ids[1] ?? '-') && text.includes('request.refused'));
    expect(JSON.parse(refusal ?? '{}')).toMatchObject({
      requestId: ids[1],
      errorCode: 'not_found',
      status: 404,
    });
  });

  it('follow only the first 20 ranges of Accept-Language', async () => {
    const languageAfter = async (others: number) => {
      const headers = { 'Accept-Language': `${'xx,'.repeat(others)}id` };
      return /<html lang="(\w+)"/.exec(await (await target.request('/signin', { headers })).text())?.[1];
    };
    expect([await languageAfter(19), await languageAfter(20)]).toEqual(['id', 'en']);
  });

  it('do not let a client choose its request id', async () => {
    const answer = await target.request('/healthz', { headers: { 'X-Request-Id': 'chosen' } });
    expect(answer.headers.get('X-Request-Id')).not.toContain('chosen');
  });
});
