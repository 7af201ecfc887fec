import { describe, expect, it } from 'vitest';
import { refusal, seen } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { codeTo, mailsTo } from '../support/mailbox.ts';
import {
  freshEmail,
  goodPassword,
  login,
  makeCheap,
  newPasswordMember,
  otherPassword,
  type PasswordMember,
} from '../support/passwords.ts';
import { newMember, signIn } from '../support/people.ts';
import { production } from '../support/production.ts';
import { useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';

const wrongPassword = 'salah tetapi cukup panjang';
const refused = refusal(401, 'Invalid email or password');
const codeRefused = refusal(400, 'The code is wrong or has expired');
const windowSeconds = 300;

const target = useService();

/** One of this many addresses. */
const addressOf = (index: number, addresses: number) =>
  `198.51.${Math.floor((index % addresses) / 250)}.${((index % addresses) % 250) + 1}`;

function guess(email: string, password: string, address = '198.51.0.1'): Promise<Response> {
  return target.request('/v1/auth/email/login', { ...json('POST', { email, password }), address });
}

/** Consecutive wrong passwords, in groups of ten every five minutes, the maximum that is checked. */
async function guessInARow(email: string, count: number, addresses: number): Promise<Response[]> {
  const answers: Response[] = [];
  for (let made = 0; made < count; made += 10) {
    answers.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(10, count - made) }, (_, index) =>
          guess(email, wrongPassword, addressOf(made + index, addresses)),
        ),
      )),
    );
    await target.advance(windowSeconds);
  }
  return answers;
}

async function forgot(browser: Browser, email: string): Promise<number> {
  return (await browser.fetch('/v1/auth/email/forgot', json('POST', { email }))).status;
}

function reset(browser: Browser, email: string, code: string, password = otherPassword): Promise<Response> {
  return browser.fetch('/v1/auth/email/reset', json('POST', { email, code, password }));
}

/** Consecutive wrong codes from unknown browsers: five guesses per code, five codes an hour. */
async function guessCodes(email: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 5) {
    const stranger = openBrowser(target);
    if ((await forgot(stranger, email)) === 429) {
      await target.advance(3600);
      await forgot(stranger, email);
    }
    await Promise.all(Array.from({ length: 5 }, () => reset(stranger, email, '22222222')));
  }
  await target.advance(3600);
}

async function countTries(): Promise<number> {
  const [row] = await target.rows<{ count: number }>('SELECT count(*) AS count FROM secret_tries');
  return row?.count ?? -1;
}

const kindsTo = async (email: string) => (await mailsTo(target, email)).map(({ kind }) => kind);

/** Sets the count of consecutive failures, which would otherwise take hours to reach. */
const fail = (kind: 'password' | 'reset', tries: number) =>
  target.rows('UPDATE secret_tries SET tries = ? WHERE key LIKE ?', [tries, `failed ${kind} crd_%`]);

async function newCheapMember(): Promise<PasswordMember> {
  const member = await newPasswordMember(target);
  await makeCheap(target, member);
  return member;
}

describe('a browser in which an account has signed in before', () => {
  it('is recognised by a signed cookie that survives a logout and reveals nothing about the account [D-84]', async () => {
    const { browser, email, password } = await newCheapMember();
    const known = await browser.cookie('pid_device', '/v1/auth');
    expect(known).toMatch(/^[0-9a-z]+\.[\w-]{16}\.[\w-]{22}$/);
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    expect(await browser.cookie('pid_device', '/v1/auth')).toBe(known);
    const answer = await login(browser, email, password);
    const cookie = setCookies(answer).find(({ name }) => name === 'pid_device');
    expect(cookie).toMatchObject({ path: '/v1/auth', httpOnly: true, sameSite: 'Lax', maxAge: 34_560_000 });
    expect(cookie?.value).not.toBe(known);
  });

  it('is recognised after a sign-in on a page, and has its own guess count there', async () => {
    const { email, password } = await newCheapMember();
    const browser = openBrowser(target);
    const post = () =>
      browser.navigate('/v1/auth/email/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: target.origin },
        body: new URLSearchParams({ email, password }).toString(),
      });
    expect((await post()).status).toBe(303);
    await Promise.all(Array.from({ length: 12 }, () => guess(email, wrongPassword)));
    expect((await guess(email, password)).status).toBe(429);
    expect((await post()).status).toBe(303);
  });

  it('is recognised after a sign-in with any other credential of the account', async () => {
    const { browser, claims } = await newMember(target);
    expect(await browser.cookie('pid_device', '/v1/auth')).toBeNull();
    const email = freshEmail();
    await browser.fetch('/v1/credentials/email', json('POST', { email, password: goodPassword }));
    const code = await codeTo(target, email);
    await browser.fetch('/v1/credentials/email/verify', json('POST', { email, code }));
    expect(await browser.cookie('pid_device', '/v1/auth')).not.toBeNull();
    await guessInARow(email, 10, 1);
    await fail('password', 200);
    const other = openBrowser(target);
    expect(await seen(await login(other, email, goodPassword))).toEqual(refused);
    await signIn(target, other, claims);
    expect((await login(other, email, goodPassword)).status).toBe(204);
  });

  it('is remembered for its last five accounts', async () => {
    const browser = openBrowser(target);
    const members: PasswordMember[] = [];
    for (let count = 0; count < 6; count += 1) members.push(await newCheapMember());
    for (const { email, password } of members) await login(browser, email, password);
    expect((await browser.cookie('pid_device', '/v1/auth'))?.split('~')).toHaveLength(5);
    for (const { email } of members) await guessInARow(email, 10, 1).then(() => fail('password', 200));
    const statuses: number[] = [];
    for (const { email, password } of members.reverse())
      statuses.push((await login(browser, email, password)).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 401]);
  });

  it.each([1, 200])(
    'signs its owner in on the first try, while %i addresses make 1,000 guesses each [D-84]',
    async (addresses) => {
      const { browser, email, password } = await newCheapMember();
      for (const count of [10, 100, 1_000]) {
        const answers = await guessInARow(email, count - 10, addresses);
        expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
        // Nobody else may guess within these five minutes.
        await Promise.all(
          Array.from({ length: 30 }, (_, index) => guess(email, wrongPassword, addressOf(index, addresses))),
        );
        expect((await guess(email, password)).status).toBe(429);
        expect((await login(browser, email, password)).status).toBe(204);
        await target.advance(windowSeconds);
      }
      // The limit is reached: even the right password does not work in an unknown browser.
      expect(await seen(await guess(email, password))).toEqual(refused);
    },
    240_000,
  );

  it('has its own wrong password limit, which does not affect other browsers [D-84]', async () => {
    const { browser, email, password } = await newCheapMember();
    for (let made = 0; made < 100; made += 10) {
      await Promise.all(Array.from({ length: 10 }, () => login(browser, email, wrongPassword)));
      await target.advance(windowSeconds);
    }
    expect(await seen(await login(browser, email, password))).toEqual(refused);
    expect((await guess(email, password)).status).toBe(204);
  });

  it('can still reset the password while strangers exhaust codes and emails [D-84]', async () => {
    const { browser, email } = await newCheapMember();
    // The registration's code is counted for an hour.
    await target.advance(3600);
    const stranger = openBrowser(target);
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) statuses.push(await forgot(stranger, email));
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429, 429]);
    expect(await forgot(browser, email)).toBe(204);
    expect(await kindsTo(email)).toContain('known_reset_code');
    expect((await reset(browser, email, await codeTo(target, email))).status).toBe(204);
    expect((await login(browser, email, otherPassword)).status).toBe(204);
  });

  it('is not recognised by a forged or duplicate cookie, or by a cookie of another account [D-84]', async () => {
    const [owner, other] = [await newCheapMember(), await newCheapMember()];
    await guessInARow(owner.email, 10, 1);
    await fail('password', 200);
    const cookie = (await owner.browser.cookie('pid_device', '/v1/auth')) ?? '';
    const [issued, id = '', mac] = cookie.split('.');
    const altered = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`;
    const tricks = [
      `pid_device=${issued}.${altered}.${mac}`,
      `pid_device=${await other.browser.cookie('pid_device', '/v1/auth')}`,
      `pid_device=${cookie}; pid_device=${cookie}`,
      `pid_device=${'x'.repeat(3000)}`,
    ];
    for (const Cookie of tricks) {
      const headers = { 'Content-Type': 'application/json', Cookie };
      const body = JSON.stringify({ email: owner.email, password: owner.password });
      const answer = await target.request('/v1/auth/email/login', { method: 'POST', headers, body });
      expect(answer.status, Cookie).toBe(401);
    }
    expect((await login(owner.browser, owner.email, owner.password)).status).toBe(204);
  });

  it('is no longer recognised after a new password is set elsewhere [D-84]', async () => {
    const { browser, email, password } = await newCheapMember();
    const intruder = openBrowser(target);
    expect((await login(intruder, email, password)).status).toBe(204);
    const change = json('PUT', { password: otherPassword });
    await login(browser, email, password);
    expect((await browser.fetch('/v1/credentials/email/password', change)).status).toBe(204);
    await guessInARow(email, 10, 1);
    await fail('password', 200);
    expect((await login(intruder, email, otherPassword)).status).toBe(401);
    expect((await login(browser, email, otherPassword)).status).toBe(204);
  });
});

describe('guessing a password', () => {
  it('stops after 100 consecutive wrong passwords, which a single email reports to the owner [D-84]', async () => {
    const { email, password } = await newCheapMember();
    await guessInARow(email, 90, 200);
    expect((await guess(email, password)).status).toBe(204);
    await guessInARow(email, 100, 200);
    expect(await kindsTo(email)).not.toContain('guessing_stopped');
    await guessInARow(email, 30, 200);
    expect(await seen(await guess(email, password))).toEqual(refused);
    expect((await kindsTo(email)).filter((kind) => kind === 'guessing_stopped')).toHaveLength(1);
  });

  it('is counted permanently for an account, and for minutes for an unknown address', async () => {
    const { email } = await newCheapMember();
    await target.rows('DELETE FROM secret_tries');
    await guess(email, wrongPassword);
    await guess(freshEmail(), wrongPassword);
    const rows = await target.rows<{ key: string; resets_at: number }>(
      `SELECT key, resets_at FROM secret_tries WHERE key LIKE 'failed %' ORDER BY resets_at`,
    );
    const minutes = rows.map(({ resets_at }) => (resets_at - target.now()) / 60_000);
    expect(minutes).toEqual([expect.any(Number), expect.any(Number)]);
    expect(minutes[0]).toBeLessThanOrEqual(10);
    expect(minutes[1]).toBeGreaterThan(50 * 365 * 24 * 60);
    expect(rows[1]?.key).toMatch(/^failed password crd_/);
  });
});

describe('guessing password reset codes', () => {
  it('stops at 100 consecutive codes in unknown browsers, while the owner’s browser keeps working [D-84]', async () => {
    const { browser, email } = await newCheapMember();
    await guessCodes(email, 95);
    const last = openBrowser(target);
    expect(await forgot(last, email)).toBe(204);
    const code = await codeTo(target, email);
    await Promise.all(Array.from({ length: 4 }, () => reset(last, email, '22222222')));
    await fail('reset', 100);
    expect(await seen(await reset(last, email, code))).toEqual(codeRefused);
    expect(await kindsTo(email)).toContain('guessing_stopped');
    // From now on the email has a link instead of a code.
    const later = openBrowser(target);
    expect(await forgot(later, email)).toBe(204);
    const [mail] = await mailsTo(target, email);
    expect([mail?.kind, mail?.content?.code]).toEqual(['reset_closed', null]);
    expect(await forgot(browser, email)).toBe(204);
    expect((await reset(browser, email, await codeTo(target, email))).status).toBe(204);
    // The reset lets every browser request codes again.
    await target.advance(3600);
    expect(await forgot(later, email)).toBe(204);
    expect(await kindsTo(email)).toContain('reset_code');
  });

  it('no longer blocks an owner without a known browser after they open the emailed link', async () => {
    const { email } = await newCheapMember();
    await guessCodes(email, 5);
    await fail('reset', 100);
    const browser = openBrowser(target);
    expect(await forgot(browser, email)).toBe(204);
    const [mail] = await mailsTo(target, email);
    const link = new URL(mail?.content?.links[0] ?? '');
    expect(link.origin).toBe(target.origin);
    const opened = await browser.navigate(`${link.pathname}${link.search}`);
    expect(opened.status).toBe(200);
    expect(await forgot(browser, email)).toBe(204);
    expect((await reset(browser, email, await codeTo(target, email))).status).toBe(204);
    // Opened again, the link keeps the entry of a later sign-in.
    const known = await browser.cookie('pid_device', '/v1/auth');
    for (let times = 0; times < 2; times += 1) await browser.navigate(`${link.pathname}${link.search}`);
    const entries = (await browser.cookie('pid_device', '/v1/auth'))?.split('~');
    expect(entries).toEqual([known, expect.any(String)]);
    await guess(email, wrongPassword);
    await fail('password', 200);
    expect((await guess(email, otherPassword)).status).toBe(401);
    expect((await login(browser, email, otherPassword)).status).toBe(204);
    const forged = openBrowser(target);
    await forged.navigate(`${link.pathname}${link.search.slice(0, -2)}AA`);
    expect(await forged.cookie('pid_device', '/v1/auth')).toBeNull();
    await target.advance(86_400);
    await forged.navigate(`${link.pathname}${link.search}`);
    expect(await forged.cookie('pid_device', '/v1/auth')).toBeNull();
  });

  it('gets the same responses as for an unknown address [D-53]', async () => {
    const { email } = await newCheapMember();
    await guessCodes(email, 5);
    await guessInARow(email, 10, 1);
    await fail('reset', 200);
    await fail('password', 200);
    const answersOf = async (address: string) => {
      const stranger = openBrowser(target);
      const answers = [
        await forgot(stranger, address),
        await seen(await reset(stranger, address, '22222222')),
      ];
      return [...answers, await seen(await login(stranger, address, goodPassword))];
    };
    expect(await answersOf(email)).toEqual(await answersOf(freshEmail()));
  });
});

describe('with production limits', () => {
  it('an owner can sign in and reset the password from the guessers’ address, and rejected guesses add no rows [D-84]', async () => {
    const { browser, email, password } = await newCheapMember();
    await target.restart({ RATE_LIMITS: 'on' });
    for (const addresses of [1, 200]) {
      await Promise.all(
        Array.from({ length: 400 }, (_, index) => guess(email, wrongPassword, addressOf(index, addresses))),
      );
      const strangers = (count: number) =>
        Promise.all(Array.from({ length: count }, () => guess(freshEmail(), wrongPassword)));
      await strangers(20);
      const before = await countTries();
      const passed = (await strangers(200)).filter(({ status }) => status !== 429).length;
      // One more every six seconds.
      expect(passed).toBeLessThan(100);
      expect((await countTries()) - before).toBeLessThanOrEqual(2 * passed);
      expect((await login(browser, email, password)).status).toBe(204);
    }
    const spend = (name: string, body: object) =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          target.request(`/v1/auth/email/${name}`, json('POST', { email, ...body })),
        ),
      );
    await spend('forgot', {});
    await spend('reset', { code: '22222222', password });
    expect(await forgot(browser, email)).toBe(204);
    expect((await reset(browser, email, await codeTo(target, email))).status).toBe(204);
    expect((await login(browser, email, otherPassword)).status).toBe(204);
  });
});

describe('in production', () => {
  const target = useService();

  it('the cookie has a prefix, so a sibling subdomain cannot plant it [D-85]', async () => {
    const { browser, email, password } = await newCheapMember();
    const planted = await browser.cookie('pid_device', '/v1/auth');
    await target.restart({ ...production, COOKIE_DOMAIN: 'example.com', RATE_LIMITS: '{"*":1000000}' });
    const send = (headers: Record<string, string> = {}) => {
      const { headers: own, ...init } = json('POST', { email, password });
      return target.request('/v1/auth/email/login', { ...init, headers: { ...own, ...headers } });
    };
    const answer = await send();
    const line = answer.headers.getSetCookie().find((one) => one.includes('pid_device'));
    expect(line).toMatch(
      /^__Host-pid_device=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    await guess(email, wrongPassword);
    await fail('password', 200);
    expect((await send({ Cookie: `pid_device=${planted}` })).status).toBe(401);
    expect((await send({ Cookie: line?.split(';')[0] ?? '' })).status).toBe(204);
  });
});
