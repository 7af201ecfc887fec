import { describe, expect, it } from 'vitest';
import { handleSkeleton } from '../../src/lib/look-alike.ts';
import { inTrips } from '../support/answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { countAccounts } from '../support/outcomes.ts';
import { signIn, somebody, startSignIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { setCookies, valueSet } from '../support/set-cookie.ts';

const welcome = 'http://localhost:8787/dev/welcome';

const target = useService({ INTERFACE_REVISION: 'direct' });

interface SessionBody {
  handle: string;
  pid: string;
  profile: { displayName: string; locale: string | null };
}

async function sessionOf(browser: Browser): Promise<SessionBody> {
  const answer = await browser.fetch('/v1/auth/session');
  expect(answer.status).toBe(200);
  return (await answer.json()) as SessionBody;
}

/** Signs in, expects the client's page as the only target, and returns the signed-in person. */
async function enter(claims: Record<string, unknown>, browser = openBrowser(target)): Promise<SessionBody> {
  const answer = await signIn(target, browser, claims);
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, welcome]);
  return sessionOf(browser);
}

async function emailsOf(browser: Browser): Promise<(string | null)[]> {
  const list = (await (await browser.fetch('/v1/credentials')).json()) as { email: string | null }[];
  return list.map(({ email }) => email);
}

const post = { method: 'POST' };

describe('the first sign-in', () => {
  it('creates the identity, profile, credential and session together, and returns to the client without claim=1', async () => {
    const browser = openBrowser(target);
    const before = await countAccounts(target);
    const claims = { ...somebody(), name: 'Ayu Lestari', locale: 'id-ID' };
    const answer = await signIn(target, browser, claims);
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, welcome]);
    expect(await sessionOf(browser)).toMatchObject({
      pid: 'ayu.lestari@pid',
      handle: 'ayu.lestari',
      profile: { displayName: 'Ayu Lestari', locale: 'id-ID' },
    });
    expect(await emailsOf(browser)).toEqual([claims.email]);
    const after = await countAccounts(target);
    for (const [table, count] of Object.entries(before))
      expect([table, after[table]]).toEqual([table, count + 1]);
    expect(await target.rows('SELECT hash FROM claim_tickets WHERE consumed_by IS NULL')).toEqual([]);
    expect(await target.rows('SELECT id FROM decisions')).toEqual([]);
  });

  it('sets svc_access, svc_refresh and the hint, and never a ticket', async () => {
    const browser = openBrowser(target);
    const answer = await signIn(target, browser);
    const set = setCookies(answer).filter(({ value }) => value !== '');
    const names = ['svc_access', 'svc_refresh', 'pid_hint', 'pid_refresh_key', 'pid_way'];
    expect(set.map(({ name }) => name)).toEqual(names);
    const refreshed = await browser.fetch('/v1/auth/refresh', post);
    expect(refreshed.status).toBe(204);
    expect(setCookies(refreshed).map(({ name }) => name)).toEqual(names.slice(0, 4));
    await sessionOf(browser);
    const left = await browser.fetch('/v1/auth/logout', post);
    expect(setCookies(left).map(({ name, value }) => [name, value])).toEqual([
      ['svc_access', ''],
      ['svc_refresh', ''],
      ['pid_hint', ''],
      ['pid_refresh_key', ''],
    ]);
    expect(await browser.cookies()).toBe('pid_way=idp');
    expect((await browser.fetch('/v1/auth/session')).status).toBe(401);
  });

  it('keeps the return path', async () => {
    const browser = openBrowser(target);
    const start = '/v1/auth/idp?returnTo=/cart%3Fstep%3D2';
    const answer = await browser.navigate((await startSignIn(target, browser, {}, start)).callback);
    expect(answer.headers.get('Location')).toBe(`${welcome}?returnTo=%2Fcart%3Fstep%3D2`);
  });

  it('takes three round trips to the database, and later sign-ins take two', async () => {
    await enter(somebody());
    const claims = { ...somebody(), email_verified: true };
    for (const trips of [3, 2, 2]) {
      const browser = openBrowser(target);
      const { callback } = await startSignIn(target, browser, { claims });
      const { status } = await inTrips(target, trips, () => browser.navigate(callback));
      expect(status).toBe(302);
    }
  });
});

describe('a later sign-in', () => {
  it('finds the same identity and creates only a session', async () => {
    const claims = somebody();
    const first = await enter(claims);
    const before = await countAccounts(target);
    const browser = openBrowser(target);
    expect(await enter({ ...claims, name: 'Another Name' }, browser)).toMatchObject({
      pid: first.pid,
      profile: first.profile,
    });
    expect(await countAccounts(target)).toEqual({ ...before, sessions: (before['sessions'] ?? 0) + 1 });
    // The browser's previous session was revoked, as on every sign-in.
    const old = (await browser.cookie('svc_refresh')) ?? '';
    await enter(claims, browser);
    const rows = await target.rows('SELECT revoked_reason FROM sessions WHERE id = ?', [
      old.split('.')[1] ?? '',
    ]);
    expect(rows).toEqual([{ revoked_reason: 'replaced' }]);
  });

  it('returns 403 for a suspended or closed identity, and sets no cookie', async () => {
    for (const [status, closedAt] of [
      ['suspended', null],
      ['closed', 1],
    ] as const) {
      const claims = somebody();
      const { handle } = await enter(claims);
      const values = [status, closedAt, handle];
      await target.rows('UPDATE identities SET status = ?, closed_at = ? WHERE handle = ?', values);
      const before = await countAccounts(target);
      const fresh = openBrowser(target);
      const answer = await signIn(target, fresh, claims);
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([403, `identity_${status}`]);
      expect(await fresh.cookies()).toBe('');
      expect(await countAccounts(target)).toEqual(before);
    }
  });
});

describe('a newcomer’s handle', () => {
  it('is based on the name or, failing that, the address, and is never reserved or a look-alike', async () => {
    const unnamed = { name: null, locale: null };
    const cases: [Record<string, unknown>, string | RegExp][] = [
      [{ name: 'Molly Walter' }, 'molly.walter'],
      [{ name: 'Molly Walter' }, 'molly.walter2'],
      [{ name: 'Mo1ly Vva1ter' }, 'mo1ly.vva1ter3'],
      [{ name: 'Zoë  Ünal' }, 'zoe.unal'],
      [{ name: 'Admin', email: 'sari.dewi@example.com' }, 'sari.dewi'],
      [{ name: 'adm1n', email: 'root@example.com' }, /^user-[2-9b-k]{6}$/],
      [{ ...unnamed, email: 'budi.santoso+news@example.com' }, 'budi.santoso'],
      [{ ...unnamed, email: null }, /^user-[2-9b-k]{6}$/],
      [{ name: '0812 3456 789', email: null }, /^user-[2-9b-k]{6}$/],
      [{ name: '陈美玲', email: null }, /^user-[2-9b-k]{6}$/],
    ];
    for (const [claims, expected] of cases) {
      const { handle } = await enter({ ...somebody(), ...claims });
      if (typeof expected === 'string') expect(handle).toBe(expected);
      else expect(handle).toMatch(expected);
    }
  });

  it('becomes the display name if the provider returns none', async () => {
    const { handle, profile } = await enter({ ...somebody(), name: null });
    expect(profile.displayName).toBe(handle);
  });

  it('is never the handle of a closed identity', async () => {
    const { handle } = await enter({ ...somebody(), name: 'Gone For Good' });
    await target.rows(`UPDATE identities SET status = 'closed', closed_at = 1 WHERE handle = ?`, [handle]);
    expect(await enter({ ...somebody(), name: 'Gone For Good' })).toMatchObject({ handle: 'gone.for.good2' });
  });

  it('is different for each of 50 simultaneous newcomers with the same name', async () => {
    const people = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const browser = openBrowser(target);
        const claims = { ...somebody(), name: 'Budi Santoso', email_verified: true };
        return { browser, ...(await startSignIn(target, browser, { claims })) };
      }),
    );
    const answers = await Promise.all(people.map(({ browser, callback }) => browser.navigate(callback)));
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 302));
    const sessions = await Promise.all(people.map(({ browser }) => sessionOf(browser)));
    expect(new Set(sessions.map(({ handle }) => handleSkeleton(handle))).size).toBe(50);
    expect(sessions.every(({ handle }) => handle.startsWith('budi.santoso'))).toBe(true);
  });

  it('is the same if one newcomer returns in 20 tabs simultaneously', async () => {
    const claims = { ...somebody(), name: 'Citra Kirana', email_verified: true };
    const tabs = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const browser = openBrowser(target);
        return { browser, ...(await startSignIn(target, browser, { claims })) };
      }),
    );
    const before = await countAccounts(target);
    const answers = await Promise.all(tabs.map(({ browser, callback }) => browser.navigate(callback)));
    expect(answers.map(({ status }) => status)).toEqual(tabs.map(() => 302));
    const sessions = await Promise.all(tabs.map(({ browser }) => sessionOf(browser)));
    expect(new Set(sessions.map(({ handle }) => handle))).toEqual(new Set(['citra.kirana']));
    const after = await countAccounts(target);
    const added = Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)]);
    expect(Object.fromEntries(added)).toEqual({
      ...{ identities: 1, profiles: 1, credentials: 1, emails: 1, claim_tickets: 1, sessions: 20 },
    });
  });
});

describe('another person’s address', () => {
  it('stays with its owner, and the newcomer signs in without it', async () => {
    const owner = openBrowser(target);
    const claims = somebody();
    await enter(claims, owner);
    for (const email_verified of [true, false]) {
      for (const email of [claims.email, claims.email.toUpperCase()]) {
        const browser = openBrowser(target);
        await enter({ ...somebody(), email, email_verified }, browser);
        expect(await emailsOf(browser)).toEqual([null]);
      }
    }
    expect(await emailsOf(owner)).toEqual([claims.email]);
    expect((await target.rows('SELECT handle FROM emails WHERE email = ?', [claims.email])).length).toBe(1);
  });

  it('is stored at a later sign-in after its owner frees it', async () => {
    const owner = somebody();
    const { handle } = await enter(owner);
    const claims = { ...somebody(), email: owner.email };
    const browser = openBrowser(target);
    await enter(claims, browser);
    await target.rows('UPDATE credentials SET email = NULL WHERE handle = ?', [handle]);
    await enter(claims, browser);
    expect(await emailsOf(browser)).toEqual([owner.email]);
  });
});

describe('the claim', () => {
  it('does not exist: its endpoints and pages return 404, with or without a ticket', async () => {
    const requests = [
      ['GET', '/v1/auth/claim'],
      ['POST', '/v1/auth/claim'],
      ['DELETE', '/v1/auth/claim'],
      ['GET', '/v1/auth/claim/handles/ayu'],
      ['POST', '/v1/auth/claim/leave'],
      ['GET', '/claim'],
    ] as const;
    const body = JSON.stringify({ handle: 'somebody.new' });
    for (const [method, path] of requests) {
      for (const ticket of ['', `pid_claim=${'t'.repeat(43)}`]) {
        const headers = { 'Content-Type': 'application/json', Cookie: ticket };
        const answer = await target.request(path, {
          method,
          headers,
          ...(method === 'POST' ? { body } : {}),
        });
        expect([method, path, answer.status, await answer.json()]).toEqual([
          ...[method, path, 404, { statusCode: 404, message: 'Not found', code: 'not_found' }],
        ]);
        expect(setCookies(answer)).toEqual([]);
      }
      const page = await openBrowser(target).navigate(path, { method });
      expect([path, page.status, page.headers.get('Content-Type')]).toEqual([
        ...[path, 404, 'text/html; charset=UTF-8'],
      ]);
    }
    expect(valueSet(await signIn(target, openBrowser(target)), 'pid_claim')).toBe(null);
  });
});
