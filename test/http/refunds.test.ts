import { expect, it } from 'vitest';
import type { Inquiry, Transfer } from '../../src/features/transfer/schema.ts';
import { refusal, seen } from '../support/answers.ts';
import { markFirstParty, newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { giveBack, newHolder, pay } from '../support/money.ts';
import { newAdmin, signIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation, type Relation } from '../support/token.ts';

const target = useService({ ADMIN_PIDS: 'the-boss@pid' });
const scopes = ['openid', 'fiat:transfer', 'fiat:refund', 'fiat:read'];

/** An app's token for the person who uses it. */
const tokenOf = async (relation: Relation, scope = scopes) =>
  (await appSignIn(relation, { scope: scope.join(' ') })).access_token;

/** Refunds the remainder, as the app's back end. */
function refundBy(token: string, id: string): Promise<Response> {
  const { headers, ...init } = json('POST', {});
  return target.request(`/v1/fiat/transfers/${id}/refund`, {
    ...init,
    headers: { ...headers, Authorization: `Bearer ${token}`, 'Idempotency-Key': id },
  });
}

const moved = () =>
  target.rows('SELECT (SELECT count(*) FROM legs) AS legs, (SELECT count(*) FROM transfers) AS transfers');

it('a refund by an app must come from the app that made the transfer, with fiat:refund [D-80]', async () => {
  const relation = await newRelation(target, { scopes });
  const { app, person: payee } = relation;
  await payee.browser.fetch('/v1/wallet', { method: 'POST' });
  const payer = await newHolder(target, 1000);
  await markFirstParty(target, app.id);
  await insertGrant(target, app.id, payer.handle, scopes);
  await target.rows('UPDATE grants SET per_transfer = 1000 WHERE app_id = ?', [app.id]);
  const call = async (path: string, body: object) => {
    const { headers, ...init } = json('POST', body);
    const page = { Origin: app.allowedOrigins[0] ?? '', 'X-App-Id': app.id };
    return (await payer.browser.fetch(path, { ...init, headers: { ...headers, ...page } })).json();
  };
  const asked = (await call('/v1/fiat/transfers/inquiry', {
    to: `${payee.handle}@pid`,
    amount: 300,
  })) as Inquiry;
  const { id } = (await call('/v1/fiat/transfers/confirm', { inquiryId: asked.id })) as Transfer;

  const before = await moved();
  const other = { ...relation, app: await newApp(payee.browser, { scopes }) };
  expect(await seen(await refundBy(await tokenOf(other), id))).toEqual(refusal(404, 'Unknown transaction'));
  expect(await seen(await refundBy(await tokenOf(relation, ['openid', 'fiat:read']), id))).toEqual(
    refusal(403, 'Missing scope fiat:refund', 'missing_scope'),
  );
  expect(await moved()).toEqual(before);
  expect(await (await refundBy(await tokenOf(relation), id)).json()).toMatchObject({
    refundOf: id,
    amount: 300,
  });
});

it('a refund is rejected after a reversal, after 365 days and while the ledger is frozen [D-80]', async () => {
  const [payer, payee] = [await newHolder(target, 1000), await newHolder(target)];
  const [reversed, old] = [await pay(payer, payee, 100), await pay(payer, payee, 100)];
  const boss = await newAdmin(target, 'the-boss');
  const reverse = boss.browser.fetch(
    `/v1/admin/transfers/${reversed.id}/reverse`,
    json('POST', { reason: 'test' }),
  );
  expect((await reverse).status).toBe(200);
  const before = await moved();
  const expectRefused = async (id: string, status: number, message: string) => {
    expect(await seen(await giveBack(payee.browser, id, id))).toEqual(refusal(status, message));
    expect(await moved()).toEqual(before);
  };
  await expectRefused(reversed.id, 400, 'Transaction is already reversed');
  await target.rows(`UPDATE ledger SET mode = 'frozen', reason = 'test'`);
  await expectRefused(old.id, 503, 'Ledger is frozen');
  await target.rows(`UPDATE ledger SET mode = 'open'`);
  await target.advance(365 * 86_400);
  await signIn(target, payee.browser, payee.claims);
  await expectRefused(old.id, 400, 'Transfer can no longer be refunded');
});
