import { describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/lib/encoding.ts';
import { deriveKeys, macOf } from '../../src/lib/secret.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { freshHandle, type Member, newMember, signIn } from '../support/people.ts';
import { production } from '../support/production.ts';
import { useService } from '../support/service.ts';
import { setCookies, valueSet } from '../support/set-cookie.ts';
import { testSecretKey } from '../support/target.ts';
import { claimWith, insertTickets } from '../support/tickets.ts';

const host = 'http://id.eu.pid.localhost:8787';
const sibling = 'http://app.eu.pid.localhost:8787/';
const scopes = {
  none: '',
  near: 'eu.pid.localhost',
  far: 'pid.localhost',
  own: 'id.eu.pid.localhost',
} as const;

const target = useService({ BASE_URL: host });

const moveTo = (COOKIE_DOMAIN: string, REFRESH_COOKIE_SCOPE = 'host') =>
  target.restart({ COOKIE_DOMAIN, REFRESH_COOKIE_SCOPE });
const refresh = (browser: Browser) =>
  browser.fetch('/v1/auth/refresh', { method: 'POST', headers: { Origin: host } });
const logout = (browser: Browser) => browser.fetch('/v1/auth/logout', { method: 'POST' });

/** Every session cookie in the jar, whatever its domain and path. */
async function kept(browser: Browser): Promise<string[]> {
  const { cookies } = await browser.jar.serialize();
  return cookies
    .filter(({ key, value }) => value && /^pid_(access|refresh|hint)$/.test(key ?? ''))
    .map(({ key, domain, hostOnly }) => `${key} on ${hostOnly ? 'host' : domain}`)
    .sort();
}

/** The refresh token is only on the host, unless its scope says otherwise. */
function threeOn(domain: string, refreshScope = 'host'): string[] {
  const place = domain || 'host';
  return [`pid_access on ${place}`, `pid_hint on ${place}`].concat(
    `pid_refresh on ${refreshScope === 'host' ? 'host' : place}`,
  );
}

async function expectSignedIn({ browser, handle }: Member): Promise<void> {
  const read = await browser.fetch('/v1/auth/session');
  expect([read.status, await read.json()]).toEqual([200, expect.objectContaining({ handle })]);
}

/** A refresh token with this body, as the service creates it. */
function tokenOf(body: string): string {
  const secretKey = fromBase64(testSecretKey);
  if (secretKey === null) throw new Error('the key for tests is not base64');
  return `${body}.${macOf(deriveKeys([secretKey], 'refresh-token')[0], body)}`;
}

async function namesAt(browser: Browser, url: string): Promise<string[]> {
  return (await browser.jar.getCookies(url)).map(({ key }) => key).sort();
}

describe('COOKIE_DOMAIN', () => {
  it('shares the access token and the hint with sibling hosts, but not the ticket or a sign-in in progress', async () => {
    await moveTo(scopes.far);
    const browser = openBrowser(target);
    const callback = await signIn(target, browser);
    expect(setCookies(callback).map(({ domain }) => domain)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(await namesAt(browser, `${sibling}v1/auth`)).toEqual([]);
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect(claimed.status).toBe(200);
    expect(await kept(browser)).toEqual(threeOn('pid.localhost'));
    expect(await namesAt(browser, sibling)).toEqual(['pid_access', 'pid_hint']);
    expect(await namesAt(browser, 'http://other.localhost:8787/')).toEqual([]);
    expect((await logout(browser)).status).toBe(204);
    expect(await kept(browser)).toEqual([]);
  });

  it('does not share the refresh token with sibling hosts unless REFRESH_COOKIE_SCOPE is domain', async () => {
    for (const [refreshScope, names] of [
      ['host', ['pid_access', 'pid_hint']],
      ['domain', ['pid_access', 'pid_hint', 'pid_refresh']],
    ] as const) {
      await moveTo(scopes.far, refreshScope);
      const { browser } = await newMember(target);
      expect(await namesAt(browser, `${sibling}v1/auth/refresh`)).toEqual(names);
      expect((await refresh(browser)).status).toBe(204);
      expect(await namesAt(browser, `${sibling}v1/auth/refresh`)).toEqual(names);
      expect((await logout(browser)).status).toBe(204);
      expect(await kept(browser)).toEqual([]);
    }
  });

  it.each([
    ['by a request from a page', refresh],
    [
      'by a page opened in a browser without Fetch Metadata',
      (browser: Browser) =>
        browser.fetch(`/v1/auth/continue?returnTo=${host}/`, { headers: { Accept: 'text/html' } }),
    ],
  ])('accepts refresh tokens issued before session keys existed, and replaces them %s', async (_, renew) => {
    await moveTo(scopes.none);
    const { browser } = await newMember(target);
    const [secret = '', sessionId = ''] = ((await browser.cookie('pid_refresh')) ?? '').split('.');
    const { cookies } = await browser.jar.serialize();
    for (const { key, domain, path } of cookies.filter(({ key }) => key?.startsWith('pid_refresh'))) {
      await browser.jar.store.removeCookie(String(domain), String(path), String(key));
    }
    const token = tokenOf(`${secret}.${sessionId}.h`);
    await browser.jar.setCookie(`pid_refresh=${token}; Path=/v1/auth`, `${host}/v1/auth`);
    const renewed = await renew(browser);
    expect(valueSet(renewed, 'pid_refresh')?.split('.')[2]).toBe('b');
    expect(valueSet(renewed, 'pid_refresh_key')).toMatch(/^[\w-]{22}$/);
    expect((await refresh(browser)).status).toBe(204);
  });

  it('keeps every cookie on the host if unset', async () => {
    await moveTo(scopes.none);
    const { browser } = await newMember(target);
    expect(await kept(browser)).toEqual(threeOn(''));
    expect(await namesAt(browser, sibling)).toEqual([]);
  });

  it('can be set, changed and removed while people stay signed in', async () => {
    await moveTo(scopes.none);
    const member = await newMember(target);
    const { none, near, far, own } = scopes;
    const moves = [far, none, near, far, near, own, near, none, own, none].map((domain) => [domain, 'host']);
    const shared = [far, near, far].map((domain) => [domain, 'domain']);
    for (const [domain = '', refreshScope = ''] of [
      ...moves,
      ...shared,
      [far, 'host'],
      ...shared,
      [none, 'host'],
    ]) {
      await moveTo(domain, refreshScope);
      await expectSignedIn(member);
      const answer = await refresh(member.browser);
      expect(answer.status).toBe(204);
      expect(await kept(member.browser)).toEqual(threeOn(domain, refreshScope));
      await expectSignedIn(member);
      const again = await refresh(member.browser);
      expect([again.status, setCookies(again).length]).toEqual([204, 4]);
    }
  });

  it('moves the remaining cookies at sign-in and logout too', async () => {
    const { none, near, far } = scopes;
    for (const [from, to] of [
      [none, far],
      [far, none],
      [near, far],
      [far, near],
    ] as const) {
      await moveTo(from);
      const leftovers = [[], ['pid_access'], ['pid_refresh'], ['pid_access', 'pid_refresh']];
      const people: { lost: string[]; leaving: Member; returning: Member }[] = [];
      for (const lost of leftovers) {
        people.push({ lost, leaving: await newMember(target), returning: await newMember(target) });
      }
      await moveTo(to);
      for (const { lost, leaving, returning } of people) {
        for (const { browser } of [leaving, returning]) await lose(browser, lost);
        expect((await signIn(target, returning.browser, returning.claims)).status).toBe(302);
        expect(await kept(returning.browser)).toEqual(threeOn(to));
        await expectSignedIn(returning);
        expect((await logout(leaving.browser)).status).toBe(204);
        expect(await kept(leaving.browser)).toEqual([]);
      }
    }
  });

  async function lose(browser: Browser, names: string[]): Promise<void> {
    const { cookies } = await browser.jar.serialize();
    for (const { key, domain, path } of cookies.filter(({ key }) => names.includes(key ?? ''))) {
      await browser.jar.store.removeCookie(String(domain), String(path), String(key));
    }
  }
});

describe('a cookie planted by a sibling host', () => {
  /** Every scope, except ours, from which a cookie reaches a request for `/v1/auth/<name>`. */
  const places = [
    { Domain: 'eu.pid.localhost', Path: '/' },
    { Domain: 'eu.pid.localhost', Path: '/v1' },
    { Domain: 'eu.pid.localhost', Path: '/v1/' },
    { Domain: 'eu.pid.localhost', Path: '/v1/auth' },
    { Domain: 'eu.pid.localhost', Path: '/v1/auth/' },
    { Domain: 'pid.localhost', Path: '/v1/auth/refresh' },
    { Domain: 'pid.localhost', Path: '/v1/auth/session' },
    { Domain: 'pid.localhost', Path: '/v1/auth/claim' },
    { Domain: 'pid.localhost', Path: '/v1/auth' },
  ];

  async function plant(browser: Browser, name: string, value: string): Promise<void> {
    for (const { Domain, Path } of places) {
      const line = `${name}=${value}; Domain=${Domain}; Path=${Path}; Max-Age=34560000`;
      await browser.jar.setCookie(line, sibling);
    }
  }

  for (const domain of [scopes.none, scopes.far]) {
    const where = domain === '' ? 'the host' : 'the domain';

    it(`causes at most a new sign-in under the refresh token’s name, with our cookies on ${where} [D-02]`, async () => {
      await moveTo(domain);
      const [member, attacker] = [await newMember(target), await newMember(target)];
      const [own, foreign] = await Promise.all(
        [member, attacker].map(({ browser }) => browser.cookie('pid_refresh')),
      );
      await plant(member.browser, 'pid_refresh', foreign ?? '');
      const answer = await refresh(member.browser);
      expect([answer.status, setCookies(answer).every(({ value }) => value === '')]).toEqual([401, true]);
      // A cookie is cleared only by the response to a request that includes it, so the next request clears the last
      // one.
      await signIn(target, member.browser, member.claims);
      expect((await signIn(target, member.browser, member.claims)).status).toBe(302);
      await expectSignedIn(member);
      expect((await refresh(member.browser)).status).toBe(204);
      for (const token of [own, foreign]) {
        const headers = { Cookie: `pid_refresh=${token}` };
        const alone = await target.request('/v1/auth/refresh', { method: 'POST', headers });
        expect(alone.status).toBe(204);
      }
    });

    it(`causes at most a refresh under the access token’s name, with our cookies on ${where} [D-02]`, async () => {
      await moveTo(domain);
      const [member, attacker] = [await newMember(target), await newMember(target)];
      await plant(member.browser, 'pid_access', (await attacker.browser.cookie('pid_access')) ?? '');
      const read = await member.browser.fetch('/v1/auth/session');
      expect([read.status, await read.json()]).toEqual([
        401,
        { statusCode: 401, message: 'Authentication is required', code: 'unauthenticated' },
      ]);
      expect((await refresh(member.browser)).status).toBe(204);
      await expectSignedIn(member);
    });

    it(`is ignored under the ticket’s name, with our cookies on ${where} [D-02]`, async () => {
      await moveTo(domain);
      const browser = openBrowser(target);
      const foreign = openBrowser(target);
      await signIn(target, foreign);
      await plant(browser, 'pid_claim', (await foreign.cookie('pid_claim')) ?? '');
      await signIn(target, browser);
      const handle = freshHandle();
      const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle }));
      expect([claimed.status, await claimed.json()]).toEqual([200, expect.objectContaining({ handle })]);
    });
  }
});

describe('in production', () => {
  it.for(['', 'example.com'])(
    'every cookie is Secure, set or cleared, with COOKIE_DOMAIN=%s [D-01]',
    async (domain) => {
      await target.restart({ ...production, COOKIE_DOMAIN: domain });
      const [ticket = ''] = await insertTickets(target, 1);
      const claimed = await claimWith(target, ticket, { handle: freshHandle() });
      expect(claimed.status).toBe(200);
      const send = (path: string, name: string, value: string | null) =>
        target.request(path, { method: 'POST', headers: { Cookie: `${name}=${value}` } });
      const token = valueSet(claimed, 'pid_refresh');
      const answers = {
        continued: await openBrowser(target).navigate(`/v1/auth/continue?returnTo=${target.origin}/x`),
        claimed,
        refreshed: await send('/v1/auth/refresh', 'pid_refresh', token),
        doubled: await send('/v1/auth/refresh', 'pid_refresh=x; pid_refresh', 'y'),
        loggedOut: await send('/v1/auth/logout', 'pid_refresh', token),
      };
      const names = Object.values(answers).map(
        (answer) => new Set(setCookies(answer).map(({ name }) => name)),
      );
      expect(names.map(({ size }) => size)).toEqual([1, 6, 3, 1, 4]);
      for (const cookie of Object.values(answers).flatMap(setCookies)) {
        expect(cookie).toMatchObject({ secure: true, sameSite: 'Lax', httpOnly: cookie.name !== 'pid_hint' });
      }
      const [access, refreshCookie, hint] = setCookies(answers.refreshed);
      const onDomain = domain || undefined;
      expect([access?.domain, refreshCookie?.domain, hint?.domain]).toEqual([onDomain, undefined, onDomain]);
      expect([access?.path, access?.maxAge, refreshCookie?.path, hint?.path]).toEqual([
        '/',
        900,
        '/v1/auth',
        '/',
      ]);
    },
  );
});

describe('a duplicate cookie', () => {
  it('is cleared on each path exactly as it was sent, whatever characters it contains [D-02]', async () => {
    const paths = {
      '/v1/credentials/%00': '/v1/credentials/%00',
      '/v1/credentials/%0d%0aSet-Cookie:%20x=1': '/v1/credentials/%0d%0aSet-Cookie:%20x=1',
      '/v1/credentials/%C3%A9': '/v1/credentials/%C3%A9',
      '/v1/credentials/x;%20Domain=evil.example': '/v1/credentials/x',
    };
    for (const [path, longest] of Object.entries(paths)) {
      const headers = { Cookie: 'pid_access=a; pid_access=b' };
      const answer = await target.request(path, { method: 'DELETE', headers });
      expect([path, answer.status]).toEqual([path, 401]);
      const cleared = new Set(setCookies(answer).map((cookie) => cookie.path));
      expect([...cleared]).toEqual(['/', '/v1', '/v1/credentials', longest, '/v1/', '/v1/credentials/']);
      expect(setCookies(answer).filter(({ domain }) => domain?.includes('evil'))).toEqual([]);
    }
  });
});
