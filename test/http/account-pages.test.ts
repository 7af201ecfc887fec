import { describe, expect, it } from 'vitest';
import { type Browser, linkOf, openBrowser } from '../support/browser.ts';
import { freshHandle, newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

/** Submits a page's form. */
function post(browser: Browser, path: string, fields: Record<string, string> = {}): Promise<Response> {
  return browser.navigate(path, form(fields, target.origin));
}

function led(answer: Response): [number, string | null] {
  return [answer.status, answer.headers.get('Location')];
}

const signInForSessions = '/signin?returnTo=self%3A%2Faccount%2Fsessions';

describe('reaching the account pages', () => {
  it('leads to the sign-in page and back to the requested page', async () => {
    const { browser, claims } = await newMember(target);
    await post(browser, '/v1/auth/logout/leave');
    expect(led(await browser.navigate('/account/sessions'))).toEqual([302, signInForSessions]);
    const page = await browser.navigate(signInForSessions);
    expect(await page.clone().text()).toContain('to continue to your Peridot account');
    const { callback } = await startSignIn(target, browser, { claims }, await linkOf(page, '/v1/auth/idp'));
    expect(led(await browser.navigate(callback))).toEqual([302, '/account/sessions']);
    expect((await browser.navigate('/account/sessions')).status).toBe(200);
  });

  it('leads a newcomer through the claim', async () => {
    const browser = openBrowser(target);
    const start = await linkOf(await browser.navigate(signInForSessions), '/v1/auth/idp');
    const { callback } = await startSignIn(target, browser, { claims: somebody() }, start);
    expect(led(await browser.navigate(callback))).toEqual([
      302,
      '/claim?returnTo=self%3A%2Faccount%2Fsessions',
    ]);
    const claimPage = led(await browser.navigate('/claim?returnTo=self%3A%2Faccount%2Fsessions'))[1] ?? '';
    expect(await (await browser.navigate(claimPage)).text()).toContain('value="self:/account/sessions"');
    const handle = freshHandle();
    const fields = { handle, confirmed: handle, returnTo: 'self:/account/sessions' };
    const done = led(await post(browser, '/v1/auth/claim', fields))[1] ?? '';
    expect(await linkOf(await browser.navigate(done), '/account/sessions')).toBe('/account/sessions');
  });

  it('never redirects anywhere else', async () => {
    const browser = openBrowser(target);
    const places = [
      'self:https://evil.example',
      'self://evil.example',
      'self:/account/../v1/me',
      'self:/account/sessions?x=1',
      'self:/dev',
      'SELF:/account',
    ];
    for (const returnTo of places) {
      const page = await browser.navigate(`/signin?${new URLSearchParams({ returnTo })}`);
      expect(await linkOf(page, '/v1/auth/idp'), returnTo).toBe('/v1/auth/idp');
      const renewed = await post(browser, '/v1/auth/refresh/continue', { returnTo });
      expect(led(renewed), returnTo).toEqual([303, '/signin?returnTo=self%3A%2Faccount%2Fcredentials']);
    }
    const { status } = await browser.fetch('/v1/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"returnTo":"self:/account"}',
    });
    expect(status).toBe(400);
  });
});

describe('an account page without an access token', () => {
  it('uses no refresh token, and its form renews the session and returns to the page [S-14]', async () => {
    const { browser } = await newMember(target);
    await target.advance(901);
    const spent = await browser.cookie('pid_refresh');
    for (let visit = 0; visit < 2; visit += 1) {
      const page = await browser.navigate('/account/profile');
      expect([page.status, page.headers.getSetCookie()]).toEqual([200, []]);
      expect(await page.text()).toContain('action="/v1/auth/refresh/continue"');
    }
    const renewed = await post(browser, '/v1/auth/refresh/continue', { returnTo: 'self:/account/profile' });
    expect(led(renewed)).toEqual([303, '/account/profile']);
    expect(await browser.cookie('pid_refresh')).not.toBe(spent);
    expect((await browser.navigate('/account/profile')).status).toBe(200);
  });

  it('opens again after the renewal', async () => {
    const { browser } = await newMember(target);
    const id = '01kz00000000000000000000ab';
    for (const path of [
      '/admin',
      '/account/wallet/send',
      `/account/wallet/send/inq_${id}`,
      '/account/wallet/top-up',
      `/account/wallet/deposits/dep_${id}`,
      `/account/wallet/withdraw/wdr_${id}`,
      '/account/apps',
      `/account/allowed/grt_${id}`,
    ]) {
      await target.advance(901);
      const page = await (await browser.navigate(path)).text();
      const [, returnTo = ''] = /name="returnTo" value="([^"]*)"/.exec(page) ?? [];
      expect(led(await post(browser, '/v1/auth/refresh/continue', { returnTo }))).toEqual([303, path]);
    }
  });

  it('continues with the cookies of the tab that renewed first, without a redirect loop', async () => {
    const { browser } = await newMember(target);
    const lost = await browser.cookies('/v1/auth/refresh');
    await post(browser, '/v1/auth/refresh/continue');
    const sent = form({ returnTo: 'self:/account/activity' }, target.origin);
    const answer = await openBrowser(target).navigate('/v1/auth/refresh/continue', {
      ...sent,
      headers: { ...sent.headers, Cookie: lost },
    });
    expect([...led(answer), answer.headers.getSetCookie()]).toEqual([303, '/account/activity?renewed=1', []]);
    expect((await browser.navigate('/account/activity?renewed=1')).status).toBe(200);
    const hint = `pid_hint=${await browser.cookie('pid_hint')}`;
    const waiting = await openBrowser(target).navigate('/account/activity?renewed=1', {
      headers: { Cookie: hint },
    });
    expect(await waiting.text()).not.toContain('prerenderingchange');
  });

  it('redirects to sign-in after the session has been revoked', async () => {
    const { browser } = await newMember(target);
    const cookies = await browser.cookies('/v1/auth/refresh');
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    const sent = form({ returnTo: 'self:/account/sessions' }, target.origin);
    const answer = await browser.navigate('/v1/auth/refresh/continue', {
      ...sent,
      headers: { ...sent.headers, Cookie: cookies },
    });
    expect(led(answer)).toEqual([303, signInForSessions]);
    expect(answer.headers.getSetCookie().filter((line) => line.includes('Max-Age=0')).length).toBeGreaterThan(
      2,
    );
  });
});

describe('the account forms', () => {
  it('unlink a credential, but not the last one', async () => {
    const { browser } = await newMember(target);
    const only = await browser.navigate('/account/credentials');
    expect(await only.text()).toMatch(/<button [^>]*disabled/);
    await browser.fetch('/dev/credentials', { method: 'POST' });
    const [first, second] = (await (await browser.fetch('/v1/credentials')).json()) as { id: string }[];
    const question = await browser.navigate(`/account/credentials/unlink?id=${second?.id}`);
    expect(await question.text()).toContain(`value="${second?.id}"`);
    const done = await post(browser, '/account/credentials/unlink', { id: second?.id ?? '' });
    expect(led(done)).toEqual([303, '/account/credentials?done=unlinked']);
    const toast = await browser.navigate('/account/credentials?done=unlinked');
    expect(await toast.text()).toMatch(/role="status"[^>]*>.*Sign-in method removed/);
    const last = await post(browser, '/account/credentials/unlink', { id: first?.id ?? '' });
    expect([last.status, last.headers.get('X-Error-Code')]).toEqual([400, 'last_credential']);
    expect(await last.text()).toContain('Cannot unlink the last credential');
    expect(await (await browser.fetch('/v1/credentials')).json()).toHaveLength(1);
  });

  it('offer the providers that are not linked yet, and confirm a link', async () => {
    const { browser } = await newMember(target);
    const page = await (await browser.navigate('/account/credentials')).text();
    expect(page).toContain('action="/v1/credentials/link"');
    expect(page).toMatch(/name="provider" value="google"/);
    expect(page).not.toMatch(/name="provider" value="idp"/);
    const way = await post(browser, '/v1/credentials/link', { provider: 'google' });
    expect([way.status, await way.text()]).toEqual([200, expect.stringContaining('/v1/auth/google?link=')]);
    await target.advance(901);
    const late = await post(browser, '/v1/credentials/link', { provider: 'google' });
    expect(await late.text()).toContain('action="/v1/auth/refresh/continue"');
    await post(browser, '/v1/auth/refresh/continue');
    const stale = await post(browser, '/v1/credentials/link', { provider: 'google' });
    expect([stale.status, await stale.text()]).toEqual([
      403,
      expect.stringContaining('href="/signin?returnTo=self%3A%2Faccount%2Fcredentials&amp;prompt=login"'),
    ]);
    const linked = await (await browser.navigate('/account/credentials?linked=google')).text();
    expect(linked).toMatch(/role="status"[^>]*>.*Sign-in method added/);
  });

  it('require a new sign-in if the last one is too old, and return afterwards', async () => {
    const { browser } = await newMember(target);
    await browser.fetch('/dev/credentials', { method: 'POST' });
    const [credential] = (await (await browser.fetch('/v1/credentials')).json()) as { id: string }[];
    await target.advance(901);
    const id = credential?.id ?? '';
    // The access token has expired too, so the form has no effect, and the page says so.
    const renewal = await post(browser, '/account/credentials/unlink', { id });
    expect(await renewal.text()).toContain('name="repeat"');
    const repeat = { returnTo: 'self:/account/credentials', repeat: '1' };
    const renewed = await post(browser, '/v1/auth/refresh/continue', repeat);
    expect(led(renewed)).toEqual([303, '/account/credentials?done=repeat']);
    const refused = await post(browser, '/account/credentials/unlink', { id });
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([403, 'not_fresh']);
    expect(await refused.text()).toContain(
      'href="/signin?returnTo=self%3A%2Faccount%2Fcredentials&amp;prompt=login"',
    );
    expect(await (await browser.fetch('/v1/credentials')).json()).toHaveLength(2);
  });

  it('revoke another session, all other sessions, and the current one', async () => {
    const { browser, claims } = await newMember(target);
    const others = [openBrowser(target), openBrowser(target)];
    for (const other of others) await signIn(target, other, claims);
    const list = await (await browser.navigate('/account/sessions')).text();
    const ids = [...list.matchAll(/name="id" value="(ses_\w+)"/g)].map(([, id = '']) => id);
    expect(ids).toHaveLength(2);
    const ended = await post(browser, '/account/sessions/end', { id: ids[0] ?? '' });
    expect(led(ended)).toEqual([303, '/account/sessions?done=ended']);
    const gone = await post(browser, '/account/sessions/end', { id: 'ses_nobodys' });
    expect([gone.status, gone.headers.get('X-Error-Code')]).toEqual([404, 'session_not_found']);
    expect(led(await post(browser, '/account/sessions/others'))).toEqual([
      303,
      '/account/sessions?done=othersEnded',
    ]);
    for (const other of others)
      expect((await other.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
    expect(led(await post(browser, '/v1/auth/logout/leave'))).toEqual([303, '/signin?done=signedOut']);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(401);
  });

  it('save the profile, and keep the input if it is rejected', async () => {
    const { browser } = await newMember(target);
    const tooLong = 'n'.repeat(65);
    const refused = await post(browser, '/account/profile', { displayName: tooLong, locale: 'id' });
    const text = await refused.text();
    expect([refused.status, text.includes(`value="${tooLong}"`)]).toEqual([400, true]);
    expect(text).toContain('Use at most 64 characters');
    const saved = await post(browser, '/account/profile', { displayName: 'New Name', locale: 'id' });
    expect(led(saved)).toEqual([303, '/account/profile?done=saved']);
    const session = await (await browser.fetch('/v1/auth/session')).json();
    expect(session).toMatchObject({ profile: { displayName: 'New Name', locale: 'id' } });
  });

  it('save the step-up amount only after a recent sign-in', async () => {
    const { browser } = await newMember(target);
    const form = async () => {
      const page = await (await browser.navigate('/account/profile')).text();
      return /<input[^>]* name="stepUpAmount"[^>]* value="([^"]*)"/.exec(page)?.[1];
    };
    const set = (stepUpAmount: string) => post(browser, '/account/profile/step-up', { stepUpAmount });
    expect(await form()).toBeUndefined();
    await browser.fetch('/v1/wallet', { method: 'POST' });
    expect(await form()).toBe('');
    for (const [typed, kept] of [
      ['500.000', '500,000'],
      ['', ''],
      ['0', '0'],
    ] as const) {
      expect(led(await set(typed))).toEqual([303, '/account/profile?done=saved']);
      expect(await form()).toBe(kept);
    }
    const wrong = await set('-1');
    expect([wrong.status, wrong.headers.get('X-Error-Code')]).toEqual([400, 'validation_failed']);
    expect(await wrong.text()).toMatch(/value="-1".*Enter an amount in whole rupiah/s);
    await target.advance(901);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const stale = await set('7');
    expect([stale.status, stale.headers.get('X-Error-Code')]).toEqual([403, 'not_fresh']);
    expect(await stale.text()).toContain('Sign in again to continue');
    expect(await form()).toBe('0');
  });

  it('close the identity once its handle is typed', async () => {
    const { browser, handle } = await newMember(target);
    const wrong = await post(browser, '/account/profile/close', { handle: 'somebody.else' });
    expect([wrong.status, wrong.headers.get('X-Error-Code')]).toEqual([400, 'wrong_handle']);
    const closed = await post(browser, '/account/profile/close', { handle: `${handle}@pid` });
    expect(led(closed)).toEqual([303, '/signin?done=closed']);
    expect((await target.request(`/v1/identities/${handle}@pid`)).status).toBe(404);
  });
});
