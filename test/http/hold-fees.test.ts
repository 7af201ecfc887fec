import { expect, it } from 'vitest';
import type { Inquiry, Transfer } from '../../src/features/transfer/schema.ts';
import { json } from '../support/browser.ts';
import { balanceOf, fundedWallet, newHolder } from '../support/money.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation } from '../support/token.ts';

const target = useService();

it('a capture takes no fee above what the grant covers for the captured amount [D-87]', async () => {
  const scopes = ['openid', 'fiat:transfer'];
  const relation = await newRelation(target, { scopes });
  const { app, person } = relation;
  await person.browser.fetch('/v1/wallet', { method: 'POST' });
  await fundedWallet(target, person.handle, 100_000);
  const { access_token: token } = await appSignIn(relation, { scope: scopes.join(' ') });
  const shop = await newHolder(target);
  // The person lets the app pay only the shop, and take a tenth of what the shop gets.
  await target.rows('UPDATE grants SET per_transfer = 99000, payees = ?, fee_bps = 1000 WHERE app_id = ?', [
    JSON.stringify([shop.handle]),
    app.id,
  ]);
  await person.browser.fetch(`/v1/apps/${app.id}/fees/transfer`, json('PUT', { fixed: 9000, bps: 0 }));
  const call = async <Answer>(path: string, body: object) => {
    const init = json('POST', body);
    const headers = { ...init.headers, Authorization: `Bearer ${token}` };
    const answer = await target.request(path, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as Answer };
  };
  const inquire = (amount: number, hold: boolean) =>
    call<Inquiry>('/v1/fiat/transfers/inquiry', { to: `${shop.handle}@pid`, amount, hold });
  // As a payment, one rupiah with a fee of 9,000 needs an approval.
  expect((await inquire(1, false)).body).toMatchObject({ requiresApproval: true, fees: { app: 9000 } });
  const inquiry = (await inquire(90_000, true)).body;
  expect(inquiry).toMatchObject({ fees: { app: 9000 } });
  const id = inquiry.id.replace('inq_', 'trf_');
  const held = await call<Transfer>(`/v1/fiat/transfers/${inquiry.id}/hold`, {});
  expect([200, 403]).toContain(held.status);
  await call(`/v1/fiat/transfers/${id}/capture`, { amount: 1 });
  expect([await balanceOf(target, shop.handle), await balanceOf(target, app.id)]).not.toEqual([1, 9000]);
});
