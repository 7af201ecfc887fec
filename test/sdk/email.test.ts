import { afterEach, describe, expect, it, vi } from 'vitest';
import { unwrap } from '../../sdk/index.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { codeTo, mailsTo } from '../support/mailbox.ts';
import {
  freshEmail,
  goodPassword,
  login,
  makeCheap,
  newPasswordMember,
  otherPassword,
} from '../support/passwords.ts';
import { freshHandle, newMember } from '../support/people.ts';
import { startService, useSharedService } from '../support/service.ts';
import { openPage, stubBrowser, type TestPage } from './page.ts';

const refusedCode = { statusCode: 400, message: 'The code is wrong or has expired', code: 'code_refused' };
const refusedPassword = { statusCode: 401, message: 'Invalid email or password', code: 'password_refused' };
const weakPassword = {
  statusCode: 400,
  message: [expect.stringContaining('password must')],
  code: 'validation_failed',
};
const weak = 'password123456789';

const pages: TestPage[] = [];
const target = useSharedService();
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
  vi.unstubAllGlobals();
});

function open(browser: Browser, on = target): TestPage {
  stubBrowser(browser.jar, 'http://localhost:5173/');
  const page = openPage(on, browser);
  pages.push(page);
  return page;
}

/** Six digits that are not the emailed code. */
const otherThan = (code: string) => (code === '111111' ? '222222' : '111111');

describe('a newcomer with an address', () => {
  it('registers, verifies the address only with the newest code, claims a PID, and is signed in in every tab', async () => {
    const browser = openBrowser(target);
    const [here, there] = [open(browser), open(browser)];
    await there.client.auth.getSession();
    const { email, claim } = here.client.auth;
    const address = freshEmail();
    const required = vi.fn();
    const signedIn = vi.fn();
    here.client.on('claim_required', required);
    there.client.on('signed_in', signedIn);

    expect(await email.register({ email: address, password: weak })).toEqual(weakPassword);
    expect(await email.register({ email: address, password: goodPassword })).toEqual({ sent: true });
    const first = await codeTo(target, address);
    // Ensures that the second email is the newest.
    await target.advance(1);
    expect(await email.resend(address)).toEqual({ sent: true });
    expect(await mailsTo(target, address)).toHaveLength(2);
    const code = await codeTo(target, address);
    expect(await email.verify({ email: address, code: otherThan(code) })).toEqual(refusedCode);
    if (first !== code) expect(await email.verify({ email: address, code: first })).toEqual(refusedCode);
    expect(here.seen).toEqual([]);

    const outcome = unwrap(await email.verify({ email: address, code }));
    expect(outcome).toMatchObject({ type: 'claim_required', claim: { provider: 'email', email: address } });
    expect(here.client.getSnapshot()).toMatchObject({ status: 'claim', claim: { email: address } });
    expect(required).toHaveBeenCalledOnce();

    const session = unwrap(await claim.submit({ handle: freshHandle() }));
    expect(here.client.getSnapshot()).toEqual({ status: 'authenticated', session });
    await vi.waitFor(() => expect(signedIn).toHaveBeenCalledExactlyOnceWith(session), 20_000);
  });

  it('verifies the address only in the browser that registered', async () => {
    const address = freshEmail();
    unwrap(
      await open(openBrowser(target)).client.auth.email.register({ email: address, password: goodPassword }),
    );
    const code = await codeTo(target, address);
    const { client, seen } = open(openBrowser(target));
    expect(await client.auth.email.verify({ email: address, code })).toEqual(refusedCode);
    expect(seen).toEqual([]);
  });

  it('is signed in by the code if the service assigns handles itself', async () => {
    const direct = await startService({ INTERFACE_REVISION: 'direct' });
    const { client } = open(openBrowser(direct), direct);
    const address = freshEmail();
    const { email } = client.auth;
    unwrap(await email.register({ email: address, password: goodPassword }));
    const outcome = unwrap(await email.verify({ email: address, code: await codeTo(direct, address) }));
    expect(outcome).toMatchObject({ type: 'signed_in', session: { session: { provider: 'email' } } });
    expect(client.getSnapshot().status).toBe('authenticated');
  });
});

describe('a password', () => {
  it('signs in this tab before the promise resolves, then the other tabs, but a wrong password changes nothing', async () => {
    const member = await newPasswordMember(target);
    const browser = openBrowser(target);
    const [here, there] = [open(browser), open(browser)];
    await Promise.all([here.client.auth.getSession(), there.client.auth.getSession()]);
    const signedIn = vi.fn();
    here.client.on('signed_in', signedIn);
    there.client.on('signed_in', signedIn);
    const { email, password } = member;
    const before = here.sent.length;

    expect(await here.client.auth.email.login({ email, password: otherPassword })).toEqual(refusedPassword);
    expect(here.client.getSnapshot().status).toBe('anonymous');
    const outcome = unwrap(await here.client.auth.email.login({ email, password }));
    expect(outcome).toMatchObject({ type: 'signed_in', session: { handle: member.handle } });
    expect(here.client.getSnapshot()).toMatchObject({
      status: 'authenticated',
      session: { handle: member.handle },
    });
    // A renewal cannot fix a rejected password.
    expect(here.sent.slice(before)).toEqual([
      'POST /v1/auth/email/login',
      'POST /v1/auth/email/login',
      'GET /v1/auth/session',
    ]);
    await vi.waitFor(() => expect(signedIn).toHaveBeenCalledTimes(2), 20_000);
    expect(there.client.getSnapshot()).toEqual(here.client.getSnapshot());
  });

  it('gets 429, only for the same address, after too many guesses', async () => {
    const member = await newPasswordMember(target);
    await makeCheap(target, member);
    const { client, sent } = open(openBrowser(target));
    const { email, password } = member;
    expect(await client.auth.email.login({ email, password: otherPassword })).toEqual(refusedPassword);
    await target.rows("UPDATE secret_tries SET tries = 10 WHERE key LIKE 'password %'");
    const refused = await client.auth.email.login({ email, password });
    expect(refused).toEqual({
      statusCode: 429,
      code: 'rate_limited',
      message: 'Too many requests',
      retryAfter: expect.any(Number),
    });
    expect(await client.auth.email.login({ email, password })).toBe(refused);
    expect(sent).toHaveLength(2);
    const other = { email: freshEmail(), password };
    expect(await client.auth.email.login(other)).toEqual(refusedPassword);
    expect(sent).toHaveLength(3);
    // A reset clears the limit on wrong passwords.
    expect(await client.auth.email.forgot(email)).toEqual({ sent: true });
    const reset = { email, code: await codeTo(target, email), password: otherPassword };
    expect(await client.auth.email.reset(reset)).toEqual({ ok: true });
    const login = await client.auth.email.login({ email, password: otherPassword });
    expect(unwrap(login)).toMatchObject({ type: 'signed_in', session: { handle: member.handle } });
  });

  it('is reset with a code, which revokes all sessions of the person, including this page’s', async () => {
    const { browser, email, password, handle } = await newPasswordMember(target);
    const { client, signedOut } = open(browser);
    unwrap(await client.auth.getSession());
    const api = client.auth.email;

    expect(await api.forgot(email)).toEqual({ sent: true });
    const code = await codeTo(target, email);
    expect(await api.reset({ email, code, password: weak })).toEqual(weakPassword);
    expect(await api.reset({ email, code: otherThan(code), password: otherPassword })).toEqual(refusedCode);
    expect(client.getSnapshot().status).toBe('authenticated');
    expect(await api.reset({ email, code, password: otherPassword })).toEqual({ ok: true });
    expect(client.getSnapshot()).toEqual({ status: 'anonymous', session: null });
    expect(signedOut).toEqual(['expired']);

    expect(await api.login({ email, password })).toEqual(refusedPassword);
    const outcome = unwrap(await api.login({ email, password: otherPassword }));
    expect(outcome).toMatchObject({ type: 'signed_in', session: { handle } });
  });

  it('is reset with the same response for an unknown address', async () => {
    const { client, sent } = open(openBrowser(target));
    expect(await client.auth.email.forgot(freshEmail())).toEqual({ sent: true });
    expect(sent).toEqual(['POST /v1/auth/email/forgot']);
  });
});

describe('a signed-in person', () => {
  it('links an address with the mailed code and signs in with it', async () => {
    const { browser, handle } = await newMember(target);
    const { client } = open(browser);
    const email = freshEmail();
    const { credentials } = client;

    expect(await credentials.linkEmail({ email, password: weak })).toEqual(weakPassword);
    expect(await credentials.linkEmail({ email, password: goodPassword })).toEqual({ sent: true });
    const code = await codeTo(target, email);
    expect(await credentials.verifyEmail({ email, code: otherThan(code) })).toEqual(refusedCode);
    const linked = unwrap(await credentials.verifyEmail({ email, code }));
    expect(linked).toMatchObject({ provider: 'email', email });
    expect(unwrap(await credentials.list())).toContainEqual(linked);
    expect(await credentials.linkEmail({ email: freshEmail(), password: goodPassword })).toMatchObject({
      statusCode: 409,
    });

    const elsewhere = open(openBrowser(target));
    const outcome = unwrap(await elsewhere.client.auth.email.login({ email, password: goodPassword }));
    expect(outcome).toMatchObject({ type: 'signed_in', session: { handle } });
  });

  it('changes the password, which revokes every session but this one', async () => {
    const { browser, email, password } = await newPasswordMember(target);
    const other = openBrowser(target);
    expect((await login(other, email, password)).status).toBe(204);
    const { client, signedOut } = open(browser);
    unwrap(await client.auth.getSession());
    expect(unwrap(await client.auth.sessions.list()).data).toHaveLength(2);

    expect(await client.credentials.changePassword(weak)).toEqual(weakPassword);
    expect(await client.credentials.changePassword(otherPassword)).toEqual({ ok: true });
    expect(unwrap(await client.auth.sessions.list()).data).toMatchObject([{ current: true }]);
    expect(await client.auth.refresh()).toEqual({ refreshed: true });
    expect(signedOut).toEqual([]);
    expect((await login(openBrowser(target), email, otherPassword)).status).toBe(204);
  });

  it('cannot change a missing password or another person’s', async () => {
    const { browser } = await newMember(target);
    expect(await open(browser).client.credentials.changePassword(otherPassword)).toMatchObject({
      statusCode: 404,
    });
    const nobody = open(openBrowser(target)).client.credentials;
    expect(await nobody.linkEmail({ email: freshEmail(), password: goodPassword })).toMatchObject({
      statusCode: 401,
    });
  });
});
