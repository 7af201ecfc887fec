import { describe, expect, it } from 'vitest';
import { notFresh, refusal, seen, sessionIdOf, unauthenticated } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { codeTo, mailsTo } from '../support/mailbox.ts';
import {
  freshEmail,
  goodPassword,
  login,
  newPasswordMember,
  otherPassword,
  type PasswordMember,
} from '../support/passwords.ts';
import { newMember, signIn } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

const codeRefused = refusal(400, 'The code is wrong or has expired');

async function forgot(browser: Browser, email: string): Promise<string> {
  const answer = await browser.fetch('/v1/auth/email/forgot', json('POST', { email }));
  expect(await seen(answer)).toEqual([204, '']);
  return codeTo(target, email);
}

function reset(browser: Browser, email: string, code: string, password = otherPassword): Promise<Response> {
  return browser.fetch('/v1/auth/email/reset', json('POST', { email, code, password }));
}

function change(browser: Browser, password = otherPassword): Promise<Response> {
  return browser.fetch('/v1/credentials/email/password', json('PUT', { password }));
}

/** Another browser in which the member is signed in, and its session. */
async function elsewhere({
  email,
  password,
}: PasswordMember): Promise<{ browser: Browser; session: string }> {
  const browser = openBrowser(target);
  expect((await login(browser, email, password)).status).toBe(204);
  return { browser, session: await sessionIdOf({ browser }) };
}

async function reasonOf(session: string): Promise<string | null | undefined> {
  const [row] = await target.rows<{ revoked_reason: string | null }>(
    'SELECT revoked_reason FROM sessions WHERE id = ?',
    [session],
  );
  return row?.revoked_reason;
}

/** The statuses of a read that looks up the session, and of a refresh. */
async function isSignedIn(browser: Browser): Promise<number[]> {
  const read = await browser.fetch('/v1/me');
  return [read.status, (await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status];
}

async function lastActivity({ browser }: PasswordMember): Promise<unknown> {
  const answer = await browser.fetch('/v1/me/activity');
  const { data } = (await answer.json()) as { data: { type: string }[] };
  return data.find(({ type }) => type.startsWith('password'));
}

describe('a forgotten password', () => {
  it('is reset with the emailed code in the browser that requested it, which revokes every session and sends an email [D-50]', async () => {
    const member = await newPasswordMember(target);
    const other = await elsewhere(member);
    const own = await sessionIdOf(member);
    const browser = openBrowser(target);
    const code = await forgot(browser, member.email);
    expect(await seen(await reset(openBrowser(target), member.email, code))).toEqual(codeRefused);
    expect(await seen(await reset(browser, member.email, code))).toEqual([204, '']);
    expect([await reasonOf(own), await reasonOf(other.session)]).toEqual(['password', 'password']);
    for (const ended of [member.browser, other.browser]) expect(await isSignedIn(ended)).toEqual([401, 401]);
    expect((await login(browser, member.email, goodPassword)).status).toBe(401);
    expect((await login(member.browser, member.email, otherPassword)).status).toBe(204);
    expect((await mailsTo(target, member.email)).map(({ kind }) => kind)).toContain('password_reset');
    expect(await lastActivity(member)).toMatchObject({ type: 'password.reset', provider: 'email' });
  });

  it('is reset only once by concurrent requests, and never after five wrong codes or ten minutes [D-56]', async () => {
    const { email } = await newPasswordMember(target);
    const browser = openBrowser(target);
    const code = await forgot(browser, email);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => reset(browser, email, code, otherPassword)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(4).fill(400)]);
    expect(await seen(await reset(browser, email, code))).toEqual(codeRefused);

    const second = await forgot(browser, email);
    const wrong = String((Number(second) + 1) % 1_000_000).padStart(6, '0');
    await Promise.all(Array.from({ length: 5 }, () => reset(browser, email, wrong)));
    expect(await seen(await reset(browser, email, second))).toEqual(codeRefused);

    const third = await forgot(browser, email);
    await target.advance(600);
    expect(await seen(await reset(browser, email, third))).toEqual(codeRefused);
    expect((await login(browser, email, otherPassword)).status).toBe(204);
  });

  it('cannot be reset for an address without a password: the email explains this, and no code works', async () => {
    const { claims } = await newMember(target);
    for (const email of [claims.email, freshEmail()]) {
      const browser = openBrowser(target);
      const answer = await browser.fetch('/v1/auth/email/forgot', json('POST', { email }));
      expect(answer.status).toBe(204);
      expect((await mailsTo(target, email)).map(({ kind }) => kind)).toEqual(['reset_unknown']);
      expect(await seen(await reset(browser, email, '000000'))).toEqual(codeRefused);
    }
  });

  it('can be used immediately after a reset, regardless of earlier guesses', async () => {
    const { email } = await newPasswordMember(target);
    const browser = openBrowser(target);
    await login(browser, email, 'salah tetapi cukup panjang');
    await target.rows('UPDATE secret_tries SET tries = 10 WHERE tries = 1 AND key LIKE ?', ['password %']);
    expect((await login(browser, email, goodPassword)).status).toBe(429);
    await reset(browser, email, await forgot(browser, email));
    expect((await login(browser, email, otherPassword)).status).toBe(204);
  });
});

describe('a password change', () => {
  it('revokes all sessions except the acting one, and sends an email [D-50]', async () => {
    const member = await newPasswordMember(target);
    const other = await elsewhere(member);
    const code = await forgot(other.browser, member.email);
    expect(await seen(await change(member.browser))).toEqual([204, '']);
    expect([await reasonOf(await sessionIdOf(member)), await reasonOf(other.session)]).toEqual([
      null,
      'password',
    ]);
    expect(await isSignedIn(member.browser)).toEqual([200, 204]);
    expect(await isSignedIn(other.browser)).toEqual([401, 401]);
    expect(await seen(await reset(other.browser, member.email, code, goodPassword))).toEqual(codeRefused);
    expect((await login(openBrowser(target), member.email, goodPassword)).status).toBe(401);
    expect((await login(openBrowser(target), member.email, otherPassword)).status).toBe(204);
    expect((await mailsTo(target, member.email)).map(({ kind }) => kind)).toContain('password_changed');
    expect(await lastActivity(member)).toMatchObject({ type: 'password.changed', provider: 'email' });
  });

  it('requires a recent sign-in, a live session, an existing password and an acceptable new one [D-50]', async () => {
    const member = await newPasswordMember(target);
    expect(await seen(await change(member.browser, 'x'.repeat(40)))).toEqual(
      refusal(400, [
        'password must not be a common one, or put together from few common words, names or patterns',
      ]),
    );
    await member.browser.fetch('/v1/me', json('PATCH', { displayName: 'Srikandi Mustakaweni' }));
    for (const known of [`${member.handle}-12345`, 'Mustakaweni 2026!'])
      expect(await seen(await change(member.browser, known))).toMatchObject([400, {}]);
    const passwordless = await newMember(target);
    expect(await seen(await change(passwordless.browser))).toEqual(refusal(404, 'Credential does not exist'));
    await target.advance(900);
    await member.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await seen(await change(member.browser))).toEqual(notFresh);
    const access = `pid_access=${await member.browser.cookie('pid_access')}`;
    await member.browser.fetch('/v1/auth/logout', { method: 'POST' });
    const headers = { 'Content-Type': 'application/json', Cookie: access, Origin: target.origin };
    expect(
      await seen(
        await target.request('/v1/credentials/email/password', {
          ...json('PUT', { password: otherPassword }),
          headers,
        }),
      ),
    ).toEqual(unauthenticated);
    expect((await login(member.browser, member.email, goodPassword)).status).toBe(204);
  });
});

describe('a linked password', () => {
  const ask = (browser: Browser, email: string, password = goodPassword) =>
    browser.fetch('/v1/credentials/email', json('POST', { email, password }));
  const finish = (browser: Browser, email: string, code: string) =>
    browser.fetch('/v1/credentials/email/verify', json('POST', { email, code }));

  it('becomes a credential of the acting identity with the emailed code', async () => {
    const { browser, handle } = await newMember(target);
    const email = freshEmail();
    expect(await seen(await ask(browser, email))).toEqual([204, '']);
    const code = await codeTo(target, email);
    const linked = await finish(browser, email, code);
    expect(await seen(linked)).toEqual([200, expect.objectContaining({ provider: 'email', email })]);
    expect(await (await browser.fetch('/v1/credentials')).json()).toHaveLength(2);
    expect((await mailsTo(target, email)).map(({ kind }) => kind)).toContain('credential_linked');
    const other = openBrowser(target);
    await login(other, email, goodPassword);
    expect(await (await other.fetch('/v1/auth/session')).json()).toMatchObject({ handle });
    expect(await seen(await finish(browser, email, code))).toEqual(codeRefused);
    expect(await seen(await ask(browser, freshEmail()))).toEqual(refusal(409, 'Credential already linked'));
  });

  it('cannot be linked by another session, even of the same person', async () => {
    const { browser, claims } = await newMember(target);
    const email = freshEmail();
    await ask(browser, email);
    const code = await codeTo(target, email);
    const other = openBrowser(target);
    await signIn(target, other, claims);
    expect(await seen(await finish(other, email, code))).toEqual(codeRefused);
    expect((await finish(browser, email, code)).status).toBe(200);
  });

  it('cannot use another person’s address, and does not reveal that it is taken', async () => {
    const { browser } = await newMember(target);
    const { claims } = await newMember(target);
    expect(await seen(await ask(browser, claims.email))).toEqual([204, '']);
    expect((await mailsTo(target, claims.email)).map(({ kind }) => kind)).toEqual(['link_known']);
    expect(await seen(await finish(browser, claims.email, '000000'))).toEqual(codeRefused);
    // Another person verifies an address while its code is on the way.
    const email = freshEmail();
    await ask(browser, email);
    const code = await codeTo(target, email);
    const { browser: rival } = await newMember(target);
    await ask(rival, email);
    expect((await finish(rival, email, await codeTo(target, email))).status).toBe(200);
    expect(await seen(await finish(browser, email, code))).toEqual(refusal(409, 'Credential already linked'));
  });

  it('requires a recent sign-in, and does not use up a code without one', async () => {
    const { browser, claims } = await newMember(target);
    const email = freshEmail();
    await ask(browser, email);
    const code = await codeTo(target, email);
    await target.rows('UPDATE email_codes SET expires_at = expires_at + 3600000 WHERE email = ?', [email]);
    await target.advance(900);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await seen(await ask(browser, freshEmail()))).toEqual(notFresh);
    expect(await seen(await finish(browser, email, code))).toEqual(notFresh);
    const [row] = await target.rows('SELECT tries_left, used_by FROM email_codes WHERE email = ?', [email]);
    expect(row).toEqual({ tries_left: 5, used_by: null });
    await signIn(target, browser, claims);
    expect((await ask(browser, freshEmail())).status).toBe(204);
  });

  it('is linked only once by 20 concurrent requests', async () => {
    const { browser } = await newMember(target);
    const email = freshEmail();
    await ask(browser, email);
    const code = await codeTo(target, email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(browser, email, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    expect(await (await browser.fetch('/v1/credentials')).json()).toHaveLength(2);
  });
});
