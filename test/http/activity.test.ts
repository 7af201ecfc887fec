import { describe, expect, it } from 'vitest';
import { beginLink, prove } from '../support/accounts.ts';
import { anotherBrowser, inOneTrip, refusal, seen, sessionIdOf } from '../support/answers.ts';
import { type Browser, json } from '../support/browser.ts';
import { newMember, somebody } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

interface Entry {
  type: string;
  at: string;
  provider: string | null;
  reason: string | null;
  device: string | null;
  country: string | null;
}

async function list(browser: Browser, query = ''): Promise<{ data: Entry[]; nextCursor: string | null }> {
  const answer = await browser.fetch(`/v1/me/activity${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as { data: Entry[]; nextCursor: string | null };
}

describe('GET /v1/me/activity', () => {
  it('returns the caller’s own events, newest first, in one round trip', async () => {
    const member = await newMember(target);
    await newMember(target);
    const second = await anotherBrowser(target, member, safari);
    const id = await sessionIdOf({ browser: second });
    await target.rows(`UPDATE sessions SET country = 'SG' WHERE id = ?`, [id]);
    await member.browser.fetch(`/v1/sessions/${id}`, { method: 'DELETE' });
    await target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
        VALUES ('crd_second', ?, 'github', '7', ?, ?)`,
      [member.handle, target.now(), target.now()],
    );
    await member.browser.fetch('/v1/credentials/crd_second', { method: 'DELETE' });
    const { data, nextCursor } = await list(member.browser);
    const phone = { provider: 'idp', device: 'Safari on iPhone', country: 'SG' };
    const plain = { device: null, country: null, reason: null, app: null, amount: null, party: null };
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(nextCursor).toBeNull();
    expect(data).toEqual([
      { at, type: 'credential.unlinked', provider: 'github', ...plain },
      { at, type: 'credential.linked', provider: 'github', ...plain },
      { at, type: 'session.ended', ...plain, reason: 'ended', ...phone },
      { at, type: 'session.started', ...plain, ...phone },
      { at, type: 'session.started', provider: 'idp', ...plain },
      { at, type: 'identity.claimed', provider: null, ...plain },
      { at, type: 'credential.linked', provider: 'idp', ...plain },
    ]);
    await inOneTrip(target, () => list(member.browser));
  });

  it('includes the device and country of claims, links and other changes', async () => {
    const member = await newMember(target);
    const { browser } = member;
    const account = somebody();
    const start = await beginLink(browser, 'google');
    await browser.navigate(await prove(target, browser, 'google', { account, start }));
    const rename = json('PATCH', { displayName: 'Renamed' });
    await browser.fetch('/v1/me', rename);
    // It changes nothing this time.
    await browser.fetch('/v1/me', rename);
    await browser.fetch('/v1/me/export');
    await target.rows(`UPDATE sessions SET user_agent = ?, country = 'ID' WHERE id = ?`, [
      safari,
      await sessionIdOf(member),
    ]);
    const there = { device: 'Safari on iPhone', country: 'ID' };
    expect((await list(browser)).data).toMatchObject([
      { type: 'data.exported', ...there },
      { type: 'profile.changed', ...there },
      { type: 'credential.linked', provider: 'google', ...there },
      { type: 'session.started', ...there },
      { type: 'identity.claimed', ...there },
      { type: 'credential.linked', provider: 'idp', ...there },
    ]);
  });

  it('returns each event exactly once across pages, even while new events arrive', async () => {
    const member = await newMember(target);
    for (let count = 0; count < 3; count += 1) await anotherBrowser(target, member);
    const all = (await list(member.browser, '?limit=100')).data;
    expect(all.length).toBe(6);
    const found: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(member.browser, `?limit=2${cursor && `&cursor=${cursor}`}`);
      found.push(...page.data);
      cursor = page.nextCursor;
      await anotherBrowser(target, member);
    }
    expect(found).toEqual(all);
    expect((await list(member.browser)).data.length).toBe(9);
  });

  it('rejects an invalid limit or cursor', async () => {
    const { browser } = await newMember(target);
    const limit = refusal(400, ['limit must be a whole number from 1 to 100']);
    expect(await seen(await browser.fetch('/v1/me/activity?limit=101'))).toEqual(limit);
    const cursor = refusal(400, ['cursor must be one that an earlier page answered']);
    for (const text of ['x', btoa('ses_x'), btoa('-1'), btoa('1'.repeat(16))]) {
      expect(await seen(await browser.fetch(`/v1/me/activity?cursor=${text}`)), text).toEqual(cursor);
    }
  });
});
