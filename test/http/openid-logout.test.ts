import { beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/features/app/schema.ts';
import { seen } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { answerIn, authorizeUrl, ledTo } from '../support/oauth.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation, type Relation } from '../support/token.ts';

const target = useService();
const path = '/v1/auth/end-session';
const after = 'https://shop.example.com/signed-out?tab=1';

let relation: Relation;
let browser: Browser;
let idToken: string;
beforeEach(async () => {
  relation = await newRelation(target, { postLogoutRedirectUris: [after] });
  ({ browser } = relation.person);
  ({ id_token: idToken = '' } = await appSignIn(relation));
});

type Fields = Record<string, string | null>;

/** The suite's request: hint, address and state; null omits one. */
function logoutUrl(changes: Fields = {}): string {
  const all: Fields = {
    id_token_hint: idToken,
    post_logout_redirect_uri: after,
    state: 'state of the app',
    ...changes,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
  return `${path}?${new URLSearchParams(given)}`;
}

const leave = (changes: Fields = {}, from = browser) => from.navigate(logoutUrl(changes));

/** The response to prompt=none, which shows whether the person is still signed in. */
async function silently(from = browser): Promise<Record<string, string>> {
  const page = await from.navigate(authorizeUrl(relation.app, { prompt: 'none' }));
  return answerIn(page.headers.get('Location'));
}

const isSignedIn = async () => 'code' in (await silently());

/** Presses "Sign out" on a confirmation page. */
async function confirm(page: Response, from = browser): Promise<Response> {
  const text = await page.text();
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const hidden = Object.fromEntries(
    fields.map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    ]),
  );
  return from.navigate(path, form({ ...hidden, confirm: 'yes' }, target.origin));
}

/** The page asks, and neither redirects nor signs out. */
async function expectQuestion(page: Response): Promise<string> {
  const text = await page.clone().text();
  expect([page.status, page.headers.get('Location')]).toEqual([200, null]);
  expect(text).toContain('<h1 tabindex="-1">Sign out?</h1>');
  expect(page.headers.getSetCookie()).toEqual([]);
  expect(await isSignedIn()).toBe(true);
  return text;
}

const strayed = 'because the address to return to is not one of the app';

async function expectSignedOut(page: Response): Promise<string> {
  const text = await page.clone().text();
  expect([page.status, page.headers.get('Location')]).toEqual([200, null]);
  expect(text).toContain('<h1 tabindex="-1">You are signed out</h1>');
  expect(await silently()).toMatchObject({ error: 'login_required' });
  return text;
}

const reversed = (text: string) => [...text].reverse().join('');
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a logout request of the conformance suite', () => {
  it('finds end_session_endpoint in the metadata [RL-01, BL-01]', async () => {
    const answer = await target.request('/.well-known/openid-configuration');
    expect(await answer.json()).toMatchObject({
      end_session_endpoint: `${target.origin}${path}`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
  });

  it('signs out and returns to the app with its state [RL-02]', async () => {
    const answer = await leave();
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, `${after}&state=state+of+the+app`]);
    expect(await silently()).toMatchObject({ error: 'login_required', state: 'state of the app' });
  });

  it('does not return to an address that is not registered [RL-03]', async () => {
    for (const uri of ['https://evil.example/', 'https://shop.example.com/callback', `${after}#a`]) {
      expect(await expectQuestion(await leave({ post_logout_redirect_uri: uri }))).toContain(strayed);
    }
    const decided = await confirm(await leave({ post_logout_redirect_uri: 'https://evil.example/' }));
    expect(await expectSignedOut(decided)).not.toContain('evil.example');
  });

  it('does not return with a hint whose signature is missing or altered [RL-04]', async () => {
    const [header = '', payload = '', signature = ''] = idToken.split('.');
    const none = base64url({ alg: 'none' });
    for (const hint of [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.${reversed(signature)}`,
      `${header}.${payload}.`,
    ])
      await expectQuestion(await leave({ id_token_hint: hint }));
    expect(
      await expectSignedOut(await confirm(await leave({ id_token_hint: `${none}.${payload}.` }))),
    ).not.toContain(after);
  });

  it('does not return without a hint [RL-05]', async () => {
    expect(await expectQuestion(await leave({ id_token_hint: null }))).toContain(strayed);
    await expectSignedOut(await confirm(await leave({ id_token_hint: null })));
  });

  it('without parameters signs out on the service’s page after the person confirms [RL-06]', async () => {
    const page = await browser.navigate(path);
    expect(await expectQuestion(page)).toContain(`${relation.person.handle}@pid`);
    await expectSignedOut(await confirm(page));
  });

  it('signs out on the service’s page if there is no address to return to [RL-07]', async () => {
    await expectSignedOut(await leave({ post_logout_redirect_uri: null }));
  });

  it('returns without a state if none was sent [RL-08]', async () => {
    const answer = await leave({ state: null });
    expect(answer.headers.get('Location')).toBe(after);
    expect(await silently()).toMatchObject({ error: 'login_required' });
  });

  it('with only a state signs out on the service’s page after the person confirms [RL-09]', async () => {
    const page = await leave({ id_token_hint: null, post_logout_redirect_uri: null });
    await expectQuestion(page);
    await expectSignedOut(await confirm(page));
  });

  it('does not return to a registered address with a query added [RL-10]', async () => {
    for (const uri of [`${after}&foo=bar`, `${after}?foo=bar`])
      await expectQuestion(await leave({ post_logout_redirect_uri: uri }));
  });

  it('does not return with a hint signed by someone else [RL-11]', async () => {
    const [, payload = ''] = idToken.split('.');
    const forged = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${payload}.${'a'.repeat(43)}`;
    for (const hint of [forged, 'not a token', '..', `${idToken}.`])
      await expectQuestion(await leave({ id_token_hint: hint }));
  });
});

describe('a logout request', () => {
  it('ends the session, and only this one, with a logout token for each of its apps [BL-02]', async () => {
    const other = await newRelation(target);
    const shop = { ...relation, person: other.person };
    const { app } = await newAppWithLogout();
    const signedIn = { ...relation, app };
    const { id_token = '', sid } = await appSignIn(signedIn);
    await appSignIn(shop);
    const answer = await leave({ id_token_hint: id_token, post_logout_redirect_uri: null });
    await expectSignedOut(answer);
    const events = () =>
      target.rows(
        "SELECT json_extract(data, '$.sid') AS sid FROM webhook_events WHERE app_id = ? AND type = 'logout'",
        [app.id],
      );
    await expect.poll(events).toEqual([{ sid }]);
    expect((await other.person.browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('asks first if the hint is from another session, and then returns to the app', async () => {
    const elsewhere = openBrowser(target);
    const own = await newRelation(target);
    const page = await leave({}, own.person.browser);
    const text = await page.clone().text();
    for (const shown of ['Sign out?', `${own.person.handle}@pid`, 'Corner Shop asks you to sign out'])
      expect(text).toContain(shown);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(await isSignedIn()).toBe(true);
    const decided = await confirm(page, own.person.browser);
    expect(await ledTo(decided)).toBe(`${after}&state=state+of+the+app`);
    expect((await own.person.browser.fetch('/v1/auth/session')).status).toBe(401);
    expect(await isSignedIn()).toBe(true);
    expect((await leave({}, elsewhere)).status).toBe(200);
  });

  it('asks first if the app’s grant has since been revoked', async () => {
    await target.rows("UPDATE grants SET revoked_at = ?, revoked_by = 'person' WHERE app_id = ?", [
      target.now(),
      relation.app.id,
    ]);
    const page = await leave();
    expect([page.status, page.headers.get('Location')]).toEqual([200, null]);
    expect(await page.text()).toContain('Corner Shop asks you to sign out');
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('is not redirected if the hint is another app’s, whatever addresses are registered', async () => {
    const other = await newApp(browser, { postLogoutRedirectUris: ['https://evil.example/'] });
    for (const changes of [
      { client_id: other.id },
      { client_id: other.id, post_logout_redirect_uri: 'https://evil.example/' },
      { client_id: 'app_00000000000000000000000000' },
      { post_logout_redirect_uri: 'https://evil.example/' },
    ]) {
      const page = await leave(changes);
      expect(await expectQuestion(page)).toContain(strayed);
    }
    const page = await leave({ client_id: other.id, post_logout_redirect_uri: 'https://evil.example/' });
    expect(await expectSignedOut(await confirm(page))).not.toContain('evil.example');
  });

  it('with its app’s id instead of a hint returns to the app after the person confirms', async () => {
    const page = await leave({ id_token_hint: null, client_id: relation.app.id });
    const text = await expectQuestion(page);
    expect(text).toContain('You will then return to https://shop.example.com.');
    expect(await ledTo(await confirm(page))).toBe(`${after}&state=state+of+the+app`);
    expect(await silently()).toMatchObject({ error: 'login_required' });
  });

  it('puts no markup of the app’s address on the page that leads there', async () => {
    // Registration rejects such an address now, but an older app may have one.
    const hostile = "https://shop.example.com/?</noscript><form/action='/account/password'><template>";
    const change = 'UPDATE apps SET post_logout_redirect_uris = ? WHERE id = ?';
    await target.rows(change, [JSON.stringify([hostile]), relation.app.id]);
    const fields = { id_token_hint: null, client_id: relation.app.id, post_logout_redirect_uri: hostile };
    const text = await (await confirm(await leave(fields))).text();
    expect(text.match(/<noscript>.*?<\/noscript>/gs)).toEqual([
      expect.stringContaining('?%3C/noscript%3E%3Cform/action=%27/account/password%27%3E%3Ctemplate%3E'),
    ]);
    expect(text).not.toMatch(/<template>|action='/);
    await target.rows(change, [JSON.stringify([after]), relation.app.id]);
  });

  it('shows a signed-out visitor the service’s page, and never redirects', async () => {
    for (const changes of [{}, { id_token_hint: null, client_id: relation.app.id }, { id_token_hint: 'x' }]) {
      const page = await leave(changes, openBrowser(target));
      expect([page.status, page.headers.get('Location')]).toEqual([200, null]);
      const text = await page.text();
      expect(text).toContain('You are signed out');
      expect(text).not.toContain('http-equiv');
    }
    await leave({ post_logout_redirect_uri: null });
    const page = await leave();
    expect(await expectSignedOut(page)).toContain(`href="${after}&amp;state=state+of+the+app"`);
  });

  it('is not redirected if the app is suspended', async () => {
    await target.rows("UPDATE apps SET status = 'suspended' WHERE id = ?", [relation.app.id]);
    const page = await leave();
    expect([page.status, page.headers.get('Location')]).toEqual([200, null]);
    expect(await page.text()).toContain(strayed);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('may have a hint of any age, even one whose key has been replaced [OC-04]', async () => {
    await target.rows(
      'UPDATE signing_keys SET signs_from = 1, signs_until = 2, verifies_until = ? WHERE alg = ?',
      [target.now() - 1, 'RS256'],
    );
    await target.restart({});
    expect((await leave()).headers.get('Location')).toBe(`${after}&state=state+of+the+app`);
  });

  it('is not redirected if the key of its hint has been removed', async () => {
    await target.rows("DELETE FROM signing_keys WHERE alg = 'RS256'");
    await target.restart({});
    const page = await leave();
    expect([page.status, page.headers.get('Location')]).toEqual([200, null]);
  });

  it('posted from an app’s page continues as a GET, and does not sign anyone out', async () => {
    const fields = { id_token_hint: idToken, post_logout_redirect_uri: after, other: 'x' };
    const headers = { Origin: 'https://shop.example.com', 'Sec-Fetch-Site': 'cross-site' };
    const posted = form(fields, 'https://shop.example.com');
    // The browser withholds the cookies, which are SameSite=Lax.
    const answer = await openBrowser(target).navigate(path, {
      ...posted,
      headers: { ...posted.headers, ...headers },
    });
    const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: after });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${path}?${query}`]);
    expect(await isSignedIn()).toBe(true);
  });

  it('can be confirmed only on our own page', async () => {
    for (const [origin, site] of [
      ['https://evil.example', 'cross-site'],
      ['null', 'cross-site'],
      ['https://app.example.com', 'same-site'],
    ]) {
      const { headers, ...init } = form({ confirm: 'yes' }, origin ?? '');
      const answer = await browser.navigate(path, {
        ...init,
        headers: { ...headers, 'Sec-Fetch-Site': site ?? '' },
      });
      expect(answer.status).toBe(403);
    }
    expect(await isSignedIn()).toBe(true);
  });

  it('is ignored if it is a prefetch or a HEAD request', async () => {
    const ahead = await browser.navigate(logoutUrl(), { headers: { 'Sec-Purpose': 'prefetch' } });
    const head = await browser.navigate(logoutUrl(), { method: 'HEAD' });
    expect(ahead.status).toBe(400);
    expect(head.headers.getSetCookie()).toEqual([]);
    expect(await isSignedIn()).toBe(true);
  });

  it('gets a page in the language that it requests', async () => {
    const page = await browser.navigate(`${path}?ui_locales=id`);
    expect(await page.text()).toContain('Keluar?');
  });

  it('signs out a session whose access token has expired', async () => {
    await target.advance(901);
    expect((await leave()).headers.get('Location')).toBe(`${after}&state=state+of+the+app`);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
  });
});

describe('post-logout redirect URIs', () => {
  const change = (body: object) => browser.fetch(`/v1/apps/${relation.app.id}`, json('PATCH', body));

  it('are limited to ten safe addresses, and only a native app may use a private-use scheme', async () => {
    for (const uri of [
      'http://shop.example.com/',
      'javascript:alert(1)',
      `${after}#a`,
      'com.example.app:/done',
    ])
      expect((await seen(await change({ postLogoutRedirectUris: [uri] })))[0]).toBe(400);
    const many = Array.from({ length: 11 }, (_, index) => `https://shop.example.com/${index}`);
    expect((await change({ postLogoutRedirectUris: many })).status).toBe(400);
    const native = await newApp(browser, {
      type: 'native',
      postLogoutRedirectUris: ['com.example.app:/done'],
    });
    expect(native.postLogoutRedirectUris).toEqual(['com.example.app:/done']);
  });

  it('can be changed only after a recent sign-in, and a change makes the app unchecked', async () => {
    await target.rows('UPDATE apps SET checked_at = 1 WHERE id = ?', [relation.app.id]);
    const moved = 'https://shop.example.com/elsewhere';
    const changed = (await (await change({ postLogoutRedirectUris: [moved] })).json()) as App;
    expect([changed.postLogoutRedirectUris, changed.checked]).toEqual([[moved], false]);
    await target.advance(901);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const late = await change({ postLogoutRedirectUris: [] });
    expect(late.headers.get('X-Error-Code')).toBe('not_fresh');
  });
});

/** An app that receives logout tokens at an address where nothing is listening. */
async function newAppWithLogout() {
  const app = await newApp(browser, { postLogoutRedirectUris: [after] });
  await target.rows(
    "UPDATE apps SET backchannel_logout_uri = 'https://shop.example.com/logout' WHERE id = ?",
    [app.id],
  );
  return { app };
}
