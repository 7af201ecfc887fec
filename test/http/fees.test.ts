import { beforeAll, describe, expect, it } from 'vitest';
import type { Fee, FeeList } from '../../src/features/ledger/schema.ts';
import { inOneTrip, refusal, seen } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { adjust, appAccount, balanceOf, gateway, newHolder, owe } from '../support/money.ts';
import { type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();

let owner: Member;
let stranger: Member;
beforeAll(async () => {
  [owner, stranger] = [await newHolder(target), await newMember(target)];
});

const notFound = refusal(404, 'App does not exist');
const changed = refusal(409, 'Fee was changed by someone else');
const appOf = async () => (await newApp(owner.browser)).id;
const fees = async (app: string, query = '') =>
  (await (await owner.browser.fetch(`/v1/apps/${app}/fees${query}`)).json()) as FeeList;

function put(app: string, body: object, { operation = 'transfer', ifMatch = '', by = owner } = {}) {
  const init = json('PUT', body);
  const headers = { ...init.headers, ...(ifMatch && { 'If-Match': ifMatch }) };
  return by.browser.fetch(`/v1/apps/${app}/fees/${operation}`, { ...init, headers });
}

describe('the fees of an app', () => {
  it('are versioned, and keep their history', async () => {
    const app = await appOf();
    expect(await fees(app)).toMatchObject({ data: [] });
    const first = await inOneTrip(target, () => put(app, { fixed: 500, bps: 70 }));
    expect([first.status, first.headers.get('ETag')]).toEqual([200, '"1"']);
    expect(await first.json()).toMatchObject({
      fixed: 500,
      bps: 70,
      min: 0,
      max: null,
      payer: 'payer',
      version: 1,
    });
    expect((await (await put(app, { fixed: 500, bps: 70 })).json()) as Fee).toMatchObject({ version: 1 });
    const next = { fixed: 0, bps: 80, min: 10, max: 5000, payer: 'payee' };
    expect(await (await put(app, next)).json()).toMatchObject({ ...next, version: 2 });
    expect((await fees(app)).data).toMatchObject([{ version: 2 }]);
    expect((await fees(app, '?history=true')).data).toMatchObject([{ version: 2 }, { version: 1 }]);
    await target.rows(
      `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
        INSERT INTO fee_versions SELECT ?, 'transfer', i, i, 0, 0, NULL, 'payer', 'test' || i, ? FROM n`,
      [app, target.now()],
    );
    const { data } = await fees(app, '?history=true');
    expect([data.length, data[0]?.version]).toEqual([1000, 1100]);
    for (const by of [stranger]) {
      expect(await seen(await put(app, next, { by }))).toEqual(notFound);
      expect(await seen(await by.browser.fetch(`/v1/apps/${app}/fees`))).toEqual(notFound);
    }
  });

  it('can be changed only from the version that the caller has seen', async () => {
    const app = await appOf();
    expect(await seen(await put(app, { fixed: 1, bps: 0 }, { ifMatch: '*' }))).toEqual(changed);
    expect((await put(app, { fixed: 1, bps: 0 }, { ifMatch: '"0"' })).status).toBe(200);
    expect((await put(app, { fixed: 2, bps: 0 }, { ifMatch: '"1"' })).status).toBe(200);
    for (const ifMatch of ['"1"', '"3"', 'W/"2"', 'two', '"0"'])
      expect(await seen(await put(app, { fixed: 3, bps: 0 }, { ifMatch }))).toEqual(changed);
    expect((await put(app, { fixed: 3, bps: 0 }, { ifMatch: '2' })).status).toBe(200);
    const racing = Array.from({ length: 10 }, (_, count) =>
      put(app, { fixed: 10 + count, bps: 0 }, { ifMatch: '"3"' }),
    );
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  it.each([
    [{ bps: 1 }, 'fixed must be a whole number'],
    [{ fixed: 1.5, bps: 1 }, 'fixed must be a whole number'],
    [{ fixed: -1, bps: 1 }, 'fixed must be greater than or equal to 0'],
    [{ fixed: 1_000_000_001, bps: 1 }, 'fixed must be less than or equal to 1000000000'],
    [{ fixed: 1, bps: 10_001 }, 'bps must be less than or equal to 10000'],
    [{ fixed: 1, bps: '1' }, 'bps must be a whole number'],
    [{ fixed: 1, bps: 1, min: 5, max: 4 }, 'max must be greater than or equal to min'],
    [{ fixed: 1, bps: 1, payer: 'nobody' }, 'payer must be one of: payer, payee'],
  ])('are rejected if out of range: %j', async (body, message) => {
    const app = await appOf();
    expect(await seen(await put(app, body))).toEqual(refusal(400, [message]));
  });

  it('belong to a known operation, and only transfer fees may be paid by the payee', async () => {
    const app = await appOf();
    expect(await seen(await put(app, { fixed: 1, bps: 1 }, { operation: 'gift' }))).toEqual(
      refusal(400, ['operation must be one of: deposit, transfer, withdrawal']),
    );
    expect(
      await seen(await put(app, { fixed: 1, bps: 1, payer: 'payee' }, { operation: 'deposit' })),
    ).toEqual(refusal(400, ['payer must be payer, except for a transfer']));
    expect((await put(app, { fixed: 1, bps: 1 }, { operation: 'withdrawal' })).status).toBe(200);
  });

  it('can be previewed for any amount', async () => {
    const app = await appOf();
    const preview = async (amount: string, operation = 'transfer') =>
      seen(await owner.browser.fetch(`/v1/apps/${app}/fees/${operation}/preview?amount=${amount}`));
    await put(app, { fixed: 50, bps: 0, payer: 'payee' });
    expect(await preview('10000')).toEqual([
      200,
      {
        operation: 'transfer',
        asset: 'IDR',
        scale: 0,
        amount: 10_000,
        fees: { payer: 0, payee: 50, app: 50, platform: 0, total: 50 },
        totalDebit: 10_000,
        netAmount: 9950,
      },
    ]);
    const tooSmall = refusal(400, 'Amount too small: net amount after fees must be at least 1 IDR');
    expect(await preview('50')).toEqual(tooSmall);
    expect(await preview('51')).toMatchObject([200, { netAmount: 1 }]);
    await put(app, { fixed: 50, bps: 0 }, { operation: 'deposit' });
    expect(await preview('50', 'deposit')).toEqual(tooSmall);
    for (const amount of ['0', '-1', '1.5', 'x', ''])
      expect(await preview(amount)).toEqual(refusal(400, ['amount must be a positive integer']));
    expect((await preview('10000000000000'))[0]).toBe(400);
  });
});

describe('the revenue of an app', () => {
  async function earning(amount: number): Promise<string> {
    const app = await appOf();
    await adjust(target, { from: gateway, to: await appAccount(target, app), amount });
    return app;
  }
  const sweep = (app: string, body: object, key?: string, by = owner) => {
    const init = json('POST', body);
    const headers = { ...init.headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) };
    return by.browser.fetch(`/v1/apps/${app}/sweep`, { ...init, headers });
  };

  it("goes to its owner's wallet, in whole or in part, once per key", async () => {
    const app = await earning(5000);
    const before = await balanceOf(target, owner.handle);
    expect(await (await owner.browser.fetch(`/v1/apps/${app}/balance`)).json()).toEqual({
      asset: 'IDR',
      scale: 0,
      available: 5000,
      held: 0,
      debt: 0,
      balance: 5000,
    });
    const first = await inOneTrip(target, () => sweep(app, { amount: 2000 }, 'one'));
    expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
    const again = await sweep(app, { amount: 2000 }, 'one');
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect(await again.json()).toEqual(await first.json());
    expect(await seen(await sweep(app, { amount: 2001 }, 'one'))).toEqual(
      refusal(409, 'Idempotency-Key was already used with a different request'),
    );
    expect(await (await sweep(app, {})).json()).toMatchObject({ appId: app, amount: 3000 });
    expect(await seen(await sweep(app, {}))).toEqual(refusal(400, 'Insufficient internal credit'));
    expect((await balanceOf(target, owner.handle)) - before).toBe(5000);
    const lines = await owner.browser.fetch('/v1/wallet/transactions?kind=sweep&limit=1');
    expect(await lines.json()).toMatchObject({
      data: [{ kind: 'sweep', direction: 'in', amount: 3000, appId: app }],
    });
  });

  it('is swept only once by twenty concurrent requests', async () => {
    const app = await earning(700);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, count) => sweep(app, {}, `all-${count}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(400)]);
    expect(await balanceOf(target, app)).toBe(0);
  });

  it('stays in the account while the app is suspended', async () => {
    const app = await earning(700);
    const set = (status: string) => target.rows('UPDATE apps SET status = ? WHERE id = ?', [status, app]);
    await set('suspended');
    expect(await seen(await sweep(app, {}))).toEqual(refusal(403, 'App is suspended'));
    expect(await balanceOf(target, app)).toBe(700);
    await set('active');
    expect((await sweep(app, {})).status).toBe(200);
  });

  it('prevents the app from being deleted, and can be swept only by the owner', async () => {
    const app = await earning(700);
    const remove = () => owner.browser.fetch(`/v1/apps/${app}`, { method: 'DELETE' });
    expect(await seen(await remove())).toEqual(refusal(409, 'App balance is not zero'));
    expect(await seen(await sweep(app, {}, undefined, stranger))).toEqual(notFound);
    expect(await seen(await stranger.browser.fetch(`/v1/apps/${app}/balance`))).toEqual(notFound);
    expect((await sweep(app, {})).status).toBe(200);
    const account = await appAccount(target, app);
    await owe(target, account, 1);
    expect(await seen(await remove())).toEqual(refusal(409, 'App balance is not zero'));
    await adjust(target, { from: gateway, to: account, amount: 1 });
    expect((await remove()).status).toBe(204);
    const bare = await newMember(target);
    const own = (await newApp(bare.browser)).id;
    expect(await seen(await sweep(own, {}, undefined, bare))).toEqual(refusal(404, 'Wallet does not exist'));
  });
});
