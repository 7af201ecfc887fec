import { describe, expect, it } from 'vitest';
import type { Deposit } from '../../src/features/deposit/schema.ts';
import { markFirstParty, newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { readDeposit } from '../support/deposits.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { newHolder } from '../support/money.ts';
import { useService } from '../support/service.ts';

describe('a wallet with limits', () => {
  const target = useService({ WALLET_LIMITS: 'on', LIMIT_HELD: '1000000,5000000' });
  it('rejects an app’s checkout that exceeds its balance limit, without revealing the reason to the app', async () => {
    const owner = await newHolder(target);
    const app = await newApp(owner.browser, {
      scopes: ['fiat:deposit'],
      allowedOrigins: ['https://top-up.example.com'],
    });
    await markFirstParty(target, app.id);
    const ayu = await newHolder(target, 900_000);
    await insertGrant(target, app.id, ayu.handle, ['fiat:deposit']);
    for (const shown of [true, false]) {
      await target.advance(61);
      const { headers, ...init } = json('POST', { amount: shown ? 100_000 : 1_000_000 });
      const asApp = { ...headers, Origin: 'https://top-up.example.com', 'X-App-Id': app.id };
      const answer = await ayu.browser.fetch('/v1/fiat/deposits/checkout', { ...init, headers: asApp });
      // The app does not learn the balance, and neither the app nor the person gets a URL that accepts the money.
      const { id, checkoutUrl } = (await answer.json()) as Deposit;
      const read = await readDeposit(ayu, id);
      const page = `${target.origin}/account/wallet/deposits/${id}`;
      expect([answer.status, checkoutUrl, read.checkoutUrl]).toEqual([200, page, page]);
      const text = await (await ayu.browser.navigate(new URL(page).pathname)).text();
      expect(text.includes(`/dev/gateway/${id}`)).toBe(shown);
      expect(text.includes('Amount exceeds the balance limit of the wallet')).toBe(!shown);
    }
  });
});
