import { beforeAll, describe, expect, it } from 'vitest';
import {
  anotherBrowser,
  dumpRecords,
  inOneTrip,
  notFresh,
  refusal,
  seen,
  sessionIdOf,
  unauthenticated,
} from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { type Member, newAdmin, newMember, signIn } from '../support/people.ts';
import { useService } from '../support/service.ts';

let boss: Member;
const target = useService({ ADMIN_PIDS: 'the-boss@pid, the-heir@pid' });
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
});

const adminOnly = refusal(403, 'Admin only');

function setStatus(browser: Browser, handle: string, status: unknown, reason: unknown = 'a test') {
  return browser.fetch(`/v1/admin/identities/${handle}`, json('PATCH', { status, reason }));
}

const auditOf = (handle: string) =>
  target.rows('SELECT at, actor, action, target, detail FROM audit_log WHERE target = ? ORDER BY seq', [
    handle,
  ]);

describe('PATCH /v1/admin/identities/:handle', () => {
  it('suspends an identity in one round trip: its sessions are revoked, and it cannot sign in', async () => {
    const member = await newMember(target);
    const second = await anotherBrowser(target, member);
    const { handle } = member;
    const answer = await inOneTrip(target, () => setStatus(boss.browser, handle, 'suspended'));
    expect(await seen(answer)).toEqual([
      200,
      { pid: `${handle}@pid`, handle, status: 'suspended', level: 'unverified' },
    ]);
    for (const browser of [member.browser, second]) {
      expect((await browser.fetch('/v1/me')).status).toBe(401);
      expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
    }
    const again = await signIn(target, openBrowser(target), member.claims);
    expect([again.status, again.headers.get('X-Error-Code')]).toEqual([403, 'identity_suspended']);
    expect(await again.text()).toContain('Your account is suspended');
    const sessions = await target.rows('SELECT DISTINCT revoked_reason FROM sessions WHERE handle = ?', [
      handle,
    ]);
    expect(sessions).toEqual([{ revoked_reason: 'suspended' }]);
    expect((await boss.browser.fetch('/v1/me')).status).toBe(200);
  });

  it('reactivates an identity: it can sign in again, but its sessions stay revoked', async () => {
    const member = await newMember(target);
    const cookie = await member.browser.cookies('/v1/auth/refresh');
    await setStatus(boss.browser, member.handle, 'suspended');
    const answer = await setStatus(boss.browser, member.handle, 'active');
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'active' }]);
    const old = await target.request('/v1/auth/refresh', { method: 'POST', headers: { Cookie: cookie } });
    expect(old.status).toBe(401);
    const browser = openBrowser(target);
    await signIn(target, browser, member.claims);
    expect(await (await browser.fetch('/v1/me')).json()).toMatchObject({ handle: member.handle });
  });

  it('writes one immutable audit line for each change, but none for a repeat', async () => {
    const { handle } = await newMember(target);
    const reasons = ['  sent spam  ', 'again, to be sure', 'was a mistake'];
    for (const [index, status] of ['suspended', 'suspended', 'active'].entries()) {
      expect((await setStatus(boss.browser, handle, status, reasons[index])).status).toBe(200);
    }
    const line = { at: expect.any(Number), actor: 'the-boss', action: 'identity.status', target: handle };
    expect(await auditOf(handle)).toEqual([
      { ...line, detail: expect.stringMatching(/^{"status":"suspended","reason":"sent spam",/) },
      { ...line, detail: expect.stringMatching(/^{"status":"active","reason":"was a mistake",/) },
    ]);
    const before = await dumpRecords(target);
    for (const sql of [`UPDATE audit_log SET detail = '{}'`, 'DELETE FROM audit_log']) {
      const problem = await target.rows(sql).then(
        () => 'the database took it',
        (error: Error) => `${error.message} ${error.cause ?? ''}`,
      );
      expect(problem).toContain('guard:audit_immutable');
    }
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('is limited to administrators, and reveals nothing to others', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const before = await dumpRecords(target);
    for (const handle of [other.handle, member.handle, 'the-boss', 'nobody-here']) {
      expect(await seen(await setStatus(member.browser, handle, 'suspended'))).toEqual(adminOnly);
    }
    const nonsense = member.browser.fetch('/v1/admin/identities/x', { method: 'PATCH', body: 'nonsense' });
    expect(await seen(await nonsense)).toEqual(adminOnly);
    const nobody = openBrowser(target);
    expect(await seen(await setStatus(nobody, other.handle, 'suspended'))).toEqual(unauthenticated);
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('requires a live session and a sign-in less than fifteen minutes old', async () => {
    const { handle } = await newMember(target);
    const heir = await newAdmin(target, 'the-heir');
    await target.advance(901);
    await heir.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await seen(await setStatus(heir.browser, handle, 'suspended'))).toEqual(notFresh);
    expect(await seen(await setStatus(heir.browser, 'nobody-here', 'suspended'))).toEqual(notFresh);
    const stale = { Cookie: await heir.browser.cookies() };
    await heir.browser.fetch(`/v1/sessions/${await sessionIdOf(heir)}`, { method: 'DELETE' });
    const init = json('PATCH', { status: 'suspended', reason: 'x' });
    const answer = await target.request(`/v1/admin/identities/${handle}`, {
      ...init,
      headers: { ...init.headers, ...stale },
    });
    expect(await seen(answer)).toEqual(unauthenticated);
    expect(await auditOf(handle)).toEqual([]);
    await signIn(target, boss.browser, boss.claims);
    expect((await setStatus(boss.browser, handle, 'suspended')).status).toBe(200);
  });

  it('does not let administrators suspend themselves, so that one always remains', async () => {
    await signIn(target, boss.browser, boss.claims);
    const before = await dumpRecords(target);
    const own = refusal(403, 'Another administrator has to decide');
    expect(await seen(await setStatus(boss.browser, 'the-boss', 'suspended'))).toEqual(own);
    expect(await dumpRecords(target)).toEqual(before);
    expect((await boss.browser.fetch('/v1/me')).status).toBe(200);
  });

  it('rejects other statuses, missing reasons, unknown handles and closed identities', async () => {
    const [member, gone] = [await newMember(target), await newMember(target)];
    await gone.browser.fetch('/v1/me', json('DELETE', { handle: gone.handle }));
    const before = await dumpRecords(target);
    const status = refusal(400, ['status must be active or suspended']);
    for (const wrong of ['closed', 'Active', '', null, 5]) {
      expect(await seen(await setStatus(boss.browser, member.handle, wrong))).toEqual(status);
    }
    const reasons: [unknown, string][] = [
      ['', 'reason must not be empty'],
      ['  ', 'reason must not be empty'],
      [5, 'reason must be a string'],
      ['x'.repeat(501), 'reason must be shorter than or equal to 500 characters'],
    ];
    for (const [reason, message] of reasons) {
      const answer = await setStatus(boss.browser, member.handle, 'suspended', reason);
      expect(await seen(answer)).toEqual(refusal(400, [message]));
    }
    for (const handle of ['nobody-here', member.handle.toUpperCase(), '%00', 'x'.repeat(300)]) {
      const answer = await setStatus(boss.browser, handle, 'suspended');
      expect(await seen(answer)).toEqual(refusal(404, 'Identity does not exist'));
    }
    for (const wanted of ['active', 'suspended']) {
      const answer = await setStatus(boss.browser, gone.handle, wanted);
      expect(await seen(answer)).toEqual(refusal(409, 'A closed identity stays closed'));
    }
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('suspends only once for ten concurrent requests, all of which succeed', async () => {
    await signIn(target, boss.browser, boss.claims);
    const { handle } = await newMember(target);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => setStatus(boss.browser, handle, 'suspended')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await auditOf(handle)).length).toBe(1);
  });
});
