import { describe, expect, it } from 'vitest';
import { anotherBrowser, inOneTrip, refusal, seen, sessionIdOf } from '../support/answers.ts';
import { type Browser, json } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';
import { decodeJwt } from '../support/signing.ts';

const target = useService();

const patch = (browser: Browser, body: unknown) => browser.fetch('/v1/me', json('PATCH', body));
const read = async (browser: Browser, path = '/v1/auth/session') => (await browser.fetch(path)).json();

describe('PATCH /v1/me', () => {
  it('applies immediately without extending the session: the new access token expires with the presented one', async () => {
    const { browser } = await newMember(target);
    const end = async () => decodeJwt((await browser.cookie('pid_access')) ?? '').payload['exp'];
    const before = await end();
    await target.advance(600);
    const answer = await browser.fetch('/v1/me', json('PATCH', { displayName: 'Still Me' }));
    expect(answer.status).toBe(200);
    expect(await end()).toBe(before);
    const access = setCookies(answer).find(({ name }) => name === 'pid_access');
    expect(access?.maxAge).toBeGreaterThan(290);
    expect(access?.maxAge).toBeLessThanOrEqual(300);
    await target.advance(301);
    expect((await browser.fetch('/v1/me', json('PATCH', {}))).status).toBe(401);
  });

  it('changes only the given fields and returns the whole profile, in one round trip', async () => {
    const { browser, handle, claims } = await newMember(target);
    const changes = [
      [{ displayName: 'Ada Lovelace' }, { displayName: 'Ada Lovelace', locale: 'id' }],
      [{ locale: 'ms-sg' }, { displayName: 'Ada Lovelace', locale: 'ms-SG' }],
      [
        { displayName: '  Ada  ', locale: 'EN' },
        { displayName: 'Ada', locale: 'en' },
      ],
      [{ locale: null }, { displayName: 'Ada', locale: null }],
      [{}, { displayName: 'Ada', locale: null }],
      [
        { displayName: claims.name, handle: 'other', pid: 'other@pid' },
        { displayName: claims.name, locale: null },
      ],
      [{ displayName: 'n'.repeat(64) }, { displayName: 'n'.repeat(64), locale: null }],
    ] as const;
    for (const [change, profile] of changes) {
      await inOneTrip(target, async () => {
        const answer = await patch(browser, change);
        expect([answer.status, await answer.json()]).toMatchObject([200, { handle, profile, wallet: null }]);
      });
      expect(await read(browser, '/v1/me')).toMatchObject({ handle, profile });
    }
  });

  it('is immediately visible to the session read, because it sets a new access token', async () => {
    const member = await newMember(target);
    const elsewhere = await anotherBrowser(target, member);
    const { browser } = member;
    const kept = () => browser.cookie('pid_refresh', '/v1/auth/refresh');
    const [refresh, session] = [await kept(), await sessionIdOf(member)];
    const answer = await patch(browser, { displayName: 'New Name', locale: 'en' });
    expect(setCookies(answer)).toMatchObject([
      { name: 'pid_access', path: '/', maxAge: expect.closeTo(900, -1), httpOnly: true, sameSite: 'Lax' },
      { name: 'pid_hint', path: '/', httpOnly: false, sameSite: 'Lax' },
    ]);
    const shown = { profile: { displayName: 'New Name', locale: 'en' }, session: { id: session } };
    expect(await read(browser)).toMatchObject(shown);
    expect(await kept()).toBe(refresh);
    expect(await read(elsewhere)).toMatchObject({ profile: { displayName: member.claims.name } });
    for (const one of [browser, elsewhere]) {
      expect((await one.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
      expect(await read(one)).toMatchObject({ profile: shown.profile });
    }
  });

  it('rejects invalid values, naming the field, and changes nothing', async () => {
    const { browser } = await newMember(target);
    const before = await read(browser, '/v1/me');
    const tag = 'locale must be a language tag such as en or id-ID';
    const refusals: [unknown, string[]][] = [
      [{ displayName: 'n'.repeat(65) }, ['displayName must be shorter than or equal to 64 characters']],
      [{ displayName: '' }, ['displayName must not be empty']],
      [{ displayName: ' \t ' }, ['displayName must not be empty']],
      [{ displayName: 'a\u0000b' }, ['displayName must not contain control or invisible characters']],
      [{ displayName: '\u3164' }, ['displayName must not contain control or invisible characters']],
      [{ displayName: null }, ['displayName must be a string']],
      [{ displayName: ['a'] }, ['displayName must be a string']],
      [{ locale: 5 }, ['locale must be a string or null']],
      [{ locale: '' }, [tag]],
      [{ locale: 'en_US' }, [tag]],
      [{ locale: 'not a language' }, [tag]],
      [{ locale: 'x'.repeat(36) }, ['locale must be shorter than or equal to 35 characters']],
      [
        { displayName: 'n'.repeat(65), locale: 5 },
        ['displayName must be shorter than or equal to 64 characters', 'locale must be a string or null'],
      ],
    ];
    for (const [body, messages] of refusals) {
      const answer = await patch(browser, body);
      expect(setCookies(answer)).toEqual([]);
      expect(await seen(answer)).toEqual(refusal(400, messages));
    }
    expect((await browser.fetch('/v1/me', { method: 'PATCH', body: '{"displayName":"x"}' })).status).toBe(
      415,
    );
    expect((await patch(browser, [])).status).toBe(400);
    expect(await read(browser, '/v1/me')).toEqual(before);
  });

  it('does not change other people’s profiles', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const before = await read(other.browser, '/v1/me');
    await patch(member.browser, { displayName: 'Mine', handle: other.handle });
    expect(await read(other.browser, '/v1/me')).toEqual(before);
  });
});

describe('PATCH /v1/me after COOKIE_DOMAIN was set', () => {
  useService({ BASE_URL: 'http://id.pid.localhost:8787' });

  it('moves the access token but not the refresh token, so nobody is locked out', async () => {
    const { browser } = await newMember(target);
    const kept = async () =>
      (await browser.jar.serialize()).cookies
        .filter(({ key, value }) => value && !/^pid_(refresh_key|way)$/.test(key ?? ''))
        .map(({ key, domain, hostOnly }) => `${key} on ${hostOnly ? 'host' : domain}`)
        .sort();
    await target.restart({ COOKIE_DOMAIN: 'pid.localhost' });
    expect((await patch(browser, { displayName: 'Moved' })).status).toBe(200);
    expect(await kept()).toEqual([
      'pid_access on pid.localhost',
      'pid_hint on pid.localhost',
      'pid_refresh on host',
    ]);
    expect(await read(browser)).toMatchObject({ profile: { displayName: 'Moved' } });
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    expect(await kept()).toEqual([
      'pid_access on pid.localhost',
      'pid_hint on pid.localhost',
      'pid_refresh on host',
    ]);
  });
});
