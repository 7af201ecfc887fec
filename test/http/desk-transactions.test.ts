import { beforeAll, describe, expect, it } from 'vitest';
import { sessionIdOf } from '../support/answers.ts';
import { approved, newPayStage } from '../support/approvals.ts';
import { json } from '../support/browser.ts';
import { balanceOf, newHolder, pay } from '../support/money.ts';
import { type Member, newAdmin } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { appSignIn } from '../support/token.ts';

let boss: Member;
let helper: Member;
const target = useService({ ADMIN_PIDS: 'the-boss@pid', SUPPORT_PIDS: 'the-helper@pid' });
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
  helper = await newAdmin(target, 'the-helper');
});

const pathOf = (id: string) => `/admin/transactions/${id}`;
const show = async (id: string, { browser }: Member = boss) =>
  (await (await browser.navigate(pathOf(id))).text()).replaceAll('\u00a0', ' ');
const reverse = (id: string, { browser }: Member = boss, reason = 'disputed') =>
  browser.navigate(pathOf(id), form({ act: 'reverse', id, reason }, target.origin));
const mailsTo = (member: Member) =>
  target.rows('SELECT kind, locale FROM mails WHERE recipient = ? AND kind IN (?, ?)', [
    ...[member.claims.email.toLowerCase(), 'payment_reversed', 'payment_returned'],
  ]);

describe("a transaction's page on the admin desk", () => {
  it('is found by the id of the transfer, its inquiry or its reversal, including by support', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await pay(payer, payee, 100);
    for (const q of [id, id.toUpperCase(), `“${id}”`, id.replace('trf', 'inq'), id.replace('trf', 'rev')]) {
      const led = await helper.browser.navigate(`/admin/people?${new URLSearchParams({ q })}`);
      expect([q, led.status, led.headers.get('Location')?.slice(-26)]).toEqual([q, 303, id.slice(-26)]);
    }
    const html = await show(id, helper);
    for (const { handle } of [payer, payee]) expect(html).toContain(`href="/admin/people/${handle}"`);
    for (const part of ['>completed<', 'IDR 100', '<td>payment</td>']) expect(html).toContain(part);
    expect(html).toContain('Only an administrator can reverse it. Send one this address, with the reason:');
    expect(html).toContain(`<code id="address">${target.origin}${pathOf(id)}</code>`);
    expect(html).toMatch(/data-copies="address"[^>]*>Copy the address</);
    const person = await (await boss.browser.navigate(`/admin/people/${payer.handle}`)).text();
    expect(person).toContain(`href="${pathOf(id)}"`);
    const unknown = await boss.browser.navigate(pathOf(`trf_${'0'.repeat(26)}`));
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      expect.stringContaining('There is no transaction'),
    ]);
  });

  it('adds one line an hour to the audit log, and none for an unknown id', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await pay(payer, payee, 100);
    for (let nth = 0; nth < 3; nth += 1) await show(id);
    await show(`trf_${'1'.repeat(26)}`);
    const lines = await target.rows(
      "SELECT actor, target FROM audit_log WHERE action = 'transaction.viewed' ORDER BY seq DESC LIMIT 2",
    );
    expect(lines[0]).toEqual({ actor: 'the-boss', target: id });
    expect(lines[1]).not.toEqual({ actor: 'the-boss', target: id });
  });

  it('reverses a payment once a reason is given, confirms this, and links to the reversal and back', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await pay(payer, payee, 100);
    expect(await show(id)).toContain(`IDR 100 go back from ${payee.handle}@pid to ${payer.handle}@pid`);
    const unsaid = await reverse(id, boss, ' ');
    expect([unsaid.status, await unsaid.text()]).toEqual([400, expect.stringContaining('Say why')]);
    expect((await reverse(id, helper)).status).toBe(403);
    const done = await reverse(id);
    expect([done.status, done.headers.get('Location')]).toEqual([303, `${pathOf(id)}?done=reverse`]);
    const html = (await (await boss.browser.navigate(`${pathOf(id)}?done=reverse`)).text()).replaceAll(
      '\u00a0',
      ' ',
    );
    expect(html).toContain(`Reversed: IDR 100 went back from ${payee.handle}@pid to ${payer.handle}@pid.`);
    expect(html).toContain('Already reversed.');
    expect(html).not.toContain('name="act" value="reverse"');
    const reversal = id.replace('trf', 'rev');
    expect(html).toContain(`href="${pathOf(reversal)}"`);
    const back = await show(reversal);
    expect(back).toContain(`href="${pathOf(id)}"`);
    expect(back).toContain('<td>payment reversed</td>');
    for (const page of [html, back]) expect(page).toMatch(/<dt>Reversed<.*?by the-boss@pid/s);
    expect(html).toMatch(new RegExp(`by the-boss@pid \\(<a[^>]*>${reversal}</a>\\)`));
    expect(html).toContain('<span class="badge bad">reversed</span>');
    expect([await balanceOf(target, payer.handle), await balanceOf(target, payee.handle)]).toEqual([900, 0]);
  });

  it('says how the payer agreed, and in which session', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const own = await pay(payer, payee, 100);
    const session = await sessionIdOf(payer);
    const live = await show(own.id);
    expect(live).toMatch(/Confirmed on <time[^>]*>[^<]+<\/time>, without an app\./);
    expect(live).toContain(`href="/admin/people/${payer.handle}#${session}"`);
    expect(live).toContain('Signed in with');
    expect(await personPage(payer)).toContain(`<li id="${session}">`);
    await payer.browser.fetch('/v1/auth/logout', { method: 'POST' });
    const ended = await show(own.id);
    expect(ended).toContain('since ended');
    expect(ended).not.toContain(`#${session}"`);
    await target.rows('DELETE FROM sessions WHERE id = ?', [session]);
    expect(await show(own.id)).toContain('No session is known');
  });

  it('says that an app paid in its popup, or without asking under which limits', async () => {
    const stage = await newPayStage(target);
    const approval = await approved(stage);
    const { id } = (await (await approval.confirm()).json()) as { id: string };
    const html = await show(id);
    expect(html).toMatch(/Approved on <time[^>]*>[^<]+<\/time> in the popup of <bdi>/);
    expect(html).toContain(`href="/admin/people/${stage.person.handle}#${await sessionIdOf(stage.person)}"`);
    expect(html).toContain(`href="/admin?app=${stage.app.id}#app"`);
    expect(await show(id, helper)).not.toContain('href="/admin?app=');
    const { access_token } = await appSignIn(stage, { scope: 'openid fiat:transfer' });
    await target.rows('UPDATE grants SET per_transfer = 1000 WHERE app_id = ?', [stage.app.id]);
    const send = async (path: string, body: object) => {
      const { headers, ...init } = json('POST', body);
      const answer = await target.request(`/v1/fiat/transfers/${path}`, {
        ...init,
        headers: { ...headers, Authorization: `Bearer ${access_token}` },
      });
      return (await answer.json()) as { id: string };
    };
    const inquiry = await send('inquiry', { to: `${stage.shop.handle}@pid`, amount: 10 });
    const paid = await show((await send('confirm', { inquiryId: inquiry.id })).id);
    expect(paid).toMatch(/Without asking, under the limits given on <time/);
    expect(paid).toContain('No session is known');
  });

  it('is reversed from and to a frozen wallet, whose owner still cannot spend', async () => {
    for (const side of [0, 1]) {
      const parties = [await newHolder(target, 900), await newHolder(target)] as const;
      const { id } = await pay(...parties, 100);
      const { handle, browser } = parties[side] ?? parties[0];
      const path = `/v1/admin/wallets/${handle}`;
      await boss.browser.fetch(path, json('PATCH', { status: 'frozen', reason: 'disputed' }));
      expect((await reverse(id)).headers.get('Location')).toBe(`${pathOf(id)}?done=reverse`);
      const balances = parties.map((party) => balanceOf(target, party.handle));
      expect(await Promise.all(balances)).toEqual([900, 0]);
      expect((await browser.fetch('/v1/wallet')).status).toBe(200);
      const [wallet] = await target.rows(`SELECT status FROM accounts WHERE owner = ?`, [handle]);
      expect(wallet).toEqual({ status: 'frozen' });
    }
  });

  it('names both parties if a wallet is closed', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await pay(payer, payee, 100);
    await target.rows(`UPDATE accounts SET status = 'closed' WHERE owner = ?`, [payee.handle]);
    expect(await show(id)).toContain(
      `the wallet of ${payer.handle}@pid or of ${payee.handle}@pid is closed.`,
    );
  });

  it('says why a payment cannot be reversed, in place of the button', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const spent = await pay(payer, payee, 100);
    await pay(payee, payer, 60);
    const refunded = await pay(payer, payee, 50);
    await payee.browser.fetch(`/v1/fiat/transfers/${refunded.id}/refund`, {
      ...json('POST', {}),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'one' },
    });
    const own = await pay(await bossAsHolder(), payee, 10);
    for (const [id, why] of [
      [spent.id, `${payee.handle}@pid, the app or the operator no longer has the money.`],
      [refunded.id, 'Refunded in full'],
      [own.id, 'another administrator has to reverse it'],
    ] as const) {
      const html = await show(id);
      expect([id, html.includes(why), html.includes('name="act" value="reverse"')]).toEqual([
        id,
        true,
        false,
      ]);
    }
    const refund = /href="\/admin\/transactions\/(trf_[0-9a-z]{26})"/g;
    const linked = [...(await show(refunded.id)).matchAll(refund)].map(([, found]) => found ?? '');
    expect(linked).toHaveLength(1);
    const of = await show(linked[0] ?? '');
    expect([of.includes('A refund cannot be reversed.'), of.includes(pathOf(refunded.id))]).toEqual([
      true,
      true,
    ]);
  });
});

async function personPage({ handle }: Member): Promise<string> {
  return (await boss.browser.navigate(`/admin/people/${handle}`)).text();
}

/** The administrator with a wallet that has money. */
async function bossAsHolder(): Promise<Member> {
  await boss.browser.fetch('/v1/wallet', { method: 'POST' });
  const funder = await newHolder(target, 100);
  await pay(funder, boss, 50);
  return boss;
}

describe('a reversal by an administrator', () => {
  it('appears in the activity and the audit log of both parties, who get an email in their language', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    await payer.browser.fetch('/v1/me', json('PATCH', { locale: 'en' }));
    await payee.browser.fetch('/v1/me', json('PATCH', { locale: 'id-ID' }));
    const { id } = await pay(payer, payee, 100);
    await reverse(id);
    for (const [member, type, other, kind, locale] of [
      [payer, 'payment.returned', payee, 'payment_returned', 'en'],
      [payee, 'payment.reversed', payer, 'payment_reversed', 'id'],
    ] as const) {
      const { data } = (await (await member.browser.fetch('/v1/me/activity')).json()) as { data: object[] };
      expect(data).toContainEqual(
        expect.objectContaining({ type, amount: 100, party: `${other.handle}@pid` }),
      );
      expect(await mailsTo(member)).toEqual([{ kind, locale }]);
      const lines = await target.rows(
        "SELECT actor, detail FROM audit_log WHERE target = ? AND action = 'payment.reversed'",
        [member.handle],
      );
      const detail = JSON.stringify({ transfer: id, amount: 100, reason: 'disputed' });
      expect(lines).toEqual([{ actor: 'the-boss', detail }]);
    }
    const html = await (await payee.browser.navigate('/account/activity?ui_locales=en')).text();
    expect(html).toContain('The operator reversed a payment');
  });

  it('is not emailed to a person whose step-up amount it does not exceed', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    await target.rows('UPDATE profiles SET step_up_amount = 100 WHERE handle = ?', [payer.handle]);
    await target.rows('UPDATE profiles SET step_up_amount = 99 WHERE handle = ?', [payee.handle]);
    const { id } = await pay(payer, payee, 100);
    await reverse(id);
    expect(await mailsTo(payer)).toEqual([]);
    expect(await mailsTo(payee)).toMatchObject([{ kind: 'payment_reversed' }]);
  });
});
