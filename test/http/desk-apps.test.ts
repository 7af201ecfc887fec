import { beforeAll, describe, expect, it } from 'vitest';
import type { DeskApp, RestrictedApps } from '../../src/features/admin/schema.ts';
import { refusal, seen } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { json } from '../support/browser.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { type Member, newAdmin, newMember } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';

let boss: Member;
let deputy: Member;
const target = useService({ ADMIN_PIDS: 'the-boss@pid,the-deputy@pid', APPS_MONEY: 'checked' });
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
  deputy = await newAdmin(target, 'the-deputy');
});

const reason = 'a test';
const movedOn = refusal(409, 'The state has changed in the meantime');

const call = (method: string, path: string, body: object) =>
  boss.browser.fetch(`/v1/admin/${path}`, json(method, body));
const get = (path: string) => boss.browser.fetch(`/v1/admin/${path}`);
const answered = async <Body>(answer: Response): Promise<Body> => {
  expect([answer.status, answer.status === 200 ? '' : await answer.clone().text()]).toEqual([200, '']);
  return (await answer.json()) as Body;
};
const insertEvent = (appId: string) =>
  target.rows(
    `INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_missed', ?, 'ping', '{}', 1)`,
    [appId],
  );
const auditOf = (about: string) =>
  target.rows<{ action: string; detail: string }>(
    'SELECT action, detail FROM audit_log WHERE target = ? ORDER BY seq',
    [about],
  );
const detailsOf = async (about: string) =>
  (await auditOf(about)).map(({ detail }) => {
    const { op, ...shown } = JSON.parse(detail);
    expect(op).toMatch(/^[\w-]{43}$/);
    return shown;
  });

describe('PATCH /v1/admin/apps/:id', () => {
  it('suspends an app and reactivates it', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const set = (status: string, app = id) => call('PATCH', `apps/${app}`, { status, reason });
    expect(await answered(await set('suspended'))).toMatchObject({ id, status: 'suspended' });
    expect(await (await browser.fetch(`/v1/apps/${id}`)).json()).toMatchObject({ status: 'suspended' });
    expect(await answered(await set('active'))).toMatchObject({ id, status: 'active' });
    expect(await detailsOf(id)).toHaveLength(2);
    await browser.fetch(`/v1/apps/${id}`, { method: 'DELETE' });
    for (const gone of [id, 'app_x'])
      expect(await seen(await set('suspended', gone))).toEqual(refusal(404, 'App does not exist'));
  });
});

describe('a suspended app', () => {
  it('can only be read and deleted by its owner [S-05]', async () => {
    const { browser } = await newMember(target);
    const app = await newApp(browser);
    const path = `/v1/apps/${app.id}`;
    const hook = { url: 'https://shop.example.com/hook' };
    const fee = { fixed: 1, bps: 0, min: 0, max: null, payer: 'payer' };
    const resource = 'https://shop.example.com/api';
    await browser.fetch(`${path}/webhook`, json('POST', hook));
    await insertEvent(app.id);
    await call('PATCH', `apps/${app.id}`, { status: 'suspended', reason });
    const evidence = () =>
      target.rows(
        `SELECT a.*, w.url, w.events, (SELECT group_concat(origin) FROM app_origins) AS origins,
            (SELECT count(*) FROM app_secrets) AS secrets, (SELECT count(*) FROM fee_versions) AS fees
          FROM apps a JOIN webhooks w ON w.app_id = a.id WHERE a.id = ?`,
        [app.id],
      );
    const before = await evidence();
    const changes: [path: string, init: ReturnType<typeof json> | { method: string }][] = [
      [path, json('PATCH', { redirectUris: ['https://other.example/'] })],
      [path, json('PATCH', { allowedOrigins: ['https://other.example'] })],
      [path, json('PATCH', { allowedOrigins: [] })],
      [path, json('PATCH', { backchannelLogoutUri: 'https://other.example.com/logout' })],
      [path, json('PATCH', { name: 'Other' })],
      [path, json('PATCH', { logoUrl: 'https://other.example.com/logo.png' })],
      [`${path}/secret`, { method: 'POST' }],
      [`${path}/secrets/${app.secret?.id}?force=true`, { method: 'DELETE' }],
      [`${path}/resources`, json('POST', { resource })],
      [`${path}/resources?${new URLSearchParams({ resource })}`, { method: 'DELETE' }],
      [`${path}/webhook`, json('POST', { url: 'https://other.example.com/hook' })],
      [`${path}/webhook`, { method: 'DELETE' }],
      [`${path}/webhook/test`, { method: 'POST' }],
      [`${path}/events/evt_missed/redeliver`, { method: 'POST' }],
      [`${path}/fees/transfer`, json('PUT', fee)],
    ];
    for (const [address, init] of changes) {
      const answer = await seen(await browser.fetch(address, init));
      expect([address, answer]).toEqual([address, refusal(403, 'App is suspended')]);
    }
    expect(await evidence()).toEqual(before);
    for (const read of ['', '/secrets', '/webhook', '/events', '/fees'])
      expect([read, (await browser.fetch(path + read)).status]).toEqual([read, 200]);
    expect((await browser.fetch(path, { method: 'DELETE' })).status).toBe(204);
    expect((await browser.fetch(path)).status).toBe(404);
  });
});

describe('the flags of an app', () => {
  const none = { checked: false, firstParty: false, tokenLimit: null };
  const show = async (id: string) => answered<DeskApp>(await get(`apps/${id}`));
  const set = (id: string, body: object) => call('PATCH', `apps/${id}`, { reason, ...body });
  /** Sets flags for the currently shown version. */
  const marks = async (id: string, body: object) => set(id, { seen: (await show(id)).updatedAt, ...body });

  it('are set and cleared by an administrator, each time with an audit log line', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const state = { id, status: 'active', ...none };
    const steps = [
      [{ checked: true }, { checked: true }],
      [{ firstParty: true }, { checked: true, firstParty: true }],
      [
        { firstParty: true, checked: true },
        { checked: true, firstParty: true },
      ],
      [{ checked: false }, {}],
      [
        { firstParty: true, tokenLimit: 5 },
        { checked: true, firstParty: true, tokenLimit: 5 },
      ],
      [{ firstParty: false }, { checked: true, tokenLimit: 5 }],
      [{ tokenLimit: null }, { checked: true }],
      [{ tokenLimit: null }, { checked: true }],
    ] as const;
    for (const [body, is] of steps)
      expect(await answered(await marks(id, body))).toMatchObject({ ...state, ...is });
    expect(await browser.fetch(`/v1/apps/${id}`).then((answer) => answer.json())).toMatchObject({
      checked: true,
      firstParty: false,
    });
    expect(await detailsOf(id)).toEqual(
      [0, 1, 3, 4, 5]
        .map((step) => ({ ...steps[step]?.[0], reason }) as object)
        .concat({ tokenLimit: 'default', reason }),
    );
    expect(new Set((await auditOf(id)).map(({ action }) => action))).toEqual(new Set(['app.marked']));
  });

  it('are rejected if they are invalid or contradict each other', async () => {
    const { id } = await newApp((await newMember(target)).browser);
    const limits = 'tokenLimit must be a whole number from 1 to 100000, or null';
    const wrong: [object, string][] = [
      [{}, 'status, checked, firstParty or tokenLimit must be given'],
      [{ firstParty: true, checked: false }, 'checked must be true for the app of a first party'],
      [{ checked: 'yes' }, 'checked must be true or false'],
      [{ tokenLimit: 0 }, limits],
      [{ tokenLimit: 100_001 }, limits],
      [{ seen: 'yesterday' }, 'seen must be the updatedAt of the app'],
    ];
    for (const [body, message] of wrong)
      expect(await seen(await marks(id, body))).toEqual(refusal(400, [message]));
    const blind = ['seen must be given, as the updatedAt of the app that was checked'];
    for (const body of [{ checked: true }, { firstParty: true, status: 'active' }])
      expect(await seen(await set(id, body))).toEqual(refusal(400, blind));
    expect(await auditOf(id)).toEqual([]);
  });

  it('are rejected if the owner has since changed the app', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const looked = await show(id);
    expect(looked).toMatchObject({
      id,
      name: 'Corner Shop',
      redirectUris: ['https://shop.example.com/callback'],
    });
    const owner = (body: object) => browser.fetch(`/v1/apps/${id}`, json('PATCH', body));
    const changes = [
      { name: 'Bank of Jakarta' },
      { redirectUris: ['https://evil.example/callback'] },
      { allowedOrigins: ['https://evil.example'] },
      { allowedOrigins: [] },
      { scopes: ['openid', 'wallet:read'] },
    ];
    for (const change of changes) {
      const { updatedAt } = await show(id);
      await answered(await owner(change));
      for (const mark of [{ checked: true }, { firstParty: true }])
        expect(await seen(await set(id, { ...mark, seen: updatedAt }))).toEqual(movedOn);
    }
    expect(await show(id)).toMatchObject(none);
    expect(await auditOf(id)).toEqual([]);
    // Clearing a flag and suspending apply to any version.
    expect(await answered(await set(id, { status: 'suspended' }))).toMatchObject({ status: 'suspended' });
    expect(await answered(await marks(id, { checked: true }))).toMatchObject({ checked: true });
    expect(await answered(await set(id, { checked: false }))).toMatchObject(none);
  });

  it('have distinct versions even if the clock does not advance', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const ahead = target.now() + 60_000;
    await target.rows('UPDATE apps SET updated_at = ? WHERE id = ?', [ahead, id]);
    await answered(await browser.fetch(`/v1/apps/${id}`, json('PATCH', { name: 'Bank of Jakarta' })));
    expect(Date.parse((await show(id)).updatedAt)).toBe(ahead + 1);
    await answered(await marks(id, { checked: true }));
    expect(Date.parse((await show(id)).updatedAt)).toBe(ahead + 2);
  });

  it('are shown only to administrators, and not for a deleted app', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    expect((await browser.fetch(`/v1/admin/apps/${id}`)).status).toBe(403);
    await browser.fetch(`/v1/apps/${id}`, { method: 'DELETE' });
    for (const gone of [id, 'app_x'])
      expect(await seen(await get(`apps/${gone}`))).toEqual(refusal(404, 'App does not exist'));
  });

  it('cannot be set by the app’s owner, and are removed when the reviewed details change', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const owner = (body: object) => browser.fetch(`/v1/apps/${id}`, json('PATCH', body));
    const is = async (body: object) => (await answered<object>(await owner(body))) as typeof none;
    expect(await is({ checked: true, firstParty: true, tokenLimit: 9 })).toMatchObject({
      checked: false,
      firstParty: false,
    });
    const kept = { scopes: ['openid'], idTokenAlg: 'ES256' };
    const changes = [
      { name: 'Bank of Jakarta' },
      { redirectUris: ['https://evil.example/callback'] },
      { allowedOrigins: ['https://evil.example'] },
      { backchannelLogoutUri: 'https://evil.example.net/logout' },
      { homepageUrl: 'https://evil.example/' },
      { scopes: ['openid', 'wallet:read'] },
    ];
    for (const change of changes) {
      await answered(await marks(id, { firstParty: true }));
      expect(await is(kept)).toMatchObject({ checked: true, firstParty: true });
      expect(await is(change)).toMatchObject({ checked: false, firstParty: false });
      await answered(await marks(id, { firstParty: true }));
      expect(await is(change)).toMatchObject({ checked: true, firstParty: true });
    }
  });
});

describe('the page of an app on the admin desk', () => {
  it('shows that devices can sign people in to it, if its owner allows this [S-23]', async () => {
    const { browser } = await newMember(target);
    const shown = 'Devices sign people in by a code';
    for (const deviceFlow of [true, false]) {
      const { id } = await newApp(browser, { type: 'native', deviceFlow });
      expect((await answered<DeskApp>(await get(`apps/${id}`))).deviceFlow).toBe(deviceFlow);
      const page = await (await boss.browser.navigate(`/admin?app=${id}`)).text();
      expect([page.includes(id), page.includes(shown)]).toEqual([true, deviceFlow]);
    }
  });
});

describe('the search for an app at the desk', () => {
  it('finds apps by the beginning of their name, whatever its case, and leads to one by its id', async () => {
    const { browser } = await newMember(target);
    const [one, other] = [await newApp(browser), await newApp(browser)];
    await target.rows(`UPDATE apps SET name = 'Zebra Kopi' WHERE id = ?`, [one.id]);
    await target.rows(`UPDATE apps SET name = 'Zebra Teh' WHERE id = ?`, [other.id]);
    const shown = async (text: string) =>
      (await boss.browser.navigate(`/admin?${new URLSearchParams({ app: text })}`)).text();
    const both = await shown('zebra');
    for (const { id } of [one, other]) expect(both).toContain(`/admin?app=${id}#app`);
    const single = await shown('zebra k');
    expect(single).toContain(`/admin?app=${one.id}#app`);
    expect(single).not.toContain(`/admin?app=${other.id}#app`);
    expect(await shown('zebra %')).toContain('No app has this ID, and no name begins with this.');
    const found = await shown(one.id);
    expect(found).toContain('Suspend the app');
    const fields = { act: 'app', id: one.id, status: 'suspended', reason };
    expect((await boss.browser.navigate('/admin', form(fields, target.origin))).status).toBe(303);
    expect(await shown(one.id)).toContain('Let the app act again');
  });
});

describe('an administrator’s own app', () => {
  it('can be checked, reactivated or given higher limits only by another administrator [D-96]', async () => {
    const { id } = await newApp(boss.browser);
    const show = async () => answered<DeskApp>(await get(`apps/${id}`));
    const another = refusal(403, 'Another administrator has to decide');
    const set = async (body: object, by = boss) => {
      const { updatedAt } = await show();
      return by.browser.fetch(`/v1/admin/apps/${id}`, json('PATCH', { reason, seen: updatedAt, ...body }));
    };
    const resource = 'https://own.intranet/';
    const claim = (by: Member, proven: boolean) =>
      by.browser.fetch(`/v1/admin/apps/${id}/resources`, json('POST', { resource, proven, reason }));
    const favours = [{ checked: true }, { firstParty: true }, { tokenLimit: 50 }, { tokenLimit: 99 }];
    for (const body of favours.slice(0, 3)) expect(await seen(await set(body))).toEqual(another);
    expect(await seen(await claim(boss, true))).toEqual(another);
    expect(await auditOf(id)).toEqual([]);
    for (const body of favours) await answered(await set(body, deputy));
    await answered(await claim(deputy, true));
    // Clearing flags, and setting flags that are already set, do not favour the app.
    for (const body of [{ checked: true }, { tokenLimit: 9 }, { checked: false }, { status: 'suspended' }])
      await answered(await set(body));
    await answered(await claim(boss, false));
    for (const body of [{ status: 'active' }, { tokenLimit: 10 }, { tokenLimit: null }, { checked: true }])
      expect(await seen(await set(body))).toEqual(another);
    await answered(await set({ status: 'active', tokenLimit: null }, deputy));
  });
});

describe('GET /v1/admin/apps', () => {
  it('lists unchecked apps, and apps whose fee exceeds the limits of their grants', async () => {
    const { browser, handle } = await newMember(target);
    const { id, name } = await newApp(browser, { scopes: ['openid', 'fiat:transfer'] });
    const plain = await newApp(browser);
    const listed = async () => {
      const { data } = await answered<RestrictedApps>(await get('apps'));
      return data.filter((one) => [id, plain.id].includes(one.id));
    };
    const unchecked = { id, name, reason: 'not_checked', grants: null };
    const uncovered = { id, name, reason: 'fee_not_covered', grants: 1 };
    expect(await listed()).toEqual([unchecked]);
    const grant = await insertGrant(target, id, handle);
    await target.rows('UPDATE grants SET per_transfer = 1000 WHERE id = ?', [grant]);
    const fee = (fixed: number) =>
      browser.fetch(`/v1/apps/${id}/fees/transfer`, json('PUT', { fixed, bps: 0 }));
    expect((await fee(5)).status).toBe(200);
    expect(await listed()).toEqual([uncovered, unchecked]);
    await target.rows('UPDATE apps SET checked_at = 1 WHERE id = ?', [id]);
    expect(await listed()).toEqual([uncovered]);
    expect((await fee(0)).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await browser.fetch('/v1/admin/apps')).status).toBe(403);
  });

  it('lists an app even if people at the app limit have a hundred older ones', async () => {
    const strangers = [await newMember(target), await newMember(target)];
    for (const { handle } of strangers)
      await target.rows(
        `INSERT INTO apps (id, owner, name, type, scopes, created_at, updated_at)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
          SELECT 'app_00' || i || ?, ?, 'Many', 'spa', '["openid","wallet:read"]', 1, 1 FROM n`,
        [handle, handle],
      );
    const { id } = await newApp((await newMember(target)).browser, { scopes: ['openid', 'wallet:read'] });
    const { data } = await answered<RestrictedApps>(await get('apps'));
    expect(data).toHaveLength(100);
    expect(data.map((one) => one.id)).toContain(id);
  });
});

describe('an app on /admin', () => {
  const page = async (path = '/admin') => (await boss.browser.navigate(path)).text();
  const post = (fields: Record<string, string>) =>
    boss.browser.navigate('/admin', form({ act: 'app', reason, ...fields }, target.origin));
  const versionIn = (html: string) => /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? '';

  it('is found by its id or in the list, and flagged only in the version shown', async () => {
    const { browser, handle } = await newMember(target);
    const privacyUrl = 'https://shop.example.com/privacy';
    const { id } = await newApp(browser, { scopes: ['openid', 'wallet:read'], privacyUrl });
    await target.rows(`UPDATE apps SET logo_hash = 'ab' WHERE id = ?`, [id]);
    expect(await page()).toContain(`href="/admin?app=${id}#app"`);
    expect(await page('/admin?app=app_x')).toContain('No app has this ID, and no name begins with this.');
    const html = await page(`/admin?app=${id}`);
    const facts = [
      'Corner Shop',
      `${handle}@pid`,
      'https://shop.example.com/callback',
      'wallet:read',
      privacyUrl,
    ];
    for (const text of [...facts, `src="/logos/${id}/ab"`]) expect(html).toContain(text);
    const seen = versionIn(html);
    await browser.fetch(`/v1/apps/${id}`, json('PATCH', { name: 'Bank of Jakarta' }));
    const late = await post({ id, checked: 'true', seen });
    const shown = await late.text();
    expect([late.status, shown.includes('Bank of Jakarta')]).toEqual([409, true]);
    expect(shown).toContain('The state has changed in the meantime');
    expect((await post({ id, checked: 'true' })).status).toBe(400);
    expect((await post({ id, checked: 'true', seen: versionIn(shown) })).status).toBe(303);
    expect(await page()).not.toContain(`href="/admin?app=${id}#app"`);
  });
});
