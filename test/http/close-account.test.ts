import { describe, expect, it } from 'vitest';
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
import { newApp } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { adjust, appAccount, fundedWallet, gateway, inquire, newHolder } from '../support/money.ts';
import { freshHandle, type Member, newMember, signIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';
import { claimWith, insertTickets } from '../support/tickets.ts';

const target = useService();

const close = (browser: Browser, handle: unknown) => browser.fetch('/v1/me', json('DELETE', { handle }));
const refresh = (browser: Browser) => browser.fetch('/v1/auth/refresh', { method: 'POST' });
const wrongHandle = refusal(400, 'The handle does not belong to this identity');
const taken = refusal(409, 'PID already taken');

async function closed(): Promise<Member> {
  const member = await newMember(target);
  expect(await seen(await close(member.browser, member.handle))).toEqual([204, '']);
  return member;
}

async function liveSessions({ handle }: Member): Promise<number | undefined> {
  const live = 'SELECT count(*) AS count FROM sessions WHERE handle = ? AND revoked_at IS NULL';
  return (await target.rows<{ count: number }>(live, [handle]))[0]?.count;
}

describe('DELETE /v1/me', () => {
  it('closes the identity immediately and permanently, in one round trip, and clears the cookies', async () => {
    const member = await newMember(target);
    const second = await anotherBrowser(target, member, 'curl/8.7');
    const third = await anotherBrowser(target, member, 'curl/8.7');
    await third.fetch('/v1/auth/logout', { method: 'POST' });
    const [before] = await target.rows('SELECT * FROM identities WHERE handle = ?', [member.handle]);
    const answer = await inOneTrip(target, () => close(member.browser, member.handle));
    expect(await seen(answer)).toEqual([204, '']);
    expect(setCookies(answer).map(({ name, value, maxAge }) => [name, value, maxAge])).toEqual(
      ['pid_access', 'pid_refresh', 'pid_hint', 'pid_refresh_key'].map((name) => [name, '', 0]),
    );
    expect(await member.browser.cookies('/v1/auth/refresh')).toBe('pid_way=idp');

    const [after] = await target.rows('SELECT * FROM identities WHERE handle = ?', [member.handle]);
    expect(after).toEqual({
      ...(before as object),
      status: 'closed',
      closed_at: expect.any(Number),
      devices_turn: 1,
    });
    for (const table of ['profiles', 'credentials', 'emails']) {
      expect(await target.rows(`SELECT * FROM ${table} WHERE handle = ?`, [member.handle]), table).toEqual(
        [],
      );
    }
    const sessions = await target.rows(
      'SELECT revoked_reason, user_agent, address, country FROM sessions WHERE handle = ? ORDER BY revoked_reason',
      [member.handle],
    );
    const forgotten = { user_agent: null, address: null, country: null };
    expect(sessions).toEqual(
      ['closed', 'closed', 'logout'].map((revoked_reason) => ({ revoked_reason, ...forgotten })),
    );
    expect((await refresh(second)).status).toBe(401);
  });

  it('erases all personal data except the handle and its history', async () => {
    const member = await closed();
    // The row of the last email is deleted an hour after its expiry, as for any email.
    const dump = JSON.stringify((await dumpRecords(target)).filter(([table]) => table !== 'mails'));
    for (const text of Object.values(member.claims)) expect(dump.includes(text), text).toBe(false);
    expect(dump.includes(member.handle)).toBe(true);
  });

  it('stops refreshes and writes immediately, and plain reads within fifteen minutes [D-45]', async () => {
    const member = await newMember(target);
    const headers = { Cookie: await member.browser.cookies('/v1/auth/refresh') };
    const id = await sessionIdOf(member);
    expect((await close(member.browser, member.handle)).status).toBe(204);
    const send = async (method: string, path: string, body?: unknown) => {
      const init = body === undefined ? { method } : json(method, body);
      return (await target.request(path, { ...init, headers: { ...init.headers, ...headers } })).status;
    };
    await target.advance(1);
    const { handle } = member;
    expect(await send('POST', '/v1/auth/refresh')).toBe(401);
    expect(await send('DELETE', '/v1/credentials/crd_x')).toBe(401);
    expect(await send('DELETE', `/v1/sessions/${id}`)).toBe(401);
    expect(await send('DELETE', '/v1/sessions')).toBe(401);
    expect(await send('PATCH', '/v1/me', { displayName: 'Back' })).toBe(401);
    expect(await send('DELETE', '/v1/me', { handle })).toBe(401);
    for (const path of ['/v1/me', '/v1/me/export', '/v1/me/activity', '/v1/sessions']) {
      expect(await send('GET', path), path).toBe(401);
    }
    expect(await send('GET', '/v1/auth/session')).toBe(200);
    await target.advance(900);
    expect(await send('GET', '/v1/auth/session')).toBe(401);
  });

  it('reserves the handle and its look-alikes forever, regardless of case [D-45]', async () => {
    const handle = freshHandle();
    const member = await newMember(target, handle);
    expect((await close(member.browser, handle)).status).toBe(204);
    await target.advance(100 * 86_400);
    const forms = [
      handle,
      handle.toUpperCase(),
      handle.replace('-', '.'),
      handle.replace('person', 'pers0n'),
    ];
    const [ticket = ''] = await insertTickets(target, 1);
    for (const form of forms) {
      expect(await seen(await claimWith(target, ticket, { handle: form })), form).toEqual(taken);
    }
    const back = openBrowser(target);
    await signIn(target, back, member.claims);
    expect(await seen(await back.fetch('/v1/auth/claim', json('POST', { handle })))).toEqual(taken);
  });

  it('frees the credential and its address for a new claim', async () => {
    const member = await closed();
    const back = openBrowser(target);
    const callback = await signIn(target, back, member.claims);
    expect(callback.headers.get('Location')).toContain('claim=1');
    const handle = freshHandle();
    const claimed = await back.fetch('/v1/auth/claim', json('POST', { handle }));
    expect([claimed.status, await claimed.json()]).toMatchObject([200, { pid: `${handle}@pid` }]);
    const emails = await target.rows('SELECT handle FROM emails WHERE email = ?', [member.claims.email]);
    expect(emails).toEqual([{ handle }]);
    const old = await target.rows('SELECT status FROM identities WHERE handle = ?', [member.handle]);
    expect(old).toEqual([{ status: 'closed' }]);
  });

  it('accepts the handle in any form that a person would type', async () => {
    for (const form of [
      (handle: string) => ` ${handle.toUpperCase()} `,
      (handle: string) => `${handle}@pid`,
    ]) {
      const member = await newMember(target);
      expect((await close(member.browser, form(member.handle))).status).toBe(204);
    }
  });

  it('rejects a missing or different handle as confirmation, and changes nothing', async () => {
    const [member, other, gone] = [await newMember(target), await newMember(target), await closed()];
    const before = await dumpRecords(target);
    for (const handle of [other.handle, gone.handle, `${member.handle}x`, '', "' OR 1=1 --"]) {
      const answer = await close(member.browser, handle);
      expect([await seen(answer), setCookies(answer)], handle).toEqual([wrongHandle, []]);
    }
    for (const handle of [undefined, null, 5, [member.handle]]) {
      const answer = await close(member.browser, handle);
      expect(await seen(answer)).toEqual(refusal(400, ['handle must be a string']));
    }
    expect((await member.browser.fetch('/v1/me', { method: 'DELETE' })).status).toBe(400);
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('requires a sign-in less than fifteen minutes old, and a refresh is not a sign-in', async () => {
    const member = await newMember(target);
    await target.advance(901);
    await refresh(member.browser);
    const answer = await close(member.browser, member.handle);
    expect([await seen(answer), setCookies(answer)]).toEqual([notFresh, []]);
    expect(await seen(await close(member.browser, 'somebody-else'))).toEqual(wrongHandle);
    await signIn(target, member.browser, member.claims);
    expect((await close(member.browser, member.handle)).status).toBe(204);
  });

  it('is rejected while the identity holds money, and reports where the money is', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const app = await newApp(member.browser);
    const wallets = [
      await fundedWallet(target, member.handle, 500),
      await fundedWallet(target, other.handle, 500),
    ];
    const revenue = await appAccount(target, app.id);
    await adjust(target, { from: gateway, to: revenue, amount: 70 });
    const before = await dumpRecords(target);
    const answer = await close(member.browser, member.handle);
    expect([await seen(answer), setCookies(answer)]).toEqual([
      refusal(409, 'App balance is not zero; Wallet balance is not zero', 'closure_blocked'),
      [],
    ]);
    expect(answer.headers.get('X-Error-Code')).toBe('closure_blocked');
    expect(await dumpRecords(target)).toEqual(before);
    await adjust(target, { from: revenue, to: gateway, amount: 70 });
    expect(await seen(await close(member.browser, member.handle))).toEqual(
      refusal(409, 'Wallet balance is not zero', 'closure_blocked'),
    );
    await target.advance(901);
    await refresh(member.browser);
    expect(await seen(await close(member.browser, member.handle))).toEqual(notFresh);
    await signIn(target, member.browser, member.claims);
    await adjust(target, { from: wallets[0] ?? 0, to: gateway, amount: 500 });
    expect((await close(member.browser, member.handle)).status).toBe(204);
  });

  it('prevents open inquiries from being read or confirmed, by the service and in the database', async () => {
    const [payer, payee] = [await newHolder(target), await newHolder(target)];
    const { id } = (await (await inquire(payer.browser, payee.handle, 300)).json()) as { id: string };
    const headers = { 'Content-Type': 'application/json', Cookie: await payer.browser.cookies() };
    expect((await close(payer.browser, payer.handle)).status).toBe(204);
    const read = await target.request(`/v1/fiat/transfers/inquiry/${id}`, { headers });
    expect(read.headers.get('X-Error-Code')).toBe('session_ended');
    const confirmation = { ...json('POST', { inquiryId: id }), headers };
    const confirmed = await target.request('/v1/fiat/transfers/confirm', confirmation);
    expect(confirmed.headers.get('X-Error-Code')).toBe('session_ended');
    const change = `UPDATE transfers SET status = 'confirmed', confirmed_at = ?, confirmed_by = 'op' WHERE id = ?`;
    const refused = await target.rows(change, [target.now(), id.replace('inq_', '')]).then(
      () => 'the database took it',
      (error: Error) => `${error.message} ${error.cause ?? ''}`,
    );
    expect(refused).toContain('guard:leg_allowed');
    expect(await target.rows('SELECT status FROM transfers WHERE payer = ?', [payer.handle])).toEqual([
      { status: 'open' },
    ]);
  });

  it('works only once, even for ten concurrent requests', async () => {
    const member = await newMember(target);
    const init = json('DELETE', { handle: member.handle });
    const headers = { ...init.headers, Cookie: await member.browser.cookies() };
    const send = () => target.request('/v1/me', { ...init, headers });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses.has(204)).toBe(true);
    // Requests in one millisecond look like a repeat of the one that closed the account.
    expect([...statuses].filter((status) => status !== 204 && status !== 401)).toEqual([]);
    await target.advance(1);
    expect(await seen(await send())).toEqual(unauthenticated);
    const ends = await target.rows(
      `SELECT detail FROM activity WHERE handle = ? AND type = 'session.ended'`,
      [member.handle],
    );
    expect(ends).toEqual([{ detail: 'closed' }]);
  });

  it('leaves no session alive when a refresh or a sign-in runs concurrently', async () => {
    for (let round = 0; round < 20; round += 1) {
      const member = await newMember(target);
      const second = await anotherBrowser(target, member);
      const late = openBrowser(target);
      const [ended, first, other, returned] = await Promise.all([
        close(member.browser, member.handle),
        refresh(member.browser),
        refresh(second),
        signIn(target, late, member.claims),
      ]);
      expect([ended.status, returned.status]).toEqual([204, 302]);
      for (const { status } of [first, other]) expect([204, 401]).toContain(status);
      expect(await liveSessions(member)).toBe(0);
      for (const browser of [member.browser, second]) expect((await refresh(browser)).status).toBe(401);
    }
  });
});
