import { afterEach, describe, expect, it, vi } from 'vitest';
import { isApiError, unwrap } from '../../src/sdk/index.ts';
import { fundedWallet, newHolder } from '../support/money.ts';
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

describe('the wallet', () => {
  it('is an ApiError until it is opened, and then has a balance, lines and statements', async () => {
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
  it('is inquired and confirmed once, and its errors are plain, with the text of the service', async () => {
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
      const error = await refuse().then(
        () => null,
        (refusal: Error) => refusal,
      );
      expect([error?.constructor, error?.message]).toEqual([Error, message]);
      expect(error?.cause).toMatchObject({ statusCode });
    }
  });
});
