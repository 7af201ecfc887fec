import { beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from '../../src/features/ledger/schema.ts';
import type { Inquiry } from '../../src/features/transfer/schema.ts';
import { addDays, jakartaDay, startOfDay } from '../../src/lib/jakarta.ts';
import { refusal, seen } from '../support/answers.ts';
import { markFirstParty, newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { askCheckout, newDeposit, payAt, readDeposit, runJobs, sync } from '../support/deposits.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { askAs, newHoldStage, ownToken } from '../support/holds.ts';
import {
  adjust,
  appAccount,
  balanceOf,
  confirmInquiry,
  fundedWallet,
  gateway,
  giveBack,
  inquire,
  newHolder,
  pay,
} from '../support/money.ts';
import { type Member, newAdmin, signIn } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { accounts, allowWithdrawals, confirmWithdrawal, quoteOf, withdraw } from '../support/withdrawals.ts';

const limits = {
  WALLET_LIMITS: 'on',
  LIMIT_PAYMENT: '300000,400000',
  LIMIT_DAY: '500000,1000000',
  LIMIT_MONTH: '900000,none',
  LIMIT_HELD: '1000000,5000000',
};
const target = useService({ ...limits, ADMIN_PIDS: 'the-boss@pid' });

let boss: Member;
let shop: Member;

beforeAll(async () => {
  // Noon in Jakarta on the 10th of a month, so that no day or month ends during the test.
  const first = addDays(`${jakartaDay(target.now()).slice(0, 7)}-01`, 31).slice(0, 7);
  await target.advance((startOfDay(`${first}-10`) + 43_200_000 - target.now()) / 1000);
  boss = await newAdmin(target, 'the-boss');
  shop = await newHolder(target);
  await verify(shop.handle);
  await allowWithdrawals(target);
});

function setLevel(handle: string, level: unknown, fields: object = {}): Promise<Response> {
  const body = { level, reason: 'saw the papers', ...fields };
  return boss.browser.fetch(`/v1/admin/identities/${handle}`, json('PATCH', body));
}

async function verify(handle: string): Promise<void> {
  expect((await setLevel(handle, 'verified')).status).toBe(200);
}

async function limitsOf({ browser }: Member): Promise<Wallet['limits']> {
  return ((await (await browser.fetch('/v1/wallet')).json()) as Wallet).limits;
}

async function tryToPay(from: Member, to: Member, amount: number): Promise<Response> {
  const { id } = (await (await inquire(from.browser, to.handle, amount)).json()) as Inquiry;
  return confirmInquiry(from.browser, id);
}

/** Signs in again after the clock has advanced. */
async function wait(until: string, ...members: Member[]): Promise<void> {
  await target.advance((startOfDay(until) - target.now()) / 1000);
  for (const { browser, claims } of [boss, shop, ...members]) await signIn(target, browser, claims);
}

const tooMuch = (name: 'payment' | 'day' | 'month' | 'held', left: number, most: number) => {
  const texts = {
    payment: 'the limit for one payment',
    day: 'the daily limit',
    month: 'the monthly limit',
    held: 'the balance limit of the wallet',
  };
  return refusal(403, `Amount exceeds ${texts[name]}: ${left} of ${most} IDR left`, `limit_${name}`);
};

describe('money leaving a wallet', () => {
  it('is limited per payment, per day and per month, to the exact rupiah', async () => {
    const ayu = await newHolder(target, 900_000);
    const own = await limitsOf(ayu);
    expect(own).toEqual({
      level: 'unverified',
      payment: 300_000,
      held: { most: 1_000_000, left: 100_000 },
      day: { most: 500_000, left: 500_000 },
      month: { most: 900_000, left: 900_000 },
    });
    expect(await seen(await tryToPay(ayu, shop, 300_001))).toEqual(tooMuch('payment', 300_000, 300_000));
    await pay(ayu, shop, 300_000);
    expect(await seen(await tryToPay(ayu, shop, 200_001))).toEqual(tooMuch('day', 200_000, 500_000));
    await pay(ayu, shop, 200_000);
    expect(await seen(await tryToPay(ayu, shop, 1))).toEqual(tooMuch('day', 0, 500_000));
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 0 }, month: { left: 400_000 } });

    const tomorrow = addDays(jakartaDay(target.now()), 1);
    // Twenty seconds, because signing in and paying take more than one second on a busy machine.
    await target.advance((startOfDay(tomorrow) - 20_000 - target.now()) / 1000);
    await signIn(target, ayu.browser, ayu.claims);
    expect(await seen(await tryToPay(ayu, shop, 1))).toEqual(tooMuch('day', 0, 500_000));
    await wait(tomorrow, ayu);
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 500_000 }, month: { left: 400_000 } });
    await pay(ayu, shop, 300_000);
    await fundedWallet(target, ayu.handle, 300_000);
    expect(await seen(await tryToPay(ayu, shop, 100_001))).toEqual(tooMuch('month', 100_000, 900_000));
    await pay(ayu, shop, 100_000);
    expect(await seen(await tryToPay(ayu, shop, 1))).toEqual(tooMuch('month', 0, 900_000));

    const nextMonth = addDays(`${tomorrow.slice(0, 7)}-01`, 31).slice(0, 7);
    await wait(`${nextMonth}-01`, ayu);
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 500_000 }, month: { left: 900_000 } });
    await pay(ayu, shop, 300_000);
    await wait(`${nextMonth}-10`, ayu);
  });

  it('never exceeds a limit, even if payments run concurrently', async () => {
    const ayu = await newHolder(target, 900_000);
    const asked = await Promise.all(
      Array.from({ length: 20 }, async () => (await inquire(ayu.browser, shop.handle, 70_000)).json()),
    );
    const answers = await Promise.all(
      (asked as Inquiry[]).map(async ({ id }) => seen(await confirmInquiry(ayu.browser, id))),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(7);
    expect(answers.find(([status]) => status !== 200)).toEqual(tooMuch('day', 10_000, 500_000));
    expect(await balanceOf(target, ayu.handle)).toBe(410_000);
    await pay(ayu, shop, 10_000);
  });

  it('counts toward a limit only once if its confirmation is repeated', async () => {
    const ayu = await newHolder(target, 500_000);
    const { id } = (await (await inquire(ayu.browser, shop.handle, 250_000)).json()) as Inquiry;
    for (let time = 0; time < 3; time += 1) expect((await confirmInquiry(ayu.browser, id)).status).toBe(200);
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 250_000 } });
  });

  it('has a higher limit after an administrator verifies the person, and a lower one after the verification is revoked', async () => {
    const ayu = await newHolder(target, 900_000);
    const { id } = (await (await inquire(ayu.browser, shop.handle, 400_000)).json()) as Inquiry;
    expect(await seen(await confirmInquiry(ayu.browser, id))).toEqual(tooMuch('payment', 300_000, 300_000));
    const { handle } = ayu;
    const verified = { pid: `${handle}@pid`, handle, status: 'active', level: 'verified' };
    for (let time = 0; time < 2; time += 1)
      expect(await seen(await setLevel(handle, 'verified'))).toEqual([200, verified]);
    expect((await confirmInquiry(ayu.browser, id)).status).toBe(200);
    expect(await limitsOf(ayu)).toEqual({
      level: 'verified',
      payment: 400_000,
      held: { most: 5_000_000, left: 4_500_000 },
      day: { most: 1_000_000, left: 600_000 },
      month: null,
    });
    expect((await setLevel(handle, 'unverified')).status).toBe(200);
    expect(await seen(await tryToPay(ayu, shop, 100_001))).toEqual(tooMuch('day', 100_000, 500_000));
    const lines = await target.rows('SELECT actor, action, detail FROM audit_log WHERE target = ?', [handle]);
    const line = (level: string) => ({
      actor: 'the-boss',
      action: 'identity.level',
      detail: expect.stringContaining(`{"level":"${level}","reason":"saw the papers"`),
    });
    expect(lines).toEqual([line('verified'), line('unverified')]);
    const { data } = (await (await ayu.browser.fetch('/v1/me/activity')).json()) as { data: object[] };
    expect(data.slice(0, 2)).toMatchObject([{ type: 'identity.unverified' }, { type: 'identity.verified' }]);
  });

  it('depends on a level that only another administrator can set, for an existing person, one change at a time', async () => {
    expect(await seen(await setLevel('the-boss', 'verified'))).toEqual(
      refusal(403, 'Another administrator has to decide'),
    );
    expect(await seen(await setLevel('nobody.at.all', 'verified'))).toEqual(
      refusal(404, 'Identity does not exist'),
    );
    const { handle } = await newHolder(target);
    const one = refusal(400, ['status or level must be given, and not both']);
    expect(await seen(await setLevel(handle, 'verified', { status: 'active' }))).toEqual(one);
    expect(await seen(await setLevel(handle, undefined))).toEqual(one);
    expect(await seen(await setLevel(handle, 'trusted'))).toEqual(
      refusal(400, ['level must be unverified or verified']),
    );
  });

  it('includes the fee of a withdrawal until the withdrawal is cancelled or fails', async () => {
    const ayu = await newHolder(target, 900_000);
    const { browser } = ayu;
    const above = await quoteOf(browser, 300_001);
    expect(await seen(await confirmWithdrawal(browser, above))).toEqual(tooMuch('payment', 300_000, 300_000));
    const held = await quoteOf(browser, 300_000);
    expect((await confirmWithdrawal(browser, held)).status).toBe(200);
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 200_000 } });
    expect(await seen(await confirmWithdrawal(browser, await quoteOf(browser, 200_001)))).toEqual(
      tooMuch('day', 200_000, 500_000),
    );
    expect((await browser.fetch(`/v1/fiat/withdrawals/${held}/cancel`, { method: 'POST' })).status).toBe(200);
    await withdraw(browser, 300_000, accounts.fails);
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 200_000 } });
    await runJobs(target);
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 500_000 }, month: { left: 900_000 } });
  });

  it('does not count toward the limits when it is refunded to the payer, and is always allowed', async () => {
    const [ayu, budi] = [await newHolder(target, 900_000), await newHolder(target, 900_000)];
    const sent = await pay(ayu, budi, 100_000);
    await fundedWallet(target, ayu.handle, 200_000);
    await pay(budi, shop, 300_000);
    await pay(budi, shop, 200_000);
    expect((await giveBack(budi.browser, sent.id, 'back')).status).toBe(200);
    expect(await limitsOf(budi)).toMatchObject({ day: { left: 0 } });
    expect(await limitsOf(ayu)).toMatchObject({ held: { left: 0 }, day: { left: 400_000 } });
    expect(await balanceOf(target, ayu.handle)).toBe(1_100_000);
  });

  it('no longer counts toward a limit after an administrator reverses the transfer', async () => {
    const ayu = await newHolder(target, 500_000);
    const { id } = await pay(ayu, shop, 300_000);
    const { browser } = boss;
    const reason = { reason: 'a mistake' };
    expect((await browser.fetch(`/v1/admin/transfers/${id}/reverse`, json('POST', reason))).status).toBe(200);
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 500_000 }, month: { left: 900_000 } });
  });
});

describe('a hold', () => {
  it('counts toward the limit with its fee when it is made, and later only with the captured amount', async () => {
    const stage = await newHoldStage(target);
    const { person, app } = stage;
    await fundedWallet(target, person.handle, 700_000);
    await person.browser.fetch(
      `/v1/apps/${app.id}/fees/transfer`,
      json('PUT', { fixed: 0, bps: 100, payer: 'payer' }),
    );
    // The app's page learns nothing about the wallet.
    const plain = refusal(403, 'Amount exceeds the limit for one payment');
    expect(await seen(await stage.hold(await stage.approvedHold(297_030)))).toEqual(plain);
    const hold = await stage.held(297_000);
    const left = async () => (await limitsOf(person))?.day?.left;
    expect([hold.totalDebit, await left()]).toEqual([299_970, 200_030]);
    const token = await ownToken(stage);
    const captured = await askAs(target, token, `${hold.id}/capture`, { amount: 100_000 });
    expect(captured.status).toBe(200);
    expect(await left()).toBe(399_000);
    const other = await stage.held(100_000);
    expect(await left()).toBe(298_000);
    expect((await askAs(target, token, `${other.id}/release`, {})).status).toBe(200);
    expect(await left()).toBe(399_000);
    expect(await limitsOf(person)).toMatchObject({ month: { left: 799_000 } });
  });

  it('can be captured on another day without counting toward its limit, up to the recipient’s balance limit', async () => {
    const stage = await newHoldStage(target);
    const { person, shop: seller } = stage;
    await fundedWallet(target, person.handle, 700_000);
    const hold = await stage.held(300_000);
    await fundedWallet(target, seller.handle, 800_000);
    await wait(addDays(jakartaDay(target.now()), 1), person, seller);
    const token = await ownToken(stage);
    const capture = (amount: number) => askAs(target, token, `${hold.id}/capture`, { amount });
    expect(await seen(await capture(200_001))).toEqual(
      refusal(403, 'Recipient cannot receive this amount now'),
    );
    expect((await capture(200_000)).status).toBe(200);
    expect(await limitsOf(person)).toMatchObject({ day: { left: 500_000 }, month: { left: 700_000 } });
  });
});

describe('money entering a wallet', () => {
  it('is rejected above the recipient’s balance limit, without revealing their balance', async () => {
    const [ayu, budi] = [await newHolder(target, 500_000), await newHolder(target, 900_000)];
    const cannot = refusal(403, 'Recipient cannot receive this amount now');
    expect(await seen(await tryToPay(ayu, budi, 100_001))).toEqual(cannot);
    await pay(ayu, budi, 100_000);
    expect(await seen(await tryToPay(ayu, budi, 1))).toEqual(cannot);
    expect(await limitsOf(budi)).toMatchObject({ held: { most: 1_000_000, left: 0 } });
  });

  it('is rejected at checkout, but still credited if it is paid', async () => {
    const ayu = await newHolder(target, 900_000);
    const above = await askCheckout(ayu.browser, { amount: 100_001 });
    expect(await seen(above)).toEqual(tooMuch('held', 100_000, 1_000_000));
    const deposit = await newDeposit(ayu, 100_000);
    await fundedWallet(target, ayu.handle, 90_000);
    await payAt(target, deposit, 'pay');
    await sync(ayu.browser, deposit.id);
    expect(await readDeposit(ayu, deposit.id)).toMatchObject({ status: 'credited' });
    expect(await balanceOf(target, ayu.handle)).toBe(1_090_000);
    expect(await limitsOf(ayu)).toMatchObject({ held: { left: 0 } });
    // They can still spend it.
    await pay(ayu, shop, 300_000);
  });

  it('is rejected at an app’s checkout identically at any balance, unless the app may read the wallet', async () => {
    const owner = await newHolder(target);
    const app = await newApp(owner.browser, {
      scopes: ['fiat:deposit', 'wallet:read'],
      allowedOrigins: ['https://top-up.example.com'],
    });
    await markFirstParty(target, app.id);
    const ayu = await newHolder(target, 900_000);
    const grant = await insertGrant(target, app.id, ayu.handle, ['fiat:deposit']);
    const checkout = async (amount: number) => {
      const { headers, ...init } = json('POST', { amount });
      const asApp = { ...headers, Origin: 'https://top-up.example.com', 'X-App-Id': app.id };
      return seen(await ayu.browser.fetch('/v1/fiat/deposits/checkout', { ...init, headers: asApp }));
    };
    expect((await checkout(100_001))[0]).toBe(200);
    expect((await checkout(1_000_000))[0]).toBe(200);
    expect(await checkout(1_000_001)).toEqual(refusal(403, 'Amount exceeds the balance limit of the wallet'));
    await target.rows(`UPDATE grants SET scopes = '["fiat:deposit","wallet:read"]' WHERE id = ?`, [grant]);
    expect(await checkout(100_001)).toEqual(tooMuch('held', 100_000, 1_000_000));
  });

  it('is limited across open payment pages, where new ones replace the oldest', async () => {
    const ayu = await newHolder(target, 100_000);
    const opened = [];
    for (const amount of [200_000, 500_000, 400_000]) {
      await target.advance(1);
      opened.push(await newDeposit(ayu, amount));
    }
    const now = await Promise.all(opened.map(({ id }) => readDeposit(ayu, id)));
    expect(now.map(({ status, failure }) => [status, failure])).toEqual([
      ['expired', 'replaced'],
      ['pending', null],
      ['pending', null],
    ]);
    await newDeposit(ayu, 900_000);
    const [, second, third] = await Promise.all(opened.map(({ id }) => readDeposit(ayu, id)));
    expect([second?.failure, third?.failure]).toEqual(['replaced', 'replaced']);
  });

  it('is rejected when swept from an app above its owner’s balance limit', async () => {
    const { person, app } = await newHoldStage(target);
    await adjust(target, { from: gateway, to: await appAccount(target, app.id), amount: 950_000 });
    const sweep = (fields: object) => person.browser.fetch(`/v1/apps/${app.id}/sweep`, json('POST', fields));
    expect(await seen(await sweep({}))).toEqual(tooMuch('held', 900_000, 1_000_000));
    expect(await seen(await sweep({ amount: 900_001 }))).toEqual(tooMuch('held', 900_000, 1_000_000));
    expect((await sweep({ amount: 900_000 })).status).toBe(200);
    expect(await balanceOf(target, person.handle)).toBe(1_000_000);
  });
});

describe('a person', () => {
  it('sees the limits in the wallet, in their own data, and on a page in their language', async () => {
    const ayu = await newHolder(target, 900_000);
    await pay(ayu, shop, 250_000);
    const shown = await limitsOf(ayu);
    const me = await (await ayu.browser.fetch('/v1/me')).json();
    expect(me).toMatchObject({ wallet: { limits: shown } });
    const file = await (await ayu.browser.fetch('/v1/me/export')).json();
    expect(file).toMatchObject({ identity: { level: 'unverified' }, wallet: { limits: shown } });
    const page = async (path: string, language: string) => {
      const answer = await ayu.browser.navigate(path, { headers: { 'Accept-Language': language } });
      return (await answer.text()).replaceAll('\u00a0', ' ');
    };
    expect(await page('/account/wallet', 'en')).toMatch(/Sent today<\/dt><dd>.*250,000 of .*500,000 left/);
    expect(await page('/account/wallet', 'id')).toMatch(
      /Keluar hari ini<\/dt><dd>tersisa .*250\.000 dari .*500\.000/,
    );
    const fields = { to: shop.handle, amount: '250001', memo: '' };
    const asked = await ayu.browser.navigate('/account/wallet/send', form(fields, target.origin));
    const confirmed = form({}, target.origin);
    const refused = await ayu.browser.navigate(asked.headers.get('Location') ?? '', {
      ...confirmed,
      headers: { ...confirmed.headers, 'Accept-Language': 'id' },
    });
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([403, 'limit_day']);
    expect((await refused.text()).replaceAll('\u00a0', ' ')).toMatch(
      /Jumlahnya melebihi batas sehari: tersisa .*250\.000 dari .*500\.000/,
    );
  });

  it('can be verified on the admin desk', async () => {
    const { handle } = await newHolder(target);
    const fields = { act: 'verify', reason: 'saw the papers' };
    const path = `/admin/people/${handle}`;
    const answer = await boss.browser.navigate(path, form(fields, target.origin));
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${path}?done=verify`]);
    expect(await target.rows('SELECT level FROM identities WHERE handle = ?', [handle])).toEqual([
      { level: 'verified' },
    ]);
  });
});

describe('the limit settings', () => {
  it('apply from the first payment after a change', async () => {
    const ayu = await newHolder(target, 900_000);
    await pay(ayu, shop, 300_000);
    await target.restart({ WALLET_LIMITS: 'off' });
    expect(await limitsOf(ayu)).toBeNull();
    await pay(ayu, shop, 400_000);
    await newDeposit(ayu, 2_000_000);
    await target.restart({ ...limits, LIMIT_PAYMENT: '50000' });
    expect(await seen(await tryToPay(ayu, shop, 50_001))).toEqual(tooMuch('payment', 50_000, 50_000));
    // Payments made while there were no limits use none.
    expect(await limitsOf(ayu)).toMatchObject({ day: { left: 200_000 } });
    await target.restart(limits);
    const asked = await askCheckout(ayu.browser, { amount: 800_001 });
    expect(await seen(asked)).toEqual(tooMuch('held', 800_000, 1_000_000));
  });
});
