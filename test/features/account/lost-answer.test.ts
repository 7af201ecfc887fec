import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { beginLink, prove } from '../../support/accounts.ts';
import { anotherBrowser, sessionIdOf } from '../../support/answers.ts';
import type { FaultyDatabase } from '../../support/break-database.ts';
import { json } from '../../support/browser.ts';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import { balanceOf, newHolder } from '../../support/money.ts';
import { type Member, newAdmin, newMember, somebody } from '../../support/people.ts';
import type { Target } from '../../support/target.ts';

let target: Target;
let database: FaultyDatabase;
let boss: Member;
beforeAll(async () => {
  ({ target, database } = await openFaultyTarget({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
    ADMIN_PIDS: 'the-boss@pid,the-deputy@pid,the-clerk@pid',
  }));
  boss = await newAdmin(target, 'the-boss');
});
afterAll(() => target.close());

/** Sends a request whose batch is applied, but whose database response is lost once. */
function losing(act: () => Promise<Response>): Promise<Response> {
  database.plan(['lost after']);
  return act();
}

const count = async (sql: string, value: string) =>
  (await target.rows<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`, [value]))[0]?.count;

describe('a request whose batch is retried after a lost response', () => {
  it('closes the account only once and succeeds', async () => {
    const { browser, handle } = await newMember(target);
    const answer = await losing(() => browser.fetch('/v1/me', json('DELETE', { handle })));
    expect(answer.status).toBe(204);
    expect(await count(`activity WHERE type = 'session.ended' AND handle = ?`, handle)).toBe(1);
    expect(await count(`identities WHERE status = 'closed' AND handle = ?`, handle)).toBe(1);
  });

  it('revokes sessions only once, including the current one', async () => {
    const member = await newMember(target);
    const second = await sessionIdOf({ browser: await anotherBrowser(target, member) });
    await anotherBrowser(target, member);
    for (const path of [`/${second}`, '', `/${await sessionIdOf(member)}`]) {
      const end = () => member.browser.fetch(`/v1/sessions${path}`, { method: 'DELETE' });
      expect((await losing(end)).status).toBe(204);
    }
    expect(await count(`activity WHERE type = 'session.ended' AND handle = ?`, member.handle)).toBe(3);
  });

  it('writes one line to the audit log', async () => {
    const { handle } = await newMember(target);
    const body = json('PATCH', { status: 'suspended', reason: 'test' });
    const answer = await losing(() => boss.browser.fetch(`/v1/admin/identities/${handle}`, body));
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'suspended' }]);
    expect(await count('audit_log WHERE target = ?', handle)).toBe(1);
  });

  it('suspends an administrator only once and succeeds', async () => {
    await newAdmin(target, 'the-deputy');
    const body = json('PATCH', { status: 'suspended', reason: 'test' });
    const answer = await losing(() => boss.browser.fetch('/v1/admin/identities/the-deputy', body));
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'suspended' }]);
    expect(await count('audit_log WHERE target = ?', 'the-deputy')).toBe(1);
  });

  it('proposes an administrator’s decision only once and moves its money only once', async () => {
    const { browser: clerk } = await newAdmin(target, 'the-clerk');
    const { handle } = await newHolder(target);
    const { headers, ...init } = json('POST', {
      from: 'gateway',
      to: `${handle}@pid`,
      amount: 20_000_000,
      reason: 'x',
    });
    const keyed = { ...init, headers: { ...headers, 'Idempotency-Key': handle } };
    const made = await losing(() => boss.browser.fetch('/v1/admin/adjustments', keyed));
    expect(made.status).toBe(202);
    const { id } = (await made.json()) as { id: string };
    const path = `/v1/admin/proposals/${id}/resolve`;
    database.plan(['none', 'lost after']);
    const approved = await clerk.fetch(path, json('POST', { decision: 'approve', reason: 'x' }));
    expect([approved.status, await approved.json()]).toMatchObject([200, { outcome: 'approved' }]);
    expect(await balanceOf(target, handle)).toBe(20_000_000);
  });

  it('links a credential only once and succeeds', async () => {
    const { browser, handle } = await newMember(target);
    const account = somebody();
    const start = await beginLink(browser, 'google');
    const callback = await prove(target, browser, 'google', { account, start });
    // The state and the sandbox's code are used first.
    database.plan(['none', 'none', 'lost after']);
    const answer = await browser.navigate(callback);
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      302,
      expect.stringContaining('linked=google'),
    ]);
    expect(await count(`activity WHERE type = 'credential.linked' AND handle = ?`, handle)).toBe(2);
    expect(await count('claim_tickets WHERE provider_user_id = ?', account.email)).toBe(0);
    expect(await count('decisions WHERE handle = ?', handle)).toBe(0);
  });

  it('links the account of a ticket only once and unlinks it only once', async () => {
    const { browser, handle } = await newMember(target);
    await browser.navigate(await prove(target, browser, 'github', { account: somebody() }));
    database.plan(['none', 'lost after']);
    const linked = await browser.fetch('/v1/auth/claim/link', { method: 'POST' });
    const { id } = (await linked.json()) as { id: string };
    expect(linked.status).toBe(200);
    const unlinked = await losing(() => browser.fetch(`/v1/credentials/${id}`, { method: 'DELETE' }));
    expect(unlinked.status).toBe(204);
    expect(await count(`activity WHERE type = 'credential.linked' AND handle = ?`, handle)).toBe(2);
    expect(await count(`activity WHERE type = 'credential.unlinked' AND handle = ?`, handle)).toBe(1);
  });

  it('changes the profile as requested', async () => {
    const { browser } = await newMember(target);
    const answer = await losing(() => browser.fetch('/v1/me', json('PATCH', { displayName: 'New Name' })));
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { profile: { displayName: 'New Name' } },
    ]);
  });
});
