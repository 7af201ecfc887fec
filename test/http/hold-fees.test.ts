import { expect, it } from 'vitest';
import type { Inquiry } from '../../src/features/transfer/schema.ts';
import { json } from '../support/browser.ts';
import { balanceOf, fundedWallet, newHolder } from '../support/money.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation } from '../support/token.ts';

const target = useService();

it('a hold needs an approval unless the grant covers the fee of every part that may be captured [D-87]', async () => {
  const scopes = ['openid', 'fiat:transfer'];
  const relation = await newRelation(target, { scopes });
  const { app, person } = relation;
  await person.browser.fetch('/v1/wallet', { method: 'POST' });
  await fundedWallet(target, person.handle, 100_000);
  const { access_token: token } = await appSignIn(relation, { scope: scopes.join(' ') });
  const shop = await newHolder(target);
  // The person lets the app pay only the shop, with a fee of at most a tenth of the shop's amount.
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
  const balances = () =>
    Promise.all([person.handle, shop.handle, app.id].map((owner) => balanceOf(target, owner)));
  // As a payment, one rupiah with a fee of 9,000 needs an approval.
  expect((await inquire(1, false)).body).toMatchObject({ requiresApproval: true, fees: { app: 9000 } });
  // The fee is a tenth of 90,000, but any part of a hold may be captured for the whole fee.
  const refused = (await inquire(90_000, true)).body;
  expect(refused).toMatchObject({ requiresApproval: true, fees: { app: 9000 } });
  const path = (id: string) => `/v1/fiat/transfers/${id.replace('inq_', 'trf_')}/capture`;
  expect(await call(`/v1/fiat/transfers/${refused.id}/hold`, {})).toMatchObject({
    status: 403,
    body: { code: 'approval_required' },
  });
  expect((await call(path(refused.id), { amount: 1 })).status).toBe(404);
  expect(await balances()).toEqual([100_000, 0, 0]);

  await target.rows('UPDATE grants SET fee_fixed = 9000 WHERE app_id = ?', [app.id]);
  const covered = (await inquire(90_000, true)).body;
  expect(covered.requiresApproval).toBe(false);
  expect((await call(`/v1/fiat/transfers/${covered.id}/hold`, {})).status).toBe(200);
  expect((await call(path(covered.id), { amount: 1 })).status).toBe(200);
  expect(await balances()).toEqual([90_999, 1, 9000]);
});
