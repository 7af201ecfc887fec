import { describe, expect, it } from 'vitest';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { freshHandle, newMember, signIn, somebody } from '../support/people.ts';
import { form, signInAtSandbox } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { type SetCookie, setCookies } from '../support/set-cookie.ts';

const host = 'http://id.eu.pid.localhost:8787';
const revisions = ['claim', 'direct'] as const;
type Revision = (typeof revisions)[number];

const target = useService({ BASE_URL: host });

const moveTo = (INTERFACE_REVISION: Revision, COOKIE_DOMAIN = '') =>
  target.restart({ INTERFACE_REVISION, COOKIE_DOMAIN });
const prefixOf = (revision: Revision) => (revision === 'direct' ? 'svc' : 'pid');
const otherThan = (revision: Revision) => (revision === 'direct' ? 'claim' : 'direct');
const post = { method: 'POST' };

interface Person {
  readonly browser: Browser;
  readonly claims: ReturnType<typeof somebody>;
  /** The response that created the session. */
  readonly began: Response;
}

/** A person on their first visit, whichever revision is active. */
async function newPerson(revision: Revision): Promise<Person> {
  const browser = openBrowser(target);
  const claims = somebody();
  const callback = await signIn(target, browser, claims);
  if (revision === 'direct') return { browser, claims, began: callback };
  const began = await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
  return { browser, claims, began };
}

/** The names of all cookies in the jar, with duplicates. */
async function kept(browser: Browser): Promise<string[]> {
  const { cookies } = await browser.jar.serialize();
  // The last sign-in method is kept for the next visit, regardless of who signs out.
  return cookies.flatMap(({ key, value }) => (key && value && key !== 'pid_way' ? [key] : [])).sort();
}

function cookiesOf(revision: Revision): string[] {
  const prefix = prefixOf(revision);
  return ['pid_hint', 'pid_refresh_key', `${prefix}_access`, `${prefix}_refresh`].sort();
}

async function expectSignedIn(browser: Browser, pid?: string): Promise<string> {
  const answer = await browser.fetch('/v1/auth/session');
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as { pid: string };
  if (pid !== undefined) expect(body.pid).toBe(pid);
  return body.pid;
}

async function sessionIn(browser: Browser, revision: Revision): Promise<string> {
  return (await browser.cookie(`${prefixOf(revision)}_refresh`))?.split('.')[1] ?? '';
}

async function endOf(sessionId: string): Promise<unknown> {
  const [row] = await target.rows<{ revoked_reason: string | null }>(
    'SELECT revoked_reason FROM sessions WHERE id = ?',
    [sessionId],
  );
  return row?.revoked_reason;
}

describe('the session cookies of the two revisions', () => {
  it('differ only in their names', async () => {
    const shape = (answer: Response) =>
      setCookies(answer)
        .filter(({ value, name }) => value !== '' && !/^pid_(oauth|way)/.test(name))
        .map(({ value, maxAge = 0, ...rest }: SetCookie) => ({ ...rest, maxAge: Math.round(maxAge / 60) }));
    for (const domain of ['', 'pid.localhost']) {
      await moveTo('claim', domain);
      const claimed = shape((await newPerson('claim')).began);
      await moveTo('direct', domain);
      const direct = shape((await newPerson('direct')).began);
      expect(claimed.length).toBe(4);
      expect(direct).toEqual(
        claimed.map((cookie) => ({
          ...cookie,
          name: cookie.name.replace(/^pid_(?=access|refresh$)/, 'svc_'),
        })),
      );
    }
  });

  it('do not sign anyone in under the other revision’s names', async () => {
    for (const revision of revisions) {
      await moveTo(revision);
      const { browser } = await newPerson(revision);
      const [own, foreign] = [prefixOf(revision), prefixOf(otherThan(revision))];
      const [access, refresh] = [
        await browser.cookie(`${own}_access`),
        await browser.cookie(`${own}_refresh`),
      ];
      const renamed = { Cookie: `${foreign}_access=${access}; ${foreign}_refresh=${refresh}` };
      expect((await target.request('/v1/auth/session', { headers: renamed })).status).toBe(401);
      expect((await target.request('/v1/credentials', { headers: renamed })).status).toBe(401);
      const answer = await target.request('/v1/auth/refresh', { method: 'POST', headers: renamed });
      expect(answer.status).toBe(401);
      await expectSignedIn(browser);
    }
  });

  it('are rejected and cleared if the refresh token is sent twice', async () => {
    for (const revision of revisions) {
      await moveTo(revision);
      const { browser } = await newPerson(revision);
      const name = `${prefixOf(revision)}_refresh`;
      const token = await browser.cookie(name);
      const headers = { Cookie: `${name}=${token}; ${name}=${token}` };
      const answer = await target.request('/v1/auth/refresh', { method: 'POST', headers });
      expect([answer.status, [...new Set(setCookies(answer).map((cookie) => cookie.name))]]).toEqual([
        401,
        [name],
      ]);
    }
  });
});

describe('a deployment that changes its revision', () => {
  for (const from of revisions) {
    const to = otherThan(from);

    it(`from ${from} makes everyone sign in once, to the same identity, and leaves no old cookies behind`, async () => {
      await moveTo(from);
      const { browser, claims } = await newPerson(from);
      const pid = await expectSignedIn(browser);
      const session = await sessionIn(browser, from);
      await moveTo(to);
      expect((await browser.fetch('/v1/auth/session')).status).toBe(401);
      expect((await browser.fetch('/v1/auth/refresh', post)).status).toBe(401);
      expect(await endOf(session)).toBe(null);
      const returned = await signIn(target, browser, claims);
      expect([returned.status, returned.headers.get('Location')]).toEqual([302, `${host}/dev/welcome`]);
      await expectSignedIn(browser, pid);
      expect(await kept(browser)).toEqual(cookiesOf(to));
      expect(await endOf(session)).toBe('replaced');
      // Then back again, without any old cookies.
      await moveTo(from);
      expect((await signIn(target, browser, claims)).status).toBe(302);
      await expectSignedIn(browser, pid);
      expect(await kept(browser)).toEqual(cookiesOf(from));
      expect((await browser.fetch('/v1/auth/refresh', post)).status).toBe(204);
    });

    it(`from ${from} lets people log out of existing sessions, and clears both kinds of cookies`, async () => {
      await moveTo(from);
      const { browser } = await newPerson(from);
      const session = await sessionIn(browser, from);
      await moveTo(to);
      expect((await browser.fetch('/v1/auth/logout', post)).status).toBe(204);
      expect(await endOf(session)).toBe('logout');
      expect(await kept(browser)).toEqual([]);
      await moveTo(from);
      expect((await browser.fetch('/v1/auth/session')).status).toBe(401);
    });

    it(`from ${from} clears the old cookies even if COOKIE_DOMAIN changes too`, async () => {
      for (const [before, after] of [
        ['', 'pid.localhost'],
        ['pid.localhost', ''],
        ['eu.pid.localhost', 'pid.localhost'],
      ] as const) {
        await moveTo(from, before);
        const { browser, claims } = await newPerson(from);
        await moveTo(to, after);
        expect((await signIn(target, browser, claims)).status).toBe(302);
        expect(await kept(browser)).toEqual(cookiesOf(to));
        await expectSignedIn(browser);
      }
    });
  }

  it('from claim to direct creates an identity for a newcomer who was about to claim, and discards the ticket', async () => {
    await moveTo('claim');
    const browser = openBrowser(target);
    const claims = somebody();
    await signIn(target, browser, claims);
    expect(await kept(browser)).toEqual(['pid_claim', 'pid_claim_key']);
    await moveTo('direct');
    expect((await browser.fetch('/v1/auth/claim')).status).toBe(404);
    expect((await signIn(target, browser, claims)).status).toBe(302);
    await expectSignedIn(browser);
    // The key is worthless without its ticket, and expires automatically.
    expect(await kept(browser)).toEqual(['pid_claim_key', ...cookiesOf('direct')]);
  });

  it('from direct to claim shows a newcomer the claim screen, and clears the old cookies with the claim', async () => {
    await moveTo('direct');
    const { browser } = await newPerson('direct');
    await moveTo('claim');
    const answer = await signIn(target, browser, somebody());
    expect(answer.headers.get('Location')).toBe(`${host}/dev/welcome?claim=1`);
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect(claimed.status).toBe(200);
    expect(await kept(browser)).toEqual(cookiesOf('claim'));
  });

  it('keeps people signed in, and clears no cookie before the change', async () => {
    await moveTo('claim');
    const { browser } = await newMember(target);
    const answer = await browser.fetch('/v1/auth/refresh', post);
    expect(setCookies(answer).map(({ name }) => name)).toEqual([
      'pid_access',
      'pid_refresh',
      'pid_hint',
      'pid_refresh_key',
    ]);
  });
});

describe('the pages of revision direct', () => {
  it('work from sign-in to logout, and do not mention a claim', async () => {
    // Without an issuer the sandbox provider is used, under this machine's own name.
    const settings = { BASE_URL: 'http://localhost:8787', IDP_ISSUER: '', COOKIE_DOMAIN: '' };
    await target.restart({ ...settings, INTERFACE_REVISION: 'direct' });
    const browser = openBrowser(target);
    const index = await (await browser.navigate('/dev')).text();
    const links = [...index.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links).toContain('/signin');
    // A static file, which the platform serves.
    for (const href of links.filter((link) => link !== '/docs' && !link.startsWith('#'))) {
      // Nobody is signed in yet, so the account and the admin desk redirect to the sign-in.
      const status = ['/account', '/admin'].includes(href) ? 302 : 200;
      expect([href, (await browser.navigate(href)).status]).toEqual([href, status]);
    }
    expect(index).toContain('<code>svc_access</code>');
    expect(await (await browser.navigate('/signin')).text()).toContain('href="/v1/auth/idp"');

    const landed = await signInAtSandbox(browser, { name: 'Rani Wijaya', email: 'rani@example.com' });
    expect(landed.headers.get('Location')).toBe(`${target.origin}/dev/welcome`);
    const welcome = await (await browser.navigate('/dev/welcome')).text();
    expect(welcome).toContain('rani.wijaya@pid');
    expect(welcome).toContain('rani@example.com');
    expect((await browser.navigate('/dev/credentials', form({}, target.origin))).status).toBe(303);
    expect((await browser.fetch('/v1/auth/logout', post)).status).toBe(204);
    expect(await (await browser.navigate('/dev/welcome')).text()).toContain('Nobody is signed in');

    // The demo data is created in both revisions, and its email conflict does not occur here.
    const seeded = await browser.fetch('/dev/seed', post);
    expect([seeded.status, await seeded.json()]).toEqual([200, { data: [{ pid: 'ayu@pid' }] }]);
    const twin = await signInAtSandbox(browser, { name: 'Twin', email: 'twin@example.com', conflict: '1' });
    expect([twin.status, twin.headers.get('Location')]).toEqual([302, `${target.origin}/dev/welcome`]);
    expect(await (await browser.navigate('/dev/welcome')).text()).toContain('no address');
  });
});
