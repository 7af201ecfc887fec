import { beforeAll, describe, expect, it } from 'vitest';
import type { Deposit } from '../../src/features/deposit/schema.ts';
import { dumpRecords, refusal, seen, settledLog } from '../support/answers.ts';
import { markFirstParty, newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { askCheckout, newDeposit, notice, payAt, readDeposit, sync } from '../support/deposits.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { appAccount, balanceOf, newHolder } from '../support/money.ts';
import { type Member, newMember } from '../support/people.ts';
import { startService, useService } from '../support/service.ts';
import type { TargetRequest } from '../support/target.ts';

const target = useService();

let ada: Member;
let ben: Member;
beforeAll(async () => {
  [ada, ben] = [await newHolder(target), await newHolder(target)];
});

const unknown = refusal(404, 'Unknown transaction');
const ask = async (fields: object, key?: string) => seen(await askCheckout(ada.browser, fields, key));

describe('a checkout', () => {
  it('returns a deposit with the address of its payment page', async () => {
    const [status, deposit] = await ask({ amount: 50_000, method: 'va' });
    expect(status).toBe(200);
    const { id, createdAt, expiresAt } = deposit as Deposit;
    expect(id).toMatch(/^dep_[0-9a-z]{26}$/);
    expect(deposit).toEqual({
      id,
      status: 'pending',
      asset: 'IDR',
      amount: 50_000,
      fees: { app: 0, platform: 0, total: 0 },
      netAmount: 50_000,
      method: 'va',
      provider: 'sandbox',
      checkoutUrl: `${target.origin}/dev/gateway/${id}`,
      failure: null,
      returnedAmount: 0,
      appId: null,
      createdAt,
      expiresAt,
      creditedAt: null,
    });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(86_400_000);
  });

  it('rejects unsupported amounts, assets, methods and addresses', async () => {
    for (const amount of ['50000', 0.5, 0, -1, null])
      expect(await ask({ amount })).toEqual(refusal(400, ['amount must be a positive integer']));
    expect(await ask({ amount: 9999 })).toEqual(
      refusal(400, 'Amount too small: minimum deposit is 10000 IDR'),
    );
    expect(await ask({ amount: 1_000_000_000_001 })).toEqual(
      refusal(400, 'Amount too large: maximum is 1000000000000 IDR'),
    );
    expect(await ask({ amount: 50_000, asset: 'USD' })).toEqual(refusal(400, ['asset must be IDR']));
    expect(await ask({ amount: 50_000, method: 'cheque' })).toEqual(
      refusal(400, ['method must be one of: auto, qris, va, card, ewallet']),
    );
    const foreign = ['https://evil.example.com/', 'javascript:alert(1)', '/path', 'https://a@b.example', 7];
    for (const returnUrl of [...foreign, `${target.origin}/${'x'.repeat(500)}`])
      expect(await ask({ amount: 50_000, returnUrl })).toEqual(
        refusal(400, ['returnUrl must be on an allowed origin']),
      );
  });

  it('needs an active wallet and an open ledger', async () => {
    const bare = await newMember(target);
    const checkout = { amount: 50_000 };
    expect(await seen(await askCheckout(bare.browser, checkout))).toEqual(
      refusal(404, 'Wallet does not exist'),
    );
    const status = (to: string) =>
      target.rows('UPDATE accounts SET status = ? WHERE owner = ?', [to, ada.handle]);
    await status('frozen');
    expect(await ask(checkout)).toEqual(refusal(403, 'Wallet is frozen'));
    for (const mode of ['frozen', 'disabled']) {
      await target.rows('UPDATE ledger SET mode = ?', [mode]);
      expect(await ask(checkout)).toEqual(refusal(503, `Ledger is ${mode}`));
    }
    await target.rows(`UPDATE ledger SET mode = 'open'`);
    await status('active');
  });

  it('returns the same deposit for the same key, and rejects a different body', async () => {
    const checkout = { amount: 50_000 };
    const first = await askCheckout(ada.browser, checkout, 'order-1');
    const again = await askCheckout(ada.browser, checkout, 'order-1');
    expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true']);
    expect(await again.json()).toEqual(await first.json());
    await target.rows(`UPDATE ledger SET mode = 'frozen'`);
    expect((await askCheckout(ada.browser, checkout, 'order-1')).status).toBe(200);
    await target.rows(`UPDATE ledger SET mode = 'open'`);
    expect(await ask({ amount: 60_000 }, 'order-1')).toEqual(
      refusal(409, 'Idempotency-Key was already used with a different request'),
    );
    const other = (await (await askCheckout(ben.browser, checkout, 'order-1')).json()) as Deposit;
    expect(other.id).not.toBe(
      ((await (await askCheckout(ada.browser, checkout, 'order-1')).json()) as Deposit).id,
    );
    const many = await Promise.all(
      Array.from({ length: 5 }, () => askCheckout(ada.browser, checkout, 'order-2')),
    );
    const ids = await Promise.all(many.map(async (answer) => ((await answer.json()) as Deposit).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('returns 503 without a configured provider, and for deposits of another provider', async () => {
    const { id } = await newDeposit(ada);
    await target.rows(`UPDATE deposits SET next_at = NULL`);
    const none = refusal(503, 'Payment gateway is not configured on the server');
    await target.restart({
      PAYMENT_GATEWAY: 'midtrans',
      MIDTRANS_SERVER_KEY: 'key',
      MIDTRANS_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(await seen(await sync(ada.browser, id))).toEqual(none);
    expect(await seen(await ada.browser.fetch(`/v1/fiat/deposits/${id}/cancel`, { method: 'POST' }))).toEqual(
      none,
    );
    expect(await ask({ amount: 50_000 }, 'unreachable')).toEqual(
      refusal(503, 'Payment gateway is unavailable'),
    );
    expect(await seen(await notice(target, id))).toEqual(refusal(404, 'Not found'));
    await target.restart();
    expect(await ask({ amount: 50_000 }, 'unreachable')).toEqual(none);
  });
});

describe('deposits', () => {
  it('are listed only for their owner, newest first, filtered by status and page by page', async () => {
    const eve = await newHolder(target);
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await newDeposit(eve)).id);
    const [, paid] = ids as [string, string];
    await payAt(target, { id: paid }, 'pay');
    await sync(eve.browser, paid);
    const list = async (query: string) => {
      const answer = await eve.browser.fetch(`/v1/fiat/deposits${query}`);
      return (await answer.json()) as { data: Deposit[]; nextCursor: string | null };
    };
    expect((await list('')).data.map(({ id }) => id)).toEqual(ids);
    expect((await list('?status=credited')).data.map(({ id }) => id)).toEqual([paid]);
    const first = await list('?limit=2');
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
    expect(rest.nextCursor).toBeNull();
    for (const call of ['', '/sync', '/cancel']) {
      const init = { method: call === '' ? 'GET' : 'POST' };
      expect(await seen(await ben.browser.fetch(`/v1/fiat/deposits/${paid}${call}`, init))).toEqual(unknown);
    }
  });

  it('can be cancelled while unpaid, and are still credited if paid later', async () => {
    const cancel = async (id: string) =>
      seen(await ada.browser.fetch(`/v1/fiat/deposits/${id}/cancel`, { method: 'POST' }));
    const [unpaid, paid] = [await newDeposit(ada), await newDeposit(ada)];
    for (let count = 0; count < 2; count += 1)
      expect(await cancel(unpaid.id)).toMatchObject([200, { status: 'expired', checkoutUrl: null }]);
    await payAt(target, paid, 'pay');
    const tooLate = refusal(400, 'Deposit can no longer be cancelled');
    expect(await cancel(paid.id)).toEqual(tooLate);
    expect((await readDeposit(ada, paid.id)).status).toBe('credited');
    expect(await cancel(paid.id)).toEqual(tooLate);
    await payAt(target, unpaid, 'pay', 'once');
    await expect.poll(async () => (await readDeposit(ada, unpaid.id)).status).toBe('credited');
  });

  it('return the person to the page they came from, or to the wallet', async () => {
    const returnUrl = `${target.origin}/dev/welcome?cart=7`;
    const [there, here] = [await newDeposit(ada, 50_000, { returnUrl }), await newDeposit(ada)];
    for (const deposit of [there, here]) await payAt(target, deposit, 'pay');
    const back = async (id: string) => {
      const answer = await target.request(`/fiat/return/${id}`);
      return [answer.status, answer.headers.get('Location')];
    };
    expect(await back(there.id)).toEqual([303, `${returnUrl}&deposit=${there.id}`]);
    expect(await back(here.id)).toEqual([303, `/account/wallet/deposits/${here.id}`]);
    expect((await readDeposit(ada, there.id)).status).toBe('credited');
    expect(await back('dep_unknown')).toEqual([303, '/account/wallet']);
  });
});

describe('a notification', () => {
  it('has no effect without the provider’s signature, and no further effect when repeated', async () => {
    const deposit = await newDeposit(ada);
    await payAt(target, deposit, 'pay');
    const before = await dumpRecords(target);
    const forged = await notice(target, deposit.id, `whsec_${btoa('x'.repeat(32))}`);
    expect(await seen(forged)).toEqual(refusal(401, 'Invalid signature'));
    expect(await dumpRecords(target)).toEqual(before);
    for (let count = 0; count < 20; count += 1)
      expect(await seen(await notice(target, deposit.id))).toEqual([200, { received: true }]);
    await expect.poll(async () => (await readDeposit(ada, deposit.id)).status).toBe('credited');
    const sizes = (records: [string, unknown[]][]) =>
      records
        .map(([name, rows]) => [name, rows.length])
        .filter(([name]) => !['legs', 'entries'].includes(String(name)));
    expect(sizes(await dumpRecords(target))).toEqual(sizes(before));
  });

  it('is accepted for an unknown order, and recorded once in the audit log', async () => {
    for (let count = 0; count < 3; count += 1)
      expect(await seen(await notice(target, 'dep_nobody_knows'))).toEqual([200, { received: true }]);
    expect(
      await target.rows(`SELECT actor, target, detail FROM audit_log WHERE action = 'gateway.unknown_order'`),
    ).toEqual([{ actor: 'system', target: 'dep_nobody_knows', detail: '{"gateway":"sandbox"}' }]);
    expect((await settledLog(target)).some((line) => line.includes('gateway.unknown_order'))).toBe(true);
  });

  it('returns 404 for an unknown provider, and 413 if it is too large', async () => {
    const post = (provider: string, body: string) =>
      target.request(`/v1/gateways/${provider}/webhook`, { method: 'POST', body });
    expect(await seen(await post('nobody', '{}'))).toEqual(refusal(404, 'Not found'));
    expect(await seen(await post('sandbox', 'x'.repeat(65_537)))).toEqual(
      refusal(413, 'Request body is too large'),
    );
    expect(await seen(await post('sandbox', 'x'.repeat(65_536)))).toEqual(refusal(401, 'Invalid signature'));
  });
});

describe('an app', () => {
  it('does not redirect people to an origin that it no longer lists', async () => {
    const owner = await newHolder(target);
    const allowedOrigins = ['https://former.example.com'];
    const app = await newApp(owner.browser, { scopes: ['fiat:deposit'], allowedOrigins });
    await markFirstParty(target, app.id);
    await insertGrant(target, app.id, ada.handle, ['fiat:deposit']);
    const returnUrl = `${allowedOrigins[0]}/paid`;
    const { headers, ...init } = json('POST', { amount: 50_000, returnUrl });
    const asApp = { ...headers, Origin: 'https://former.example.com', 'X-App-Id': app.id };
    const answer = await ada.browser.fetch('/v1/fiat/deposits/checkout', { ...init, headers: asApp });
    const { id } = (await answer.json()) as Deposit;
    const back = async () => (await target.request(`/fiat/return/${id}`)).headers.get('Location');
    expect(await back()).toBe(`${returnUrl}?deposit=${id}`);
    await owner.browser.fetch(`/v1/apps/${app.id}`, json('PATCH', { allowedOrigins: [] }));
    expect(await back()).toBe(`/account/wallet/deposits/${id}`);
  });

  it('starts deposits under its grant, receives its fee, and sees only its own deposits and their events', async () => {
    const owner = await newHolder(target);
    const app = await newApp(owner.browser, { scopes: ['fiat:deposit'] });
    await markFirstParty(target, app.id);
    const payer = await newHolder(target);
    await owner.browser.fetch(`/v1/apps/${app.id}/fees/deposit`, json('PUT', { fixed: 1000, bps: 0 }));
    await owner.browser.fetch(
      `/v1/apps/${app.id}/webhook`,
      json('POST', { url: 'http://127.0.0.1:9/hooks' }),
    );
    const asApp = { Origin: 'https://shop.example.com', 'X-App-Id': app.id };
    const call = async (path: string, init: TargetRequest) =>
      seen(await payer.browser.fetch(path, { ...init, headers: { ...init.headers, ...asApp } }));
    const checkout = (fields: object) =>
      call('/v1/fiat/deposits/checkout', json('POST', { amount: 50_000, ...fields }));
    expect(await checkout({})).toEqual(refusal(403, 'Origin is not allowed'));
    const grant = await insertGrant(target, app.id, payer.handle, ['openid']);
    expect(await checkout({})).toEqual(refusal(403, 'Missing scope fiat:deposit', 'missing_scope'));
    await target.rows(`UPDATE grants SET scopes = '["fiat:deposit"]' WHERE id = ?`, [grant]);
    expect(await checkout({ returnUrl: `${target.origin}/` })).toEqual(
      refusal(400, ['returnUrl must be on an allowed origin']),
    );
    const [, deposit] = (await checkout({ returnUrl: 'https://shop.example.com/paid' })) as [number, Deposit];
    expect(deposit).toMatchObject({ appId: app.id, netAmount: 49_000, fees: { app: 1000, total: 1000 } });
    const own = await newDeposit(payer);
    expect(await call(`/v1/fiat/deposits/${own.id}`, { method: 'GET' })).toEqual(unknown);
    expect(await call('/v1/fiat/deposits', { method: 'GET' })).toMatchObject([
      200,
      { data: [{ id: deposit.id }] },
    ]);
    await payAt(target, deposit, 'pay');
    expect(await call(`/v1/fiat/deposits/${deposit.id}/sync`, { method: 'POST' })).toMatchObject([
      200,
      { status: 'credited' },
    ]);
    expect([await balanceOf(target, payer.handle), await balanceOf(target, app.id)]).toEqual([49_000, 1000]);
    expect(await appAccount(target, app.id)).toBeGreaterThan(0);
    const events = await owner.browser.fetch(`/v1/apps/${app.id}/events`);
    const { data } = (await events.json()) as { data: { type: string; data: object }[] };
    const ofDeposit = data.filter(({ type }) => type.startsWith('deposit.'));
    expect(ofDeposit.map(({ type }) => type).sort()).toEqual(['deposit.credited', 'deposit.pending']);
    expect(ofDeposit.find(({ type }) => type === 'deposit.credited')?.data).toEqual({
      id: deposit.id,
      pid: `${payer.handle}@pid`,
      status: 'credited',
      failure: null,
      returned: 0,
      asset: 'IDR',
      amount: 50_000,
      appFee: 1000,
      platformFee: 0,
      netAmount: 49_000,
    });
    await target.rows(`UPDATE grants SET revoked_at = 1, revoked_by = 'person' WHERE id = ?`, [grant]);
    expect(await checkout({})).toEqual(refusal(403, 'Origin is not allowed'));
  });
});

// On D1 a second service empties the first one's database, so this test comes last.
describe('a deposit', () => {
  it('is credited minus the operator’s fees, which must leave a positive amount', async () => {
    const service = await startService();
    await service.rows(
      `INSERT INTO fee_versions VALUES ('platform', 'deposit', 1, 500, 70, 0, NULL, 'payer', 'operator', 1)`,
    );
    const eve = await newHolder(service);
    const deposit = await newDeposit(eve);
    expect(deposit).toMatchObject({ amount: 50_000, netAmount: 49_150, fees: { platform: 850, total: 850 } });
    await payAt(service, deposit, 'pay');
    await sync(eve.browser, deposit.id);
    expect(await balanceOf(service, eve.handle)).toBe(49_150);
    expect(await service.rows(`SELECT credits_posted FROM accounts WHERE kind = 'platform'`)).toEqual([
      { credits_posted: 850 },
    ]);
    const lines = await eve.browser.fetch('/v1/wallet/transactions?kind=deposit');
    const line = {
      id: deposit.id,
      kind: 'deposit',
      direction: 'in',
      amount: 49_150,
      fees: 850,
      counterparty: null,
      reference: { type: 'deposit', id: deposit.id },
    };
    expect(await lines.json()).toMatchObject({ data: [line] });
    const detail = await eve.browser.fetch(`/v1/wallet/transactions/${deposit.id}`);
    expect(await detail.json()).toMatchObject({ ...line, legs: [{ direction: 'in', amount: 49_150 }] });
    await service.rows(
      `INSERT INTO fee_versions VALUES ('platform', 'deposit', 2, 50000, 0, 0, NULL, 'payer', 'operator', 1)`,
    );
    expect(await seen(await askCheckout(eve.browser, { amount: 50_000 }))).toEqual(
      refusal(400, 'Amount too small: net amount after fees must be at least 1 IDR'),
    );
    const held = (await (await eve.browser.fetch('/v1/me/export')).json()) as { deposits: Deposit[] };
    expect(held.deposits).toEqual([await readDeposit(eve, deposit.id)]);
  });
});
