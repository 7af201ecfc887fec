import { beforeAll, describe, expect, it } from 'vitest';
import type { NewApp } from '../../src/features/app/schema.ts';
import { anotherBrowser, dumpRecords } from '../support/answers.ts';
import { markChecked, newApp } from '../support/apps.ts';
import { openBrowser } from '../support/browser.ts';
import { answerIn, appAndPerson, authorizeApp, authorizeUrl, decideOn, ledTo } from '../support/oauth.ts';
import { newPasskeyMember } from '../support/passkeys.ts';
import type { Member } from '../support/people.ts';
import { newMember } from '../support/people.ts';
import { production } from '../support/production.ts';
import { form } from '../support/sandbox.ts';
import { startService, useService } from '../support/service.ts';

const target = useService();
let app: NewApp;
let person: Member;
let developer: Member;
beforeAll(async () => {
  ({ app, person, developer } = await appAndPerson(target));
});

const consentPage = (of = app, changes: Record<string, string | null> = {}) =>
  person.browser.navigate(authorizeUrl(of, changes));

/** The existing grants and codes, so that a test can show that none was added. */
async function made(): Promise<unknown> {
  return (await dumpRecords(target)).filter(([table]) => ['grants', 'app_sessions'].includes(table));
}

describe('the consent page', () => {
  it('cannot be framed, loads no external resources, and posts only to this service [BC-06]', async () => {
    const { headers } = await consentPage();
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    const policy = headers.get('Content-Security-Policy') ?? '';
    for (const rule of [
      "frame-ancestors 'none'",
      "form-action 'self';",
      "default-src 'none'",
      "base-uri 'none'",
    ])
      expect(`${policy};`).toContain(rule);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
  });

  it('shows an app’s name as plain text, separate from the origin', async () => {
    const name = '<b>Bank</b> · https://bank.example';
    const one = await newApp(developer.browser, { name });
    const shown = async () => (await consentPage(one)).text();
    expect(await shown()).toContain('<span>b Bank b https bank example<small>asks you to sign in as');
    await markChecked(target, one.id);
    const text = await shown();
    expect(text).toContain(
      '<span>&lt;b&gt;Bank&lt;/b&gt; · https://bank.example<small>asks you to sign in as',
    );
    expect(text).toContain('<strong>https://shop.example.com</strong>');
    expect(text).not.toContain('<strong>https://bank.example');
  });

  it('accepts a decision only from the service’s own pages [S-04]', async () => {
    const page = await consentPage();
    const text = await page.text();
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    const fields = { request: field('request'), proof: field('proof'), decision: 'allow' };
    const before = await made();
    for (const headers of [
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'http://sibling.localhost:8787', 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const { headers: usual, ...init } = form(fields, target.origin);
      const answer = await person.browser.navigate('/v1/auth/authorize', {
        ...init,
        headers: { ...usual, ...headers },
      });
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([403, 'origin_not_allowed']);
    }
    expect(await made()).toEqual(before);
  });

  it('turns a POST from an app’s page into a GET that the person decides on [OP-31]', async () => {
    const [path = '', query = ''] = authorizeUrl(app, { state: 'posted' }).split('?');
    const before = await made();
    for (const headers of [
      { Origin: 'https://shop.example.com', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: target.origin, 'Sec-Fetch-Site': 'same-origin' },
    ]) {
      const fields = Object.fromEntries(new URLSearchParams(`${query}&decision=allow`));
      const { headers: usual, ...init } = form(fields, target.origin);
      const answer = await openBrowser(target).navigate(path, { ...init, headers: { ...usual, ...headers } });
      expect([answer.status, answer.headers.get('Location')]).toEqual([
        303,
        `${path}?${query}&decision=allow`,
      ]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    // Unless it is a navigation, only our own pages may send it.
    const other = await target.request(path, {
      method: 'POST',
      headers: { Origin: 'https://shop.example.com', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: query,
    });
    expect([other.status, other.headers.get('X-Error-Code')]).toEqual([403, 'origin_not_allowed']);
    expect(await made()).toEqual(before);
  });

  it('accepts only the request and the proof that it displayed [S-04]', async () => {
    const page = await consentPage();
    const before = await made();
    const other = await consentPage(app, { state: 'another' });
    const [, request = ''] = /name="request" value="([^"]*)"/.exec(await other.text()) ?? [];
    for (const changes of [{ proof: '' }, { proof: 'x'.repeat(22) }, { request }]) {
      const answer = await decideOn(target, person.browser, page, 'allow', changes);
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'authorize_altered']);
    }
    for (const changes of [{ request: '' }, { request: '../../..' }, { request: '00000000' }]) {
      const answer = await decideOn(target, person.browser, page, 'allow', changes);
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'authorize_gone']);
    }
    const neither = await decideOn(target, person.browser, page, 'perhaps');
    expect(neither.status).toBe(400);
    expect(await made()).toEqual(before);
  });

  it('is void after the app’s name, scopes or redirect URIs change [S-04]', async () => {
    for (const change of ["name = 'Another Bank'", `scopes = '["openid"]'`, `redirect_uris = '[]'`]) {
      const one = await newApp(developer.browser);
      const page = await consentPage(one);
      const before = await made();
      await target.rows(`UPDATE apps SET ${change} WHERE id = ?`, [one.id]);
      const answer = await decideOn(target, person.browser, page);
      const error = /data-lead-on/.test(await answer.clone().text())
        ? answerIn(await ledTo(answer))['error']
        : null;
      expect([answer.status, error]).toEqual(
        change.startsWith('scopes') ? [200, 'invalid_scope'] : [400, null],
      );
      expect(await made()).toEqual(before);
    }
  });

  it('is void for another session and for another person [S-04]', async () => {
    const page = await consentPage();
    const before = await made();
    const [, request = ''] = /name="request" value="([^"]*)"/.exec(await page.clone().text()) ?? [];
    const waiting =
      (await person.browser.cookies('/')).split('; ').find((one) => one.includes(request)) ?? '';
    for (const browser of [await anotherBrowser(target, person), (await newMember(target)).browser]) {
      await browser.jar.setCookie(`${waiting}; Path=/`, target.origin);
      const answer = await decideOn(target, browser, page);
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'authorize_altered']);
    }
    // Nobody has to sign in twice.
    const nobody = openBrowser(target);
    await nobody.jar.setCookie(`${waiting}; Path=/`, target.origin);
    const answer = await decideOn(target, nobody, page);
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      303,
      `/v1/auth/authorize?continue=${request}`,
    ]);
    expect(await made()).toEqual(before);
  });

  it('issues only one code if decided twice, and no code after that one is used', async () => {
    const one = await newApp(developer.browser);
    const page = await consentPage(one);
    const cookies = await person.browser.cookies('/v1/auth/authorize');
    const first = answerIn(await ledTo(await decideOn(target, person.browser, page)));
    // A double-click sends the same cookies again.
    for (const line of cookies.split('; '))
      if (line.startsWith('pid_authorize_'))
        await person.browser.jar.setCookie(`${line}; Path=/`, target.origin);
    const kept = await person.browser.cookies('/v1/auth/authorize');
    const second = answerIn(await ledTo(await decideOn(target, person.browser, page)));
    expect(second).toEqual(first);
    const count = () => target.rows('SELECT count(*) AS n FROM app_sessions WHERE app_id = ?', [one.id]);
    expect(await count()).toEqual([{ n: 1 }]);
    await target.rows("UPDATE app_sessions SET used_by = 'request' WHERE app_id = ?", [one.id]);
    for (const line of kept.split('; '))
      if (line.startsWith('pid_authorize_'))
        await person.browser.jar.setCookie(`${line}; Path=/`, target.origin);
    const third = await decideOn(target, person.browser, page);
    expect([third.status, third.headers.get('X-Error-Code')]).toEqual([400, 'authorize_gone']);
    // The cookie is removed by the response.
    const fourth = await decideOn(target, person.browser, await consentPage(one, { prompt: 'consent' }));
    expect(answerIn(await ledTo(fourth))).toHaveProperty('code');
    expect(await count()).toEqual([{ n: 2 }]);
  });

  it('creates one grant, and one code per request, if three tabs decide concurrently', async () => {
    const one = await newApp(developer.browser);
    const pages = await Promise.all([1, 2, 3].map(() => consentPage(one)));
    const answers = await Promise.all(pages.map((page) => decideOn(target, person.browser, page)));
    const codes = await Promise.all(answers.map(async (answer) => answerIn(await ledTo(answer))['code']));
    expect(new Set(codes).size).toBe(3);
    const grants = await target.rows('SELECT count(*) AS n FROM grants WHERE app_id = ?', [one.id]);
    expect(grants).toEqual([{ n: 1 }]);
  });
});

describe('an authorization request', () => {
  it('cannot be planted in a browser with a forged cookie or one from another browser', async () => {
    const foreign = openBrowser(target);
    const { headers } = await foreign.navigate(authorizeUrl(app));
    const [cookie = ''] = headers.getSetCookie();
    const [, id = '', value = ''] = /^pid_authorize_([\w-]{8})=([^;]*)/.exec(cookie) ?? [];
    for (const [name, planted] of [
      [id, value.slice(0, -2)],
      [id, 'eyJpZCI6IjAifQ'],
      ['00000000', value],
    ]) {
      const victim = await anotherBrowser(target, person);
      await victim.jar.setCookie(`pid_authorize_${name}=${planted}; Path=/`, target.origin);
      const answer = await victim.navigate(`/v1/auth/authorize?continue=${name}`);
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'authorize_gone']);
    }
  });

  it('never returns another person’s code to a browser with a copied cookie', async () => {
    const attacker = await newMember(target);
    const victim = await newMember(target);
    for (const { browser } of [attacker, victim]) await authorizeApp(target, browser, app);
    const { headers } = await attacker.browser.navigate(authorizeUrl(app, { prompt: 'login' }));
    const [, id = '', value = ''] =
      /pid_authorize_([\w-]{8})=([^;]+)/.exec(headers.getSetCookie().join()) ?? [];
    // The victim has signed in since, so there is no question.
    await target.advance(1);
    const tab = await anotherBrowser(target, victim);
    await tab.jar.setCookie(`pid_authorize_${id}=${value}; Path=/`, target.origin);
    const page = await tab.navigate(`/v1/auth/authorize?continue=${id}`);
    const { code } = answerIn(await ledTo(page));
    expect(code).toMatch(/^[\w-]{43}\.aps_/);
    const own = await anotherBrowser(target, attacker);
    await own.jar.setCookie(`pid_authorize_${id}=${value}; Path=/`, target.origin);
    const stolen = await own.navigate(`/v1/auth/authorize?continue=${id}`);
    expect([stolen.status, stolen.headers.get('X-Error-Code')]).toEqual([400, 'authorize_gone']);
    expect(await stolen.text()).not.toContain(code);
  });

  it('is not resumed from an address made up by another site [BC-07]', async () => {
    const browser = openBrowser(target);
    for (const returnTo of [
      'self:/v1/auth/authorize?continue=00000000&client_id=x',
      'self:/v1/auth/authorize?continue=00000000#x',
      'self:/v1/auth/authorize?client_id=x',
      'self:/v1/auth/authorize',
      'self://evil.example/v1/auth/authorize?continue=00000000',
    ]) {
      const page = await browser.navigate(`/signin?${new URLSearchParams({ returnTo })}`);
      expect(await page.text()).not.toContain('continue=00000000');
    }
  });

  it('returns the issuer in its response, even if it fails [OA-02, BC-03]', async () => {
    await authorizeApp(target, person.browser, app);
    for (const changes of [{}, { scope: 'admin' }, { response_type: 'token' }, { prompt: 'none login' }]) {
      const answer = await person.browser.navigate(authorizeUrl(app, changes));
      expect(answerIn(answer.headers.get('Location'))['iss']).toBe(target.origin);
    }
  });

  it('yields no code for a suspended person or a revoked grant', async () => {
    for (const end of [
      "UPDATE identities SET status = 'suspended' WHERE handle = ?",
      "UPDATE grants SET revoked_at = 1, revoked_by = 'person' WHERE handle = ?",
    ]) {
      const member = await newMember(target);
      await authorizeApp(target, member.browser, app);
      await target.rows(end, [member.handle]);
      const before = await made();
      const answer = await member.browser.navigate(authorizeUrl(app));
      expect(answerIn(answer.headers.get('Location'))['code']).toBeUndefined();
      expect(await made()).toEqual(before);
    }
  });

  // This test comes last, because a second service on D1 empties the first one's database.
  it('is kept in a cookie that no sibling subdomain can set and no script can read', async () => {
    const service = await startService(production);
    const owner = await newPasskeyMember(service);
    const one = await newApp(owner.browser);
    const answer = await openBrowser(service).navigate(authorizeUrl(one));
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-pid_authorize_[\w-]{8}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const longest = { state: 's'.repeat(1_400), login_hint: null };
    const [long = ''] = (
      await openBrowser(service).navigate(authorizeUrl(one, longest))
    ).headers.getSetCookie();
    expect(long.split(';')[0]?.length).toBeLessThan(4_096);
  });
});
