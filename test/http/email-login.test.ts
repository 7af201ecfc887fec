import { describe, expect, it } from 'vitest';
import { refusal, seen, sessionIdOf, settledLog } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import {
  freshEmail,
  goodPassword,
  hashesIn,
  login,
  makeCheap,
  makeSlow,
  newPasswordMember,
} from '../support/passwords.ts';
import { newMember } from '../support/people.ts';
import { appOrigin, openPopup, registered } from '../support/popup.ts';
import { useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';

const runsInWorkerd = navigator.userAgent === 'Cloudflare-Workers';

const target = useService();

const refused = refusal(401, 'Invalid email or password');
const wrongPassword = 'salah tetapi cukup panjang';

/** Everything that someone could learn from a response, that is, all but the time and random values. */
async function shape(answer: Response): Promise<unknown> {
  const random = ['x-request-id', 'set-cookie', 'date', 'connection', 'keep-alive'];
  const headers = [...answer.headers].filter(([name]) => !random.includes(name.toLowerCase()));
  const cookies = setCookies(answer).map((cookie) => ({ ...cookie, value: cookie.value.length }));
  return { status: answer.status, body: await answer.text(), headers, cookies };
}

/** The costs of the hashes that an action computes. */
async function hashesBy(act: () => Promise<unknown>): Promise<string[]> {
  const before = hashesIn(await settledLog(target)).length;
  await act();
  return hashesIn(await settledLog(target)).slice(before);
}

describe('a password sign-in', () => {
  it('creates a session and revokes the previous session of the browser', async () => {
    const member = await newPasswordMember(target);
    const first = await sessionIdOf(member);
    const answer = await login(member.browser, ` ${member.email.toUpperCase()}`, member.password);
    expect(await seen(answer)).toEqual([204, '']);
    expect(setCookies(answer).map(({ name }) => name)).toEqual([
      'pid_access',
      'pid_refresh',
      'pid_hint',
      'pid_device',
      'pid_refresh_key',
    ]);
    expect(await (await member.browser.fetch('/v1/auth/session')).json()).toMatchObject({
      handle: member.handle,
      session: { provider: 'email' },
    });
    const rows = await target.rows('SELECT revoked_reason FROM sessions WHERE id = ?', [first]);
    expect(rows).toEqual([{ revoked_reason: 'replaced' }]);
  });

  it('approves the popup in which it happens, but only from our own page', async () => {
    const { browser, email, password } = await newPasswordMember(target);
    const opener = await registered(target);
    await openPopup(browser, opener);
    const send = (origin: string) => {
      const { headers, ...request } = json('POST', { email, password, popup: opener.id });
      return browser.fetch('/v1/auth/email/login', {
        ...request,
        headers: { ...headers, Origin: origin },
      });
    };
    expect(await seen(await send(appOrigin))).toEqual(refusal(403, 'Origin is not allowed'));
    expect(await opener.poll()).toMatchObject({ status: 'opened' });
    expect((await send(target.origin)).status).toBe(204);
    expect(await opener.poll()).toMatchObject({ status: 'approved' });
  });

  it('returns the same response for a wrong password, an unknown address and an address without a password, with one hash each [D-53]', async () => {
    const member = await newPasswordMember(target);
    const passwordless = (await newMember(target)).claims.email;
    const shapes: unknown[] = [];
    const hashes: string[][] = [];
    for (const email of [member.email, freshEmail(), passwordless]) {
      const browser = openBrowser(target);
      hashes.push(
        await hashesBy(async () => shapes.push(await shape(await login(browser, email, wrongPassword)))),
      );
    }
    expect(shapes[0]).toMatchObject({ status: 401, body: JSON.stringify(refused[1]), cookies: [] });
    expect(shapes).toEqual([shapes[0], shapes[0], shapes[0]]);
    expect(hashes).toEqual([['ln=14,r=8,p=5'], ['ln=14,r=8,p=5'], ['ln=14,r=8,p=5']]);
  });

  it('does not reveal known addresses through registration, reset or resending, and computes one hash for each password sent [D-53]', async () => {
    const known = (await newPasswordMember(target)).email;
    const passwordless = (await newMember(target)).claims.email;
    const password = goodPassword;
    const asks: [string, (email: string) => Record<string, string>, number][] = [
      ['register', (email) => ({ email, password }), 1],
      ['verify', (email) => ({ email, code: '000000' }), 0],
      ['resend', (email) => ({ email }), 0],
      ['forgot', (email) => ({ email }), 0],
      ['reset', (email) => ({ email, code: '000000', password }), 1],
    ];
    const browsers = new Map<string, Browser>();
    for (const [name, body, count] of asks) {
      const shapes: unknown[] = [];
      for (const email of [known, passwordless, freshEmail()]) {
        const browser = browsers.get(email) ?? openBrowser(target);
        browsers.set(email, browser);
        const act = async () =>
          shapes.push(await shape(await browser.fetch(`/v1/auth/email/${name}`, json('POST', body(email)))));
        expect(await hashesBy(act)).toHaveLength(count);
      }
      // The encrypted address in the cookie is as long as the address.
      const alike = shapes.map((one) => JSON.stringify(one).replace(/"value":\d+/g, '"value":0'));
      expect(alike, name).toEqual([alike[0], alike[0], alike[0]]);
    }
  });

  it('is limited to ten guesses per account in five minutes, from any address [D-54]', async () => {
    const member = await newPasswordMember(target);
    await makeCheap(target, member);
    const unknown = freshEmail();
    const guess = (email: string, password: string, index: number) =>
      target.request('/v1/auth/email/login', {
        ...json('POST', { email, password }),
        address: `192.0.2.${index}`,
      });
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => guess(member.email, wrongPassword, index)),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await guess(unknown, wrongPassword, 1)).status).toBe(401);
    // Eight of them were made elsewhere.
    await target.rows('UPDATE secret_tries SET tries = 9 WHERE tries = 1');
    const last = await Promise.all([2, 3, 4].map((index) => guess(unknown, wrongPassword, index)));
    expect(last.map(({ status }) => status).sort()).toEqual([401, 429, 429]);
    for (const [email, password] of [
      [member.email, member.password],
      [unknown, wrongPassword],
    ] as const) {
      const over = await guess(email, password, 99);
      expect(await seen(over)).toEqual(refusal(429, 'Too many requests'));
      const wait = Number(over.headers.get('Retry-After'));
      expect([wait > 0, wait <= 300]).toEqual([true, true]);
    }
    await target.advance(300);
    expect((await guess(member.email, member.password, 1)).status).toBe(204);
  });

  it('resets the count of wrong guesses after the right password', async () => {
    const member = await newPasswordMember(target);
    for (const _ of [1, 2]) {
      await makeCheap(target, member);
      await Promise.all(
        Array.from({ length: 9 }, () => login(openBrowser(target), member.email, wrongPassword)),
      );
      expect((await login(member.browser, member.email, member.password)).status).toBe(204);
    }
  });

  it('reveals that the identity is suspended only to someone who knows the password', async () => {
    const { browser, email, password, handle } = await newPasswordMember(target);
    await target.rows(`UPDATE identities SET status = 'suspended' WHERE handle = ?`, [handle]);
    expect(await seen(await login(browser, email, wrongPassword))).toEqual(refused);
    expect(await seen(await login(browser, email, password))).toEqual(refusal(403, 'Identity is suspended'));
  });

  it('stores a hash with its parameters and salt, and replaces it when its cost is outdated [D-55]', async () => {
    const members = [await newPasswordMember(target), await newPasswordMember(target)];
    const stored = async (email: string) => {
      const [row] = await target.rows<{ password_hash: string }>(
        `SELECT password_hash FROM credentials WHERE provider_user_id = ?`,
        [email],
      );
      return row?.password_hash ?? '';
    };
    const hashes = await Promise.all(members.map(({ email }) => stored(email)));
    for (const hash of hashes) expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/);
    expect(hashes[0]?.split('$')[3]).not.toBe(hashes[1]?.split('$')[3]);

    const [member] = members;
    if (member === undefined) return;
    await makeCheap(target, member);
    const act = async () =>
      expect((await login(member.browser, member.email, member.password)).status).toBe(204);
    expect(await hashesBy(act)).toEqual(['ln=10,r=8,p=1', 'ln=14,r=8,p=5']);
    expect(await stored(member.email)).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/);
    expect(await hashesBy(act)).toEqual(['ln=14,r=8,p=5']);
  });

  // In workerd the hash and the test share one thread, so nothing can happen in the meantime.
  it.skipIf(runsInWorkerd)('is rejected if the password changes while it is being hashed', async () => {
    const member = await newPasswordMember(target);
    await makeSlow(target, member);
    const before = hashesIn(await settledLog(target)).length;
    const signingIn = login(openBrowser(target), member.email, member.password);
    await expect.poll(() => hashesIn(target.log()).length, { interval: 5 }).toBe(before + 1);
    await makeCheap(target, member);
    expect(await seen(await signingIn)).toEqual(refused);
    const sessions = await target.rows('SELECT id FROM sessions WHERE handle = ?', [member.handle]);
    expect(sessions).toHaveLength(1);
    expect((await login(openBrowser(target), member.email, member.password)).status).toBe(204);
  });

  it('is rejected with 503 and Retry-After while too many passwords are queued', async () => {
    const [slow, quick] = [await newPasswordMember(target), await newPasswordMember(target)];
    const store = (email: string, cost: string) =>
      target.rows('UPDATE credentials SET password_hash = ? WHERE provider_user_id = ?', [
        `$scrypt$${cost}$${'A'.repeat(22)}$${'A'.repeat(43)}`,
        email,
      ]);
    await store(slow.email, 'ln=14,r=8,p=8');
    await store(quick.email, 'ln=4,r=8,p=1');
    const guess = (email: string) => login(openBrowser(target), email, wrongPassword);
    expect((await guess(quick.email)).status).toBe(401);
    // Keeps the following guesses below an account's limit.
    await target.rows('UPDATE secret_tries SET tries = -1000');
    const before = hashesIn(await settledLog(target)).length;
    const first = Array.from({ length: 8 }, () => guess(slow.email));
    await expect.poll(() => hashesIn(target.log()).length).toBeGreaterThanOrEqual(before + 2);
    const answers = await Promise.all([...first, ...Array.from({ length: 70 }, () => guess(quick.email))]);
    const sentAway = answers.filter(({ status }) => status !== 401);
    expect(sentAway.length).toBeGreaterThan(0);
    for (const answer of sentAway) {
      expect(await seen(answer)).toEqual(refusal(503, 'Service is unavailable'));
      expect(answer.headers.get('Retry-After')).toBe('2');
      expect(answer.headers.get('X-Error-Code')).toBe('unavailable');
    }
    expect((await guess(quick.email)).status).toBe(401);
  });

  it('rejects an invalid address or password before any counter or hash', async () => {
    const bodies = [
      ...['nobody', 'a@b..c', 'a@-b.c', 'a@127.0.0.1', 'a@1'].map(
        (email) => [{ email, password: 'x' }, 'email must be an email address'] as const,
      ),
      [{ email: freshEmail(), password: '' }, 'password must not be empty'],
      [{ email: freshEmail(), password: 'x'.repeat(513) }, 'password must be at most 256 characters long'],
      [{ email: freshEmail(), password: 'x', popup: 'short' }, 'popup must be the id of a popup request'],
    ] satisfies (readonly [object, string])[];
    const act = async () => {
      for (const [body, text] of bodies) {
        const answer = await openBrowser(target).fetch('/v1/auth/email/login', json('POST', body));
        expect(await seen(answer)).toEqual(refusal(400, [text]));
      }
    };
    expect(await hashesBy(act)).toEqual([]);
  });
});
