import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ApiError, isApiError, unwrap } from '../../sdk/index.ts';
import { payAt } from '../support/deposits.ts';
import { balanceOf, fundedWallet, newHolder } from '../support/money.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';
import { openPage, stubBrowser, type TestPage } from './page.ts';

const pages: TestPage[] = [];
const target = useSharedService();
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
  vi.unstubAllGlobals();
});

function open(...[on, browser, options]: Parameters<typeof openPage>): TestPage {
  stubBrowser(browser.jar, 'http://localhost:5173/');
  const page = openPage(on, browser, options);
  pages.push(page);
  return page;
}

/** Returns the service's error as an Error. */
async function refusalOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => null,
    (refusal: Error) => refusal,
  );
  return [error?.constructor, error?.message, (error?.cause as ApiError | undefined)?.statusCode];
}

describe('the wallet', () => {
  it('returns an ApiError until it is opened, and then has a balance, lines and statements', async () => {
    const { browser, handle } = await newMember(target);
    const { client } = open(target, browser);
    const changed = vi.fn();
    client.on('wallet_changed', changed);
    const missing = await client.wallet.get();
    expect(isApiError(missing) && [missing.statusCode, missing.message]).toEqual([
      404,
      'Wallet does not exist',
    ]);
    const wallet = unwrap(await client.wallet.create());
    expect(wallet).toMatchObject({ pid: `${handle}@pid`, status: 'active' });
    expect(changed).toHaveBeenCalledOnce();
    expect(unwrap(await client.wallet.create())).toEqual(wallet);
    await fundedWallet(target, handle, 7_000);
    await fundedWallet(target, handle, 500);
    expect(unwrap(await client.wallet.get()).balances[0]).toMatchObject({ asset: 'IDR', available: 7_500 });
    expect(unwrap(await client.wallet.balance())).toMatchObject({ balance: 7_500, held: 0 });
    expect(unwrap(await client.wallet.balance({ at: '1970-01-01T00:00:00Z' }))).toMatchObject({ balance: 0 });
    const first = unwrap(await client.wallet.transactions({ limit: 1, direction: 'in' }));
    const second = unwrap(await client.wallet.transactions({ cursor: first.nextCursor ?? '' }));
    expect([...first.data, ...second.data].map(({ amount }) => amount)).toEqual([500, 7_000]);
    const statement = unwrap(await client.wallet.statement({ from: '1970-01-01' }));
    expect(statement).toMatchObject({ openingBalance: 0, closingBalance: 7_500 });
    expect(await client.wallet.transactions({ direction: 'up' as 'in' })).toMatchObject({ statusCode: 400 });
  });
});

describe('a transfer', () => {
  it('has an inquiry and one confirmation, and its errors are plain Errors with the service’s text', async () => {
    const [payer, payee] = [await newHolder(target, 10_000), await newHolder(target)];
    const { client } = open(target, payer.browser);
    const to = `${payee.handle}@pid`;
    const inquiry = await client.fiat.inquireTransfer({ to, amount: 4_000, memo: 'lunch' });
    expect(inquiry).toMatchObject({ totalDebit: 4_000, sufficientFunds: true, requiresApproval: false });
    const transfer = await client.fiat.confirmTransfer({ inquiryId: inquiry.id });
    expect(transfer).toMatchObject({ status: 'completed', to, amount: 4_000, memo: 'lunch' });
    expect(await client.fiat.confirmTransfer({ inquiryId: inquiry.id })).toEqual(transfer);
    const tooMuch = await client.fiat.inquireTransfer({ to, amount: 6_001 });
    for (const [refuse, message, statusCode] of [
      [() => client.fiat.confirmTransfer({ inquiryId: tooMuch.id }), 'Insufficient internal credit', 400],
      [() => client.fiat.confirmTransfer({ inquiryId: 'inq_none' }), 'Unknown transaction', 404],
      [() => client.fiat.inquireTransfer({ to: 'nobody-here@pid', amount: 1 }), 'Unknown recipient', 404],
      [() => client.fiat.inquireTransfer({ to, amount: 0.5 }), 'amount must be a positive integer', 400],
    ] as const) {
      expect(await refusalOf(refuse())).toEqual([Error, message, statusCode]);
    }
  });
});

describe('a deposit', () => {
  it('is started, read, and credited after the payment', async () => {
    const { browser, handle } = await newHolder(target);
    const { client } = open(target, browser);
    const changed = vi.fn();
    client.on('wallet_changed', changed);
    const returnUrl = `${target.origin}/shop`;
    const deposit = await client.fiat.createCheckout({ amount: 50_000, method: 'qris', returnUrl });
    expect(deposit).toMatchObject({ status: 'pending', amount: 50_000, netAmount: 50_000, method: 'qris' });
    expect(deposit.checkoutUrl).toContain(deposit.id);
    expect(await client.fiat.getDeposit(deposit.id)).toEqual(deposit);
    expect(changed).not.toHaveBeenCalled();
    await payAt(target, deposit, 'pay');
    const credited = await client.fiat.syncDeposit(deposit.id);
    expect(credited).toMatchObject({ status: 'credited', checkoutUrl: null, synced: true });
    expect(changed).toHaveBeenCalledOnce();
    expect(await balanceOf(target, handle)).toBe(50_000);
    const tooSmall = 'Amount too small: minimum deposit is 10000 IDR';
    for (const [refuse, message, statusCode] of [
      [() => client.fiat.createCheckout({ amount: 9_999 }), tooSmall, 400],
      [
        () => client.fiat.createCheckout({ amount: 10_000, returnUrl: 'https://elsewhere.example/' }),
        'returnUrl must be on an allowed origin',
        400,
      ],
      [() => client.fiat.getDeposit('dep_none'), 'Unknown transaction', 404],
      [() => client.fiat.syncDeposit('dep_none'), 'Unknown transaction', 404],
    ] as const)
      expect(await refusalOf(refuse())).toEqual([Error, message, statusCode]);
  });

  it.each([
    ['is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['is a 401', async () => Response.json({ statusCode: 401, message: 'Sign in' }, { status: 401 })],
  ])('is started only once if the first response %s and the request is repeated', async (_, instead) => {
    const { browser, handle } = await newHolder(target);
    let losses = 1;
    const page = open(target, browser, {
      async fault(path, send) {
        const answer = await send();
        if (!path.endsWith('/checkout') || losses === 0) return answer;
        losses -= 1;
        return instead();
      },
    });
    const stored = () =>
      target.rows<{ id: string }>('SELECT id FROM deposits WHERE handle = ? ORDER BY id', [handle]);
    const first = await page.client.fiat.createCheckout({ amount: 20_000 });
    expect(page.sent.filter((request) => request.endsWith('/checkout'))).toHaveLength(2);
    expect(await stored()).toEqual([{ id: first.id }]);
    const second = await page.client.fiat.createCheckout({ amount: 20_000 });
    expect((await stored()).map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
  });

  it('is requested at most twice without a response', async () => {
    const { browser } = await newHolder(target);
    const page = open(target, browser, { fault: () => Promise.reject(new TypeError('Failed to fetch')) });
    const asked = page.client.fiat.createCheckout({ amount: 20_000 });
    expect(await refusalOf(asked)).toEqual([Error, 'Network error', 0]);
    expect(page.sent.filter((request) => request.endsWith('/checkout'))).toHaveLength(2);
  });
});
