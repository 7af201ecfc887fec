import { beforeAll, describe, expect, it } from 'vitest';
import type { Deposit } from '../../src/features/deposit/schema.ts';
import type { Inquiry } from '../../src/features/transfer/schema.ts';
import { refusal, seen } from '../support/answers.ts';
import { type Browser, json } from '../support/browser.ts';
import { payAt, sync } from '../support/deposits.ts';
import { balanceOf, fundedWallet, newHolder } from '../support/money.ts';
import type { Member } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation } from '../support/token.ts';

const target = useService();

const setFee = (by: Browser, app: string, operation: string, fee: object) =>
  by.fetch(`/v1/apps/${app}/fees/${operation}`, json('PUT', { fixed: 0, bps: 0, ...fee }));

/** An app's back end that acts for a person under a grant. */
async function newBackEnd(scopes: readonly string[]) {
  const relation = await newRelation(target, { scopes });
  await relation.person.browser.fetch('/v1/wallet', { method: 'POST' });
  await fundedWallet(target, relation.person.handle, 100_000);
  const { access_token: token } = await appSignIn(relation, { scope: scopes.join(' ') });
  const call = (path: string, body?: object) => {
    const init = body === undefined ? { headers: {} } : json('POST', body);
    return target.request(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  };
  return { ...relation, call };
}
type BackEnd = Awaited<ReturnType<typeof newBackEnd>>;

describe('the fee of an app', () => {
  let stage: BackEnd;
  let shop: Member;
  beforeAll(async () => {
    stage = await newBackEnd(['openid', 'fiat:transfer']);
    shop = await newHolder(target);
    await target.rows('UPDATE grants SET per_transfer = 50000, payees = ? WHERE app_id = ?', [
      JSON.stringify([shop.handle]),
      stage.app.id,
    ]);
  });
  const inquire = async (amount: number) =>
    (await (
      await stage.call('/v1/fiat/transfers/inquiry', { to: `${shop.handle}@pid`, amount })
    ).json()) as Inquiry;
  const fee = (operation: string, terms: object) =>
    setFee(stage.person.browser, stage.app.id, operation, terms);
  const confirm = ({ id }: Inquiry) => stage.call('/v1/fiat/transfers/confirm', { inquiryId: id });
  const required = refusal(403, 'User approval is required');
  const grantFee = (bps: number, fixed: number) =>
    target.rows('UPDATE grants SET fee_bps = ?, fee_fixed = ? WHERE app_id = ?', [bps, fixed, stage.app.id]);

  it('needs an approval unless the grant covers it, regardless of who pays it [D-87]', async () => {
    const before = await inquire(1);
    expect(before.requiresApproval).toBe(false);
    for (const payer of ['payer', 'payee']) {
      await fee('transfer', { fixed: 9000, payer });
      const inquiry = await inquire(10_000);
      expect(inquiry).toMatchObject({ requiresApproval: true, fees: { app: 9000 } });
      expect(await seen(await confirm(inquiry))).toEqual(required);
    }
    // An earlier inquiry keeps its fee.
    expect((await confirm(before)).status).toBe(200);
    expect(await balanceOf(target, stage.app.id)).toBe(0);
    await fee('transfer', { fixed: 500, bps: 70 });
    for (const [bps, fixed, requiresApproval] of [
      [70, 499, true],
      [69, 500, true],
      [70, 500, false],
    ] as const) {
      await grantFee(bps, fixed);
      expect(await inquire(10_000)).toMatchObject({ requiresApproval });
    }
    const covered = await inquire(10_000);
    await grantFee(0, 0);
    expect(await seen(await confirm(covered))).toEqual(refusal(403, 'Grant spending limit exceeded'));
    await grantFee(70, 500);
    expect((await confirm(covered)).status).toBe(200);
    expect(await balanceOf(target, stage.app.id)).toBe(570);
  });

  it('is rejected above the operator’s maximum, and lowered to a maximum set later [D-87]', async () => {
    const tooHigh = refusal(
      400,
      'Fee exceeds the maximum for apps: at most 1000 basis points, and 10000 IDR as fixed and as min',
      'fee_too_high',
    );
    for (const terms of [{ bps: 1001 }, { fixed: 10_001 }, { min: 10_001 }])
      for (const operation of ['deposit', 'transfer', 'withdrawal'])
        expect(await seen(await fee(operation, terms))).toEqual(tooHigh);
    expect((await fee('transfer', { bps: 1000, fixed: 10_000, min: 10_000 })).status).toBe(200);
    await target.rows(
      `INSERT INTO fee_versions VALUES (?, 'transfer', 99, 20000, 9900, 90000, NULL, 'payer', 'test', ?)`,
      [stage.app.id, target.now()],
    );
    expect(await inquire(10_000)).toMatchObject({ fees: { app: 11_000 } });
  });
});

describe('a checkout by an app with a fee', () => {
  let stage: BackEnd;
  beforeAll(async () => {
    stage = await newBackEnd(['openid', 'fiat:deposit']);
  });
  const setDepositFee = (fee: object) => setFee(stage.person.browser, stage.app.id, 'deposit', fee);
  const checkout = async () =>
    (await (await stage.call('/v1/fiat/deposits/checkout', { amount: 50_000 })).json()) as Deposit;

  it('opens our page, which shows the amount, fee and net amount before payment [D-88]', async () => {
    const bare = await checkout();
    expect(bare.checkoutUrl).toBe(`${target.origin}/dev/gateway/${bare.id}`);
    await setDepositFee({ fixed: 1000 });
    const { id, checkoutUrl } = await checkout();
    expect(checkoutUrl).toBe(`${target.origin}/account/wallet/deposits/${id}`);
    const again = (await (await stage.call(`/v1/fiat/deposits/${id}`)).json()) as Deposit;
    expect(again.checkoutUrl).toBe(checkoutUrl);
    const page = await (await stage.person.browser.navigate(new URL(checkoutUrl ?? '').pathname)).text();
    expect(page).toMatch(/You pay<.*IDR\s50,000<.*Fee of the app.*IDR\s1,000<.*receives<.*IDR\s49,000</s);
    expect(page).toContain(`/dev/gateway/${id}"`);
    const stranger = await (await newHolder(target)).browser.navigate(new URL(checkoutUrl ?? '').pathname);
    expect(await stranger.text()).not.toContain(`/dev/gateway/${id}`);
  });

  it('keeps its initial fee rule, whatever amount is paid and whenever the payment is decided [D-88]', async () => {
    await setDepositFee({ bps: 100 });
    const { id } = await checkout();
    await setDepositFee({ bps: 1000, fixed: 10_000 });
    await payAt(target, { id }, 'wrong');
    await sync(stage.person.browser, id);
    const [row] = await target.rows<{ fee_rules: string }>('SELECT fee_rules FROM deposits WHERE id = ?', [
      id,
    ]);
    const { app } = JSON.parse(row?.fee_rules ?? '{}') as { app: object };
    expect(app).toMatchObject({ bps: 100, fixed: 0 });
    const raise = target.rows('UPDATE deposits SET app_fee = 30000, net = 20000 WHERE id = ?', [id]);
    await expect(raise).rejects.toThrow(/deposit_fee_shown/);
  });
});
