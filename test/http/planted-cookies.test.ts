import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { attemptId, createAttempt, encryptAttempt } from '../../src/features/idp/attempt.ts';
import { secretHash } from '../../src/lib/secret.ts';
import { refusal, seen } from '../support/answers.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { askRegistration, newPasskeyMember, sendRegistration } from '../support/passkeys.ts';
import {
  freshEmail,
  goodPassword,
  login,
  makeCheap,
  newPasswordMember,
  otherPassword,
  type PasswordMember,
} from '../support/passwords.ts';
import { freshHandle } from '../support/people.ts';
import { production } from '../support/production.ts';
import { useService } from '../support/service.ts';
import { testDefaults } from '../support/target.ts';

/**
 * A page on a sibling subdomain sets the attacker's own cookies, copied from the attacker's browser, in its visitor's:
 * under their names with and without `__Host-`, for the parent domain. These cookies must not allow a sign-in, a claim
 * or a link.
 */
const target = useService({ ...production, COOKIE_DOMAIN: 'example.com' });
const sibling = 'https://evil.example.com/';
const prefix = '__Host-';

/** The cookies in a browser, by name without the prefix. */
async function cookiesIn(browser: Browser): Promise<[string, string][]> {
  const { cookies } = await browser.jar.serialize();
  return cookies.map(({ key = '', value = '' }) => [key.replace(prefix, ''), value]);
}

async function plant(victim: Browser, cookies: [string, string][]): Promise<void> {
  for (const [name, value] of cookies) {
    for (const full of [name, `${prefix}${name}`]) {
      const line = `${full}=${value}; Domain=example.com; Path=/v1/auth; Secure; HttpOnly; Max-Age=34560000`;
      await victim.jar.setCookie(line, sibling, { ignoreError: true });
    }
  }
}

/** The headers that a browser sends with a request from our own page. */
const samePage = { Origin: 'https://id.example.com', 'Sec-Fetch-Site': 'same-origin' };

function send(browser: Browser, method: string, path: string, body?: unknown): Promise<Response> {
  const { headers, ...init } = body === undefined ? { method } : json(method, body);
  return browser.fetch(path, { ...init, headers: { ...headers, ...samePage } });
}

/** A person without a PID, in whose browser a claim ticket is waiting. */
async function newcomer(): Promise<Browser> {
  const browser = openBrowser(target);
  const authenticator = createAuthenticator(target.origin);
  const registration = await authenticator.create(await askRegistration(browser, 'newcomer'));
  expect((await sendRegistration(browser, 'newcomer', registration)).status).toBe(200);
  return browser;
}

const gone = refusal(410, 'Claim ticket has expired');
const credentials = () => target.rows<{ count: number }>('SELECT count(*) AS count FROM credentials');

describe('a pid_claim planted by a sibling subdomain', () => {
  it('does not work as a ticket and cannot be shown, claimed or linked [D-85]', async () => {
    const attacker = await newcomer();
    const member = await newPasskeyMember(target);
    const before = await credentials();
    for (const victim of [openBrowser(target), member.browser]) {
      await plant(victim, await cookiesIn(attacker));
      const path = '/v1/auth/claim';
      expect(await send(victim, 'GET', path).then(seen)).toEqual(gone);
      expect(await send(victim, 'POST', path, { handle: freshHandle() }).then(seen)).toEqual(gone);
      expect((await victim.navigate(path)).status).toBe(410);
    }
    expect(await send(member.browser, 'POST', '/v1/auth/claim/link').then(seen)).toEqual(gone);
    expect((await member.browser.navigate('/v1/auth/claim/link')).status).toBe(410);
    expect(await credentials()).toEqual(before);
    expect((await send(attacker, 'GET', '/v1/auth/claim')).status).toBe(200);
  });

  it('does not replace the visitor’s own ticket [D-85]', async () => {
    const victim = await newcomer();
    const ticket = await victim.cookie('pid_claim');
    await plant(victim, await cookiesIn(await newcomer()));
    expect((await cookiesIn(victim)).filter(([name]) => name === 'pid_claim')).toHaveLength(2);
    const handle = freshHandle();
    expect((await send(victim, 'POST', '/v1/auth/claim', { handle })).status).toBe(200);
    const owner =
      'SELECT hash FROM claim_tickets WHERE consumed_by IN (SELECT id FROM sessions WHERE handle = ?)';
    expect(await target.rows(owner, [handle])).toEqual([{ hash: secretHash(ticket ?? '') }]);
  });
});

describe('a pid_oauth planted by a sibling subdomain', () => {
  it('cannot resume a sign-in that this browser did not start [D-85]', async () => {
    const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
    const deps = { config: parseConfig(testDefaults), randomBytes, now: target.now } as Deps;
    const destination = { returnTo: null, popup: null, page: null, linkTo: null };
    const attempt = createAttempt(deps, 'google', destination);
    const name = `pid_oauth_${attemptId(attempt.state)}`;
    const value = await encryptAttempt(deps, attempt);
    const victim = openBrowser(target);
    await plant(victim, [[name, value]]);
    const callback = `/v1/auth/google/callback?${new URLSearchParams({ state: attempt.state, code: 'c' })}`;
    const refused = await victim.fetch(callback);
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([400, 'state_invalid']);
    // The browser that has it continues to the provider, which is not configured here.
    const attacker = openBrowser(target);
    await attacker.jar.setCookie(`${prefix}${name}=${value}; Path=/; Secure; HttpOnly`, `${target.origin}/`);
    expect((await attacker.fetch(callback)).status).toBe(503);
  });
});

describe('a pid_email planted by a sibling subdomain', () => {
  it('is not used to bind a code that the visitor requests [D-85]', async () => {
    const ask = async (browser: Browser, email: string) => {
      const body = { email, password: goodPassword };
      expect((await send(browser, 'POST', '/v1/auth/email/register', body)).status).toBe(204);
      const rows = await target.rows<{ bound_to: string }>(
        'SELECT bound_to FROM email_codes WHERE email = ?',
        [email],
      );
      expect(rows).toHaveLength(1);
      return rows[0]?.bound_to;
    };
    const [attacker, victim] = [openBrowser(target), openBrowser(target)];
    const planted = await ask(attacker, freshEmail());
    expect(await ask(attacker, freshEmail())).toBe(planted);
    await plant(victim, await cookiesIn(attacker));
    expect(await ask(victim, freshEmail())).not.toBe(planted);
  });
});

describe('a pid_passkey planted by a sibling subdomain', () => {
  it('neither completes the attacker’s ceremony nor binds the visitor’s [D-85]', async () => {
    const [attacker, victim] = [openBrowser(target), openBrowser(target)];
    const options = await askRegistration(attacker, 'newcomer');
    const registration = await createAuthenticator(target.origin).create(options);
    await plant(victim, await cookiesIn(attacker));
    const path = '/v1/auth/passkey/register/verify';
    expect((await send(victim, 'POST', path, registration)).status).toBe(401);
    const boundTo = async ({ challenge }: { challenge: string }) => {
      const select = 'SELECT bound_to FROM passkey_challenges WHERE hash = ?';
      return (await target.rows<{ bound_to: string }>(select, [secretHash(challenge)]))[0]?.bound_to;
    };
    const planted = await boundTo(options);
    expect(await boundTo(await askRegistration(attacker, 'newcomer'))).toBe(planted);
    expect(await boundTo(await askRegistration(victim, 'newcomer'))).not.toBe(planted);
    expect((await send(attacker, 'POST', path, registration)).status).toBe(200);
  });
});

describe('a pid_access planted by a sibling subdomain', () => {
  it('does not sign anyone in, even if its key is planted too [D-90]', async () => {
    const attacker = await newPasskeyMember(target);
    const victim = openBrowser(target);
    await plant(victim, await cookiesIn(attacker.browser));
    expect(await victim.cookie('pid_access')).toBe(await attacker.browser.cookie('pid_access'));
    expect((await send(victim, 'GET', '/v1/auth/session')).status).toBe(401);
    expect((await send(victim, 'PATCH', '/v1/me', { displayName: 'Planted' })).status).toBe(401);
    const page = await victim.navigate('/v1/auth/claim');
    expect(await page.text()).not.toContain(attacker.handle);
    expect((await send(attacker.browser, 'GET', '/v1/auth/session')).status).toBe(200);
  });
});

describe('a pid_refresh planted by a sibling subdomain', () => {
  it('does not sign anyone in [D-85]', async () => {
    const attacker = await newPasskeyMember(target);
    const victim = openBrowser(target);
    await plant(victim, await cookiesIn(attacker.browser).then((all) => all.filter(isRefresh)));
    const answer = await send(victim, 'POST', '/v1/auth/refresh');
    expect([answer.status, await victim.cookie('pid_access')]).toEqual([401, null]);
    const form = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', ...samePage };
    await victim.fetch('/v1/auth/refresh/continue', { method: 'POST', headers: form });
    expect(await victim.cookie('pid_access')).toBeNull();
    expect((await send(attacker.browser, 'POST', '/v1/auth/refresh')).status).toBe(204);
  });

  it('does not sign anyone in, even in a browser that omits Fetch Metadata from navigations [D-85]', async () => {
    const attacker = await newPasskeyMember(target);
    const victim = openBrowser(target);
    await plant(victim, await cookiesIn(attacker.browser).then((all) => all.filter(isRefresh)));
    const path = `/v1/auth/continue?${new URLSearchParams({ returnTo: `${target.origin}/` })}`;
    const headers = { Accept: 'text/html' };
    const answer = await victim.fetch(path, { headers });
    expect(answer.headers.get('Location')).toBe(`${target.origin}/?signed_out=1`);
    expect(await victim.cookie('pid_access')).toBeNull();
    const own = await attacker.browser.fetch(path, { headers });
    expect(own.headers.get('Location')).toBe(`${target.origin}/`);
  });

  it('is gone after the visitor’s own sign-in [D-85]', async () => {
    const attacker = await newPasskeyMember(target);
    const victim = await newcomer();
    await plant(victim, await cookiesIn(attacker.browser).then((all) => all.filter(isRefresh)));
    const handle = freshHandle();
    expect((await send(victim, 'POST', '/v1/auth/claim', { handle })).status).toBe(200);
    expect((await send(victim, 'POST', '/v1/auth/refresh')).status).toBe(204);
    expect(await (await victim.fetch('/v1/auth/session')).json()).toMatchObject({ handle });
    expect((await send(attacker.browser, 'POST', '/v1/auth/refresh')).status).toBe(204);
  });

  const isRefresh = ([name]: [string, string]) => name.startsWith('pid_refresh');
});

describe('a pid_device planted by a sibling subdomain', () => {
  const target = useService();

  it('neither makes another browser known nor makes the visitor’s own browser unknown [D-85]', async () => {
    const [owner, other] = [await newPasswordMember(target), await newPasswordMember(target)];
    for (const member of [owner, other]) await makeCheap(target, member);
    await target.restart({ ...production, COOKIE_DOMAIN: 'example.com' });
    const signIn = async (browser: Browser, { email, password }: PasswordMember) =>
      (await login(browser, email, password)).status;
    const devices = async (browser: Browser) =>
      (await cookiesIn(browser)).filter(([name]) => name === 'pid_device');
    const [known, attacker, stranger] = [openBrowser(target), openBrowser(target), openBrowser(target)];
    expect(await signIn(known, owner)).toBe(204);
    expect(await signIn(attacker, other)).toBe(204);
    expect((await login(stranger, owner.email, otherPassword)).status).toBe(401);
    await target.rows(`UPDATE secret_tries SET tries = 200 WHERE key LIKE 'failed password crd_%'`);
    await plant(stranger, await devices(known));
    expect(await devices(stranger)).toHaveLength(1);
    expect(await signIn(stranger, owner)).toBe(401);
    await plant(known, await devices(attacker));
    expect(await devices(known)).toHaveLength(2);
    expect(await signIn(known, owner)).toBe(204);
  });
});
