import { describe, expect, it } from 'vitest';
import { refusal, seen } from '../support/answers.ts';
import { json, openBrowser } from '../support/browser.ts';
import { codeTo, mailsTo } from '../support/mailbox.ts';
import { countAccounts } from '../support/outcomes.ts';
import { freshEmail, goodPassword, login, newPasswordMember, register } from '../support/passwords.ts';
import { freshHandle, signIn, somebody } from '../support/people.ts';
import { appOrigin, registered } from '../support/popup.ts';
import { useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';

const target = useService();

const codeRefused = refusal(400, 'The code is wrong or has expired');
const verify = (email: string, code: string) => json('POST', { email, code });
/** A code other than this one. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a registration', () => {
  it('leads through the emailed code to a claim ticket and a session', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const asked = await browser.fetch(
      '/v1/auth/email/register',
      json('POST', { email: ` ${email.toUpperCase()} `, password: goodPassword }),
    );
    expect(await seen(asked)).toEqual([204, '']);
    expect(setCookies(asked)).toEqual([
      expect.objectContaining({ name: 'pid_email', path: '/v1/auth', httpOnly: true, maxAge: 600 }),
    ]);
    const [mail] = await mailsTo(target, email);
    expect(mail).toMatchObject({
      kind: 'register_code',
      to: email,
      content: { code: expect.stringMatching(/^\d{6}$/) },
    });
    const code = mail?.content?.code ?? '';
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const verified = await browser.fetch('/v1/auth/email/verify', verify(email, spaced));
    expect(await seen(verified)).toEqual([200, { claim: true }]);
    expect(setCookies(verified).map(({ name, value }) => [name, value !== ''])).toEqual([
      ['pid_email', false],
      ['pid_claim', true],
      ['pid_claim_key', true],
    ]);
    expect(await (await browser.fetch('/v1/auth/claim')).json()).toMatchObject({ provider: 'email', email });
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect(await claimed.json()).toMatchObject({ session: { provider: 'email' } });
    expect(await (await browser.fetch('/v1/credentials')).json()).toMatchObject([
      { provider: 'email', email },
    ]);
    expect((await login(openBrowser(target), email, goodPassword)).status).toBe(204);
  });

  it('may name a popup request only on our own page, and does not use up a code elsewhere', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const code = await register(target, browser, email);
    const opener = await registered(target);
    const { headers, ...request } = json('POST', { email, code, popup: opener.id });
    const send = (origin: string) =>
      browser.fetch('/v1/auth/email/verify', { ...request, headers: { ...headers, Origin: origin } });
    expect(await seen(await send(appOrigin))).toEqual(refusal(403, 'Origin is not allowed'));
    expect(await seen(await send(target.origin))).toEqual([200, { claim: true }]);
  });

  it('does not reserve the address before verification, so that its owner is not blocked [D-34]', async () => {
    const attacker = openBrowser(target);
    const claims = somebody();
    const before = await countAccounts(target);
    await register(target, attacker, claims.email);
    expect(await countAccounts(target)).toEqual(before);

    const victim = openBrowser(target);
    const landed = await signIn(target, victim, claims);
    expect(landed.headers.get('Location')).toContain('claim=1');
    expect((await victim.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }))).status).toBe(200);

    expect((await login(attacker, claims.email, goodPassword)).status).toBe(401);
    // Even with the code, read out by the victim, the attacker gets no identity with that address.
    const code = await codeTo(target, claims.email);
    expect((await attacker.fetch('/v1/auth/email/verify', verify(claims.email, code))).status).toBe(200);
    const stolen = await attacker.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect(await seen(stolen)).toEqual(refusal(409, 'Email sudah terhubung dengan akun lain'));
    expect((await login(attacker, claims.email, goodPassword)).status).toBe(401);
  });

  it('accepts a code only in the browser, for the address and for the purpose it was issued for [D-56]', async () => {
    const [browser, other] = [openBrowser(target), openBrowser(target)];
    const [email, otherEmail] = [freshEmail(), freshEmail()];
    const code = await register(target, browser, email);
    const foreign = await register(target, other, otherEmail);
    expect(await seen(await other.fetch('/v1/auth/email/verify', verify(email, code)))).toEqual(codeRefused);
    expect(await seen(await target.request('/v1/auth/email/verify', verify(email, code)))).toEqual(
      codeRefused,
    );
    expect(await seen(await browser.fetch('/v1/auth/email/verify', verify(email, foreign)))).toEqual(
      codeRefused,
    );
    expect(await seen(await browser.fetch('/v1/auth/email/verify', verify(otherEmail, code)))).toEqual(
      codeRefused,
    );
    const reset = json('POST', { email, code, password: goodPassword });
    expect(await seen(await browser.fetch('/v1/auth/email/reset', reset))).toEqual(codeRefused);
    expect((await browser.fetch('/v1/auth/email/verify', verify(email, code))).status).toBe(200);
  });

  it('is complete when its code is used, which only one of 20 concurrent requests can do [D-56]', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const code = await register(target, browser, email);
    const headers = { ...verify(email, code).headers, Cookie: await browser.cookies('/v1/auth') };
    const use = () => target.request('/v1/auth/email/verify', { ...verify(email, code), headers });
    const answers = await Promise.all(Array.from({ length: 20 }, use));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    expect(await seen(await use())).toEqual(codeRefused);
    const [row] = await target.rows<{ tickets: number }>(
      'SELECT count(*) AS tickets FROM claim_tickets WHERE provider_user_id = ?',
      [email],
    );
    expect(row?.tickets).toBe(1);
  });

  it('is cancelled after five wrong codes, even concurrent ones [D-56]', async () => {
    for (const together of [false, true]) {
      const browser = openBrowser(target);
      const email = freshEmail();
      const code = await register(target, browser, email);
      const guess = async () =>
        seen(await browser.fetch('/v1/auth/email/verify', verify(email, wrong(code))));
      const guesses = together ? await Promise.all(Array.from({ length: 5 }, guess)) : [];
      for (let count = guesses.length; count < 5; count += 1) guesses.push(await guess());
      expect(guesses).toEqual(Array.from({ length: 5 }, () => codeRefused));
      expect(await seen(await browser.fetch('/v1/auth/email/verify', verify(email, code)))).toEqual(
        codeRefused,
      );
    }
  });

  it('expires after ten minutes [D-56]', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const code = await register(target, browser, email);
    await target.advance(600);
    expect(await seen(await browser.fetch('/v1/auth/email/verify', verify(email, code)))).toEqual(
      codeRefused,
    );
  });

  it('gets a new code on request, which replaces the old one and keeps the password [D-56]', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const first = await register(target, browser, email);
    const ask = json('POST', { email });
    await browser.fetch('/v1/auth/email/verify', verify(email, wrong(first)));
    expect((await browser.fetch('/v1/auth/email/resend', ask)).status).toBe(204);
    const [mail, older] = await mailsTo(target, email);
    expect([mail?.content?.code === first, older?.content?.code]).toEqual([false, first]);
    expect(await seen(await browser.fetch('/v1/auth/email/verify', verify(email, first)))).toEqual(
      codeRefused,
    );
    const [row] = await target.rows<{ tries_left: number }>(
      'SELECT tries_left FROM email_codes WHERE email = ?',
      [email],
    );
    expect(row?.tries_left).toBe(4);
    const code = mail?.content?.code ?? '';
    expect((await browser.fetch('/v1/auth/email/verify', verify(email, code))).status).toBe(200);
    // No registration is pending any more, so no email is sent, for this browser or another.
    for (const asking of [browser, openBrowser(target)])
      expect((await asking.fetch('/v1/auth/email/resend', ask)).status).toBe(204);
    expect(await mailsTo(target, email)).toHaveLength(2);
  });

  it('gets five codes an hour per address and then 429, even for known addresses', async () => {
    const known = (await newPasswordMember(target)).email;
    for (const [email, left] of [
      [freshEmail(), 5],
      [known, 4],
    ] as const) {
      const browser = openBrowser(target);
      const ask = () => browser.fetch('/v1/auth/email/forgot', json('POST', { email }));
      for (let count = 0; count < left; count += 1) expect((await ask()).status).toBe(204);
      const before = (await mailsTo(target, email)).length;
      const over = await ask();
      expect(await seen(over)).toEqual(refusal(429, 'Too many requests'));
      expect(Number(over.headers.get('Retry-After'))).toBeGreaterThan(3500);
      expect(await mailsTo(target, email)).toHaveLength(before);
    }
  });

  it('gets the next code an hour after the newest of five', async () => {
    const email = freshEmail();
    const browser = openBrowser(target);
    const ask = async () => (await browser.fetch('/v1/auth/email/forgot', json('POST', { email }))).status;
    expect(await ask()).toBe(204);
    await target.advance(3_000);
    for (let count = 0; count < 4; count += 1) expect(await ask()).toBe(204);
    await target.advance(700);
    expect(await ask()).toBe(429);
    expect(await mailsTo(target, email)).toHaveLength(5);
    await target.advance(2_900);
    expect(await ask()).toBe(204);
    expect(await mailsTo(target, email)).toHaveLength(6);
  });

  it('stores a code only as a MAC under SECRET_KEY [D-56]', async () => {
    const email = freshEmail();
    const browser = openBrowser(target);
    const code = await register(target, browser, email);
    const [row] = await target.rows<{ mac: string } & Record<string, unknown>>(
      'SELECT * FROM email_codes WHERE email = ?',
      [email],
    );
    expect(row?.mac).toMatch(/^[\w-]{22}$/);
    const texts = Object.values(row ?? {}).filter((value) => typeof value === 'string');
    expect(texts.join(' ')).not.toContain(code);
    expect(Object.values(row ?? {})).not.toContain(Number(code));
    const cookie = (await browser.cookie('pid_email', '/v1/auth')) ?? '';
    expect(JSON.stringify(row)).not.toContain(cookie.slice(0, 43));
    await target.restart({ SECRET_KEY: btoa('another test key, not a secret!!') });
    expect((await browser.fetch('/v1/auth/email/verify', verify(email, code))).status).toBe(400);
    await target.restart();
  });
});
