import { beforeAll, describe, expect, it } from 'vitest';
import type { Overview, Unexplained } from '../../src/features/admin/schema.ts';
import type { SecondPayment } from '../../src/features/deposit/schema.ts';
import { dumpRecords, refusal, seen } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { newDeposit, notice, payAt, runJobs, sync } from '../support/deposits.ts';
import { mailsTo } from '../support/mailbox.ts';
import { balanceOf, newHolder } from '../support/money.ts';
import { type Member, newAdmin } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';

const target = useService({ ADMIN_PIDS: 'the-boss@pid' });
let boss: Member;
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
});

const reason = 'letter 118';
async function answered<Body>(answer: Response, status = 200): Promise<Body> {
  expect([answer.status, answer.status === status ? '' : await answer.clone().text()]).toEqual([status, '']);
  return (await answer.json()) as Body;
}
const decide = (id: string, decision: string) =>
  boss.browser.fetch(`/v1/admin/second-payments/${id}/resolve`, json('POST', { decision, reason }));
const unexplained = async () => answered<Unexplained>(await boss.browser.fetch('/v1/admin/unexplained'));
const suspense = async () =>
  (await answered<Overview>(await boss.browser.fetch('/v1/admin/overview'))).accounts.find(
    ({ kind }) => kind === 'suspense',
  )?.balance ?? 0;
const adjust = (from: string, to: string, amount: number) =>
  boss.browser.fetch('/v1/admin/adjustments', {
    ...json('POST', { from, to, amount, reason }),
    headers: { ...json('POST', {}).headers, 'Idempotency-Key': `${from}-${to}-${amount}` },
  });

/** A person who has paid a deposit twice. */
async function paidTwice(amount = 50_000, locale = 'en') {
  const holder = await newHolder(target);
  const { handle } = holder;
  await target.rows('UPDATE profiles SET locale = ? WHERE handle = ?', [locale, handle]);
  const { id } = await newDeposit(holder, amount);
  await payAt(target, { id }, 'twice');
  await sync(holder.browser, id);
  const [row] = await target.rows<{ id: string }>('SELECT id FROM second_payments WHERE deposit = ?', [id]);
  const [address] = await target.rows<{ email: string }>('SELECT email FROM emails WHERE handle = ?', [
    handle,
  ]);
  return { holder, handle, deposit: id, second: row?.id ?? '', address: address?.email ?? '' };
}
const subjects = async (address: string) =>
  (await mailsTo(target, address)).flatMap(({ content }) => content?.subject ?? []);
const page = async ({ browser }: Member, locale = 'en') =>
  (await (await browser.navigate(`/account/wallet?ui_locales=${locale}`)).text()).replaceAll('\u00a0', ' ');

it.each([
  ['en', 'A payment arrived twice at Peridot', 'A payment of IDR 50,000 arrived twice'],
  ['id', 'Satu pembayaran masuk dua kali di Peridot', 'Pembayaran Rp 50.000 masuk dua kali'],
])(
  'a second payment is reported to the person only once, by email and on the wallet page: %s',
  async (locale, mail, told) => {
    const { holder, deposit, address } = await paidTwice(50_000, locale);
    for (let look = 0; look < 2; look += 1) {
      await target.advance(2);
      await notice(target, deposit);
      await runJobs(target);
    }
    expect((await subjects(address)).filter((one) => one === mail)).toHaveLength(1);
    expect(await page(holder, locale)).toContain(told);
  },
);

describe('an administrator', () => {
  it.each([
    ['credit', 'credited', 50_000, 'A second payment was credited at Peridot'],
    ['return', 'returned', 0, 'A second payment is given back by Peridot'],
  ] as const)('resolves a second payment only once: %s', async (decision, status, credited, mail) => {
    const { holder, handle, deposit, second, address } = await paidTwice();
    const [before, held] = [await balanceOf(target, handle), await suspense()];
    const line = { kind: 'second_payment', id: second, status: 'open', asset: 'IDR', amount: 50_000 };
    const resolve = `/v1/admin/second-payments/${second}/resolve`;
    const listed = async () => (await unexplained()).data.filter(({ id }) => id === second);
    expect(await listed()).toMatchObject([{ ...line, pid: `${handle}@pid`, resolve }]);
    const ended = await answered<SecondPayment>(await decide(second, decision));
    expect(ended).toMatchObject({
      id: second,
      status,
      depositId: deposit,
      pid: `${handle}@pid`,
      amount: 50_000,
    });
    expect(await listed()).toEqual([]);
    expect([await balanceOf(target, handle), await suspense()]).toEqual([before + credited, held - 50_000]);
    const records = await dumpRecords(target);
    for (const again of ['credit', 'return'])
      expect(await seen(await decide(second, again))).toEqual(
        refusal(409, 'The state has changed in the meantime'),
      );
    expect(await dumpRecords(target)).toEqual(records);
    await runJobs(target);
    expect(await subjects(address)).toContain(mail);
    expect(await page(holder)).not.toContain('arrived twice');
    const lines = await target.rows<{ actor: string; detail: string }>(
      `SELECT actor, detail FROM audit_log WHERE action = 'second_payment.resolved' AND target = ?`,
      [second],
    );
    expect(lines.map(({ actor, detail }) => ({ actor, ...JSON.parse(detail) }))).toMatchObject([
      { actor: 'the-boss', decision, reason, pid: `${handle}@pid`, deposit },
    ]);
  });

  it('cannot credit a closed wallet, and returns its second payment', async () => {
    const { holder, handle, second } = await paidTwice();
    await target.rows(
      `INSERT INTO adjustments (id, kind, debit, credit, amount, reason, actor, at)
        SELECT 'adj_' || owner, 'correction', id, 2, credits_posted - debits_posted, 'test', 'test', 1 FROM accounts WHERE owner = ?`,
      [handle],
    );
    expect((await holder.browser.fetch('/v1/me', json('DELETE', { handle }))).status).toBe(204);
    expect(await seen(await decide(second, 'credit'))).toEqual(
      refusal(403, 'Wallet is closed', 'wallet_closed'),
    );
    await answered(await decide(second, 'return'));
  });

  it('cannot credit a frozen wallet, or any wallet while the ledger is frozen', async () => {
    const { handle, second } = await paidTwice();
    const records = async () => target.rows(`SELECT * FROM second_payments WHERE id = ?`, [second]);
    const before = await records();
    await target.rows(`UPDATE accounts SET status = 'frozen' WHERE owner = ?`, [handle]);
    expect((await decide(second, 'credit')).status).toBe(403);
    await target.rows(`UPDATE ledger SET mode = 'frozen' WHERE id = 1`);
    for (const decision of ['credit', 'return']) expect((await decide(second, decision)).status).toBe(503);
    expect(await records()).toEqual(before);
    await target.rows(`UPDATE ledger SET mode = 'open' WHERE id = 1`);
    await answered(await decide(second, 'return'));
    for (const body of [{ decision: 'credit' }, { decision: 'keep', reason }, {}])
      expect(
        (await boss.browser.fetch(`/v1/admin/second-payments/${second}/resolve`, json('POST', body))).status,
      ).toBe(400);
    expect((await decide('adj_of_nobody', 'return')).status).toBe(404);
  });

  it('decides on a page that lists each case with its options', async () => {
    const { second, handle } = await paidTwice(70_000);
    const shown = (await (await boss.browser.navigate('/admin')).text()).replaceAll('\u00a0', ' ');
    expect(shown).toContain(second);
    expect(shown).toContain('Ask the person, then credit it or give it back at the provider.');
    const before = await balanceOf(target, handle);
    const fields = { act: 'second', id: second, decision: 'credit', reason };
    expect((await boss.browser.navigate('/admin', form(fields, target.origin))).status).toBe(303);
    expect(await balanceOf(target, handle)).toBe(before + 70_000);
  });
});

describe('unexplained money', () => {
  it('equals the suspense balance, divided into second payments and the rest by origin', async () => {
    await paidTwice();
    const { handle } = await newHolder(target, 90_000);
    await answered(await adjust('gateway', 'suspense', 3_000));
    await answered(await adjust(`${handle}@pid`, 'suspense', 2_000));
    await answered(await adjust('suspense', 'gateway', 1_500));
    const { data } = await unexplained();
    const sums = Map.groupBy(data, ({ kind }) => kind);
    const sum = (kind: string) => (sums.get(kind) ?? []).reduce((all, { amount }) => all + amount, 0);
    expect(sums.get('suspense')).toMatchObject([{ id: 'correction', amount: 3_500, pid: null }]);
    expect(sum('second_payment') + sum('suspense')).toBe(await suspense());
  });

  it('is shown only to administrators', async () => {
    const { browser } = await newHolder(target);
    expect((await browser.fetch('/v1/admin/unexplained')).status).toBe(403);
  });
});
