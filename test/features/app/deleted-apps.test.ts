import { expect, it } from 'vitest';
import { type Statement, sql } from '../../../src/db/database.ts';
import { insertApp, prepareApp } from '../../../src/features/app/app.ts';
import { appInput } from '../../../src/features/app/schema.ts';
import { newApp, shop } from '../../support/apps.ts';
import { json } from '../../support/browser.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newMember } from '../../support/people.ts';
import { startService } from '../../support/service.ts';
import { newCode, newRelation } from '../../support/token.ts';

const daySeconds = 86_400;

/** Every row that an app can leave behind. */
const appRows = (target: InProcessTarget, id: string) => target.rows('SELECT * FROM apps WHERE id = ?', [id]);

const purge = (target: InProcessTarget) => target.request('/dev/scheduled', { method: 'POST' });

it('a deleted app loses its addresses, and its row is deleted after a week if nothing refers to it', async () => {
  const target = (await startService()) as InProcessTarget;
  const { browser } = await newMember(target);
  const { id } = await newApp(browser, {
    privacyUrl: 'https://shop.example.com/privacy',
    backchannelLogoutUri: 'https://shop.example.com/logout',
  });
  await browser.fetch(`/v1/apps/${id}`, { method: 'DELETE' });
  const [row] = await appRows(target, id);
  expect(JSON.stringify(row)).not.toContain('shop.example.com');
  await target.advance(6 * daySeconds);
  await purge(target);
  expect(await appRows(target, id)).toHaveLength(1);
  await target.advance(daySeconds);
  await purge(target);
  expect(await appRows(target, id)).toEqual([]);
});

it('a suspended app that its owner deletes keeps its addresses as evidence', async () => {
  const target = (await startService()) as InProcessTarget;
  const { browser } = await newMember(target);
  const { id } = await newApp(browser);
  await target.rows("UPDATE apps SET status = 'suspended' WHERE id = ?", [id]);
  expect((await browser.fetch(`/v1/apps/${id}`, { method: 'DELETE' })).status).toBe(204);
  const [row] = await appRows(target, id);
  expect(row).toMatchObject({ status: 'deleted', homepage_url: shop.homepageUrl });
});

it('a deleted app keeps its row while grants, money movements or administrators’ decisions refer to it', async () => {
  const target = (await startService()) as InProcessTarget;
  const relation = await newRelation(target);
  const { person, app: granted } = relation;
  await newCode(relation);
  const withFees = await newApp(person.browser);
  await person.browser.fetch(
    `/v1/apps/${withFees.id}/fees/transfer`,
    json('PUT', { fixed: 1, bps: 0, min: 0, max: null, payer: 'payer' }),
  );
  const audited = await newApp(person.browser);
  await target.rows(
    `INSERT INTO audit_log (at, actor, action, target, detail) VALUES (1, 'boss', 'app.changed', ?, '{}')`,
    [audited.id],
  );
  const ids = [granted.id, withFees.id, audited.id];
  for (const id of ids) await person.browser.fetch(`/v1/apps/${id}`, { method: 'DELETE' });
  const left = async () => {
    const rows = await target.rows<{ id: string }>('SELECT id FROM apps');
    return ids.filter((one) => rows.some(({ id }) => id === one));
  };
  await target.advance(7 * daySeconds);
  await purge(target);
  expect(await left()).toEqual(ids);
  expect(await target.rows('SELECT revoked_by FROM grants')).toEqual([{ revoked_by: 'app' }]);
  // The purge checks again a week later, but not before.
  expect(
    await target.rows('SELECT count(*) AS n FROM apps WHERE updated_at < ?', [target.now() - 1000]),
  ).toEqual([{ n: 0 }]);
  await target.advance(91 * daySeconds);
  await purge(target);
  await target.advance(7 * daySeconds);
  await purge(target);
  expect(await left()).toEqual([withFees.id, audited.id]);
});

it('a repeated registration adds nothing to an app that has been deleted meanwhile', async () => {
  const target = (await startService()) as InProcessTarget;
  const { browser, handle } = await newMember(target);
  const { deps } = target;
  const prepared = await prepareApp(deps, appInput.parse(shop));
  const logo = { hash: 'a', data: 'iVBORw0KGgo' };
  const registering = { owner: sql`${handle}`, sessionId: null, now: deps.now() };
  const register = () => deps.db.batch(insertApp({ ...prepared, logo }, registering));
  await register();
  expect((await browser.fetch(`/v1/apps/${prepared.id}`, { method: 'DELETE' })).status).toBe(204);
  await register();
  for (const table of ['app_logos', 'app_origins', 'app_secrets'])
    expect([table, await target.rows(`SELECT app_id FROM ${table}`)]).toEqual([table, []]);
});

it('deleted apps are excluded from the app limit and from lists', async () => {
  const target = (await startService()) as InProcessTarget;
  const { browser } = await newMember(target);
  const sent: Statement[] = [];
  const { batch } = target.deps.db;
  Object.assign(target.deps.db, {
    batch(statements: readonly Statement[]) {
      sent.push(...statements);
      return batch.call(target.deps.db, statements as never);
    },
  });
  await browser.fetch('/v1/apps', json('POST', shop));
  await browser.fetch('/v1/apps');
  const [index] = await target.rows(
    `SELECT partial FROM pragma_index_list('apps') WHERE name = 'apps_owner'`,
  );
  expect(index).toEqual({ partial: 1 });
  const plans = await Promise.all(
    sent
      .filter(({ text }) => /FROM apps (?:a )?WHERE (?:a\.)?owner/.test(text))
      .map(({ text, values }) => target.rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values)),
  );
  const lines = plans.map((plan) => plan.flatMap(({ detail }) => /INDEX apps_owner.*/.exec(detail) ?? []));
  expect(lines).toEqual([['INDEX apps_owner (owner=?)'], ['INDEX apps_owner (owner=? AND id<?)']]);
});
