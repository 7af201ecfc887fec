import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { link } from '../../support/accounts.ts';
import { anotherBrowser, sessionIdOf } from '../../support/answers.ts';
import { type Browser, json } from '../../support/browser.ts';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import { type Member, newAdmin, newMember, somebody } from '../../support/people.ts';
import type { Target } from '../../support/target.ts';

let target: Target;
beforeAll(async () => {
  // Its clock is stopped, so all requests come in the same millisecond.
  ({ target } = await openFaultyTarget({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
    ADMIN_PIDS: 'the-boss@pid,the-deputy@pid',
  }));
});
afterAll(() => target.close());

async function statuses(requests: readonly (() => Promise<Response>)[]): Promise<number[]> {
  const answers = await Promise.all(requests.map((request) => request()));
  return answers.map(({ status }) => status).sort((a, b) => a - b);
}

/** A member with two credentials, and a request that unlinks the second. */
async function withSecondCredential(): Promise<
  Member & { unlinkFrom: (browser: Browser) => Promise<Response> }
> {
  const member = await newMember(target);
  expect((await link(target, member.browser, 'google', somebody())).status).toBe(302);
  const [row] = await target.rows<{ id: string }>(
    `SELECT id FROM credentials WHERE handle = ? AND provider = 'google'`,
    [member.handle],
  );
  const path = `/v1/credentials/${row?.id}`;
  return { ...member, unlinkFrom: (browser) => browser.fetch(path, { method: 'DELETE' }) };
}

describe('concurrent requests in the same millisecond', () => {
  it('unlink a credential only once, even when several sessions send them', async () => {
    const member = await withSecondCredential();
    const other = await anotherBrowser(target, member);
    const requests = [member.browser, other, member.browser, other].map(
      (browser) => () => member.unlinkFrom(browser),
    );
    expect(await statuses(requests)).toEqual([204, 404, 404, 404]);
    expect(await statuses(requests)).toEqual([404, 404, 404, 404]);
  });

  it('revoke their own session only once', async () => {
    const member = await newMember(target);
    const own = await sessionIdOf(member);
    const end = () => member.browser.fetch(`/v1/sessions/${own}`, { method: 'DELETE' });
    expect(await statuses([end, end, end])).toEqual([204, 401, 401]);
  });

  it('do not revoke sessions on behalf of a session that was just revoked', async () => {
    const member = await newMember(target);
    const [second, third] = [await anotherBrowser(target, member), await anotherBrowser(target, member)];
    const target3 = await sessionIdOf({ browser: third });
    expect((await member.browser.fetch('/v1/sessions', { method: 'DELETE' })).status).toBe(204);
    expect((await second.fetch(`/v1/sessions/${target3}`, { method: 'DELETE' })).status).toBe(401);
  });

  it('close the account only once, even when several sessions send them', async () => {
    const member = await newMember(target);
    const other = await anotherBrowser(target, member);
    const requests = [member.browser, other, member.browser].map(
      (browser) => () => browser.fetch('/v1/me', json('DELETE', { handle: member.handle })),
    );
    expect(await statuses(requests)).toEqual([204, 401, 401]);
  });

  it('suspend another administrator only once', async () => {
    const boss = await newAdmin(target, 'the-boss');
    await newAdmin(target, 'the-deputy');
    const body = json('PATCH', { status: 'suspended', reason: 'test' });
    const suspend = () => boss.browser.fetch('/v1/admin/identities/the-deputy', body);
    expect(await statuses([suspend, suspend])).toEqual([200, 200]);
    const audit = await target.rows('SELECT action FROM audit_log WHERE target = ?', ['the-deputy']);
    expect(audit).toEqual([{ action: 'identity.status' }]);
  });
});
