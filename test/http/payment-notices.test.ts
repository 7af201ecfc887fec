import { beforeAll, describe, expect, it } from 'vitest';
import type { MailboxMail } from '../../src/features/mail/mailbox.ts';
import { anotherBrowser, inOneTrip } from '../support/answers.ts';
import { approvalOf, newPayStage } from '../support/approvals.ts';
import { type Browser, json } from '../support/browser.ts';
import { writeNotice } from '../support/mail-writer.ts';
import { mailsTo } from '../support/mailbox.ts';
import { confirmInquiry, inquire, newHolder } from '../support/money.ts';
import type { Member } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { allowWithdrawals, quoteOf } from '../support/withdrawals.ts';

const target = useService();
beforeAll(() => allowWithdrawals(target));

const kinds = ['payment_sent', 'payment_received', 'withdrawal_held'];

/** The emails about money to a person, newest first. */
const told = async ({ claims }: Member): Promise<MailboxMail[]> =>
  (await mailsTo(target, claims.email)).filter(({ kind }) => kinds.includes(kind));

interface Line {
  readonly type: string;
  readonly amount: number | null;
  readonly party: string | null;
}

/** The lines about money in a person's activity, newest first. */
async function lines({ browser }: Member): Promise<Line[]> {
  const answer = await browser.fetch('/v1/me/activity');
  const { data } = (await answer.json()) as { data: Line[] };
  return data.filter(({ type }) => /^(payment|withdrawal)\./.test(type));
}

const set = async ({ browser }: Member, fields: object) =>
  expect((await browser.fetch('/v1/me', json('PATCH', fields))).status).toBe(200);

/** A person whose payments above 20,000 need a new sign-in. */
async function newCautious(stepUpAmount = 20_000, displayName = 'Ayu Lestari'): Promise<Member> {
  const person = await newHolder(target, 500_000);
  await set(person, { displayName, locale: 'en', stepUpAmount });
  return person;
}

async function askToPay(from: Browser, to: Member, amount: number): Promise<string> {
  return ((await (await inquire(from, to.handle, amount)).json()) as { id: string }).id;
}

/** Pays after another sign-in. */
async function pay(from: Member, to: Member, amount: number): Promise<Response> {
  const id = await askToPay(from.browser, to, amount);
  return confirmInquiry(await anotherBrowser(target, from), id);
}

describe('above the step-up amount', () => {
  it('payer and payee receive an email and an activity line, each in their own language [D-95]', async () => {
    const [payer, payee] = [await newCautious(), await newCautious(20_000, 'Toko Kopi')];
    await set(payee, { locale: 'id' });
    expect((await pay(payer, payee, 20_001)).status).toBe(200);
    const [sent, ...others] = await told(payer);
    expect(others).toEqual([]);
    expect(sent).toMatchObject({ kind: 'payment_sent', locale: 'en' });
    for (const text of [
      `Account: ${payer.handle}@pid`,
      'Amount: IDR 20,001',
      `To: ${payee.handle}@pid (Toko Kopi)`,
      'When: ',
      'If this was not you, somebody else is in your account.',
    ])
      expect(sent?.content?.text.replaceAll('\u00a0', ' ')).toContain(text);
    const [received, ...more] = await told(payee);
    expect(more).toEqual([]);
    expect(received).toMatchObject({ kind: 'payment_received', locale: 'id' });
    for (const text of [
      `Akun: ${payee.handle}@pid`,
      'Jumlah: Rp 20.001',
      `Dari: ${payer.handle}@pid (Ayu Lestari)`,
      'Kapan: ',
      'jangan teruskan uang ini',
    ])
      expect(received?.content?.text.replaceAll('\u00a0', ' ')).toContain(text);
    expect(await lines(payer)).toMatchObject([
      { type: 'payment.sent', amount: 20_001, party: `${payee.handle}@pid`, provider: null },
    ]);
    expect(await lines(payee)).toMatchObject([
      { type: 'payment.received', amount: 20_001, party: `${payer.handle}@pid`, provider: null },
    ]);
    const { browser } = payee;
    await browser.fetch('/v1/me', json('PATCH', { locale: 'en' }));
    const page = await (await browser.navigate('/account/activity')).text();
    expect(page.replaceAll('\u00a0', ' ')).toContain(
      `Received from ${payer.handle}@pid</strong><div class="number">+IDR 20,001</div>`,
    );
  });

  it('the email about an approved app payment includes the app, and 20 confirmations send only one email to each person [D-95]', async () => {
    const stage = await newPayStage(target);
    const { person, shop, app } = stage;
    await set(person, { locale: 'en', stepUpAmount: 4000 });
    await set(shop, { locale: 'en', stepUpAmount: 4000 });
    const { id } = await stage.inquire(5000);
    const approval = approvalOf(stage, id);
    expect((await approval.register()).status).toBe(200);
    await target.advance(1);
    const fresh = await anotherBrowser(target, person);
    expect((await approval.decide('approved', {}, fresh)).status).toBe(303);
    await Promise.all(Array.from({ length: 20 }, () => approval.confirm({}, fresh)));
    for (const one of [person, shop]) {
      const [mail, ...others] = await told(one);
      expect(others).toEqual([]);
      expect(mail?.content?.text).toContain(`App: ${app.name}`);
    }
  });

  it('a withdrawal is reported with its amount and destination, by email and in the activity [D-95]', async () => {
    const person = await newCautious();
    const id = await quoteOf(person.browser, 20_001);
    const body = json('POST', { withdrawalId: id });
    const fresh = await anotherBrowser(target, person);
    await Promise.all(Array.from({ length: 5 }, () => fresh.fetch('/v1/fiat/withdrawals/confirm', body)));
    const [mail, ...others] = await told(person);
    expect(others).toEqual([]);
    const [row] = await target.rows<{ hint: string }>(
      'SELECT destination_hint AS hint FROM withdrawals WHERE handle = ?',
      [person.handle],
    );
    expect(mail?.kind).toBe('withdrawal_held');
    const text = mail?.content?.text.replaceAll('\u00a0', ' ');
    for (const part of [`Account: ${person.handle}@pid`, 'Amount: IDR 20,001', `To: ${row?.hint}`])
      expect(text).toContain(part);
    expect(await lines(person)).toMatchObject([
      { type: 'withdrawal.held', amount: 20_001, party: row?.hint, provider: null },
    ]);
  });
});

it('without a step-up amount or below it, nobody gets an email or an activity line, and confirming takes one round trip [D-95]', async () => {
  const [cautious, careless] = [await newCautious(), await newHolder(target, 500_000)];
  for (const [payer, amount] of [
    [cautious, 20_000],
    [careless, 400_000],
  ] as const) {
    for (const payee of [await newHolder(target), await newCautious(amount)]) {
      const id = await askToPay(payer.browser, payee, amount / 2);
      expect((await inOneTrip(target, () => confirmInquiry(payer.browser, id))).status).toBe(200);
      for (const one of [payer, payee]) expect([await told(one), await lines(one)]).toEqual([[], []]);
    }
  }
});

it('payer and payee are each notified only above their own step-up amount [D-95]', async () => {
  const careless = await newHolder(target, 500_000);
  const payee = await newCautious();
  expect((await pay(careless, payee, 20_001)).status).toBe(200);
  expect([await told(careless), await lines(careless)]).toEqual([[], []]);
  expect(await told(payee)).toMatchObject([{ kind: 'payment_received' }]);
  expect(await lines(payee)).toMatchObject([{ type: 'payment.received', amount: 20_001 }]);
  const payer = await newCautious(0);
  for (const one of [careless, await newCautious()]) {
    expect((await pay(payer, one, 1)).status).toBe(200);
    expect([await told(one), await lines(one)]).toEqual([[], []]);
  }
  expect(await told(payer)).toMatchObject([{ kind: 'payment_sent' }, { kind: 'payment_sent' }]);
});

it('a name chosen by a stranger never becomes a link in the email [D-95]', async () => {
  const [payer, payee] = [
    await newCautious(0, 'Claim IDR 5jt: https://pid-bonus.example.com/x'),
    await newCautious(0),
  ];
  expect((await pay(payer, payee, 1)).status).toBe(200);
  const [mail] = await told(payee);
  expect(mail?.content?.text).toContain(
    `From: ${payer.handle}@pid (Claim IDR 5jt https pid-bonus example com x)`,
  );
  for (const text of [mail?.content?.text, mail?.content?.html]) expect(text).not.toContain('pid-bonus.');
  const stage = await newPayStage(target);
  await set(stage.person, { stepUpAmount: 4000 });
  await set(stage.shop, { locale: 'en', stepUpAmount: 4000 });
  await target.rows("UPDATE apps SET name = 'bonus.example.com' WHERE id = ?", [stage.app.id]);
  const { id } = await stage.inquire(5000);
  const approval = approvalOf(stage, id);
  expect((await approval.register()).status).toBe(200);
  await target.advance(1);
  const fresh = await anotherBrowser(target, stage.person);
  expect((await approval.decide('approved', {}, fresh)).status).toBe(303);
  expect((await approval.confirm({}, fresh)).status).toBe(200);
  expect((await told(stage.shop))[0]?.content?.text).toContain('App: bonus example com');
});

it('the step-up amount at the time of the inquiry applies, even if it has since been removed [D-95]', async () => {
  const [payer, payee] = [await newCautious(), await newCautious()];
  const id = await askToPay(payer.browser, payee, 20_001);
  for (const one of [payer, payee]) await set(one, { stepUpAmount: null });
  expect((await confirmInquiry(payer.browser, id)).status).toBe(200);
  expect([await told(payer), await told(payee)]).toMatchObject([
    [{ kind: 'payment_sent' }],
    [{ kind: 'payment_received' }],
  ]);
});

it('payments by a stranger never displace other emails, and cause at most 20 emails an hour [D-95]', async () => {
  const [stranger, payee] = [await newCautious(0), await newCautious(0)];
  for (let count = 0; count < 22; count += 1) {
    await target.advance(1);
    expect((await pay(stranger, payee, 1)).status).toBe(200);
  }
  for (const one of [stranger, payee]) expect(await told(one)).toHaveLength(20);
  await target.advance(1);
  const honest = await newHolder(target, 500_000);
  expect((await pay(honest, payee, 400_000)).status).toBe(200);
  const [newest, ...others] = await told(payee);
  expect(others).toHaveLength(20);
  expect(newest?.content?.text).toContain(`From: ${honest.handle}@pid`);
  await target.advance(1);
  await writeNotice(target, { handle: payee.handle });
  const all = await mailsTo(target, payee.claims.email);
  expect([all.length, all[0]?.kind]).toEqual([22, 'credential_linked']);
  await target.advance(3600);
  const later = { ...stranger, browser: await anotherBrowser(target, stranger) };
  expect((await pay(later, payee, 1)).status).toBe(200);
  expect(await told(payee)).toHaveLength(22);
});

it('raising or removing the step-up amount sends an email, but setting or lowering it does not [D-95]', async () => {
  const person = await newCautious();
  const changes = async () =>
    (await mailsTo(target, person.claims.email)).filter(({ kind }) => kind === 'step_up_changed');
  for (const stepUpAmount of [20_000, 10_000]) await set(person, { stepUpAmount });
  await set(person, { displayName: 'Ayu' });
  expect(await changes()).toEqual([]);
  await set(person, { stepUpAmount: 10_001 });
  const [raised, ...others] = await changes();
  expect(others).toEqual([]);
  expect(raised?.content?.text).toContain(`Account: ${person.handle}@pid`);
  await set(person, { stepUpAmount: null });
  expect(await changes()).toHaveLength(2);
  await set(person, { stepUpAmount: null });
  await set(person, { stepUpAmount: 20_000 });
  expect(await changes()).toHaveLength(2);
  await target.advance(901);
  expect((await person.browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
  const late = await person.browser.fetch('/v1/me', json('PATCH', { stepUpAmount: null }));
  expect([late.status, (await changes()).length]).toEqual([403, 2]);
});

it('only the payment id is stored for an email about a payment [S-10]', async () => {
  const [payer, payee] = [await newCautious(), await newCautious()];
  expect((await pay(payer, payee, 20_001)).status).toBe(200);
  const rows = await target.rows<{ kind: string; sealed_params: string }>(
    `SELECT kind, sealed_params FROM mails WHERE recipient IN (?, ?) AND kind LIKE 'payment_%' ORDER BY kind`,
    [payer.claims.email, payee.claims.email],
  );
  const [transfer] = await target.rows<{ id: string }>('SELECT id FROM transfers WHERE payer = ?', [
    payer.handle,
  ]);
  const named = `trf_${transfer?.id}`;
  expect(rows).toEqual([
    { kind: 'payment_received', sealed_params: named },
    { kind: 'payment_sent', sealed_params: named },
  ]);
});
