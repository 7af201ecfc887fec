import { beforeAll, describe, expect, it } from 'vitest';
import type { Inquiry, Transfer } from '../../src/features/transfer/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { refusal, seen } from '../support/answers.ts';
import { markFirstParty } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { balanceOf, fundedWallet, giveBack, newHolder, pay } from '../support/money.ts';
import type { Member } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation, post, type Relation } from '../support/token.ts';

const target = useService();

const scopes = ['openid', 'wallet:read', 'fiat:transfer', 'fiat:refund', 'fiat:read'];
let relation: Relation;
let shop: Member;
let token = '';
let grantId = '';

beforeAll(async () => {
  relation = await newRelation(target, { scopes });
  shop = await newHolder(target);
  await relation.person.browser.fetch('/v1/wallet', { method: 'POST' });
  await fundedWallet(target, relation.person.handle, 100_000);
  token = await signInWith(scopes);
  const [grant] = await target.rows<{ id: string }>('SELECT id FROM grants WHERE app_id = ?', [
    relation.app.id,
  ]);
  grantId = grant?.id ?? '';
});

async function signInWith(wanted: readonly string[]): Promise<string> {
  return (await appSignIn(relation, { scope: wanted.join(' ') })).access_token;
}

function ask(
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  by = token,
): Promise<Response> {
  const init = body === undefined ? { headers: {} } : json('POST', body);
  return target.request(path, {
    ...init,
    headers: { ...init.headers, ...headers, Authorization: `Bearer ${by}` },
  });
}
const inquire = (amount: number) => ask('/v1/fiat/transfers/inquiry', { to: `${shop.handle}@pid`, amount });
const confirm = (inquiryId: string, fields: object = {}) =>
  ask('/v1/fiat/transfers/confirm', { inquiryId, ...fields });
const limit = (columns: string) => target.rows(`UPDATE grants SET ${columns} WHERE id = ?`, [grantId]);

describe('the back end of an app', () => {
  it('pays within its grant’s limits and needs an approval above them [D-81]', async () => {
    const bare = (await (await inquire(100)).json()) as Inquiry;
    expect(bare).toMatchObject({ requiresApproval: true, sufficientFunds: true });
    expect(await seen(await confirm(bare.id))).toEqual(refusal(403, 'User approval is required'));
    const guess = { approvalId: 'x'.repeat(21).concat('A'), verifier: 'v'.repeat(43) };
    expect(await seen(await confirm(bare.id, guess))).toEqual(refusal(403, 'Transfer was rejected'));
    await limit('per_transfer = 1000, total_limit = 1500');
    const covered = (await (await inquire(1000)).json()) as Inquiry;
    expect(covered.requiresApproval).toBe(false);
    const transfer = (await (await confirm(covered.id)).json()) as Transfer;
    expect(transfer).toMatchObject({ status: 'completed', appId: relation.app.id, amount: 1000 });
    expect((await (await inquire(501)).json()) as Inquiry).toMatchObject({ requiresApproval: true });
    const next = (await (await inquire(500)).json()) as Inquiry;
    await limit('total_limit = 1400');
    expect(await seen(await confirm(next.id))).toEqual(refusal(403, 'Grant spending limit exceeded'));
    await limit(`total_limit = 5000, payees = '["somebody-else"]'`);
    expect(await seen(await confirm(next.id))).toEqual(refusal(403, 'Recipient is not allowed by the grant'));
    await limit('payees = NULL');
    expect((await confirm(next.id)).status).toBe(200);
    expect(await balanceOf(target, shop.handle)).toBe(1500);
  });

  it('sees only its own transfers, with their refunds, and reads the wallet', async () => {
    const ofApp = async () => ((await (await ask('/v1/fiat/transfers')).json()) as { data: Transfer[] }).data;
    const before = await ofApp();
    expect(before.map(({ amount }) => amount)).toEqual([500, 1000]);
    const foreign = await pay(relation.person, shop, 1);
    const refunds = [];
    for (const id of [before[0]?.id ?? '', foreign.id])
      refunds.push((await (await giveBack(shop.browser, id, id, { amount: 1 })).json()) as Transfer);
    expect((await ofApp()).map(({ id }) => id)).toEqual([refunds[0]?.id, ...before.map(({ id }) => id)]);
    const seenByApp = refunds.map(async ({ id }) => (await ask(`/v1/fiat/transfers/${id}`)).status);
    expect(await Promise.all(seenByApp)).toEqual([200, 404]);
    expect(await (await ask('/v1/wallet/balance')).json()).toMatchObject({ balance: 98_501 });
    expect((await ask('/v1/wallet', {})).status).toBe(401);
  });

  it('lists every transfer that it has made for anyone, page by page, with an app token', async () => {
    const { app, person } = await newRelation(target, { scopes });
    const other = await newHolder(target, 10_000);
    await person.browser.fetch('/v1/wallet', { method: 'POST' });
    await fundedWallet(target, person.handle, 10_000);
    await markFirstParty(target, app.id);
    for (const { handle } of [person, other]) await insertGrant(target, app.id, handle, scopes);
    await target.rows('UPDATE grants SET per_transfer = 9000 WHERE app_id = ?', [app.id]);
    const headers = { Origin: app.allowedOrigins[0] ?? '', 'X-App-Id': app.id };
    const made: string[] = [];
    for (const [index, { browser }] of [person, other, person, other, person].entries()) {
      const send = (path: string, body: object) => {
        const init = json('POST', body);
        return browser.fetch(path, { ...init, headers: { ...init.headers, ...headers } });
      };
      const to = { to: `${shop.handle}@pid`, amount: 10 + index };
      const { id } = (await (await send('/v1/fiat/transfers/inquiry', to)).json()) as Inquiry;
      const paid = await send('/v1/fiat/transfers/confirm', { inquiryId: id });
      made.unshift(((await paid.json()) as Transfer).id);
    }
    await pay(person, shop, 1);
    const answer = await post({ target, app }, '/v1/auth/token', { grant_type: 'client_credentials' });
    const own = ((await answer.json()) as { access_token: string }).access_token;
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await ask(`/v1/fiat/transfers?limit=2${query}`, undefined, {}, own);
      const { data, nextCursor } = (await page.json()) as Page<Transfer>;
      listed.push(...data.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(listed).toEqual(made);
    expect((await ask(`/v1/fiat/transfers/${made[1]}`, undefined, {}, own)).status).toBe(200);
    const [foreign] = await target.rows<{ id: string }>('SELECT id FROM transfers WHERE app_id IS NOT ?', [
      app.id,
    ]);
    expect((await ask(`/v1/fiat/transfers/trf_${foreign?.id}`, undefined, {}, own)).status).toBe(404);
    const ofEntry = btoa('5.5').replaceAll('=', '');
    for (const query of ['direction=in', `cursor=${ofEntry}`])
      expect((await ask(`/v1/fiat/transfers?${query}`, undefined, {}, own)).status).toBe(400);
    await target.rows(`UPDATE apps SET status = 'suspended' WHERE id = ?`, [app.id]);
    expect(await seen(await ask('/v1/fiat/transfers', undefined, {}, own))).toEqual(
      refusal(403, 'App is suspended'),
    );
  });

  it('can read the balance of the person it acts for at a given time, but not other people’s [D-83]', async () => {
    const at = new Date(target.now()).toISOString();
    const path = `/v1/wallet/balance?at=${at}`;
    const { balance } = (await (await ask(path)).json()) as { balance: number };
    expect(balance).toBe(await balanceOf(target, relation.person.handle));
    for (const named of ['handle', 'owner', 'account', 'pid'])
      expect(await (await ask(`${path}&${named}=${shop.handle}`)).json()).toMatchObject({ balance });
    const narrow = await signInWith(['openid', 'fiat:read']);
    expect(await seen(await ask(path, undefined, {}, narrow))).toEqual(
      refusal(403, 'Missing scope wallet:read', 'missing_scope'),
    );
  });

  it('may act only within its scopes', async () => {
    const narrow = await signInWith(['openid', 'fiat:read']);
    expect(await seen(await ask('/v1/wallet', undefined, {}, narrow))).toEqual(
      refusal(403, 'Missing scope wallet:read', 'missing_scope'),
    );
    const body = { to: `${shop.handle}@pid`, amount: 1 };
    expect(await seen(await ask('/v1/fiat/transfers/inquiry', body, {}, narrow))).toEqual(
      refusal(403, 'Missing scope fiat:transfer', 'missing_scope'),
    );
    expect((await ask('/v1/fiat/transfers', undefined, {}, narrow)).status).toBe(200);
  });

  it('loses access as soon as the grant is revoked or expires [D-81]', async () => {
    const open = (await (await inquire(100)).json()) as Inquiry;
    await target.rows(`UPDATE grants SET revoked_at = ?, revoked_by = 'person' WHERE id = ?`, [
      target.now(),
      grantId,
    ]);
    const revoked = refusal(403, 'Grant has been revoked');
    expect(await seen(await confirm(open.id))).toEqual(revoked);
    expect(await seen(await inquire(100))).toEqual(revoked);
    for (const path of ['/v1/wallet', '/v1/fiat/transfers'])
      expect(await seen(await ask(path))).toEqual(revoked);
  });
});

describe('the page of an app', () => {
  it('can request the cost of a transfer without a grant, but needs an approval to pay', async () => {
    const [origin = ''] = relation.app.allowedOrigins;
    const headers = { Origin: origin, 'X-App-Id': relation.app.id };
    const call = (path: string, body: object) => {
      const init = json('POST', body);
      return relation.person.browser.fetch(path, { ...init, headers: { ...init.headers, ...headers } });
    };
    const asked = await call('/v1/fiat/transfers/inquiry', { to: `${shop.handle}@pid`, amount: 5 });
    const inquiry = (await asked.json()) as Inquiry;
    expect(inquiry).toMatchObject({ requiresApproval: true, sufficientFunds: null });
    expect(await seen(await call('/v1/fiat/transfers/confirm', { inquiryId: inquiry.id }))).toEqual(
      refusal(403, 'User approval is required'),
    );
    expect(await seen(await call('/v1/wallet', {}))).toEqual(refusal(403, 'Origin is not allowed'));
    const read = await relation.person.browser.fetch('/v1/wallet', { headers });
    expect(read.headers.get('X-Error-Code')).toBe('origin_not_first_party');
  });
});
