import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../src/features/account/schema.ts';
import type { App, NewSecret, SecretList } from '../../src/features/app/schema.ts';
import type { Page } from '../../src/lib/page.ts';
import { secretHash } from '../../src/lib/secret.ts';
import { notFresh, refusal, seen, sessionIdOf, unauthenticated } from '../support/answers.ts';
import { newApp, shop } from '../support/apps.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { mailsTo } from '../support/mailbox.ts';
import { newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

const notFound = refusal(404, 'App does not exist');
const invalid = (...message: string[]) => refusal(400, message);

const create = (browser: Browser, fields: Record<string, unknown>) =>
  browser.fetch('/v1/apps', json('POST', { ...shop, ...fields }));
const change = (browser: Browser, id: string, fields: Record<string, unknown>) =>
  browser.fetch(`/v1/apps/${id}`, json('PATCH', fields));
const rotate = (browser: Browser, id: string, fields: Record<string, unknown> = {}) =>
  browser.fetch(`/v1/apps/${id}/secret`, json('POST', fields));
const revoke = (browser: Browser, id: string, secret: string, query = '') =>
  browser.fetch(`/v1/apps/${id}/secrets/${secret}${query}`, { method: 'DELETE' });
const remove = (browser: Browser, id: string) => browser.fetch(`/v1/apps/${id}`, { method: 'DELETE' });
const refused = async (answer: Promise<Response>) => seen(await answer);

async function bodyOf<Body>(answer: Promise<Response>): Promise<Body> {
  return (await (await answer).json()) as Body;
}

const appsOf = (browser: Browser, query = '') => bodyOf<Page<App>>(browser.fetch(`/v1/apps${query}`));
const appOf = (browser: Browser, id: string) => bodyOf<App>(browser.fetch(`/v1/apps/${id}`));
const secretsOf = async (browser: Browser, id: string) =>
  (await bodyOf<SecretList>(browser.fetch(`/v1/apps/${id}/secrets`))).data;
const rotated = (browser: Browser, id: string, fields?: Record<string, unknown>) =>
  bodyOf<NewSecret>(rotate(browser, id, fields));
const activityOf = async (browser: Browser) =>
  (await bodyOf<Page<ActivityEntry>>(browser.fetch('/v1/me/activity'))).data;
const newestMail = async (address: string) => (await mailsTo(target, address))[0]?.kind;

describe('POST /v1/apps', () => {
  it('registers an app of each type, and gives only a web app a secret', async () => {
    const { browser } = await newMember(target);
    const web = await newApp(browser);
    expect(web).toMatchObject({ ...shop, scopes: ['openid', 'profile', 'email'], status: 'active' });
    expect(web).toMatchObject({ backchannelLogoutUri: null, idTokenAlg: 'RS256' });
    expect(web.secret?.value).toMatch(/^pids_[\w-]{43}$/);
    expect(web.secret?.hint).toBe(web.secret?.value.slice(-4));
    for (const type of ['spa', 'native']) {
      const { id, secret } = await newApp(browser, { type });
      expect(secret).toBeNull();
      expect(await refused(rotate(browser, id))).toEqual(
        invalid('id must be that of a web app, which alone has secrets'),
      );
    }
    const stored = await target.rows('SELECT * FROM app_secrets WHERE id = ?', [web.secret?.id ?? '']);
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(web.secret?.value.slice(5));
  });

  it.each([
    ['http://shop.example.com/', 'web'],
    ['https://shop.example.com/#done', 'web'],
    ['https://user@shop.example.com/', 'web'],
    ['https://*.example.com/', 'web'],
    ['https:\\\\shop.example.com/', 'web'],
    ['https:shop.example.com', 'web'],
    ['https://shop.example.com/a b', 'web'],
    ['https://shöp.example.com/', 'web'],
    ['https://shop.example.com/?</noscript><form>', 'web'],
    ["https://shop.example.com/'", 'web'],
    ['com.example.app:/</noscript>', 'native'],
    ['javascript:alert(1)', 'native'],
    ['myapp:/callback', 'native'],
    ['com.example.app:/callback', 'spa'],
    [`com.${'a'.repeat(249)}:/callback`, 'native'],
    [`https://${'a.'.repeat(122)}example.com/`, 'web'],
    [`https://shop.example.com/${'a'.repeat(500)}`, 'web'],
    [7, 'web'],
  ])('rejects the redirect URI %s for a %s app', async (uri, type) => {
    const { browser } = await newMember(target);
    expect(await refused(create(browser, { type, redirectUris: [uri] }))).toEqual(
      invalid('redirectUris.0 must be an https URL or a loopback URL'),
    );
  });

  it.each([
    'http://shop.example.com/logout',
    'https://10.0.0.1/logout',
    'https://shop.example.com:8443/logout',
    'https://user@shop.example.com/logout',
    'https://shop.example.com/#logout',
    'ftp://shop.example.com/',
    `https://shop.example.com/${'a'.repeat(500)}`,
    '',
  ])('rejects the logout URI %s', async (backchannelLogoutUri) => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const unsafe = invalid('backchannelLogoutUri must be a public https URL');
    expect(await refused(create(browser, { backchannelLogoutUri }))).toEqual(unsafe);
    expect(await refused(change(browser, id, { backchannelLogoutUri }))).toEqual(unsafe);
    expect((await appOf(browser, id)).backchannelLogoutUri).toBeNull();
  });

  it('stores a logout URI and a signing algorithm, and removes them on request', async () => {
    const { browser } = await newMember(target);
    const backchannelLogoutUri = 'https://shop.example.com/logout?from=pid';
    const { id } = await newApp(browser, { backchannelLogoutUri, idTokenAlg: 'ES256' });
    await change(browser, id, { name: 'Warung' });
    expect(await appOf(browser, id)).toMatchObject({ backchannelLogoutUri, idTokenAlg: 'ES256' });
    await change(browser, id, { backchannelLogoutUri: null, idTokenAlg: 'RS256' });
    expect(await appOf(browser, id)).toMatchObject({ backchannelLogoutUri: null, idTokenAlg: 'RS256' });
    expect(await refused(change(browser, id, { idTokenAlg: 'none' }))).toEqual(
      invalid('idTokenAlg must be one of: RS256, ES256'),
    );
  });

  it.each([
    ['https://shop.example.com/callback?from=pid', 'spa'],
    ['http://localhost:8080/callback', 'web'],
    ['http://127.0.0.1/', 'native'],
    ['http://[::1]:5173/', 'spa'],
    ['com.example.app:/callback', 'native'],
    ['com.example.app://callback', 'native'],
  ])('accepts the redirect URI %s for a %s app', async (uri, type) => {
    const { browser } = await newMember(target);
    expect((await newApp(browser, { type, redirectUris: [uri] })).redirectUris).toEqual([uri]);
  });

  it.each([
    [{ name: ' ' }, 'name must not be empty'],
    [{ name: 'a'.repeat(65) }, 'name must be shorter than or equal to 64 characters'],
    [{ name: 'Shop\u202e' }, 'name must not contain control or invisible characters'],
    [{ name: '\u3164' }, 'name must not contain control or invisible characters'],
    [{ type: 'server' }, 'type must be one of: web, spa, native'],
    [
      { allowedOrigins: ['https://shop.example.com/'] },
      'allowedOrigins.0 must be an https or loopback origin',
    ],
    [{ allowedOrigins: ['http://shop.example.com'] }, 'allowedOrigins.0 must be an https or loopback origin'],
    [
      { allowedOrigins: ['https://SHOP.example.com'] },
      'allowedOrigins.0 must be an https or loopback origin',
    ],
    [{ allowedOrigins: 'https://shop.example.com' }, 'allowedOrigins must be an array'],
    [
      { redirectUris: Array.from({ length: 11 }, (_, n) => `https://shop.example.com/${n}`) },
      'redirectUris must have at most 10 entries',
    ],
    [
      { allowedOrigins: ['https://a.example', 'https://a.example'] },
      'allowedOrigins must not repeat an entry',
    ],
    [
      { scopes: ['openid', 'admin'] },
      'scopes.1 must be one of: openid, profile, email, offline_access, wallet:read, fiat:deposit, fiat:transfer, fiat:refund, fiat:read',
    ],
    [{ homepageUrl: 'javascript:alert(1)' }, 'homepageUrl must be an https URL or a loopback URL'],
  ])('rejects %j', async (fields, problem) => {
    const { browser } = await newMember(target);
    expect(await refused(create(browser, fields))).toEqual(invalid(problem));
    expect(await appsOf(browser)).toEqual({ data: [], nextCursor: null });
  });

  it('ignores fields that only the service sets [D-74]', async () => {
    const { browser, handle } = await newMember(target);
    const other = await newMember(target);
    const forged = {
      id: 'app_mine',
      owner: other.handle,
      ownerId: other.handle,
      status: 'suspended',
      secretHash: 'x',
    };
    const app = await newApp(browser, forged);
    await change(browser, app.id, forged);
    expect(await target.rows('SELECT owner, status FROM apps WHERE id = ?', [app.id])).toEqual([
      { owner: handle, status: 'active' },
    ]);
  });

  it('stops at 50 apps, however many requests arrive concurrently', async () => {
    const { browser, handle } = await newMember(target);
    await target.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 48)
        SELECT 'app_' || ? || i, ?, 'App', 'spa', 1, 1 FROM n`,
      [handle, handle],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(browser, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
    expect(await refused(create(browser, {}))).toEqual(refusal(409, 'An identity may have at most 50 apps'));
  });
});

describe('an app', () => {
  it('changes only in the given fields, and keeps its type', async () => {
    const { browser } = await newMember(target);
    const { secret: _, ...app } = await newApp(browser);
    await target.advance(1);
    const origins = ['http://localhost:5173', 'https://b.example.com'];
    const changed = change(browser, app.id, { allowedOrigins: origins, homepageUrl: null, type: 'native' });
    const expected = { ...app, allowedOrigins: origins, homepageUrl: null, updatedAt: expect.any(String) };
    expect(await bodyOf(changed)).toEqual(expected);
    expect(await appOf(browser, app.id)).toEqual(expected);
    expect(await bodyOf(change(browser, app.id, {}))).toEqual(expected);
    expect(await refused(change(browser, app.id, { redirectUris: ['com.example.app:/'] }))).toEqual(
      invalid('redirectUris.0 must be an https URL or a loopback URL'),
    );
    expect((await appOf(browser, app.id)).redirectUris).toEqual(shop.redirectUris);
  });

  it('is listed only for its owner, newest first', async () => {
    const [owner, other] = [await newMember(target), await newMember(target)];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift((await newApp(owner.browser)).id);
      await target.advance(1);
    }
    const page = await appsOf(owner.browser, '?limit=2');
    const rest = await appsOf(owner.browser, `?limit=2&cursor=${page.nextCursor}`);
    expect([...page.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
    expect(rest.nextCursor).toBeNull();
    expect(await appsOf(other.browser)).toEqual({ data: [], nextCursor: null });
  });

  it('returns 404 to others, and 401 without a live session [D-74]', async () => {
    const [owner, other] = [await newMember(target), await newMember(target)];
    const { id, secret } = await newApp(owner.browser);
    const ask = (browser: Browser) => [
      browser.fetch(`/v1/apps/${id}`),
      change(browser, id, { name: 'Mine' }),
      rotate(browser, id),
      browser.fetch(`/v1/apps/${id}/secrets`),
      revoke(browser, id, secret?.id ?? '', '?force=true'),
      remove(browser, id),
    ];
    for (const answer of ask(other.browser)) expect(await refused(answer)).toEqual(notFound);
    for (const answer of ask(openBrowser(target))) expect(await refused(answer)).toEqual(unauthenticated);
    await target.rows(`UPDATE sessions SET revoked_at = ?, revoked_reason = 'ended' WHERE id = ?`, [
      target.now(),
      await sessionIdOf(owner),
    ]);
    for (const answer of [
      ...ask(owner.browser),
      create(owner.browser, {}),
      owner.browser.fetch('/v1/apps'),
    ]) {
      expect(await refused(answer)).toEqual(unauthenticated);
    }
    expect(await target.rows('SELECT name, status FROM apps WHERE id = ?', [id])).toEqual([
      { name: shop.name, status: 'active' },
    ]);
  });

  it('is deleted permanently with its secrets and origins, and a repeated deletion is safe', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    expect((await remove(browser, id)).status).toBe(204);
    expect((await remove(browser, id)).status).toBe(204);
    expect(await refused(browser.fetch(`/v1/apps/${id}`))).toEqual(notFound);
    expect(await refused(rotate(browser, id))).toEqual(notFound);
    expect(await target.rows('SELECT 1 FROM app_secrets WHERE app_id = ?', [id])).toEqual([]);
    expect(await target.rows('SELECT 1 FROM app_origins WHERE app_id = ?', [id])).toEqual([]);
    const types = (await activityOf(browser)).map(({ type, app }) => `${type} ${app}`);
    expect(types.slice(0, 2)).toEqual(['app.deleted Corner Shop', 'app.created Corner Shop']);
  });

  it('is exported without its secret, and deleted with its owner', async () => {
    const { browser, handle } = await newMember(target);
    const { id, secret, ...app } = await newApp(browser);
    const exported = await (await browser.fetch('/v1/me/export')).text();
    expect(JSON.parse(exported).apps).toEqual([{ id, ...app }]);
    expect(exported).not.toContain(secret?.hint);
    expect((await browser.fetch('/v1/me', json('DELETE', { handle }))).status).toBe(204);
    expect(await target.rows('SELECT status FROM apps WHERE id = ?', [id])).toEqual([{ status: 'deleted' }]);
    expect(await target.rows('SELECT 1 FROM app_secrets WHERE app_id = ?', [id])).toEqual([]);
  });
});

describe('the addresses of an app', () => {
  const addresses = {
    redirectUris: ['https://evil.example.net/callback'],
    allowedOrigins: ['https://evil.example.net'],
    backchannelLogoutUri: 'https://evil.example.net/logout',
  };

  it('can be changed only after a recent sign-in, which other fields do not need [D-94]', async () => {
    const { browser, claims } = await newMember(target);
    const app = await newApp(browser);
    const change = (body: object) => browser.fetch(`/v1/apps/${app.id}`, json('PATCH', body));
    await target.advance(901);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const before = await (await browser.fetch(`/v1/apps/${app.id}`)).json();
    for (const [name, value] of Object.entries(addresses))
      expect(await seen(await change({ name: 'Other', [name]: value }))).toEqual(notFresh);
    expect(await (await browser.fetch(`/v1/apps/${app.id}`)).json()).toEqual(before);
    expect(await newestMail(claims.email)).not.toBe('app_changed');
    const { redirectUris, allowedOrigins } = app;
    const same = { name: 'Other', scopes: ['openid'], redirectUris, allowedOrigins };
    expect((await change(same)).status).toBe(200);
    expect(await activityOf(browser)).not.toContainEqual(expect.objectContaining({ type: 'app.changed' }));
  });

  it('are recorded in the activity and reported by email when they change [D-94]', async () => {
    const { browser, claims } = await newMember(target);
    const { id } = await newApp(browser);
    const change = (body: object) => browser.fetch(`/v1/apps/${id}`, json('PATCH', body));
    expect(await (await change(addresses)).json()).toMatchObject(addresses);
    expect((await change(addresses)).status).toBe(200);
    const lines = (await activityOf(browser)).filter(({ type }) => type === 'app.changed');
    expect(lines).toEqual([
      expect.objectContaining({
        app: 'Corner Shop (redirectUris, allowedOrigins, backchannelLogoutUri)',
      }),
    ]);
    expect(await newestMail(claims.email)).toBe('app_changed');
  });
});

describe('the secrets of an app', () => {
  it('are shown only once and stored only as hashes [D-73]', async () => {
    const { browser } = await newMember(target);
    const { id, secret } = await newApp(browser);
    const { id: newest, value } = await rotated(browser, id);
    const values = [secret?.value ?? '', value];
    expect(new Set(values).size).toBe(2);
    const rows = await target.rows('SELECT hash FROM app_secrets WHERE app_id = ? ORDER BY hash', [id]);
    expect(rows).toEqual(
      values
        .map(secretHash)
        .sort()
        .map((hash) => ({ hash })),
    );
    for (const path of [`/v1/apps/${id}`, '/v1/apps', `/v1/apps/${id}/secrets`, '/v1/me/export']) {
      const text = await (await browser.fetch(path)).text();
      for (const shown of values) expect(text).not.toContain(shown.slice(5));
    }
    expect((await secretsOf(browser, id)).map((one) => one.id)).toEqual([newest, secret?.id]);
  });

  it('overlap after a rotation, and the owner is notified by email and in the activity', async () => {
    const { browser, claims } = await newMember(target);
    const { id, secret } = await newApp(browser);
    const second = await rotated(browser, id, { overlapSeconds: 60 });
    expect(second.previous).toEqual([{ id: secret?.id, hint: secret?.hint, expiresAt: expect.any(String) }]);
    expect(await newestMail(claims.email)).toBe('app_secret_rotated');
    const third = await rotated(browser, id);
    expect(third.previous).toHaveLength(2);
    // A longer overlap does not extend one granted before.
    expect(third.previous[1]).toEqual(second.previous[0]);
    await target.advance(61);
    expect(await secretsOf(browser, id)).toEqual([
      { id: third.id, hint: third.hint, createdAt: third.createdAt, expiresAt: null },
      {
        id: second.id,
        hint: second.hint,
        createdAt: second.createdAt,
        expiresAt: third.previous[0]?.expiresAt,
      },
    ]);
    const [newest] = await activityOf(browser);
    expect(newest).toMatchObject({ type: 'app.secret_rotated', app: 'Corner Shop', provider: null });
    const stored = JSON.stringify(await target.rows('SELECT * FROM app_secrets'));
    expect(stored).not.toContain(third.value);
  });

  it('are revoked immediately without an overlap, and the only one can be revoked only with force', async () => {
    const { browser, claims } = await newMember(target);
    const { id } = await newApp(browser);
    const { id: current, previous } = await rotated(browser, id, { overlapSeconds: 0 });
    expect(previous).toEqual([]);
    expect(await refused(revoke(browser, id, current))).toEqual(
      refusal(400, 'Cannot revoke the only secret'),
    );
    expect(await refused(revoke(browser, id, 'sec_none'))).toEqual(refusal(404, 'Secret does not exist'));
    expect((await revoke(browser, id, current, '?force=true')).status).toBe(204);
    expect((await revoke(browser, id, current)).status).toBe(204);
    expect(await secretsOf(browser, id)).toEqual([]);
    expect(await newestMail(claims.email)).toBe('app_secret_revoked');
    expect((await rotated(browser, id)).previous).toEqual([]);
  });

  it('are limited to ten valid secrets, and can always be rotated without an overlap', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    for (let count = 1; count < 10; count += 1) await rotated(browser, id, { overlapSeconds: 604_800 });
    const full = refusal(409, 'An app may have at most 10 valid secrets');
    expect(await refused(rotate(browser, id))).toEqual(full);
    const [newest, ...former] = await secretsOf(browser, id);
    expect(former).toHaveLength(9);
    expect((await revoke(browser, id, former[0]?.id ?? '')).status).toBe(204);
    expect((await rotated(browser, id)).previous[0]?.id).toBe(newest?.id);
    expect(await refused(rotate(browser, id))).toEqual(full);
    expect((await rotated(browser, id, { overlapSeconds: 0 })).previous).toEqual([]);
  });

  it.each([-1, 604_801, 1.5, '60', null])('cannot overlap for %j seconds', async (overlapSeconds) => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    expect(await refused(rotate(browser, id, { overlapSeconds }))).toEqual(
      invalid('overlapSeconds must be a whole number from 0 to 604800'),
    );
  });

  it('include exactly one current secret, however many rotations run concurrently', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(browser, id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const secrets = await secretsOf(browser, id);
    expect(secrets).toHaveLength(9);
    expect(secrets.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
  });
});
