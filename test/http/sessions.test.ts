import { describe, expect, it } from 'vitest';
import {
  anotherBrowser,
  inOneTrip,
  refusal,
  seen,
  sessionIdOf,
  unauthenticated,
} from '../support/answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';
import { appSignIn, newRelation } from '../support/token.ts';

const target = useSharedService();

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const notFound = refusal(404, 'Session does not exist');

interface Listed {
  id: string;
  provider: string;
  device: string | null;
  country: string | null;
  createdAt: string;
  lastUsedAt: string;
  current: boolean;
}

async function list(browser: Browser, query = ''): Promise<{ data: Listed[]; nextCursor: string | null }> {
  const answer = await browser.fetch(`/v1/sessions${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { data: Listed[]; nextCursor: string | null };
}

const end = (browser: Browser, id: string) => browser.fetch(`/v1/sessions/${id}`, { method: 'DELETE' });
const endOthers = (browser: Browser) => browser.fetch('/v1/sessions', { method: 'DELETE' });
const refresh = (browser: Browser) => browser.fetch('/v1/auth/refresh', { method: 'POST' });

describe('GET /v1/sessions', () => {
  it('lists the person’s sessions, newest first, and marks the current one', async () => {
    const member = await newMember(target);
    await newMember(target);
    await target.advance(1);
    const second = await anotherBrowser(target, member, firefox);
    const [id, secondId] = [await sessionIdOf(member), await sessionIdOf({ browser: second })];
    await target.rows(`UPDATE sessions SET country = 'ID' WHERE id = ?`, [secondId]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const common = { provider: 'idp', createdAt: time, lastUsedAt: time };
    expect(await list(member.browser)).toEqual({
      data: [
        { ...common, id: secondId, device: 'Firefox on Linux', country: 'ID', current: false },
        { ...common, id, device: null, country: null, current: true },
      ],
      nextCursor: null,
    });
    expect((await list(second)).data.map(({ current }) => current)).toEqual([true, false]);
    await inOneTrip(target, () => list(second));
  });

  it('shows when a session was last refreshed, and with which browser', async () => {
    const { browser } = await newMember(target);
    const [before] = (await list(browser)).data;
    await target.advance(60);
    const headers = { 'User-Agent': firefox };
    await browser.fetch('/v1/auth/refresh', { method: 'POST', headers });
    const [after] = (await list(browser)).data;
    expect(after).toMatchObject({ id: before?.id, createdAt: before?.createdAt, device: 'Firefox on Linux' });
    const moved = Date.parse(after?.lastUsedAt ?? '') - Date.parse(before?.lastUsedAt ?? '');
    expect(moved).toBeGreaterThanOrEqual(60_000);
  });

  it('omits sessions that are revoked or whose refresh token has expired', async () => {
    const member = await newMember(target);
    const ended = await anotherBrowser(target, member);
    await ended.fetch('/v1/auth/logout', { method: 'POST' });
    const forgotten = await anotherBrowser(target, member);
    await target.rows(
      'UPDATE sessions SET token_hash = ?, previous_hash = token_hash, rotated_at = ?, token_expires_at = ? WHERE id = ?',
      ['other', target.now(), target.now(), await sessionIdOf({ browser: forgotten })],
    );
    expect((await list(member.browser)).data.map(({ id }) => id)).toEqual([await sessionIdOf(member)]);
  });

  it('lists every session exactly once across pages', async () => {
    const member = await newMember(target);
    const ids = [await sessionIdOf(member)];
    for (let count = 0; count < 4; count += 1) {
      await target.advance(1);
      ids.unshift(await sessionIdOf({ browser: await anotherBrowser(target, member) }));
    }
    const found: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(member.browser, `?limit=2${cursor && `&cursor=${cursor}`}`);
      found.push(...page.data.map(({ id }) => id));
      sizes.push(page.data.length);
      cursor = page.nextCursor;
    }
    expect([found, sizes]).toEqual([ids, [2, 2, 1]]);
    expect((await list(member.browser, '?limit=5')).nextCursor).toBeNull();
    // A cursor is a position in the list, so it still works after its session is revoked.
    const { nextCursor } = await list(member.browser, '?limit=2');
    await end(member.browser, ids[1] ?? '');
    expect((await list(member.browser, `?cursor=${nextCursor}`)).data.map(({ id }) => id)).toEqual(
      ids.slice(2),
    );
  });

  it('rejects an invalid limit or cursor', async () => {
    const { browser } = await newMember(target);
    const limit = refusal(400, ['limit must be a whole number from 1 to 100']);
    for (const text of ['0', '101', '-1', '1.5', 'x', '', 'NaN', '1e9', '1&limit=2']) {
      expect(await seen(await browser.fetch(`/v1/sessions?limit=${text}`)), text).toEqual(limit);
    }
    const cursor = refusal(400, ['cursor must be one that an earlier page answered']);
    for (const text of ['', 'x', '%00', '~', 'c2Vz', btoa('12'), 'x'.repeat(201)]) {
      expect(await seen(await browser.fetch(`/v1/sessions?cursor=${text}`)), text).toEqual(cursor);
    }
    expect((await list(browser, '?limit=1')).data.length).toBe(1);
    expect((await list(browser, '?limit=100')).data.length).toBe(1);
  });
});

describe('DELETE /v1/sessions/:id', () => {
  it('revokes only that session, immediately and in one round trip, and is safe to repeat', async () => {
    const member = await newMember(target);
    const [second, third] = [await anotherBrowser(target, member), await anotherBrowser(target, member)];
    const id = await sessionIdOf({ browser: second });
    await inOneTrip(target, async () => {
      const answer = await end(member.browser, id);
      expect([await seen(answer), setCookies(answer)]).toEqual([[204, ''], []]);
    });
    expect((await refresh(second)).status).toBe(401);
    const row = () => target.rows('SELECT revoked_at, revoked_reason FROM sessions WHERE id = ?', [id]);
    const ended = await row();
    expect(ended).toMatchObject([{ revoked_reason: 'ended' }]);
    await target.advance(1);
    expect(await seen(await end(member.browser, id))).toEqual([204, '']);
    expect(await row()).toEqual(ended);
    for (const browser of [member.browser, third]) expect((await refresh(browser)).status).toBe(204);
  });

  it('clears the cookies if it revokes the current session', async () => {
    const member = await newMember(target);
    const id = await sessionIdOf(member);
    const headers = { Cookie: await member.browser.cookies() };
    const answer = await end(member.browser, id);
    expect(await seen(answer)).toEqual([204, '']);
    expect(await member.browser.cookies('/v1/auth/refresh')).toBe('pid_way=idp');
    await target.advance(1);
    const again = await target.request(`/v1/sessions/${id}`, { method: 'DELETE', headers });
    expect(await seen(again)).toEqual(unauthenticated);
  });

  it('returns 404 to anyone but the owner', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const id = await sessionIdOf(member);
    for (const foreign of [id, 'ses_unknown', '%00', "' OR 1=1 --", 'x'.repeat(500)]) {
      expect(await seen(await end(other.browser, encodeURIComponent(foreign)))).toEqual(notFound);
    }
    expect((await refresh(member.browser)).status).toBe(204);
    await end(member.browser, id);
    expect(await seen(await end(other.browser, id))).toEqual(notFound);
    expect((await list(other.browser)).data.length).toBe(1);
  });

  it('revokes only one of two sessions that revoke each other concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const member = await newMember(target);
      const second = await anotherBrowser(target, member);
      const ids = [await sessionIdOf(member), await sessionIdOf({ browser: second })];
      const answers = await Promise.all([end(member.browser, ids[1] ?? ''), end(second, ids[0] ?? '')]);
      // The first one served revokes the other, which can then do nothing more.
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    }
  });
});

describe('the live sessions of a person', () => {
  it('are limited to 200: another sign-in revokes the least recently used one and notifies its apps [D-100]', async () => {
    const relation = await newRelation(target, { backchannelLogoutUri: 'https://shop.example.com/logout' });
    const { person } = relation;
    const unused = await sessionIdOf(person);
    const { sid } = await appSignIn(relation);
    await target.rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
        INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at, last_seen_at, expires_at,
          token_hash, token_expires_at)
        SELECT id || '_' || i, handle, credential_id, provider, authenticated_at, created_at, last_seen_at + i, expires_at,
          'hash ' || i, token_expires_at FROM sessions, n WHERE id = ?`,
      [unused],
    );
    const live = () =>
      target.rows<{ n: number }>(
        'SELECT count(*) AS n FROM sessions WHERE handle = ? AND revoked_at IS NULL',
        [person.handle],
      );
    expect(await live()).toEqual([{ n: 200 }]);
    const newest = await anotherBrowser(target, person);
    expect(await live()).toEqual([{ n: 200 }]);
    expect((await refresh(newest)).status).toBe(204);
    expect((await refresh(person.browser)).status).toBe(401);
    const ended = await target.rows(
      `SELECT session_id, detail FROM activity WHERE handle = ? AND type = 'session.ended'`,
      [person.handle],
    );
    expect(ended).toEqual([{ session_id: unused, detail: 'replaced' }]);
    const told = `SELECT json_extract(data, '$.sid') AS sid FROM webhook_events WHERE app_id = ? AND type = 'logout'`;
    await target.request('/dev/scheduled', { method: 'POST' });
    expect(await target.rows(told, [relation.app.id])).toEqual([{ sid }]);
  });
});

describe('DELETE /v1/sessions', () => {
  it('revokes all other sessions and keeps the current one, in one round trip, and is safe to repeat', async () => {
    const [member, stranger] = [await newMember(target), await newMember(target)];
    const others = [await anotherBrowser(target, member), await anotherBrowser(target, member)];
    for (let count = 0; count < 2; count += 1) {
      await inOneTrip(target, async () => {
        const answer = await endOthers(member.browser);
        expect([await seen(answer), setCookies(answer)]).toEqual([[204, ''], []]);
      });
    }
    for (const browser of others) expect((await refresh(browser)).status).toBe(401);
    for (const { browser } of [member, stranger]) expect((await refresh(browser)).status).toBe(204);
    expect((await list(member.browser)).data.map(({ current }) => current)).toEqual([true]);
    expect(await seen(await endOthers(openBrowser(target)))).toEqual(unauthenticated);
  });
});
