import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { AppError } from '../../src/errors.ts';
import { refusal, seen } from '../support/answers.ts';
import { dumpDatabase } from '../support/database-dump.ts';
import { type Member, newMember } from '../support/people.ts';
import { production } from '../support/production.ts';
import { isUnsafe, routesOf } from '../support/routes.ts';
import { useService } from '../support/service.ts';

const target = useService();
const notAllowed = refusal(403, 'Origin is not allowed');
const notAllowedOauth = [403, new AppError('origin_not_allowed').oauthBody];

/** Routes that change something without identifying the caller: sign-in, claims, and calls from popup openers and providers. */
const ofNobody =
  /^POST \/v1\/auth\/(login|refresh|claim|email\/\w+|passkey(\/register)?\/(options|verify))$|^DELETE \/v1\/auth\/claim$|^POST \/v1\/(popup|gateways)\//;

/** OAuth clients authenticate with their request, not with cookies. */
const ofClients = new Set(
  endpoints.filter(({ isOauth, actor }) => isOauth && !actor).map(({ method, path }) => `${method} ${path}`),
);
const byName = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

/** Every other route that changes something, as registered in the app. */
const changing = routesOf(production)
  .filter((route) => isUnsafe(route) && route.pattern.startsWith('/v1/'))
  .map(({ method, pattern, path }) => ({ name: `${method} ${pattern}`, method, path }))
  .filter(({ name }) => !ofNobody.test(name) && !ofClients.has(name) && !/\/(leave|continue)$/.test(name));

async function accessOf({ browser }: Member): Promise<string> {
  return `pid_access=${await browser.cookie('pid_access')}`;
}

describe('a back end that forwards pid_access', () => {
  let access = '';
  let ofAnother = '';
  beforeAll(async () => {
    access = await accessOf(await newMember(target));
    ofAnother = (await (await newMember(target)).browser.cookie('pid_refresh')) ?? '';
  });

  it('is tested at every endpoint that needs a session', () => {
    const guarded = endpoints
      .filter(({ method, actor }) => method !== 'GET' && actor?.cookies.includes('pid_access'))
      .map(({ method, path }) => `${method} ${path}`);
    expect(guarded.length).toBeGreaterThan(15);
    const ending = ['POST /v1/auth/logout', 'POST /v1/auth/end-session'];
    expect(changing.map(({ name }) => name).sort()).toEqual([...guarded, ...ending].sort());
  });

  it.each(changing)('is rejected at $name, and has no effect', async ({ name, method, path }) => {
    const expected = byName.get(name)?.isOauth ? notAllowedOauth : notAllowed;
    const before = await dumpDatabase(target);
    const isLogout = path === '/v1/auth/logout';
    // A logout revokes the session of any refresh token issued by this service, regardless of who holds it.
    const others = isLogout ? ['invented'] : ['invented', ofAnother];
    for (const cookie of [access, ...others.map((token) => `${access}; pid_refresh=${token}`)]) {
      const refused = await target.request(path, { method, headers: { Cookie: cookie } });
      expect(await seen(refused)).toEqual(expected);
      expect(refused.headers.get('X-Error-Code')).toBe('origin_not_allowed');
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    expect(await dumpDatabase(target)).toBe(before);
  });

  it.each(changing)(
    'can call $name with the refresh cookie, as a page can',
    async ({ name, method, path }) => {
      const sender = await newMember(target);
      const refresh = `pid_refresh=${await sender.browser.cookie('pid_refresh')}`;
      const ways = [
        { Cookie: `${await accessOf(sender)}; ${refresh}` },
        { Cookie: await (await newMember(target)).browser.cookies('/'), Origin: target.origin },
        { Cookie: await (await newMember(target)).browser.cookies('/'), 'Sec-Fetch-Site': 'same-origin' },
      ];
      // Some endpoints accept only our own pages.
      for (const way of byName.get(name)?.ownPagesOnly ? ways.slice(1) : ways) {
        const headers = { ...way, 'Content-Type': 'application/json' };
        const answer = await target.request(path, { method, headers, body: '{}' });
        expect(answer.headers.get('X-Error-Code')).not.toBe('origin_not_allowed');
      }
    },
  );

  it('can use the read endpoints', async () => {
    for (const path of ['/v1/auth/session', '/v1/me', '/v1/credentials', '/v1/sessions', '/v1/me/activity']) {
      expect((await target.request(path, { headers: { Cookie: access } })).status, path).toBe(200);
    }
  });
});
