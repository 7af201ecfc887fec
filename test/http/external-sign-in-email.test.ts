import { describe, expect, it } from 'vitest';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { expectNoSession } from '../support/outcomes.ts';
import { freshHandle, newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import type { Scenario } from '../support/provider-driver.ts';
import { useSharedService } from '../support/service.ts';

const welcome = 'http://localhost:8787/dev/welcome';

const target = useSharedService();

async function pidOf(browser: Browser): Promise<string> {
  return ((await (await browser.fetch('/v1/auth/session')).json()) as { pid: string }).pid;
}

/** The address stored with the person's only credential. */
async function keptEmail(browser: Browser): Promise<string | null | undefined> {
  const list = (await (await browser.fetch('/v1/credentials')).json()) as { email: string | null }[];
  expect(list).toHaveLength(1);
  return list[0]?.email;
}

/** A person who claims a handle after a sign-in with exactly these claims. */
async function claimAs(claims: Record<string, unknown>, scenario: Scenario = {}): Promise<Browser> {
  const browser = openBrowser(target);
  const { callback } = await startSignIn(target, browser, { claims, ...scenario });
  expect((await browser.navigate(callback)).headers.get('Location')).toBe(`${welcome}?claim=1`);
  const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
  expect(claimed.status).toBe(200);
  return browser;
}

describe('the address reported by a provider', () => {
  it('blocks a new account if it belongs to another person, verified or not, in any spelling [D-33]', async () => {
    const owner = await newMember(target);
    const spellings = [owner.claims.email, owner.claims.email.toUpperCase(), ` ${owner.claims.email} `];
    for (const email of spellings) {
      for (const email_verified of [true, false, 'true', null]) {
        const browser = openBrowser(target);
        const { callback } = await startSignIn(target, browser, {
          claims: { ...somebody(), email, email_verified },
        });
        await expectNoSession(target, 'email_conflict', () => browser.fetch(callback));
        expect(await browser.cookies()).toBe('');
      }
    }
    expect((await signIn(target, owner.browser, owner.claims)).headers.get('Location')).toBe(welcome);
    expect(await pidOf(owner.browser)).toBe(`${owner.handle}@pid`);
  });

  it('causes the same rejection for a browser navigation as for an API caller [D-33]', async () => {
    const owner = await newMember(target);
    const answer = await signIn(target, openBrowser(target), { ...somebody(), email: owner.claims.email });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([409, 'email_conflict']);
    expect(await answer.text()).toContain('Email sudah terhubung dengan akun lain');
  });

  it('blocks the claim if it was taken after the sign-in, and keeps the ticket usable [D-33]', async () => {
    const email = somebody().email;
    const late = openBrowser(target);
    expect((await signIn(target, late, { ...somebody(), email })).status).toBe(302);
    await claimAs({ ...somebody(), email });
    const handle = freshHandle();
    for (let time = 0; time < 2; time += 1) {
      await expectNoSession(target, 'email_conflict', () =>
        late.fetch('/v1/auth/claim', json('POST', { handle })),
      );
    }
    expect((await late.fetch('/v1/auth/claim')).status).toBe(200);
  });

  it.each([false, 'true', 'false', 1, null])(
    'is not reserved by an account whose email_verified is %j [D-34]',
    async (email_verified) => {
      const { email } = somebody();
      const attacker = await claimAs({ ...somebody(), email, email_verified });
      expect(await keptEmail(attacker)).toBeNull();
      const victim = await claimAs({ ...somebody(), email, email_verified: true });
      expect(await keptEmail(victim)).toBe(email);
      expect(await pidOf(victim)).not.toBe(await pidOf(attacker));
    },
  );

  it('may be missing or invalid, and the person signs in without one', async () => {
    const unfit = ['nobody', 'a@b', 'a@b..c', 'a@127.0.0.1', 'a b@example.com', `${'a'.repeat(250)}@x.org`];
    for (const email of [null, 7, { a: 1 }, ...unfit]) {
      const browser = await claimAs({ ...somebody(), email, email_verified: true });
      expect(await keptEmail(browser)).toBeNull();
    }
  });

  it('does not change the identity that a known account signs in to [D-36]', async () => {
    const [one, two] = [await newMember(target), await newMember(target)];
    for (const email_verified of [true, false]) {
      const browser = openBrowser(target);
      const answer = await signIn(target, browser, {
        ...one.claims,
        email: two.claims.email,
        email_verified,
      });
      expect(answer.headers.get('Location')).toBe(welcome);
      expect(await pidOf(browser)).toBe(`${one.handle}@pid`);
      expect(await keptEmail(browser)).toBe(one.claims.email);
    }
    expect(await keptEmail(two.browser)).toBe(two.claims.email);
  });

  it('replaces a known account’s address only if it is verified [D-36]', async () => {
    const { browser, claims } = await newMember(target);
    const [unverified, verified] = [somebody().email, somebody().email];
    await signIn(target, browser, { ...claims, email: unverified, email_verified: false });
    expect(await keptEmail(browser)).toBe(claims.email);
    await signIn(target, browser, { ...claims, email: verified });
    expect(await keptEmail(browser)).toBe(verified);
  });
});

describe('claims that come only from userinfo', () => {
  it('supply the address if the ID token omits it', async () => {
    const claims = somebody();
    const browser = await claimAs({ ...claims, email_verified: true }, { splitClaims: true });
    expect(await keptEmail(browser)).toBe(claims.email);
  });

  it('are treated as unverified unless email_verified is a boolean there too', async () => {
    const email_verified = 'true';
    const browser = await claimAs(somebody(), { splitClaims: true, userinfoClaims: { email_verified } });
    expect(await keptEmail(browser)).toBeNull();
  });

  it('block a new account if the address belongs to another person [D-33]', async () => {
    const owner = await newMember(target);
    const browser = openBrowser(target);
    const claims = { ...somebody(), email: owner.claims.email };
    const { callback } = await startSignIn(target, browser, { claims, splitClaims: true });
    await expectNoSession(target, 'email_conflict', () => browser.fetch(callback));
  });
});
