import { beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { balanceOf, newHolder } from '../support/money.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { accounts, allowWithdrawals, runJobs } from '../support/withdrawals.ts';

const target = useService();
beforeAll(() => allowWithdrawals(target));

const wallet = '/account/wallet';
const withdraw = `${wallet}/withdraw`;
const post = (browser: Browser, path: string, fields: Record<string, string> = {}) =>
  browser.navigate(path, form(fields, target.origin));
const led = (answer: Response) => [answer.status, answer.headers.get('Location')];
const entry = (account: string, amount = '20.000') => ({ bank: 'BCA', account, amount });

async function open(browser: Browser, path: string, language = 'en'): Promise<string> {
  const page = await browser.navigate(path, { headers: { 'Accept-Language': language } });
  expect(page.status, path).toBe(200);
  return (await page.text()).replaceAll('\u00a0', ' ');
}

async function prepare(from: Browser, account: string): Promise<string> {
  const answer = await post(from, withdraw, entry(account));
  expect(answer.status).toBe(303);
  return answer.headers.get('Location') ?? '';
}

describe('withdrawing without JavaScript', () => {
  it('shows holder, account and total before holding money, holds it only once, and lists every state', async () => {
    await target.rows(
      `INSERT INTO fee_versions VALUES ('platform', 'withdrawal', 1, 2500, 0, 0, NULL, 'payer', 'operator', 1)`,
    );
    const { browser, handle } = await newHolder(target, 200_000);
    expect(await open(browser, wallet)).toContain(`href="${withdraw}"`);
    expect(await open(browser, withdraw)).toContain('Bank Central Asia');
    const path = await prepare(browser, ' 123 456-7895 ');
    const page = await open(browser, path);
    for (const text of ['<bdi>Budi Santoso</bdi>', 'BCA ••••7895', 'IDR 2,500', 'Withdraw IDR 22,500'])
      expect(page).toContain(text);
    expect(await open(browser, path, 'id')).toContain('Pemilik rekening');
    for (let time = 0; time < 2; time += 1)
      expect(led(await post(browser, path))).toEqual([303, `${wallet}?done=withdrawalHeld`]);
    expect(await open(browser, path)).toContain('This withdrawal can no longer be confirmed');
    const held = await open(browser, `${wallet}?done=withdrawalHeld`);
    for (const text of ['Reserved; sent within', 'BCA ••••7895', `action="${path}/cancel"`])
      expect(held).toContain(text);
    expect(led(await post(browser, `${path}/cancel`))).toEqual([303, `${wallet}?done=withdrawalCancelled`]);
    expect(await open(browser, wallet)).toContain('Cancelled; the money is back');
    for (const account of [accounts.fails, accounts.stays, accounts.pays])
      await post(browser, await prepare(browser, account));
    await runJobs(target);
    const after = await open(browser, wallet);
    for (const text of ['<bdi>The account is closed</bdi>', 'On its way to the bank', 'Paid', '-IDR 22,500'])
      expect(after).toContain(text);
    expect(after).not.toContain('/cancel"');
    expect(await balanceOf(target, handle)).toBe(200_000 - 22_500);
  });

  it('keeps the input, and shows the problem next to the field', async () => {
    const { browser } = await newHolder(target, 30_000);
    const cases = [
      [entry('12'), 400, 'validation_failed', '5 to 20 digits'],
      [entry(accounts.unknown), 404, 'bank_account_unknown', 'Unknown bank account'],
      [entry(accounts.pays, 'lots'), 400, 'validation_failed', 'in whole rupiah'],
      [entry(accounts.pays, '9999'), 400, 'amount_too_small', 'The minimum withdrawal is IDR'],
      [entry(accounts.pays, '30000'), 400, 'insufficient_internal_credit', 'Insufficient internal credit'],
    ] as const;
    for (const [fields, status, code, text] of cases) {
      const answer = await post(browser, withdraw, fields);
      expect([fields, answer.status, answer.headers.get('X-Error-Code')]).toEqual([fields, status, code]);
      const page = await answer.text();
      expect(page).toContain(text);
      expect(page).toContain(`value="${fields.account}"`);
    }
    const [first, second] = [await prepare(browser, accounts.pays), await prepare(browser, accounts.pays)];
    await post(browser, first);
    expect(await open(browser, second)).toContain('Your balance is too low');
  });

  it('requires a recent sign-in, and is rejected if disabled, frozen or expired', async () => {
    const { browser, handle } = await newHolder(target, 90_000);
    const [first, second] = [await prepare(browser, accounts.pays), await prepare(browser, accounts.pays)];
    await post(browser, first);
    await runJobs(target);
    const gone = await post(browser, `${first}/cancel`);
    expect([gone.status, await gone.text()]).toEqual([
      400,
      expect.stringContaining('Withdrawal can no longer be cancelled'),
    ]);
    await allowWithdrawals(target, false);
    const off = await post(browser, second);
    expect([off.status, await off.text()]).toEqual([
      403,
      expect.stringContaining('Withdrawals are disabled'),
    ]);
    const without = await open(browser, wallet);
    expect(without).toContain('Paid');
    expect(without).not.toContain(`href="${withdraw}"`);
    await allowWithdrawals(target);
    await target.rows(`UPDATE accounts SET status = 'frozen' WHERE owner = ?`, [handle]);
    expect(await open(browser, wallet)).not.toContain(`href="${withdraw}"`);
    await target.rows(`UPDATE accounts SET status = 'active' WHERE owner = ?`, [handle]);
    await target.advance(900);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const stale = await post(browser, await prepare(browser, accounts.pays));
    expect([stale.status, await stale.text()]).toEqual([403, expect.stringContaining('Sign in again')]);
    expect((await browser.navigate(`${withdraw}/nothing`)).status).toBe(200);
  });
});
