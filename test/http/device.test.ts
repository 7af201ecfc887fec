import * as client from 'openid-client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/features/app/schema.ts';
import { seen } from '../support/answers.ts';
import { newApp } from '../support/apps.ts';
import { json, openBrowser } from '../support/browser.ts';
import { decideDevice, deviceGrant, poll, startDevice, typeCode } from '../support/device.ts';
import { mailsTo } from '../support/mailbox.ts';
import { newMember } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { newRelation, post, type Relation, refresh, tokensOf, userinfo } from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

const native = {
  type: 'native',
  redirectUris: ['com.example.tv:/callback'],
  allowedOrigins: [],
  deviceFlow: true,
};

let relation: Relation;
beforeAll(async () => {
  relation = await newRelation(target, native);
});

const errorOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error: string }).error,
];

const minutes = (count: number) => target.advance(count * 60);

/** A person who has typed the code of a new request, and the resulting page. */
async function typed(scope?: string) {
  const device = await startDevice(relation, scope);
  const person = await newMember(target);
  const page = await typeCode(relation, person.browser, device.user_code);
  return { device, person, page, text: await page.clone().text() };
}

/** The tokens of an approved device. */
async function allowed(scope?: string) {
  const { device, person, page } = await typed(scope);
  expect((await decideDevice(relation, person.browser, page)).status).toBe(200);
  return { device, person };
}

describe('device authorization', () => {
  it('returns a code to type, but no URL that contains it [S-23]', async () => {
    const device = await startDevice(relation);
    expect(device).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}\.[\w-]{22}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${target.origin}/device`,
      expires_in: 600,
      interval: 5,
    });
    const rows = await target.rows('SELECT * FROM popup_requests WHERE app_id = ?', [relation.app.id]);
    const stored = JSON.stringify(rows);
    for (const secret of [device.user_code, device.user_code.replace('-', ''), device.device_code])
      expect(stored).not.toContain(secret);
  });

  it('is announced in the server metadata', async () => {
    const metadata = await target.request('/.well-known/openid-configuration');
    expect(await metadata.json()).toMatchObject({
      device_authorization_endpoint: `${target.origin}/v1/auth/device`,
      grant_types_supported: expect.arrayContaining([deviceGrant]),
    });
  });

  it('signs in an unmodified openid-client', async () => {
    const execute = [client.allowInsecureRequests];
    const send = (address: string, init: client.CustomFetchOptions) => {
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = init.body == null ? {} : { body: String(init.body) };
      return target.request(address.slice(target.origin.length), {
        method: init.method ?? 'GET',
        headers,
        ...body,
      });
    };
    const options = { execute, [client.customFetch]: send };
    const config = await client.discovery(
      new URL(target.origin),
      relation.app.id,
      undefined,
      client.None(),
      options,
    );
    const device = await client.initiateDeviceAuthorization(config, {
      scope: 'openid profile offline_access',
    });
    const waiting = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.1 });
    const { browser, handle } = relation.person;
    const page = await typeCode(relation, browser, device.user_code);
    expect(await (await decideDevice(relation, browser, page)).text()).toContain('The device is signed in');
    const tokens = await waiting;
    expect(tokens.claims()?.sub).toBe(`${handle}@pid`);
    const info = await client.fetchUserInfo(config, tokens.access_token, `${handle}@pid`);
    expect(info.sub).toBe(`${handle}@pid`);
    await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  });

  it('is rejected for a money scope, another resource or an unknown app', async () => {
    const ask = (fields: Record<string, string>) => post(relation, '/v1/auth/device', fields);
    expect(await errorOf(await ask({ scope: 'fiat:transfer' }))).toEqual([400, 'invalid_scope']);
    expect(await errorOf(await ask({ resource: 'https://api.example.com/' }))).toEqual([
      400,
      'invalid_target',
    ]);
    expect(await errorOf(await ask({ client_id: 'app_00000000000000000000000000' }))).toEqual([
      401,
      'invalid_client',
    ]);
  });
});

describe('the device page', () => {
  it('shows the app, the code, the country and the scopes, and warns about codes sent by someone else', async () => {
    const { device, person, text } = await typed();
    for (const shown of [
      relation.app.name,
      device.user_code,
      `${person.handle}@pid`,
      'see your name and language',
    ])
      expect(text).toContain(shown);
    expect(text).toContain('somebody else wants to use your account');
    const again = await startDevice(relation);
    await target.rows(
      "UPDATE popup_requests SET params = json_set(params, '$.country', 'ID') WHERE app_id = ?",
      [relation.app.id],
    );
    const located = await typeCode(relation, person.browser, again.user_code);
    expect(await located.text()).toMatch(/Requested .* from Indonesia/);
    expect(await (await person.browser.navigate('/device')).text()).toContain(
      'Did somebody send you the code?',
    );
  });

  it('ignores a code in its address, and asks a signed-out visitor to sign in first [S-23]', async () => {
    const { user_code: code } = await startDevice(relation);
    const { browser } = await newMember(target);
    const page = await browser.navigate(`/device?user_code=${code}&code=${code}`);
    expect(await page.text()).not.toContain(code);
    const visitor = await openBrowser(target).navigate('/device');
    expect([visitor.status, visitor.headers.get('Location')]).toEqual([
      302,
      '/signin?returnTo=self%3A%2Fdevice',
    ]);
  });

  it('accepts a code in any case and with any separator', async () => {
    const { browser } = await newMember(target);
    for (const write of [
      (code: string) => code.toLowerCase(),
      (code: string) => code.replace('-', ''),
      (code: string) => ` ${code.replace('-', ' ')} `,
    ]) {
      const { user_code: code } = await startDevice(relation);
      expect(await (await typeCode(relation, browser, write(code))).text()).toContain(code);
    }
  });

  it('accepts a decision only from its own form, for the displayed request and session [S-23]', async () => {
    const { device, person, page } = await typed();
    const other = await typed();
    const proofOf = async (one: Response) =>
      /name="proof" value="([^"]*)"/.exec(await one.clone().text())?.[1] ?? '';
    const decide = (changes: Record<string, string>, browser = person.browser) =>
      decideDevice(relation, browser, page, 'allow', changes);
    expect((await decide({ proof: '' })).status).toBe(400);
    expect((await decide({ proof: await proofOf(other.page) })).status).toBe(400);
    expect((await decide({}, other.person.browser)).status).toBe(400);
    const fields = { code: device.user_code, proof: await proofOf(page), decision: 'allow' };
    const foreign = form(fields, 'https://evil.example');
    expect((await person.browser.navigate('/device', foreign)).status).toBe(403);
    expect(await errorOf(await poll(relation, device.device_code))).toEqual([400, 'authorization_pending']);
    expect((await decide({})).status).toBe(200);
    expect((await decide({})).status).toBe(400);
    await tokensOf(await poll(relation, device.device_code));
  });

  it('cannot be replaced by a popup page, because a device’s request has a different id [S-23]', async () => {
    const { device } = await allowed();
    const [row] = await target.rows<{ id: string }>(
      "SELECT id FROM popup_requests WHERE app_id = ? AND status = 'approved' ORDER BY created_at DESC LIMIT 1",
      [relation.app.id],
    );
    const id = row?.id ?? '';
    expect(id.slice(1).length).toBe(21);
    expect(device.device_code).not.toContain(id.slice(1));
    for (const path of ['/popup/login', '/popup/approve', '/popup/done'])
      expect((await relation.person.browser.navigate(`${path}?c=${id}`)).status).toBe(404);
  });
});

describe('a guess at a code', () => {
  it('is counted per person, and the eleventh within ten minutes is not checked [S-23]', async () => {
    const { browser } = await newMember(target);
    const { user_code: code } = await startDevice(relation);
    for (let guess = 0; guess < 10; guess += 1)
      expect((await typeCode(relation, browser, 'BBBB-BBBB')).status).toBe(400);
    expect((await typeCode(relation, browser, code)).status).toBe(429);
    await minutes(9);
    expect((await typeCode(relation, browser, code)).status).toBe(429);
  });

  it('is rejected after five attempts for the same code [S-23]', async () => {
    const device = await startDevice(relation);
    const statuses: number[] = [];
    for (let people = 0; people < 6; people += 1) {
      const { browser } = await newMember(target);
      statuses.push((await typeCode(relation, browser, device.user_code)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 400]);
  });
});

describe('a device that polls', () => {
  it('has to wait between polls, and for longer if it polls too early', async () => {
    const { device_code: code } = await startDevice(relation);
    const asked = async () => (await errorOf(await poll(relation, code)))[1];
    expect(await asked()).toBe('authorization_pending');
    expect(await asked()).toBe('slow_down');
    await target.advance(6);
    expect(await asked()).toBe('slow_down');
    await target.advance(15);
    expect(await asked()).toBe('authorization_pending');
  });

  it('gets tokens once, for the scopes that the person allowed', async () => {
    const { device, person } = await allowed('openid profile offline_access');
    const tokens = await tokensOf(await poll(relation, device.device_code));
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'offline_access openid profile' });
    expect(await (await userinfo(target, tokens.access_token)).json()).toMatchObject({
      sub: `${person.handle}@pid`,
    });
    expect(await errorOf(await poll(relation, device.device_code))).toEqual([400, 'invalid_grant']);
    await tokensOf(await refresh(relation, tokens.refresh_token));
  });

  it('gets tokens only once in 20 concurrent polls', async () => {
    const { device } = await allowed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(relation, device.device_code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
  });

  it('gets access_denied after the person has denied the request', async () => {
    const { device, person, page } = await typed();
    const decided = await decideDevice(relation, person.browser, page, 'deny');
    expect(await decided.text()).toContain('Nothing was allowed');
    expect(await errorOf(await poll(relation, device.device_code))).toEqual([400, 'access_denied']);
    expect(await target.rows('SELECT 1 FROM grants WHERE handle = ?', [person.handle])).toEqual([]);
  });

  it('gets expired_token after its code has expired, and the code no longer works', async () => {
    const { device, person, page } = await typed();
    await minutes(10);
    expect(await errorOf(await poll(relation, device.device_code))).toEqual([400, 'expired_token']);
    await person.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect((await decideDevice(relation, person.browser, page)).status).toBe(400);
    expect((await typeCode(relation, person.browser, device.user_code)).status).toBe(400);
  });

  it('gets no tokens if the person has signed out or revoked the grant before it polls', async () => {
    const left = await allowed();
    await left.person.browser.fetch('/v1/auth/logout', { method: 'POST' });
    expect(await errorOf(await poll(relation, left.device.device_code))).toEqual([400, 'access_denied']);
    const revoked = await allowed();
    await target.rows("UPDATE grants SET revoked_at = ?, revoked_by = 'person' WHERE handle = ?", [
      target.now(),
      revoked.person.handle,
    ]);
    expect(await errorOf(await poll(relation, revoked.device.device_code))).toEqual([400, 'access_denied']);
  });

  it('has to be the client that started the request, and has to send the whole device code [S-23]', async () => {
    const { device } = await allowed();
    const other = await newApp((await newMember(target)).browser, native);
    expect(await errorOf(await poll({ target, app: other }, device.device_code))).toEqual([
      400,
      'invalid_grant',
    ]);
    const [secret = '', mac = ''] = device.device_code.split('.');
    for (const forged of [
      secret,
      `${secret}.`,
      `${'A'.repeat(43)}.${mac}`,
      `${secret}.${'A'.repeat(22)}`,
      'x',
    ])
      expect(await errorOf(await poll(relation, forged))).toEqual([400, 'invalid_grant']);
    expect(await errorOf(await post(relation, '/v1/auth/token', { grant_type: deviceGrant }))).toEqual([
      400,
      'invalid_request',
    ]);
    await tokensOf(await poll(relation, device.device_code));
  });

  it('gets its tokens after a change of SECRET_KEY', async () => {
    const waiting = await startDevice(relation);
    const { device } = await allowed();
    await target.restart({
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      SECRET_KEY_PREVIOUS: 'dGhpcyBpcyBhIHRlc3Qga2V5LCBub3QgYSBzZWNyZXQhISE=',
    });
    await tokensOf(await poll(relation, device.device_code));
    const { browser } = await newMember(target);
    const page = await typeCode(relation, browser, waiting.user_code);
    expect((await decideDevice(relation, browser, page)).status).toBe(200);
    await tokensOf(await poll(relation, waiting.device_code));
  });
});

describe('the money of a person', () => {
  it('is out of reach of a device, even if its app is checked and first-party [S-23]', async () => {
    const scopes = ['openid', 'offline_access', 'wallet:read', 'fiat:transfer'];
    const trusted = await newRelation(target, { ...native, scopes });
    await target.rows('UPDATE apps SET checked_at = 1, first_party_at = 1 WHERE id = ?', [trusted.app.id]);
    for (const scope of [
      'openid offline_access wallet:read fiat:transfer',
      'openid wallet:read',
      'fiat:transfer',
    ]) {
      const answer = await post(trusted, '/v1/auth/device', { scope });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: 'invalid_scope',
        error_description: 'a device may not ask for wallet or fiat scopes',
      });
    }
    const device = await startDevice(trusted, 'openid offline_access');
    const page = await typeCode(trusted, trusted.person.browser, device.user_code);
    await decideDevice(trusted, trusted.person.browser, page);
    const tokens = await tokensOf(await poll(trusted, device.device_code));
    expect(tokens.scope).toBe('offline_access openid');
    const again = await tokensOf(await refresh(trusted, tokens.refresh_token));
    expect(again.scope).toBe('offline_access openid');
  });
});

describe('an app', () => {
  const change = (one: Relation, body: object) =>
    one.person.browser.fetch(`/v1/apps/${one.app.id}`, json('PATCH', body));

  it('has no devices unless its owner allows them, even if it is checked and first-party [S-23]', async () => {
    for (const type of ['web', 'spa', 'native']) {
      const one = await newRelation(target, { type });
      expect(one.app.deviceFlow).toBe(false);
      await target.rows('UPDATE apps SET checked_at = 1, first_party_at = 1 WHERE id = ?', [one.app.id]);
      const answer = await post(one, '/v1/auth/device', { scope: 'openid' });
      expect(await errorOf(answer)).toEqual([400, 'unauthorized_client']);
    }
  });

  it('with a secret has to present it to start a request and to get tokens', async () => {
    const web = await newRelation(target, { deviceFlow: true });
    const bare = { target, app: { ...web.app, secret: null } };
    expect(await errorOf(await post(bare, '/v1/auth/device', {}))).toEqual([401, 'invalid_client']);
    const device = await startDevice(web);
    const page = await typeCode(web, web.person.browser, device.user_code);
    await decideDevice(web, web.person.browser, page);
    expect(await errorOf(await poll(bare, device.device_code))).toEqual([401, 'invalid_client']);
    const tokens = await tokensOf(await poll(web, device.device_code));
    await tokensOf(await refresh(web, tokens.refresh_token));
  });

  it('cannot allow devices if its type is spa, at registration or later', async () => {
    const spa = await newRelation(target, { type: 'spa' });
    const body = { name: 'Page', type: 'spa', deviceFlow: true };
    for (const answer of [
      await spa.person.browser.fetch('/v1/apps', json('POST', body)),
      await change(spa, { deviceFlow: true }),
    ])
      expect(await seen(answer)).toMatchObject([
        400,
        { message: ['deviceFlow must be false for an app of type spa'] },
      ]);
    expect((await change(spa, { deviceFlow: 'yes' })).status).toBe(400);
  });

  it('loses its pending requests when its owner no longer allows devices [S-23]', async () => {
    await minutes(11);
    const one = await newRelation(target, native);
    const { browser } = one.person;
    const shown = await startDevice(one);
    const page = await typeCode(one, browser, shown.user_code);
    const approved = await startDevice(one);
    await decideDevice(one, browser, await typeCode(one, browser, approved.user_code));
    expect((await change(one, { deviceFlow: false })).status).toBe(200);
    expect((await decideDevice(one, browser, page)).status).toBe(400);
    expect((await typeCode(one, browser, shown.user_code)).status).toBe(400);
    expect(await errorOf(await poll(one, shown.device_code))).toEqual([400, 'authorization_pending']);
    expect(await errorOf(await poll(one, approved.device_code))).toEqual([400, 'access_denied']);
  });

  it('requires a recent sign-in to change the setting, and its owner gets an email [S-23]', async () => {
    const one = await newRelation(target, { type: 'native' });
    expect(((await (await change(one, { deviceFlow: true })).json()) as App).deviceFlow).toBe(true);
    const { browser, claims } = one.person;
    const kinds = async () => (await mailsTo(target, claims.email)).map(({ kind }) => kind);
    expect(await kinds()).toContain('app_changed');
    const lines = await target.rows("SELECT detail FROM activity WHERE type = 'app.changed' AND handle = ?", [
      one.person.handle,
    ]);
    expect(lines).toEqual([{ detail: `${one.app.name} (deviceFlow)` }]);
    await target.advance(901);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    expect((await change(one, { deviceFlow: false })).headers.get('X-Error-Code')).toBe('not_fresh');
    expect((await change(one, { deviceFlow: true })).status).toBe(200);
  });

  it('shows on its page that it allows devices', async () => {
    const { browser } = await newMember(target);
    const submit = (path: string, fields: object) =>
      browser.navigate(path, form({ name: 'TV', type: 'native', ...fields }, target.origin));
    await browser.navigate('/developers/register');
    await submit('/developers/register', { deviceFlow: 'true', redirectUris: 'com.example.tv:/callback' });
    const [app] = ((await (await browser.fetch('/v1/apps')).json()) as { data: App[] }).data;
    expect(app?.deviceFlow).toBe(true);
    const path = `/developers/apps/${app?.id}`;
    const open = async () => (await browser.navigate(path)).text();
    const notice = 'Devices sign people in to this app by a code.';
    expect(await open()).toContain(notice);
    expect(await open()).toMatch(/<option value="true" selected/);
    await submit(path, { deviceFlow: 'false' });
    expect(await open()).not.toContain(notice);
  });
});
