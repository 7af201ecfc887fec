import { describe, expect, inject, it } from 'vitest';
import { secretHash } from '../../src/lib/secret.ts';
import { anotherBrowser } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { freshHandle, type Member, newMember, signIn, somebody } from '../support/people.ts';
import { makeCode } from '../support/provider-driver.ts';
import { useService } from '../support/service.ts';
import { type SetCookie, setCookies, valueSet } from '../support/set-cookie.ts';
import { ticketCookies } from '../support/tickets.ts';

const target = useService();

const refused = {
  statusCode: 401,
  message: 'The refresh token is invalid, expired or already used',
  code: 'refresh_refused',
};
const unauthenticated = { statusCode: 401, message: 'Authentication is required', code: 'unauthenticated' };

function send(method: string, path: string, cookie?: string): Promise<Response> {
  return target.request(path, { method, headers: cookie === undefined ? {} : { Cookie: cookie } });
}

const refresh = (token: string) => send('POST', '/v1/auth/refresh', `pid_refresh=${token}`);

async function refreshToken(member: Member): Promise<string> {
  return (await member.browser.cookie('pid_refresh')) ?? '';
}

interface SessionRow {
  id: string;
  token_hash: string;
  revoked_at: number | null;
  revoked_reason: string | null;
}

async function sessionOf(token: string): Promise<SessionRow | undefined> {
  const id = token.split('.')[1] ?? '';
  const columns = 'id, token_hash, revoked_at, revoked_reason';
  return (await target.rows<SessionRow>(`SELECT ${columns} FROM sessions WHERE id = ?`, [id]))[0];
}

function named(cookies: SetCookie[], name: string): SetCookie | undefined {
  return cookies.find((cookie) => cookie.name === name);
}

describe('session cookies', () => {
  it('have the documented attributes, and each name is set only once per response [D-01]', async () => {
    const browser = openBrowser(target);
    const claims = somebody();
    const member = { browser, claims, handle: freshHandle() };
    const login = await browser.fetch('/v1/auth/login', json('POST', { returnTo: '/settings' }));
    const started = await browser.navigate('/v1/auth/idp');
    const authorizeUrl = started.headers.get('Location') ?? '';
    const { callbackUrl = '' } = await makeCode(inject('lyingIssuer'), { authorizeUrl, claims });
    const callback = await browser.navigate(callbackUrl);
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: member.handle }));
    const refreshed = await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const returned = await signIn(target, browser, claims);

    const answers = [login, started, callback, claimed, refreshed, returned].map(setCookies);
    for (const cookies of answers) {
      expect(new Set(cookies.map(({ name }) => name)).size).toBe(cookies.length);
      for (const cookie of cookies) {
        expect(cookie).toMatchObject({ sameSite: 'Lax', secure: false, domain: undefined });
        expect(cookie.httpOnly).toBe(!['pid_hint', 'pid_way'].includes(cookie.name));
        expect(cookie.name.length + cookie.value.length).toBeLessThanOrEqual(4096);
      }
    }
    expect(answers.map((cookies) => cookies.map(({ name }) => name.replace(/_[\w-]{8}$/, '')))).toEqual([
      [],
      ['pid_oauth'],
      ['pid_oauth', 'pid_claim', 'pid_claim_key', 'pid_way'],
      ['pid_access', 'pid_refresh', 'pid_hint', 'pid_refresh_key', 'pid_claim', 'pid_claim_key'],
      ['pid_access', 'pid_refresh', 'pid_hint', 'pid_refresh_key'],
      ['pid_oauth', 'pid_access', 'pid_refresh', 'pid_hint', 'pid_refresh_key', 'pid_way'],
    ]);
    expect(answers[1]?.[0]).toMatchObject({ path: '/v1/auth', maxAge: 600 });
    expect(named(answers[2] ?? [], 'pid_claim')).toMatchObject({ path: '/v1/auth', maxAge: 600 });
    expect(named(answers[3] ?? [], 'pid_claim')).toMatchObject({ path: '/v1/auth', maxAge: 0, value: '' });
    for (const cookies of [answers[3], answers[4], answers[5]]) {
      // Both are calculated from the row's time to the response's, so a difference of five seconds is allowed.
      expect(named(cookies ?? [], 'pid_access')).toMatchObject({
        path: '/',
        maxAge: expect.closeTo(900, -1),
      });
      expect(named(cookies ?? [], 'pid_refresh')).toMatchObject({
        path: '/v1/auth',
        maxAge: expect.closeTo(2_592_000, -1),
      });
      expect(named(cookies ?? [], 'pid_hint')).toMatchObject({
        path: '/',
        value: expect.stringMatching(/^\d{10}\.[\w-]{8}$/),
      });
    }
  });

  it('do not keep planted values after a sign-in [D-05]', async () => {
    const attacker = await newMember(target);
    const planted = {
      access: (await attacker.browser.cookie('pid_access')) ?? '',
      refresh: await refreshToken(attacker),
      claim: 'A'.repeat(43),
    };
    const victim = openBrowser(target);
    const base = `${target.origin}/v1/auth/session`;
    await victim.jar.setCookie(`pid_access=${planted.access}; Path=/`, base);
    await victim.jar.setCookie(`pid_refresh=${planted.refresh}; Path=/v1/auth`, base);
    await victim.jar.setCookie(`pid_claim=${planted.claim}; Path=/v1/auth`, base);
    const claims = somebody();
    const callback = await signIn(target, victim, claims);
    expect(valueSet(callback, 'pid_claim')).toMatch(/^[\w-]{43}$/);
    expect(valueSet(callback, 'pid_claim')).not.toBe(planted.claim);
    const handle = freshHandle();
    const claimed = await victim.fetch('/v1/auth/claim', json('POST', { handle }));
    expect(await claimed.json()).toMatchObject({ handle });
    expect(valueSet(claimed, 'pid_access')).not.toBe(planted.access);
    expect(valueSet(claimed, 'pid_refresh')?.split('.')[1]).not.toBe(planted.refresh.split('.')[1]);

    const carried = { Cookie: `pid_refresh=${planted.refresh}`, Origin: target.origin };
    expect((await target.request('/v1/auth/refresh', { method: 'POST', headers: carried })).status).toBe(401);
    const claim = { ...json('POST', { handle: freshHandle() }) };
    const headers = { ...claim.headers, Cookie: ticketCookies(target, planted.claim) };
    expect((await target.request('/v1/auth/claim', { ...claim, headers })).status).toBe(410);
    expect(await (await victim.fetch('/v1/auth/session')).json()).toMatchObject({ handle });
  });

  it('are rejected if a name appears twice, in either order, and neither token is used [D-02]', async () => {
    const one = await refreshToken(await newMember(target));
    const two = await refreshToken(await newMember(target));
    const rows = await Promise.all([one, two].map(sessionOf));
    for (const [first, second] of [
      [one, two],
      [two, one],
    ]) {
      const answer = await send('POST', '/v1/auth/refresh', `pid_refresh=${first}; pid_refresh=${second}`);
      expect(answer.status).toBe(401);
      expect(setCookies(answer).filter(({ value }) => value !== '')).toEqual([]);
    }
    expect(await Promise.all([one, two].map(sessionOf))).toEqual(rows);
    expect((await refresh(one)).status).toBe(204);
    expect((await refresh(two)).status).toBe(204);
  });

  it('are the only place for secrets, which never appear in other parts of responses or in the log [D-03]', async () => {
    const browser = openBrowser(target);
    const claims = somebody();
    const answers: { own: string[]; answer: Response }[] = [];
    const secrets = new Set<string>();
    const keep = (answer: Response) => {
      const own = setCookies(answer).map(({ value }) => value);
      for (const value of own) if (value.length > 40) secrets.add(value);
      answers.push({ own, answer });
      return answer;
    };
    keep(await browser.fetch('/v1/auth/login', json('POST', {})));
    const started = keep(await browser.navigate('/v1/auth/idp'));
    const authorizeUrl = started.headers.get('Location') ?? '';
    const { code, callbackUrl = '' } = await makeCode(inject('lyingIssuer'), { authorizeUrl, claims });
    secrets.add(code).add(`at-${code}`);
    keep(await browser.navigate(callbackUrl));
    keep(await browser.navigate(callbackUrl));
    const handle = freshHandle();
    keep(await browser.fetch('/v1/auth/claim'));
    keep(await browser.fetch('/v1/auth/claim/handles/admin'));
    keep(await browser.fetch('/v1/auth/claim', json('POST', { handle: '..' })));
    keep(await browser.fetch('/v1/auth/claim', json('POST', { handle })));
    keep(await browser.fetch('/v1/auth/session'));
    const list = keep(await browser.fetch('/v1/credentials'));
    const [credential] = (await list.clone().json()) as { id: string }[];
    keep(await browser.fetch(`/v1/credentials/${credential?.id}`, { method: 'DELETE' }));
    keep(await browser.fetch('/v1/auth/providers'));
    keep(await browser.fetch('/.well-known/jwks.json'));
    keep(await browser.fetch('/v1/nowhere'));
    const spent = (await browser.cookie('pid_refresh')) ?? '';
    keep(await browser.fetch('/v1/auth/refresh', { method: 'POST' }));
    keep(await refresh(spent));
    keep(await browser.fetch('/v1/auth/logout', { method: 'POST' }));

    expect(secrets.size).toBeGreaterThanOrEqual(8);
    for (const { own, answer } of answers) {
      const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie');
      const shown = `${await answer.text()}\n${JSON.stringify(headers)}`;
      for (const secret of secrets) expect(shown).not.toContain(secret);
      for (const secret of secrets) {
        const elsewhere = answer.headers.getSetCookie().filter((line) => line.includes(secret));
        expect(elsewhere.length).toBe(own.filter((value) => value === secret).length);
      }
    }
    await expect.poll(() => target.log().join('\n')).toContain('session.ended');
    for (const secret of secrets) expect(target.log().join('\n')).not.toContain(secret);
  });
});

describe('a protected route', () => {
  it('returns 401 without a valid access token, and does not use the refresh token [D-07]', async () => {
    const member = await newMember(target);
    const expired = await member.browser.cookie('pid_access');
    await target.advance(901);
    const token = await refreshToken(member);
    const cookies = ['', 'pid_access=', 'pid_access=garbage', `pid_access=${expired}`];
    for (const [method, path] of [
      ['GET', '/v1/auth/session'],
      ['GET', '/v1/credentials'],
      ['DELETE', '/v1/credentials/crd_x'],
    ] as const) {
      for (const cookie of cookies) {
        const answer = await send(method, path, `${cookie}; pid_refresh=${token}`);
        expect([answer.status, await answer.json(), setCookies(answer)]).toEqual([401, unauthenticated, []]);
      }
    }
    expect((await refresh(token)).status).toBe(204);
  });
});

describe('logout', () => {
  it('is safe to repeat, clears the cookies, and revokes the session [D-06]', async () => {
    const member = await newMember(target);
    const token = await refreshToken(member);
    const set = setCookies(await refresh(token));
    const live = named(set, 'pid_refresh')?.value ?? '';
    for (const cookie of [`pid_refresh=${live}`, `pid_refresh=${live}`, 'pid_refresh=garbage', undefined]) {
      const answer = await send('POST', '/v1/auth/logout', cookie);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      const cleared = set.map((one) => ({ ...one, value: '', maxAge: 0 }));
      const [key, ...others] = setCookies(answer).reverse();
      expect(others.reverse()).toEqual(cleared);
      expect(key).toMatchObject({ name: 'pid_refresh_key', value: '', maxAge: 0, path: '/' });
    }
    const answer = await refresh(live);
    expect([answer.status, await answer.json()]).toEqual([401, refused]);
    expect(await sessionOf(token)).toMatchObject({ revoked_reason: 'logout' });
  });

  it('revokes all sessions of the person with everywhere, but not other people’s', async () => {
    const member = await newMember(target);
    const elsewhere = await anotherBrowser(target, member);
    const other = await newMember(target);
    const logOut = (body: object) => member.browser.fetch('/v1/auth/logout', json('POST', body));
    expect((await logOut({ everywhere: 'yes' })).status).toBe(400);
    expect((await logOut({ everywhere: true })).status).toBe(204);
    const renew = (browser: Browser) => browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect((await renew(elsewhere)).status).toBe(401);
    expect((await renew(other.browser)).status).toBe(204);
  });

  it('revokes no other sessions with everywhere and the token of a revoked session', async () => {
    const member = await newMember(target);
    const elsewhere = await anotherBrowser(target, member);
    const Cookie = await member.browser.cookies('/v1/auth/logout');
    await member.browser.fetch('/v1/auth/logout', { method: 'POST' });
    await target.request('/v1/auth/logout', {
      method: 'POST',
      headers: { Cookie, Origin: target.origin, 'Content-Type': 'application/json' },
      body: '{"everywhere":true}',
    });
    expect((await elsewhere.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
  });

  it('revokes the session of the access token if no refresh token was sent', async () => {
    const member = await newMember(target);
    const token = await refreshToken(member);
    const Cookie = await member.browser.cookies('/');
    expect(Cookie).not.toContain('pid_refresh=');
    const headers = { Cookie, Origin: target.origin };
    const answer = await target.request('/v1/auth/logout', { method: 'POST', headers });
    expect(answer.status).toBe(204);
    expect((await refresh(token)).status).toBe(401);
  });
});

describe('a new sign-in', () => {
  it('revokes the session of the refresh token sent with it [D-13]', async () => {
    const { browser, claims } = await newMember(target);
    const first = (await browser.cookie('pid_refresh')) ?? '';
    expect((await signIn(target, browser, claims)).status).toBe(302);
    expect(await sessionOf(first)).toMatchObject({ revoked_reason: 'replaced' });
    expect((await refresh(first)).status).toBe(401);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
  });

  it('does not affect sessions in other browsers', async () => {
    const member = await newMember(target);
    await signIn(target, openBrowser(target), member.claims);
    expect((await refresh(await refreshToken(member))).status).toBe(204);
  });

  it('is rejected for a suspended or closed identity, whose live sessions stop immediately', async () => {
    const member = await newMember(target);
    const { handle } = member;
    const { id } = (await sessionOf(await refreshToken(member))) ?? { id: '' };
    await target.rows(`UPDATE identities SET status = 'suspended' WHERE handle = ?`, [handle]);
    const unlink = await member.browser.fetch('/v1/credentials/crd_x', { method: 'DELETE' });
    expect([unlink.status, await unlink.json()]).toEqual([401, unauthenticated]);
    const answer = await member.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([401, refused]);
    const again = await signIn(target, openBrowser(target), member.claims);
    expect(again.headers.get('X-Error-Code')).toBe('identity_suspended');
    expect([again.status, setCookies(again).map(({ value }) => value)]).toEqual([403, ['']]);

    await target.rows(`UPDATE identities SET status = 'closed', closed_at = 1 WHERE handle = ?`, [handle]);
    const closed = await signIn(target, openBrowser(target), member.claims);
    expect([closed.status, closed.headers.get('X-Error-Code')]).toEqual([403, 'identity_closed']);
    const sessions = await target.rows('SELECT id FROM sessions WHERE handle = ?', [handle]);
    expect(sessions).toEqual([{ id }]);
  });
});

describe('secrets', () => {
  /** Every position in the text must take many values, unlike in a counter, a clock or a UUID. */
  function expectRandom(secrets: string[]): void {
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    for (let place = 0; place < 42; place += 1) {
      expect(new Set(secrets.map((secret) => secret[place])).size).toBeGreaterThan(55);
    }
  }

  it('are 256 random bits: 1,000 refresh tokens and 1,000 states have no common parts [D-04]', async () => {
    const states: string[] = [];
    for (let count = 0; count < 1000; count += 1) {
      const answer = await target.request('/v1/auth/idp');
      states.push(new URL(answer.headers.get('Location') ?? '').searchParams.get('state') ?? '');
    }
    expectRandom(states);
    const { browser } = await newMember(target);
    let token = (await browser.cookie('pid_refresh')) ?? '';
    const tokens: string[] = [];
    for (let count = 0; count < 1000; count += 1) {
      token = valueSet(await refresh(token), 'pid_refresh') ?? '';
      tokens.push(token.split('.')[0] ?? '');
    }
    expectRandom(tokens);
  });

  it('are 256 random bits: 1,000 claim tickets have no common parts, and only their digests are stored [D-04]', async () => {
    const tickets: string[] = [];
    const one = async () => {
      const callback = await signIn(target, openBrowser(target));
      expect([callback.status, callback.headers.get('X-Error-Code')]).toEqual([302, null]);
      tickets.push(valueSet(callback, 'pid_claim') ?? '');
    };
    for (let round = 0; round < 200; round += 1) await Promise.all(Array.from({ length: 5 }, one));
    expectRandom(tickets);
    const stored = await target.rows<{ hash: string }>('SELECT hash FROM claim_tickets');
    const hashes = new Set(stored.map(({ hash }) => hash));
    expect(tickets.every((ticket) => hashes.has(secretHash(ticket)) && !hashes.has(ticket))).toBe(true);
  });
});
