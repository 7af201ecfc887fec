import { describe, expect, it } from 'vitest';
import { type Browser, openBrowser } from '../support/browser.ts';
import { codeTo, mailsTo } from '../support/mailbox.ts';
import { freshEmail, goodPassword, login, newPasswordMember, otherPassword } from '../support/passwords.ts';
import { freshHandle, somebody } from '../support/people.ts';
import { registered } from '../support/popup.ts';
import { form, signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, startService, useService } from '../support/service.ts';

const client = 'http://app.localhost:5173';
const target = useService({ ...sandboxProvider, CLIENT_SUCCESS_URL: `${client}/welcome` });

function post(browser: Browser, path: string, fields: Record<string, string>): Promise<Response> {
  return browser.navigate(path, form(fields, target.origin));
}

function send(browser: Browser, name: string, fields: Record<string, string>): Promise<Response> {
  return post(browser, `/v1/auth/email/${name}`, fields);
}

const leadsTo = (answer: Response) => [answer.status, answer.headers.get('Location')];

describe('the email and password pages', () => {
  it('lead from registration to the claim and keep the return address', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const way = { returnTo: '/settings?tab=1' };
    const opened = await browser.navigate('/v1/auth/email/register?returnTo=/settings?tab=1');
    const text = await opened.text();
    expect(text).toContain('Use at least 15 characters');
    expect(text).toMatch(/<input[^>]*type="password"[^>]*autocomplete="new-password"/);
    expect(text).toContain('name="returnTo" value="/settings?tab=1"');
    const asked = await send(browser, 'register', { email, password: goodPassword, ...way });
    const verifyPath = '/v1/auth/email/verify?returnTo=%2Fsettings%3Ftab%3D1';
    expect(leadsTo(asked)).toEqual([303, verifyPath]);
    const verify = await (await browser.navigate(verifyPath)).text();
    expect(verify).toContain(email);
    expect(verify).toMatch(/<input[^>]*autocomplete="one-time-code"/);
    const code = await codeTo(target, email);
    const verified = await send(browser, 'verify', {
      email,
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
      ...way,
    });
    expect(leadsTo(verified)).toEqual([303, '/v1/auth/claim?returnTo=%2Fsettings%3Ftab%3D1']);
    expect(await (await browser.navigate('/v1/auth/email/verify')).text()).toContain(
      'Email address confirmed',
    );
    const handle = freshHandle();
    await post(browser, '/v1/auth/claim', { handle, confirmed: handle, displayName: 'Ayu' });
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('report every problem next to its field, in both languages, and keep the address', async () => {
    const browser = openBrowser(target);
    const answer = await send(browser, 'register', { email: 'nobody', password: '' });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'validation_failed']);
    const text = await answer.text();
    for (const part of [
      'Enter an email address',
      'Enter a password',
      'value="nobody"',
      'id="email-problem" role="alert"',
      'id="password-problem" role="alert"',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/id="email"[^>]*aria-invalid="true"/);
    const email = freshEmail();
    for (const [password, english, indonesian] of [
      ['short', 'Use at least 15 characters', 'Pakai minimal 15 karakter'],
      ['p4ssw0rdp4ssw0rd', 'one of the first passwords attackers try', 'pertama dicoba'],
    ] as const) {
      expect(await (await send(browser, 'register?ui_locales=en', { email, password })).text()).toContain(
        english,
      );
      const translated = await send(browser, 'register?ui_locales=id', { email, password });
      expect(await translated.text()).toContain(indonesian);
    }
    expect(await mailsTo(target, email)).toEqual([]);
  });

  it('report a wrong code and send another', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    await send(browser, 'register', { email, password: goodPassword });
    const first = await codeTo(target, email);
    const wrong = await send(browser, 'verify', { email, code: first === '111111' ? '222222' : '111111' });
    expect([wrong.status, wrong.headers.get('X-Error-Code')]).toEqual([400, 'code_refused']);
    const text = await wrong.text();
    expect(text).toContain('This code is wrong, expired or already used');
    expect(text).toContain(`value="${email}"`);
    // Ensures that the second email is the newest.
    await target.advance(1);
    const again = await send(browser, 'resend', { email });
    expect(leadsTo(again)).toEqual([303, '/v1/auth/email/verify?resent=1']);
    expect(await (await browser.navigate('/v1/auth/email/verify?resent=1')).text()).toContain(
      'We sent a new code',
    );
    expect((await send(browser, 'verify', { email, code: await codeTo(target, email) })).status).toBe(303);
  });

  it('lead back to the request form if no code is expected', async () => {
    const browser = openBrowser(target);
    for (const [name, before] of [
      ['verify', 'register'],
      ['reset', 'forgot'],
    ] as const) {
      const text = await (await browser.navigate(`/v1/auth/email/${name}`)).text();
      expect(text).toContain('This code expired');
      expect(text).toContain(`href="/v1/auth/email/${before}"`);
    }
  });

  it('sign in from the sign-in page to the client, and report a failure without details', async () => {
    const { email, password } = await newPasswordMember(target);
    const browser = openBrowser(target);
    const page = await browser.navigate('/signin?returnTo=/settings');
    const text = await page.text();
    expect(text).toMatch(/<form method="post" action="\/v1\/auth\/email\/login">/);
    expect(page.headers.get('Content-Security-Policy')).toContain(`form-action 'self' ${client}`);
    const failed = await send(browser, 'login', {
      email,
      password: 'salah tetapi panjang',
      returnTo: '/settings',
    });
    expect([failed.status, failed.headers.get('X-Error-Code')]).toEqual([401, 'password_refused']);
    const shown = await failed.text();
    expect(shown).toContain('Invalid email or password');
    expect(shown).toContain(`value="${email}"`);
    expect(shown).not.toContain('salah tetapi panjang');
    for (const kept of [
      'to continue to <strong>app.localhost:5173<',
      'href="/v1/auth/idp?returnTo=%2Fsettings"',
    ])
      expect(shown).toContain(kept);
    const done = await send(browser, 'login', { email, password, returnTo: '/settings' });
    expect(leadsTo(done)).toEqual([303, `${client}/welcome?returnTo=%2Fsettings`]);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
  });

  it('keep an entered address for a reset, for another code and in the other language', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const wrong = await (await send(browser, 'login', { email, password: 'salah tetapi panjang' })).text();
    const kept = new URLSearchParams({ email });
    expect(wrong).toContain(`href="/v1/auth/email/forgot?${kept}"`);
    expect(wrong).toContain(`href="/signin?${kept}&amp;ui_locales=id"`);
    for (const path of [
      '/signin',
      '/v1/auth/email/forgot',
      '/v1/auth/email/register',
      '/v1/auth/email/login',
    ])
      expect(await (await browser.navigate(`${path}?${kept}`)).text(), path).toContain(`value="${email}"`);
    // Anyone can link here, so only a valid address is shown on our page.
    expect(await (await browser.navigate('/signin?email=Call+62+811')).text()).not.toContain('value="Call');
    await send(browser, 'forgot', { email });
    const reset = await (await browser.navigate('/v1/auth/email/reset')).text();
    expect(reset).toMatch(
      new RegExp(
        `<form method="post" action="/v1/auth/email/forgot"><input[^>]*name="email" value="${email}"`,
      ),
    );
  });

  it('let password managers know whose password is being replaced', async () => {
    const { browser, email } = await newPasswordMember(target);
    const field = new RegExp(`<input[^>]*value="${email}"[^>]*autocomplete="username"`);
    expect(await (await browser.navigate('/account/password')).text()).toMatch(field);
    await send(browser, 'forgot', { email });
    expect(await (await browser.navigate('/v1/auth/email/reset')).text()).toMatch(field);
  });

  it('return to the popup that opened them', async () => {
    const member = await newPasswordMember(target);
    const browser = openBrowser(target);
    const opener = await registered(target);
    const choice = await (await browser.navigate(`/popup/login?c=${opener.id}`)).text();
    expect(choice).toContain(`name="popup" value="${opener.id}"`);
    const wrong = await send(browser, 'login', {
      email: member.email,
      password: 'salah tetapi panjang',
      popup: opener.id,
    });
    const shown = await wrong.text();
    expect(wrong.status).toBe(401);
    for (const kept of [
      `data-popup="${opener.id}"`,
      'Invalid email or password',
      'to continue to <strong>',
      `href="/v1/auth/idp?popup=${opener.id}"`,
      'name="decision" value="denied"',
      `value="${member.email}"`,
    ])
      expect(shown).toContain(kept);
    const entry = { email: member.email, password: member.password, popup: opener.id };
    const done = await send(browser, 'login', entry);
    expect(leadsTo(done)).toEqual([303, `/popup/done?c=${opener.id}`]);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });

    const { id: popup } = await registered(target);
    const newcomer = openBrowser(target);
    const email = freshEmail();
    const asked = await send(newcomer, 'register', { email, password: goodPassword, popup });
    expect(leadsTo(asked)).toEqual([303, `/v1/auth/email/verify?popup=${popup}`]);
    const verified = await send(newcomer, 'verify', { email, code: await codeTo(target, email), popup });
    expect(leadsTo(verified)).toEqual([303, `/popup/claim?c=${popup}`]);
    const page = await (await newcomer.navigate(`/v1/auth/email/register?popup=${popup}`)).text();
    expect(page).toContain(`href="/popup/login?c=${popup}"`);
  });

  it('replace a forgotten password and show the person’s other sign-in methods', async () => {
    const { email, browser: owner } = await newPasswordMember(target);
    await owner.fetch('/dev/credentials', { method: 'POST' });
    const browser = openBrowser(target);
    const asked = await send(browser, 'forgot', { email });
    expect(leadsTo(asked)).toEqual([303, '/v1/auth/email/reset']);
    expect(await (await browser.navigate('/v1/auth/email/reset')).text()).toContain(email);
    const code = await codeTo(target, email);
    const weak = await send(browser, 'reset', { email, code, password: 'short' });
    expect([weak.status, await weak.text()]).toEqual([
      400,
      expect.stringContaining('Use at least 15 characters'),
    ]);
    const done = await send(browser, 'reset', { email, code, password: otherPassword });
    const text = await done.text();
    expect(done.status).toBe(200);
    const end = `href="${client}/welcome">Continue<`;
    for (const part of ['Password changed', 'You are signed in here', 'Sandbox', end])
      expect(text).toContain(part);
    expect((await browser.fetch('/v1/auth/session')).status).toBe(200);
    expect((await login(openBrowser(target), email, otherPassword)).status).toBe(204);
  });

  it('count a form once toward its route’s limit and show 429 as a page', async () => {
    const strict = await startService({ ...sandboxProvider, RATE_LIMITS: 'on' });
    const browser = openBrowser(strict);
    const email = freshEmail();
    const ask = () =>
      browser.navigate('/v1/auth/email/verify', form({ email, code: '000000' }, strict.origin));
    const answers: number[] = [];
    for (let count = 0; count < 11; count += 1) answers.push((await ask()).status);
    expect(answers).toEqual([...Array(10).fill(400), 429]);
    const over = await browser.fetch('/v1/auth/email/verify', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, code: '000000' }),
    });
    expect(over.status).toBe(429);
    expect((await ask()).headers.get('Content-Type')).toContain('text/html');
  });
});

describe('the account', () => {
  it('changes the password and shows the person’s other sign-in methods', async () => {
    const { browser, email } = await newPasswordMember(target);
    expect(await (await browser.navigate('/account/credentials')).text()).toContain(
      'href="/account/password"',
    );
    expect(await (await browser.navigate('/account/password')).text()).toContain('Change your password');
    const weak = await post(browser, '/account/password', { password: 'short' });
    expect([weak.status, await weak.text()]).toEqual([
      400,
      expect.stringContaining('Use at least 15 characters'),
    ]);
    const done = await post(browser, '/account/password', { password: otherPassword });
    expect(leadsTo(done)).toEqual([303, '/account/credentials?done=passwordChanged']);
    expect((await login(openBrowser(target), email, otherPassword)).status).toBe(204);
    await target.advance(901);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const stale = await post(browser, '/account/password', { password: goodPassword });
    expect([stale.status, await stale.text()]).toEqual([403, expect.stringContaining('Sign in again')]);
  });

  it('links an address with a password', async () => {
    const browser = openBrowser(target);
    const { name } = somebody();
    await signInAtSandbox(browser, { name, email: freshEmail() });
    const handle = freshHandle();
    await browser.fetch('/v1/auth/claim', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ handle }),
    });
    const email = freshEmail();
    expect(await (await browser.navigate('/account/credentials')).text()).toContain('href="/account/email"');
    const asked = await post(browser, '/account/email', { email, password: goodPassword });
    expect(leadsTo(asked)).toEqual([303, `/account/email/code?${new URLSearchParams({ email })}`]);
    const path = asked.headers.get('Location') ?? '';
    expect(await (await browser.navigate(path)).text()).toContain(`value="${email}"`);
    // Text that is not an address is never shown on our page.
    for (const strange of ['', '?email=Call+%2B62+811']) {
      const led = await browser.navigate(`/account/email/code${strange}`);
      expect(leadsTo(led)).toEqual([303, '/account/email']);
    }
    const wrong = await post(browser, '/account/email/code', { email, code: 'x' });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining('Enter the code from the email'),
    ]);
    const done = await post(browser, '/account/email/code', { email, code: await codeTo(target, email) });
    expect(leadsTo(done)).toEqual([303, '/account/credentials?done=emailLinked']);
    expect((await login(openBrowser(target), email, goodPassword)).status).toBe(204);
  });
});
