import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../src/features/account/schema.ts';
import type { Grant } from '../../src/features/grant/schema.ts';
import type { ListedEvent } from '../../src/features/webhook/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { inOneTrip, refusal, seen, unauthenticated } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { type Member, newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

const notFound = refusal(404, 'Grant does not exist');
const dayMs = 86_400_000;

const list = async (browser: Browser, query = '') =>
  (await (await browser.fetch(`/v1/grants${query}`)).json()) as Page<Grant>;
const limit = (browser: Browser, id: string, body: unknown) =>
  browser.fetch(`/v1/grants/${id}`, json('PATCH', body));
const revoke = (browser: Browser, id: string) => browser.fetch(`/v1/grants/${id}`, { method: 'DELETE' });

interface Allowed {
  readonly owner: Member;
  readonly person: Member;
  readonly app: string;
  readonly id: string;
}

/** An app that a person has allowed to act. */
async function allow(person?: Member): Promise<Allowed> {
  const [owner, member] = [await newMember(target), person ?? (await newMember(target))];
  const { id: app } = await newApp(owner.browser);
  return { owner, person: member, app, id: await insertGrant(target, app, member.handle) };
}

describe('a person’s grants', () => {
  it('are listed with the newest 4,000 characters of their hosts and resources, and shown with all of them [D-100]', async () => {
    const { person, id } = await allow();
    const host = (index: number) => `${String(index).padStart(3, '0')}${'a'.repeat(57)}.example`;
    const hosts = Array.from({ length: 200 }, (_, index) => host(index));
    // A list may be cut after any character of this one.
    const resources = hosts.map((name) => `https://${name}/?a[]=[]&b=${'[],'.repeat(17)}]`);
    await target.rows('UPDATE grants SET hosts = ?, resources = ? WHERE id = ?', [
      JSON.stringify(hosts.map((name) => `${name} openid`)),
      JSON.stringify(resources),
      id,
    ]);
    const [listed] = (await list(person.browser)).data;
    const [ofHosts, ofResources] = [listed?.hosts ?? [], listed?.resources ?? []];
    expect(ofHosts).toEqual(hosts.slice(0, ofHosts.length));
    expect(ofResources).toEqual(resources.slice(0, ofResources.length));
    expect([ofHosts.length, ofResources.length]).toEqual([51, 28]);
    const whole = await (await limit(person.browser, id, {})).json();
    expect(whole).toMatchObject({ hosts, resources });
  });

  it('are listed and shown whatever characters an app has put into its resources', async () => {
    const { person, id } = await allow();
    const resources = [0, 1].map((index) => `https://api.example/${index}${'",",'.repeat(230)}\\`);
    // Each cut ends after another character of the second resource, or of an escape in it.
    for (let more = 0; more < 8; more += 1) {
      const all = [`https://api.example/${'a'.repeat(more)}`, ...resources, ...resources];
      await target.rows('UPDATE grants SET resources = ?, hosts = ? WHERE id = ?', [
        JSON.stringify(all),
        JSON.stringify(all.map((resource) => `api.example ${resource}`)),
        id,
      ]);
      const [listed] = (await list(person.browser)).data;
      expect(listed).toMatchObject({ resources: all.slice(0, 3), hosts: ['api.example'] });
      expect(await (await limit(person.browser, id, {})).json()).toMatchObject({ resources: all });
    }
    expect((await person.browser.navigate('/account/apps')).status).toBe(200);
  });

  it('are listed newest first, page by page, with app, scopes, limits and amounts spent [S-06]', async () => {
    const { person, app, id } = await allow();
    const second = await allow(person);
    await target.rows(
      `UPDATE grants SET per_period = 100, period_ms = ?, period_start = ?, spent = 40, spent_total = 90, uses = 3,
        last_used_at = ? WHERE id = ?`,
      [dayMs, target.now() - 2 * dayMs, target.now(), id],
    );
    const { data, nextCursor } = await list(person.browser, '?limit=1');
    expect(data.map((grant) => grant.id)).toEqual([second.id]);
    const rest = await list(person.browser, `?limit=1&cursor=${nextCursor}`);
    expect(rest).toMatchObject({
      data: [
        {
          id,
          app: { id: app, name: 'Corner Shop' },
          scopes: ['fiat:transfer', 'openid', 'profile'],
          limits: {
            perTransfer: null,
            perPeriod: 100,
            periodDays: 1,
            total: null,
            maxUses: null,
            payees: null,
            feeBps: 0,
            feeFixed: 0,
          },
          spent: { period: 0, total: 90, uses: 3 },
          expiresAt: null,
        },
      ],
      nextCursor: null,
    });
    expect(rest.data[0]?.lastUsedAt).not.toBeNull();
    await inOneTrip(target, () => list(person.browser));
  });

  it('show the last sign-in to the app, and omit revoked and expired grants and deleted apps', async () => {
    const { person, owner, app, id } = await allow();
    const at = target.now() - 1000;
    await target.rows(
      `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, created_at,
        last_used_at, expires_at) VALUES (?, ?, ?, ?, '', '[]', 'idp', 1, 1, ?, ?)`,
      [`aps_${id}`, id, app, person.handle, at, target.now() + dayMs],
    );
    expect((await list(person.browser)).data[0]?.lastUsedAt).toBe(new Date(at).toISOString());
    const [expired, ended] = [await allow(person), await allow(person)];
    await target.rows('UPDATE grants SET expires_at = ? WHERE id = ?', [target.now(), expired.id]);
    await revoke(person.browser, ended.id);
    expect((await list(person.browser)).data.map((grant) => grant.id)).toEqual([id]);
    await owner.browser.fetch(`/v1/apps/${app}`, { method: 'DELETE' });
    expect((await list(person.browser)).data).toEqual([]);
    expect((await list(owner.browser)).data).toEqual([]);
  });
});

describe('PATCH /v1/grants/:id', () => {
  it('sets the given limits, removes those that are null, and keeps the others [S-06]', async () => {
    const { person, id } = await allow();
    const expiresAt = new Date(target.now() + dayMs).toISOString();
    const fee = { feeBps: 70, feeFixed: 500 };
    const first = { perTransfer: 5, perPeriod: 20, periodDays: 30, payees: ['ada@pid'], ...fee };
    const answer = (await (await limit(person.browser, id, { limits: first, expiresAt })).json()) as Grant;
    expect(answer).toMatchObject({ limits: { ...first, total: null, maxUses: null }, expiresAt });
    const then = { perPeriod: null, periodDays: null, total: 100, maxUses: 2, payees: null };
    await limit(person.browser, id, { limits: then, expiresAt: null });
    expect((await list(person.browser)).data[0]).toMatchObject({
      limits: { ...then, ...fee, perTransfer: 5 },
      expiresAt: null,
    });
  });

  it('never resets the amount spent when a limit is raised or lowered [D-81]', async () => {
    const { person, id } = await allow();
    await limit(person.browser, id, { limits: { total: 100, maxUses: 5 } });
    await target.rows('UPDATE grants SET spent_total = 100, uses = 5 WHERE id = ?', [id]);
    for (const total of [1000, 50]) {
      const answer = (await (
        await limit(person.browser, id, { limits: { total, maxUses: 1 } })
      ).json()) as Grant;
      expect(answer).toMatchObject({ limits: { total, maxUses: 1 }, spent: { total: 100, uses: 5 } });
    }
  });

  it.each([
    [{ limits: { perTransfer: 0 } }, 'limits.perTransfer must be a whole number from 1 to 1000000000000'],
    [{ limits: { total: 1.5 } }, 'limits.total must be a whole number from 1 to 1000000000000'],
    [{ limits: { maxUses: '3' } }, 'limits.maxUses must be a whole number from 1 to 1000000'],
    [{ limits: { perPeriod: 5, periodDays: 366 } }, 'limits.periodDays must be a whole number from 1 to 365'],
    [{ limits: { perPeriod: 5 } }, 'limits.perPeriod must be given with periodDays'],
    [{ limits: { periodDays: 5 } }, 'limits.perPeriod must be given with periodDays'],
    [{ limits: { perPeriod: 5, periodDays: null } }, 'limits.perPeriod must be given with periodDays'],
    [{ limits: { feeBps: 10_001 } }, 'limits.feeBps must be a whole number from 0 to 10000'],
    [{ limits: { feeFixed: null } }, 'limits.feeFixed must be a whole number from 0 to 1000000000'],
    [{ limits: { payees: ['ada'] } }, 'limits.payees.0 must be a PID'],
    [{ limits: { payees: ['ada@pid', 'ada@pid'] } }, 'limits.payees must not repeat an entry'],
    [
      { limits: { payees: Array.from({ length: 51 }, (_, n) => `payee-${n}@pid`) } },
      'limits.payees must have at most 50 entries',
    ],
    [{ expiresAt: 'tomorrow' }, 'expiresAt must be an ISO 8601 time'],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt must be in the future'],
  ])('rejects %j', async (body, message) => {
    const { person, id } = await allow();
    expect(await seen(await limit(person.browser, id, body))).toEqual(refusal(400, [message]));
    expect((await list(person.browser)).data[0]).toMatchObject({ limits: { total: null }, expiresAt: null });
  });

  it('requires a recent sign-in, and rejects a grant that is revoked or belongs to another person', async () => {
    const { owner, person, id } = await allow();
    const change = { limits: { maxUses: 1 } };
    expect(await seen(await limit(owner.browser, id, change))).toEqual(notFound);
    expect(await seen(await limit(person.browser, 'grt_none', change))).toEqual(notFound);
    expect(await seen(await limit(openBrowser(target), id, change))).toEqual(unauthenticated);
    await target.rows('UPDATE grants SET expires_at = ? WHERE id = ?', [target.now(), id]);
    expect(await seen(await limit(person.browser, id, change))).toEqual(refusal(403, 'Grant has expired'));
    const other = await allow(person);
    await revoke(person.browser, other.id);
    expect(await seen(await limit(person.browser, other.id, change))).toEqual(
      refusal(403, 'Grant has been revoked'),
    );
    const old = await allow(person);
    await target.advance(1000);
    await person.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect(await seen(await limit(person.browser, old.id, change))).toEqual(
      refusal(403, 'Sign in again to continue'),
    );
    expect((await list(person.browser)).data[0]).toMatchObject({ id: old.id, limits: { maxUses: null } });
  });
});

describe('DELETE /v1/grants/:id', () => {
  it('revokes a grant immediately and permanently, notifies person and app only once, and is safe to repeat [S-06]', async () => {
    const { owner, person, app, id } = await allow();
    await inOneTrip(target, () => revoke(person.browser, id));
    for (let again = 0; again < 2; again += 1) {
      expect((await revoke(person.browser, id)).status).toBe(204);
    }
    expect(await target.rows('SELECT 1 FROM live_grants WHERE id = ?', [id])).toEqual([]);
    const activity = (await (await person.browser.fetch('/v1/me/activity')).json()) as Page<ActivityEntry>;
    const lines = activity.data.filter(({ type }) => type.startsWith('grant.'));
    expect(lines).toMatchObject([
      { type: 'grant.revoked', app: 'Corner Shop' },
      { type: 'grant.created', app: 'Corner Shop' },
    ]);
    const events = await owner.browser.fetch(`/v1/apps/${app}/events`);
    const { data } = (await events.json()) as Page<ListedEvent>;
    expect(data.map(({ type, data: { pid } }) => [type, pid])).toEqual([
      ['grant.revoked', null],
      ['grant.created', null],
    ]);
    expect((await insertGrant(target, app, person.handle)).startsWith('grt_')).toBe(true);
  });

  it('returns 404 to another person, and 401 to an anonymous caller', async () => {
    const { owner, person, id } = await allow();
    expect(await seen(await revoke(owner.browser, id))).toEqual(notFound);
    expect(await seen(await revoke(openBrowser(target), id))).toEqual(unauthenticated);
    expect((await list(person.browser)).data).toHaveLength(1);
  });
});

describe('an identity with grants', () => {
  it('loses its grants when it is closed, and the apps receive events [S-05]', async () => {
    const { owner, person, app, id } = await allow();
    await person.browser.fetch('/v1/me', json('DELETE', { handle: person.handle }));
    expect(await target.rows('SELECT revoked_by FROM grants WHERE id = ?', [id])).toEqual([
      { revoked_by: 'closed' },
    ]);
    const events = await owner.browser.fetch(`/v1/apps/${app}/events`);
    const { data } = (await events.json()) as Page<ListedEvent>;
    expect(data.map(({ type }) => type)).toEqual(['grant.revoked', 'grant.created']);
  });

  it('has no live grants while it is suspended, and regains them afterwards', async () => {
    const { person, id } = await allow();
    const live = () => target.rows('SELECT 1 FROM live_grants WHERE id = ?', [id]);
    const set = (status: string) =>
      target.rows('UPDATE identities SET status = ? WHERE handle = ?', [status, person.handle]);
    await set('suspended');
    expect(await live()).toEqual([]);
    await set('active');
    expect(await live()).toHaveLength(1);
  });

  it('exports all its grants, including revoked ones, and its sign-ins to apps', async () => {
    const { person, app, id } = await allow();
    await target.rows(
      `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, code_hash,
        code_until, redirect_uri, code_challenge, host, created_at, expires_at)
        VALUES (?, ?, ?, ?, 'ses_1', '["openid"]', 'idp', 1, ?, 2, 'https://a.example/', 'challenge-of-the-app',
          (SELECT substr(hosts ->> 0, 1, instr(hosts ->> 0, ' ') - 1) FROM grants WHERE id = ?), 1, 2)`,
      [`aps_${id}`, id, app, person.handle, `digest-of-${id}`, id],
    );
    await revoke(person.browser, id);
    const text = await (await person.browser.fetch('/v1/me/export')).text();
    expect(JSON.parse(text)).toMatchObject({
      complete: true,
      grants: [{ id, app: { name: 'Corner Shop' }, endedBecause: 'person' }],
      appSessions: [{ id: `aps_${id}`, appId: app, scopes: ['openid'], endedAt: null }],
    });
    expect(text).not.toMatch(/digest-of|challenge-of/);
  });
});
