import { beforeAll, describe, expect, it } from 'vitest';
import { dumpDatabase } from '../support/database-dump.ts';
import { newMember } from '../support/people.ts';
import { production } from '../support/production.ts';
import { isUnsafe, type Route, routesOf } from '../support/routes.ts';
import { useService } from '../support/service.ts';
import type { Target, TargetRequest } from '../support/target.ts';

interface Setting {
  readonly name: string;
  readonly variables: Record<string, string>;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

const settings: readonly Setting[] = [
  {
    name: 'in development',
    variables: {},
    // In development, any page on this machine may be the client.
    allowed: [
      'http://localhost:8787',
      'http://localhost:5173',
      'http://127.0.0.1:3000',
      'https://localhost',
      'http://app.localhost:3000',
      'http://[::1]:4000',
    ],
    refused: [
      'https://evil.example',
      'null',
      'http://localhost.evil.com',
      'http://evillocalhost:8787',
      'http://localhost:8787.evil.com',
      'http://localhost:8787/',
      'http://127.0.0.1.evil.com',
      'http://user@localhost:8787',
      'chrome-extension://localhost',
    ],
  },
  {
    name: 'in production',
    variables: production,
    allowed: [
      'https://id.example.com',
      'https://app.example.com',
      'https://spa.example.com',
      'https://other.example.com:8443',
    ],
    refused: [
      'https://evil.example',
      'null',
      'https://spa.example.com.evil.com',
      'https://evilspa.example.com',
      'https://spa.example.com:8443',
      'http://spa.example.com',
      'https://evil.id.example.com',
      'https://evil.example.com',
      'https://example.com',
      'https://SPA.example.com',
      'https://spa.example.com/',
      'https://other.example.com',
      'http://localhost:5173',
      'http://localhost:8787',
      'http://127.0.0.1:8787',
    ],
  },
];

/** Routes that only our own pages may call, because an app could otherwise act in the person's place. */
const ownPagesOnly = /^\/popup\/|^\/v1\/auth\/authorize$|^\/account|^\/admin|^\/developers|^\/v1\/admin/;
/** Routes that respond to no other origin, not even to a read or a preflight. */
const ownOriginOnly = /^\/account|^\/admin|^\/developers|^\/v1\/admin/;

const contentTypes = [
  null,
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/json',
];

/** The cookies of a person who is signed in and, in another tab, about to claim. */
async function victimCookies(target: Target): Promise<string> {
  const { browser } = await newMember(target);
  return `${await browser.cookies('/v1/auth/claim')}; pid_claim=${'t'.repeat(43)}`;
}

const refusal = { statusCode: 403, message: 'Origin is not allowed', code: 'origin_not_allowed' };
const clientRefusal = {
  statusCode: 401,
  message: 'Client authentication failed',
  code: 'invalid_client',
  error: 'invalid_client',
  error_description: 'Client authentication failed',
};
/** OAuth clients on pages that belong to no app get the error defined by OAuth. */
const forClients = /^\/v1\/auth\/(token|exchange|device|revoke|userinfo)$/;
const refusalFor = ({ path }: Pick<Route, 'path'>) => (forClients.test(path) ? clientRefusal : refusal);

describe.each(settings)('the cross-site guard, $name', ({ variables, allowed, refused }) => {
  const routes = routesOf(variables);
  let cookie = '';

  const target = useService();
  beforeAll(async () => {
    cookie = await victimCookies(target);
    await target.restart(variables);
  });

  const send = ({ method, path }: Route, headers: Record<string, string>, body?: string) => {
    const init: TargetRequest = { method, headers: { Cookie: cookie, ...headers } };
    return target.request(path, body === undefined ? init : { ...init, body });
  };

  const isOpenTo = (origin: string, { pattern }: Pick<Route, 'pattern'>) =>
    origin === target.origin || !ownOriginOnly.test(pattern);

  async function expectRefused(answer: Response, said: string, expected = refusal): Promise<void> {
    expect(answer.status, said).toBe(expected.statusCode);
    expect(await answer.json(), said).toEqual(expected);
    expect(answer.headers.get('X-Error-Code')).toBe(expected.code);
    expect(answer.headers.getSetCookie(), said).toEqual([]);
    expect(answer.headers.get('Access-Control-Allow-Origin'), said).toBeNull();
    expect(answer.headers.get('Access-Control-Allow-Credentials'), said).toBeNull();
  }

  it('protects every route that changes something', () => {
    const unsafe = routes.filter(isUnsafe).map(({ method, pattern }) => `${method} ${pattern}`);
    expect(unsafe).toEqual(
      expect.arrayContaining([
        'POST /v1/auth/login',
        'POST /v1/auth/claim',
        'DELETE /v1/auth/claim',
        'POST /v1/auth/refresh',
        'POST /v1/auth/logout',
        'DELETE /v1/credentials/:id',
      ]),
    );
    const development = unsafe.filter((route) => / \/dev(\/|$)/.test(route));
    if (variables['ENVIRONMENT'] === 'production') expect(development).toEqual([]);
  });

  it('rejects every unsafe route for another site, regardless of the content type, and changes nothing [D-57]', async () => {
    const before = await dumpDatabase(target);
    for (const route of routes.filter(isUnsafe)) {
      for (const type of contentTypes) {
        const headers = {
          Origin: 'https://evil.example',
          'Sec-Fetch-Site': 'cross-site',
          ...(type === null ? {} : { 'Content-Type': type }),
        };
        const answer = await send(route, headers, type === null ? undefined : '{"handle":"victim"}');
        await expectRefused(answer, `${route.method} ${route.path} ${type}`, refusalFor(route));
      }
    }
    expect(await dumpDatabase(target)).toBe(before);
  });

  it('does not trust a valid signal alongside an invalid one [D-57]', async () => {
    for (const route of routes.filter(isUnsafe)) {
      const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' };
      await expectRefused(await send(route, headers), `${route.method} ${route.path}`, refusalFor(route));
    }
  });

  it('rejects siblings on our site, null origins and look-alikes of an allowed origin [D-58]', async () => {
    const before = await dumpDatabase(target);
    const sites = ['same-site', 'cross-site'];
    for (const route of routes.filter(isUnsafe)) {
      for (const origin of refused) {
        for (const site of sites) {
          const answer = await send(route, { Origin: origin, 'Sec-Fetch-Site': site });
          await expectRefused(answer, `${route.method} ${route.path} from ${origin}`, refusalFor(route));
        }
      }
    }
    expect(await dumpDatabase(target)).toBe(before);
  });

  it('rejects a request without Origin unless Fetch Metadata rules out another site as its sender [D-58]', async () => {
    for (const route of routes.filter(isUnsafe)) {
      for (const site of ['same-site', 'cross-site', 'nonsense', '']) {
        const answer = await send(route, { 'Sec-Fetch-Site': site });
        await expectRefused(answer, `${route.method} ${route.path} ${site}`);
      }
    }
    for (const headers of [{}, { 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }]) {
      const answer = await target.request('/v1/auth/login', { method: 'POST', headers });
      expect(answer.status).toBe(200);
    }
  });

  it('serves the allowed origins as usual, even as siblings [D-58]', async () => {
    for (const origin of allowed) {
      const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-site' };
      const login = await target.request('/v1/auth/login', { method: 'POST', headers });
      expect(login.status, origin).toBe(200);
      for (const route of routes.filter(isUnsafe)) {
        const answer = await target.request(route.path, { method: route.method, headers });
        const isServed = origin === target.origin || !ownPagesOnly.test(route.pattern);
        expect(answer.status !== 403, `${route.method} ${route.path} from ${origin}`).toBe(isServed);
      }
    }
  });

  it('echoes only the allowed origins, with credentials, and sends Vary [D-59]', async () => {
    for (const route of routes) {
      for (const origin of [...allowed, ...refused, null]) {
        const headers: Record<string, string> = origin === null ? {} : { Origin: origin };
        const answer = await target.request(route.path, { method: route.method, headers });
        const said = `${route.method} ${route.path} from ${origin}`;
        const echoed = origin !== null && allowed.includes(origin) && isOpenTo(origin, route) ? origin : null;
        expect(answer.headers.get('Access-Control-Allow-Origin'), said).toBe(echoed);
        expect(answer.headers.get('Access-Control-Allow-Credentials'), said).toBe(echoed && 'true');
        expect(answer.headers.get('Vary'), said).toMatch(/(^|,\s*)Origin(,|$)/);
        await answer.body?.cancel();
      }
    }
  });

  it('answers preflights from the allowed origins, and grants nothing to others [D-59]', async () => {
    for (const route of [...routes, { method: 'GET', pattern: '/none', path: '/v1/none' }]) {
      for (const origin of [...allowed, ...refused]) {
        const said = `${route.method} ${route.path} from ${origin}`;
        const answer = await target.request(route.path, {
          method: 'OPTIONS',
          headers: {
            Origin: origin,
            'Access-Control-Request-Method': route.method,
            'Access-Control-Request-Headers': 'content-type',
          },
        });
        const isAllowed = allowed.includes(origin) && isOpenTo(origin, route);
        expect([answer.status, await answer.text()], said).toEqual([204, '']);
        expect(answer.headers.get('Vary'), said).toMatch(/(^|,\s*)Origin(,|$)/);
        expect(answer.headers.get('Access-Control-Allow-Origin'), said).toBe(isAllowed ? origin : null);
        expect(answer.headers.get('Access-Control-Allow-Credentials'), said).toBe(isAllowed ? 'true' : null);
        const methods = answer.headers.get('Access-Control-Allow-Methods');
        if (isAllowed) expect(methods?.split(', '), said).toContain(route.method);
        else
          expect([methods, answer.headers.get('Access-Control-Allow-Headers')], said).toEqual([null, null]);
      }
    }
  });

  it('lets a page from an allowed origin read the headers that a client needs [D-59]', async () => {
    const [origin = ''] = allowed;
    const answer = await target.request('/v1/auth/session', { headers: { Origin: origin } });
    const exposed = answer.headers.get('Access-Control-Expose-Headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining([
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-Error-Code',
        'X-Request-Id',
      ]),
    );
  });

  it('leaves the protected session active [D-57]', async () => {
    // The key's name has a prefix in production, where these cookies were not issued.
    const prefix = variables['ENVIRONMENT'] === 'production' ? '__Host-' : '';
    const [origin = ''] = allowed;
    const headers = { Cookie: cookie.replace('pid_refresh_key', `${prefix}pid_refresh_key`), Origin: origin };
    expect((await target.request('/v1/auth/refresh', { method: 'POST', headers })).status).toBe(204);
  });
});
