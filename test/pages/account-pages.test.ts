import { describe, expect, it } from 'vitest';
import { newApp } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { newPasswordMember } from '../support/passwords.ts';
import { newMember, signIn } from '../support/people.ts';
import { registered } from '../support/popup.ts';
import { form } from '../support/sandbox.ts';
import { startService, useService } from '../support/service.ts';

const target = useService();

async function open(browser: Browser, path: string): Promise<string> {
  const page = await browser.navigate(path);
  expect(page.status, path).toBe(200);
  return page.text();
}

const tabs = ['credentials', 'sessions', 'profile', 'activity'];

describe('a suspended person', () => {
  it('sees the suspension immediately, with a link to support, on the account pages, at sign-in and in a popup', async () => {
    const own = await startService({ SUPPORT_URL: 'https://help.example.com/' });
    const { browser, handle } = await newMember(own);
    expect((await browser.navigate('/account/wallet')).status).toBe(200);
    await own.rows(`UPDATE identities SET status = 'suspended' WHERE handle = ?`, [handle]);
    const popup = await registered(own);
    for (const path of ['/account/wallet', '/account/sessions', '/signin', `/popup/login?c=${popup.id}`]) {
      const answer = await browser.navigate(path);
      expect([path, answer.status, answer.headers.get('X-Error-Code')]).toEqual([
        path,
        403,
        'identity_suspended',
      ]);
      const page = await answer.text();
      expect(page).toMatch(/<h1[^>]*>Your account is suspended</);
      expect(page).toContain('href="https://help.example.com/">Contact support<');
    }
    const page = await (await openBrowser(target).navigate('/error/identity_suspended')).text();
    expect(page).toMatch(
      /The operator of this service.*<a class="button full" href="\/signin\?other=1">Use another/s,
    );
    expect(page).not.toContain('Identity is suspended');
  });
});

describe('the account', () => {
  it('leads to the wallet, or to the credentials of a person without one, after a sign-in too', async () => {
    const { browser } = await newMember(target);
    const first = async () => (await browser.navigate('/account')).headers.get('Location');
    expect(await first()).toBe('/account/credentials');
    expect((await browser.fetch('/v1/wallet', json('POST', {}))).status).toBe(200);
    expect(await first()).toBe('/account/wallet');
    const visitor = await openBrowser(target).navigate('/account');
    expect([visitor.status, visitor.headers.get('Location')]).toEqual([
      302,
      '/signin?returnTo=self%3A%2Faccount',
    ]);
  });

  it('marks the open tab', async () => {
    const { browser, handle } = await newMember(target);
    for (const tab of tabs) {
      const page = await open(browser, `/account/${tab}`);
      expect(page.match(/aria-current="page"/g)).toHaveLength(1);
      expect(page).toContain(`href="/account/${tab}" aria-current="page"`);
      expect(page).toContain(`${handle}@pid`);
    }
  });

  it('links back to a page of a first-party or registered app, and nowhere else', async () => {
    const { browser } = await newMember(target);
    const app = await newApp(browser);
    const client = `${target.origin}/dev/welcome`;
    const backOf = async (query: string) => {
      const home = await browser.navigate(`/account${query}`);
      const page = await open(browser, home.headers.get('Location') ?? '');
      return /<a class="button" href="([^"]*)">(Back to [^<]*)</.exec(page)?.slice(1);
    };
    expect(await backOf('')).toBeUndefined();
    expect(await backOf(`?returnTo=${client}`)).toEqual([client, 'Back to localhost:8787']);
    for (const address of ['https://evil.example/', 'javascript:alert(1)', '//evil.example', '/settings']) {
      expect(await backOf(`?returnTo=${encodeURIComponent(address)}`), address).toBeUndefined();
    }
    const orders = 'https://shop.example.com/orders?page=2';
    const shown = [orders, 'Back to Corner Shop · shop.example.com'];
    expect(await backOf(`?returnTo=${encodeURIComponent(orders)}`)).toEqual(shown);
    expect(await backOf('')).toEqual(shown);
    await target.rows(`UPDATE apps SET status = 'suspended' WHERE id = ?`, [app.id]);
    expect(await backOf('')).toBeUndefined();
  });

  it('shows the name of a language that the pages do not support', async () => {
    const { browser } = await newMember(target);
    await browser.fetch('/v1/me', json('PATCH', { locale: 'id-ID' }));
    const page = await open(browser, '/account/profile');
    expect(page).toContain('<option value="id" selected="" lang="id">Bahasa Indonesia</option>');
    expect(page).not.toContain('Indonesia (Indonesia)');
    await browser.fetch('/v1/me', json('PATCH', { locale: 'en-US' }));
    expect(await open(browser, '/account/profile')).toContain(
      '<option value="en-US" selected="" lang="en-US">American English</option>',
    );
  });

  it('invites a person who signed in with a password to add a passkey, until they decline', async () => {
    const { browser } = await newPasswordMember(target);
    const invites = async (path = '/account/credentials') =>
      (await open(browser, path)).includes('Sign in faster next time');
    expect(await invites()).toBe(true);
    expect(await invites('/account/credentials?passkey=later')).toBe(false);
    expect(await invites()).toBe(false);
    const other = await newMember(target);
    expect(await open(other.browser, '/account/credentials')).not.toContain('Sign in faster next time');
  });

  it('uses the requested language and remembers it', async () => {
    const { browser } = await newMember(target);
    expect(await open(browser, '/account/sessions?ui_locales=id')).toContain('Perangkat yang terhubung');
    expect(await browser.cookie('pid_lang')).toBe('id');
    const later = await open(browser, '/account/activity?x=1');
    expect(later).toContain('<html lang="id"');
    expect(later).toContain('href="/account/activity?x=1&amp;ui_locales=en"');
  });

  it('paginates long lists', async () => {
    const { browser, claims } = await newMember(target);
    for (let other = 0; other < 11; other += 1) await signIn(target, openBrowser(target), claims);
    const shown = new Set<string>();
    let path: string | undefined = '/account/sessions';
    while (path !== undefined) {
      const page: string = await open(browser, path);
      for (const [, id = ''] of page.matchAll(/name="id" value="(ses_\w+)"/g)) shown.add(id);
      path = /href="(\/account\/sessions\?cursor=[\w-]+)"/.exec(page)?.[1];
    }
    expect(shown.size).toBe(11);
    expect(await open(browser, '/account/activity')).toContain('Show older');
  });

  it('rejects a cursor that no page has shown', async () => {
    const { browser } = await newMember(target);
    expect((await browser.navigate('/account/sessions?cursor=nonsense')).status).toBe(400);
  });

  it('shares the API’s limit and counts each request once', async () => {
    const { browser } = await newMember(target);
    await target.restart({ RATE_LIMITS: '{"GET /v1/credentials":4,"*":1000000}' });
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await browser.navigate('/account/credentials')).status);
      statuses.push((await browser.fetch('/v1/credentials')).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    const refused = await browser.navigate('/account/credentials');
    expect(await refused.text()).toMatch(/data-seconds="\d+"/);
    await target.restart();
  });

  it('shows a failure with its request id and a way to try again', async () => {
    const broken = await startService();
    const { browser } = await newMember(broken);
    await broken.rows('DROP VIEW live_sessions');
    const page = await browser.navigate('/account/sessions');
    const text = await page.text();
    expect(page.status).toBe(500);
    expect(text).toContain(page.headers.get('X-Request-Id'));
    expect(text).toContain('href="/account/sessions">Try again<');
  });

  it('renews the session even without a hint cookie', async () => {
    const hintless = await startService({ HINT_COOKIE: 'off' });
    const { browser } = await newMember(hintless);
    await hintless.advance(901);
    expect(await open(browser, '/account/profile')).toContain('action="/v1/auth/refresh/continue"');
    const renewed = await browser.navigate('/v1/auth/refresh/continue', form({}, hintless.origin));
    expect(renewed.headers.get('Location')).toBe('/account/credentials');
  });
});
