import { beforeAll, describe, expect, it } from 'vitest';
import type { NewApp } from '../../src/features/app/schema.ts';
import { type ProviderName, prove } from '../support/accounts.ts';
import { anotherBrowser } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { type Browser, linkOf, openBrowser } from '../support/browser.ts';
import { codeTo } from '../support/mailbox.ts';
import { answerIn, appAndPerson, authorizeApp, authorizeUrl, decideOn, ledTo } from '../support/oauth.ts';
import {
  askLogin,
  askRegistration,
  newPasskeyMember,
  sendLogin,
  sendRegistration,
} from '../support/passkeys.ts';
import { freshEmail, goodPassword, newPasswordMember } from '../support/passwords.ts';
import { freshHandle, type Member, newMember, somebody, startSignIn } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { compactJwt, serviceKey } from '../support/signing.ts';

const target = useService();
let app: NewApp;
let person: Member;
let developer: Member;
beforeAll(async () => {
  ({ app, person, developer } = await appAndPerson(target));
  await authorizeApp(target, person.browser, app);
});

/** Opens a request, which must lead to the sign-in page. */
async function toSignIn(browser: Browser, changes: Record<string, string | null> = {}, of = app) {
  const answer = await browser.navigate(authorizeUrl(of, changes));
  const location = answer.headers.get('Location') ?? '';
  expect([answer.status, location]).toEqual([302, expect.stringMatching(/^\/signin\?/)]);
  const page = await browser.navigate(location);
  const returnTo = new URL(location, target.origin).searchParams.get('returnTo') ?? '';
  return { page, returnTo, location };
}

/** Allows the app on the page after a sign-in; returns the app's parameters. */
async function allowAt(browser: Browser, address: string | null): Promise<Record<string, string>> {
  const page = await browser.navigate(address ?? '');
  const text = await page.clone().text();
  const done = text.includes('data-lead-on') ? page : await decideOn(target, browser, page);
  return answerIn(await ledTo(done));
}

const code = { to: 'https://shop.example.com/callback', code: expect.any(String), state: 'state of the app' };
const continues = /^\/v1\/auth\/authorize\?continue=[\w-]{8}$/;

/** Claims a PID on the newcomers' page; returns the next address. */
async function claimAt(browser: Browser, address: string | null, returnTo: string): Promise<string> {
  let page = await browser.navigate(address ?? '');
  const moved = page.headers.get('Location');
  if (moved !== null) page = await browser.navigate(moved);
  expect(await page.text()).toContain(`name="returnTo" value="${returnTo}"`);
  const handle = freshHandle();
  const fields = { handle, confirmed: handle, displayName: 'Newcomer', returnTo };
  const claimed = await browser.navigate('/v1/auth/claim', form(fields, target.origin));
  return linkOf(await browser.navigate(claimed.headers.get('Location') ?? ''), '/v1/auth/authorize');
}

describe('an authorization request that needs a sign-in', () => {
  it('shows the app and its origin, and Cancel returns access_denied [OP-24]', async () => {
    const browser = openBrowser(target);
    const { page } = await toSignIn(browser, { login_hint: 'ada@example.com' });
    const text = await page.clone().text();
    expect(text).toContain('<strong>Corner Shop · https://shop.example.com</strong>');
    expect(text).toContain('value="ada@example.com"');
    const denied = await decideOn(target, browser, page, 'deny');
    expect(answerIn(await ledTo(denied))).toMatchObject({
      error: 'access_denied',
      state: 'state of the app',
    });
    expect((await browser.cookies('/signin')).includes('pid_authorize_')).toBe(false);
  });

  it.each(['idp', 'google', 'github'] as const)(
    'returns members and newcomers to the app: %s',
    async (provider) => {
      const account = somebody();
      const goOn = async (browser: Browser) => {
        const { page, returnTo } = await toSignIn(browser);
        const start = await linkOf(page, `/v1/auth/${provider}`);
        const callback = await prove(target, browser, provider as ProviderName, { account, start });
        const { headers } = await browser.navigate(callback);
        return { location: headers.get('Location'), returnTo };
      };
      const newcomer = openBrowser(target);
      const first = await goOn(newcomer);
      expect(first.location).toMatch(/^\/claim\?returnTo=/);
      const claimed = await claimAt(newcomer, first.location, first.returnTo);
      expect(claimed).toMatch(continues);
      expect(await allowAt(newcomer, claimed)).toMatchObject(code);
      const again = openBrowser(target);
      const { location } = await goOn(again);
      expect(location).toMatch(continues);
      expect(await allowAt(again, location)).toMatchObject(code);
    },
  );

  it('returns members and newcomers to the app: email', async () => {
    const email = freshEmail();
    const newcomer = openBrowser(target);
    const { page, returnTo } = await toSignIn(newcomer);
    expect(await linkOf(page, '/v1/auth/email/register')).toContain(encodeURIComponent(returnTo));
    const way = { returnTo, email };
    await newcomer.navigate(
      '/v1/auth/email/register',
      form({ ...way, password: goodPassword }, target.origin),
    );
    const verified = await newcomer.navigate(
      '/v1/auth/email/verify',
      form({ ...way, code: await codeTo(target, email) }, target.origin),
    );
    const claimed = await claimAt(newcomer, verified.headers.get('Location'), returnTo);
    expect(await allowAt(newcomer, claimed)).toMatchObject(code);
    const member = await newPasswordMember(target);
    const known = openBrowser(target);
    const back = await toSignIn(known);
    const fields = { returnTo: back.returnTo, email: member.email, password: member.password };
    const signedIn = await known.navigate('/v1/auth/email/login', form(fields, target.origin));
    expect([signedIn.status, signedIn.headers.get('Location')]).toEqual([
      303,
      expect.stringMatching(continues),
    ]);
    expect(await allowAt(known, signedIn.headers.get('Location'))).toMatchObject(code);
  });

  it('returns members and newcomers to the app: passkey', async () => {
    const attribute = (text: string, name: string) =>
      new RegExp(`data-${name}="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const newcomer = openBrowser(target);
    const { page, returnTo } = await toSignIn(newcomer);
    const made = await createAuthenticator(target.origin).create(await askRegistration(newcomer, 'newcomer'));
    expect((await sendRegistration(newcomer, 'newcomer', made)).status).toBe(200);
    const claimed = await claimAt(newcomer, attribute(await page.text(), 'claim'), returnTo);
    expect(await allowAt(newcomer, claimed)).toMatchObject(code);
    const { authenticator } = await newPasskeyMember(target);
    const known = openBrowser(target);
    const back = await toSignIn(known);
    const signedIn = await sendLogin(known, await authenticator.get(await askLogin(known)));
    expect(signedIn.status).toBe(204);
    const next = attribute(await back.page.text(), 'next');
    expect(next).toMatch(continues);
    expect(await allowAt(known, next)).toMatchObject(code);
  });

  it('returns to the app even after the new account is linked to an existing PID', async () => {
    const browser = openBrowser(target);
    const { page, returnTo } = await toSignIn(browser);
    const start = await linkOf(page, '/v1/auth/idp');
    const claims = { email_verified: true, ...somebody() };
    const { callback } = await startSignIn(target, browser, { claims }, start);
    const claim = (await browser.navigate(callback)).headers.get('Location') ?? '';
    const moved = (await browser.navigate(claim)).headers.get('Location') ?? '';
    const link = await linkOf(await browser.navigate(moved), '/v1/auth/claim/link');
    expect(link).toContain(encodeURIComponent(returnTo));
  });

  it('is separate from another app’s request in another tab, with at most five per browser', async () => {
    const other = await newApp(developer.browser, {
      name: 'Other',
      redirectUris: ['https://other.example.com/cb'],
    });
    const browser = openBrowser(target);
    const tabs = [await toSignIn(browser), await toSignIn(browser, { state: 'second' }, other)];
    const ends: unknown[] = [];
    for (const { page } of tabs) {
      const start = await linkOf(page, '/v1/auth/idp');
      const claims = { email_verified: true, ...person.claims };
      const { callback } = await startSignIn(target, browser, { claims }, start);
      const { headers } = await browser.navigate(callback);
      ends.push(await allowAt(browser, headers.get('Location')));
    }
    expect(ends).toMatchObject([code, { to: 'https://other.example.com/cb', state: 'second' }]);
    const flooded = openBrowser(target);
    const first = await toSignIn(flooded);
    for (let count = 0; count < 6; count += 1) await toSignIn(flooded, { state: 's'.repeat(1_000) });
    const cookies = (await flooded.cookies('/signin'))
      .split('; ')
      .filter((one) => one.startsWith('pid_authorize_'));
    expect(cookies.length).toBeLessThanOrEqual(5);
    expect(cookies.join('').length).toBeLessThanOrEqual(4_000);
    const gone = await flooded.navigate(first.returnTo.slice('self:'.length));
    expect([gone.status, gone.headers.get('X-Error-Code')]).toEqual([400, 'authorize_gone']);
  });

  it('cannot, together with external sign-ins, exceed the Cookie header size that proxies accept', async () => {
    const { browser } = await newMember(target);
    const long = 'x'.repeat(500);
    for (let count = 0; count < 6; count += 1) {
      const one = count < 2 ? await newApp(developer.browser) : app;
      await browser.navigate(
        authorizeUrl(one, { state: `${count}${long}${long}`, nonce: long.slice(0, 100) }),
      );
      await browser.navigate(`/v1/auth/idp?returnTo=/${long}`);
      await target.advance(1);
    }
    const cookies = await browser.cookies('/v1/auth/idp');
    expect(cookies).toMatch(/pid_authorize_.*pid_oauth_|pid_oauth_.*pid_authorize_/);
    // nginx and Apache accept 8 kB for the whole line.
    expect(cookies.length).toBeLessThan(8_000);
  });

  it('is displaced only by other requests of the same app, and only by requests shown in a window', async () => {
    const mine = await newApp(developer.browser);
    const browser = openBrowser(target);
    const { returnTo } = await toSignIn(browser, {}, mine);
    const isWaiting = async () =>
      (await browser.navigate(returnTo.slice('self:'.length))).headers.get('X-Error-Code') === null;
    const long = { state: 's'.repeat(1_000) };
    for (let count = 0; count < 6; count += 1) await toSignIn(browser, long);
    expect(await isWaiting()).toBe(true);
    for (const dest of ['iframe', 'image', 'empty']) {
      const one = await newApp(developer.browser);
      const answer = await browser.navigate(authorizeUrl(one, long), {
        headers: { 'Sec-Fetch-Dest': dest },
      });
      expect(answer.headers.getSetCookie().filter((line) => line.includes('pid_authorize'))).toEqual([]);
    }
    for (let count = 0; count < 6; count += 1) await toSignIn(browser, long, mine);
    expect(await isWaiting()).toBe(false);
  });

  it('expires after ten minutes, and rechecks the app’s settings when it continues', async () => {
    const browser = openBrowser(target);
    const { returnTo } = await toSignIn(browser);
    const path = returnTo.slice('self:'.length);
    const cookie = await browser.cookies(path);
    await target.advance(590);
    expect((await target.request(path, { headers: { Cookie: cookie } })).status).toBe(302);
    await target.advance(11);
    const late = await target.request(path, { headers: { Cookie: cookie } });
    expect([late.status, late.headers.get('X-Error-Code')]).toEqual([400, 'authorize_gone']);
    const one = await newApp(developer.browser);
    const waiting = openBrowser(target);
    const { returnTo: back } = await toSignIn(waiting, {}, one);
    await target.rows("UPDATE apps SET redirect_uris = '[]' WHERE id = ?", [one.id]);
    const moved = await waiting.navigate(back.slice('self:'.length));
    expect([moved.status, moved.headers.get('Location')]).toEqual([400, null]);
  });

  it('uses the language that the app requests', async () => {
    const { page } = await toSignIn(openBrowser(target), { ui_locales: 'id-ID en' });
    expect(await page.text()).toContain('<html lang="id">');
  });
});

describe('a session', () => {
  it('is renewed automatically if its access token has expired, even with prompt=none', async () => {
    for (const prompt of [null, 'none']) {
      const browser = await anotherBrowser(target, person);
      await target.advance(901);
      const answer = await browser.navigate(authorizeUrl(app, { prompt }));
      const renew = answer.headers.get('Location') ?? '';
      expect(renew).toMatch(/^\/v1\/auth\/continue\?returnTo=/);
      const back = (await browser.navigate(renew)).headers.get('Location') ?? '';
      const done = await browser.navigate(back);
      expect([done.status, answerIn(done.headers.get('Location'))]).toMatchObject([302, code]);
    }
  });

  it('returns login_required, or redirects to sign-in after one failed renewal, once it is revoked', async () => {
    const browser = await anotherBrowser(target, person);
    await target.rows(
      "UPDATE sessions SET revoked_at = ?, revoked_reason = 'ended' WHERE revoked_at IS NULL",
      [target.now()],
    );
    await target.advance(901);
    const silent = await browser.navigate(authorizeUrl(app, { prompt: 'none' }));
    expect(answerIn(silent.headers.get('Location'))).toMatchObject({
      error: 'login_required',
      state: 'state of the app',
    });
    const answer = await browser.navigate(authorizeUrl(app));
    const back = (await browser.navigate(answer.headers.get('Location') ?? '')).headers.get('Location') ?? '';
    expect(back).toContain('signed_out=1');
    expect((await browser.navigate(back)).headers.get('Location')).toMatch(/^\/signin\?/);
  });

  it('yields no code after it is revoked, even if its access token is still valid', async () => {
    const browser = await anotherBrowser(target, person);
    await target.rows(
      "UPDATE sessions SET revoked_at = ?, revoked_reason = 'ended' WHERE revoked_at IS NULL",
      [target.now()],
    );
    const answer = await browser.navigate(authorizeUrl(app));
    expect(answer.headers.get('Location')).toMatch(/^\/signin\?/);
  });
});

describe('prompt, max_age and hints', () => {
  const nobody = { error: 'login_required', iss: expect.any(String), state: 'state of the app' };
  const ask = async (browser: Browser, changes: Record<string, string | null>, of = app) => {
    const answer = await browser.navigate(authorizeUrl(of, changes));
    return answerIn(answer.headers.get('Location'));
  };
  let browser: Browser;
  beforeAll(async () => {
    browser = await anotherBrowser(target, person);
  });

  it('prompt=none shows no page: the app receives a code if a grant exists, and login_required otherwise [OP-18, OP-19, OC-02]', async () => {
    expect(await ask(openBrowser(target), { prompt: 'none' })).toMatchObject(nobody);
    const one = await newApp((await newMember(target)).browser);
    expect(await ask(browser, { prompt: 'none' }, one)).toMatchObject(nobody);
    expect(await ask(browser, { prompt: 'none' })).toMatchObject(code);
  });

  it('prompt=none reveals nothing to an app without a grant if the access token has expired either [D-89]', async () => {
    const one = await newApp((await newMember(target)).browser);
    const tab = await anotherBrowser(target, person);
    await target.advance(901);
    expect(await ask(tab, { prompt: 'none' }, one)).toMatchObject(nobody);
    expect((await tab.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
  });

  it.each([
    ['prompt=login', { prompt: 'login' }],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['max_age=0', { max_age: '0' }],
    ['an older sign-in than max_age', { max_age: '60' }],
  ])('one new sign-in is required and sufficient for %s [OP-17, OP-20, OC-02, OC-03]', async (_, changes) => {
    const tab = await anotherBrowser(target, person);
    await target.advance(120);
    const { page, location, returnTo } = await toSignIn(tab, changes);
    expect(location).toContain('prompt=login');
    // The old session is insufficient, however often it is presented.
    const early = await tab.navigate(returnTo.slice('self:'.length));
    expect(early.headers.get('Location')).toMatch(/^\/signin\?/);
    const start = await linkOf(page, '/v1/auth/idp');
    const now = Math.floor(target.now() / 1000);
    const claims = { email_verified: true, auth_time: now, ...person.claims };
    const { callback } = await startSignIn(target, tab, { claims }, start);
    const { headers } = await tab.navigate(callback);
    expect(await allowAt(tab, headers.get('Location'))).toMatchObject(code);
    const [row] = await target.rows<{ authenticated_at: number }>(
      'SELECT authenticated_at FROM app_sessions ORDER BY created_at DESC LIMIT 1',
    );
    expect(row?.authenticated_at).toBeGreaterThanOrEqual(now * 1000);
  });

  it('max_age with prompt=none returns login_required if the sign-in is older [OC-03]', async () => {
    const tab = await anotherBrowser(target, person);
    await target.advance(120);
    expect(await ask(tab, { prompt: 'none', max_age: '60' })).toMatchObject(nobody);
    expect(await ask(tab, { prompt: 'none', max_age: '600' })).toMatchObject(code);
  });

  it('id_token_hint determines who may be signed in, even if the token has expired [OP-23, OC-04]', async () => {
    const key = await serviceKey(target);
    const hint = (changes: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
      compactJwt(
        { alg: 'ES256', kid: key.kid, ...header },
        { iss: target.origin, aud: app.id, sub: `${person.handle}@pid`, exp: 1, ...changes },
        key.sign,
      );
    const tab = await anotherBrowser(target, person);
    expect(await ask(tab, { prompt: 'none', id_token_hint: await hint() })).toMatchObject(code);
    const other = await newMember(target);
    const sub = `${other.handle}@pid`;
    for (const wrong of [
      await hint({ sub }),
      await hint({ aud: 'app_of_somebody' }),
      await hint({ iss: 'https://evil.example' }),
      await hint({}, { typ: 'JWT' }),
      'not.a.token',
    ])
      expect(await ask(tab, { prompt: 'none', id_token_hint: wrong })).toMatchObject(nobody);
    // Another person has to sign in as that person; a new sign-in by the same person does not loop.
    const { page } = await toSignIn(tab, { id_token_hint: await hint({ sub }) });
    const start = await linkOf(page, '/v1/auth/idp');
    const claims = { email_verified: true, ...person.claims, auth_time: Math.floor(target.now() / 1000) };
    await target.advance(1);
    const { callback } = await startSignIn(target, tab, { claims }, start);
    const { headers } = await tab.navigate(callback);
    expect(await allowAt(tab, headers.get('Location'))).toMatchObject(nobody);
    // A hint that is not one of our tokens is ignored.
    expect(await ask(tab, { id_token_hint: 'not.a.token' })).toMatchObject(code);
  });
});
