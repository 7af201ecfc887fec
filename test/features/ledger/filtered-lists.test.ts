import { expect, it } from 'vitest';
import type { Statement } from '../../../src/db/database.ts';
import { checkout } from '../../../src/features/deposit/checkout.ts';
import type { Page } from '../../../src/lib/page.ts';
import { sessionIdOf } from '../../support/answers.ts';
import { markChecked, newApp } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
import { askCheckout } from '../../support/deposits.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { fillWallet } from '../../support/long-wallet.ts';
import { fundedWallet, newHolder } from '../../support/money.ts';
import { startService } from '../../support/service.ts';
import { appSignIn, newRelation } from '../../support/token.ts';

const start = async () =>
  (await startService({ PAYMENT_GATEWAY: 'sandbox', PAYOUT_GATEWAY: 'sandbox' })) as InProcessTarget;

/** The plans of the statements on a table that a request makes. */
async function plansOf(target: InProcessTarget, table: string, request: () => Promise<Response>) {
  const sent: Statement[] = [];
  const { db } = target.deps;
  const { batch } = db;
  Object.assign(db, {
    batch(statements: readonly Statement[]) {
      sent.push(...statements);
      return batch.call(db, statements as never);
    },
  });
  expect((await request()).status).toBe(200);
  Object.assign(db, { batch });
  const lists = sent.filter(({ text }) => text.includes(`FROM ${table}`) && text.includes('DESC LIMIT'));
  const plans = lists.map(({ text, values }) =>
    target.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values as string[]),
  );
  return (await Promise.all(plans)).flat().map(({ detail }) => detail);
}

it('a list filtered by status uses an index on the status', async () => {
  const target = await start();
  const { browser } = await newHolder(target);
  for (const table of ['deposits', 'withdrawals']) {
    const plan = await plansOf(target, table, () => browser.fetch(`/v1/fiat/${table}?status=failed`));
    expect(plan).toContainEqual(
      expect.stringMatching(`USING INDEX ${table}_status \\(handle=\\? AND status=\\? AND id<\\?\\)`),
    );
  }
});

it('an app’s list of a person’s deposits reads only the app’s own deposits', async () => {
  const target = await start();
  const relation = await newRelation(target, { scopes: ['openid', 'offline_access', 'fiat:deposit'] });
  await markChecked(target, relation.app.id);
  const { access_token: token } = await appSignIn(relation, { scope: 'openid offline_access fiat:deposit' });
  const plan = await plansOf(target, 'deposits', () =>
    target.request('/v1/fiat/deposits', { headers: { Authorization: `Bearer ${token}` } }),
  );
  expect(plan).toContainEqual(
    expect.stringContaining('USING INDEX deposits_app (app_id=? AND handle=? AND id<?)'),
  );
});

it('a page of an app’s transfers ends after 1,000 movements, and the next page continues from there', async () => {
  const target = await start();
  const relation = await newRelation(target);
  const { person, app } = relation;
  await markChecked(target, app.id);
  await person.browser.fetch('/v1/wallet', { method: 'POST' });
  const account = await fundedWallet(target, person.handle, 10);
  const { access_token: token } = await appSignIn(relation, { scope: 'openid offline_access fiat:read' });
  const shop = await newHolder(target);
  await target.rows('UPDATE grants SET per_transfer = 1, total_limit = 1');
  await target.rows(
    `INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee, app_fee,
      platform_fee, debit_total, net_amount, needs_approval, created_at, expires_at, app_id, grant_id)
    SELECT 'ofapp', ?, a.owner, CAST(? AS INTEGER), a.id, 'IDR', 1, 0, 0, 0, 0, 1, 1, 0, 1, 9, g.app_id, g.id FROM accounts a
    JOIN grants g ON g.app_id = ? WHERE a.owner = ?`,
    [person.handle, account, app.id, shop.handle],
  );
  await target.rows(`UPDATE transfers SET status = 'confirmed', confirmed_by = id, confirmed_at = 1`);
  // The app sees this transfer and its refund. The 2,160 later movements belong to no app.
  await fillWallet(target, { handle: person.handle, account, length: 2_100 });
  const sizes: number[] = [];
  let cursor = '';
  do {
    const answer = await target.request(`/v1/fiat/transfers?limit=100${cursor}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const page = (await answer.json()) as Page<unknown>;
    sizes.push(page.data.length);
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    // The key of somebody else's payment would reveal when it was made.
    expect(Buffer.from(page.nextCursor ?? '', 'base64url').toString()).not.toMatch(/^\d+\.\d+$/);
  } while (cursor !== '' && sizes.length < 10);
  expect(sizes).toEqual([0, 0, 2]);
  const invented = Buffer.from(`${Date.now()}.0`).toString('base64url');
  const forged = await target.request(`/v1/fiat/transfers?cursor=${invented}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(forged.status).toBe(400);
});

it('a person can start at most 100 checkouts a day without an app', async () => {
  const target = await start();
  const { browser, handle } = await newHolder(target);
  const first = (await (await askCheckout(browser, { amount: 50_000 })).json()) as { id: string };
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 98)
    INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, created_at, updated_at, expires_at)
    SELECT d.id || i, d.handle, d.account, d.asset, 1, 0, 0, 1, d.gateway, d.created_at, 1, 1 FROM n
    JOIN deposits d ON d.id = ?`,
    [first.id],
  );
  expect((await askCheckout(browser, { amount: 50_000 }, 'last')).status).toBe(200);
  await target.advance(60);
  const full = await askCheckout(browser, { amount: 50_000 });
  expect([full.status, full.headers.get('X-Error-Code'), full.headers.get('Retry-After')]).toEqual([
    429,
    'rate_limited',
    String(86_400 - 60),
  ]);
  expect((await askCheckout(browser, { amount: 50_000 }, 'last')).headers.get('Idempotent-Replayed')).toBe(
    'true',
  );
  expect(await target.rows('SELECT id FROM deposits WHERE handle = ?', [handle])).toHaveLength(100);
});

it('a person can start at most 100 checkouts a day across all of an owner’s apps', async () => {
  const target = await start();
  const scopes = ['openid', 'offline_access', 'fiat:deposit'];
  const relation = await newRelation(target, { scopes });
  const { browser } = relation.person;
  const strangers = await newApp((await newHolder(target)).browser, { scopes });
  const asked = { scope: scopes.join(' ') };
  const apps = [relation.app, await newApp(browser, { scopes }), strangers];
  const tokens: string[] = [];
  for (const app of apps) {
    await markChecked(target, app.id);
    tokens.push((await appSignIn({ ...relation, app }, asked)).access_token);
  }
  await browser.fetch('/v1/wallet', { method: 'POST' });
  const ask = (token = '') =>
    target.request('/v1/fiat/deposits/checkout', {
      ...json('POST', { amount: 50_000 }),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    });
  const { id } = (await (await ask(tokens[0])).json()) as { id: string };
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
    INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, app_id, created_at, updated_at,
      expires_at)
    SELECT d.id || i, d.handle, d.account, d.asset, 1, 0, 0, 1, d.gateway, d.app_id, d.created_at, 1, 1 FROM n JOIN deposits d ON d.id = ?`,
    [id],
  );
  const statuses = [];
  for (const token of tokens) statuses.push((await ask(token)).status);
  expect(statuses).toEqual([429, 429, 200]);
  await target.rows(`UPDATE apps SET status = 'deleted' WHERE id = ?`, [relation.app.id]);
  expect((await ask(tokens[1])).status).toBe(429);
});

it('a person can start at most 100 checkouts a day through an unregistered client', async () => {
  const target = await start();
  const member = await newHolder(target);
  const person = { by: 'person', handle: member.handle, sessionId: await sessionIdOf(member) } as const;
  const [full, other] = ['https://agent.acme.com/full.json', 'https://agent.acme.com/other.json'];
  const ask = async (appId: string) => {
    const caller = { ...person, appId, grantId: null, scopes: null };
    const request = { amount: 50_000, asset: 'IDR', method: 'auto', key: null } as const;
    return (await checkout(target.deps, caller, request)).answer.id;
  };
  for (const id of [full, other])
    await target.rows(
      `INSERT INTO apps (id, name, type, created_at, updated_at) VALUES (?, 'agent.acme.com', 'native', 1, 1)`,
      [id],
    );
  const id = await ask(full);
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
    INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, app_id, created_at, updated_at,
      expires_at)
    SELECT d.id || i, d.handle, d.account, d.asset, 1, 0, 0, 1, d.gateway, d.app_id, d.created_at, 1, 1 FROM n JOIN deposits d ON d.id = ?`,
    [id],
  );
  await expect(ask(full)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await ask(other)).toMatch(/^dep_/);
});

it('checkouts started by an app do not count toward the person’s own limit', async () => {
  const target = await start();
  const { browser } = await newHolder(target);
  const { id } = (await (await askCheckout(browser, { amount: 50_000 })).json()) as { id: string };
  const app = await newApp(browser);
  await target.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, app_id, created_at, updated_at,
      expires_at)
    SELECT d.id || i, d.handle, d.account, d.asset, 1, 0, 0, 1, d.gateway, ?, d.created_at, 1, 1 FROM n JOIN deposits d ON d.id = ?`,
    [app.id, id],
  );
  expect((await askCheckout(browser, { amount: 50_000 })).status).toBe(200);
});
