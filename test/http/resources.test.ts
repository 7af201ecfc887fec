import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { App, NewApp } from '../../src/features/app/schema.ts';
import { inOneTrip, notFresh, refusal, seen } from '../support/answers.ts';
import { markChecked, newApp, ownResource } from '../support/apps.ts';
import { type Browser, json } from '../support/browser.ts';
import { newDocumentClient } from '../support/client-documents.ts';
import { runJobs } from '../support/deposits.ts';
import { mailsTo } from '../support/mailbox.ts';
import { answerIn, authorizeUrl, decideOn, ledTo, ownSpellings } from '../support/oauth.ts';
import { type Member, newAdmin, newMember } from '../support/people.ts';
import { ask as askPopup, lastPage, press, redeem } from '../support/popup-tokens.ts';
import { useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';
import {
  appSignIn,
  exchange,
  newCode,
  newRelation,
  post,
  type Relation,
  refresh,
  tokensOf,
} from '../support/token.ts';

const target = useService({ ADMIN_PIDS: 'the-boss@pid' });
let boss: Member;
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
});

const host = inject('hooks');
const proofUrl = `${host}/.well-known/pid-resource`;
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';
let count = 0;
/** A resource that no other test uses, at the origin whose proof file the tests write. */
const fresh = (origin = host) => `${origin}/api-${++count}`;

/** Sets the proof file that the resources' origin serves. */
async function serve(proof: object): Promise<void> {
  await fetch(proofUrl, { method: 'PUT', body: JSON.stringify(proof) });
}

const prove = (owner: string, clients: string[] = []) => serve({ text: JSON.stringify({ owner, clients }) });

const register = ({ browser }: { browser: Browser }, app: string, resource: string) =>
  browser.fetch(`/v1/apps/${app}/resources`, json('POST', { resource }));

const remove = ({ browser }: { browser: Browser }, app: string, resource: string) =>
  browser.fetch(`/v1/apps/${app}/resources?${new URLSearchParams({ resource })}`, { method: 'DELETE' });

const atDesk = (app: string, resource: string, fields: object = {}) =>
  boss.browser.fetch(
    `/v1/admin/apps/${app}/resources`,
    json('POST', { resource, proven: true, reason: 'a private host', ...fields }),
  );

const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code];
const errorOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error?: string }).error,
];
/** The emails to an owner about an app's addresses and resources, newest first. */
const mailsAbout = async ({ claims: { email } }: Member) =>
  (await mailsTo(target, email))
    .map(({ kind }) => kind)
    .filter((kind) => /^app_(changed|resource)/.test(kind));
const taken = refusal(409, 'The resource belongs to another app');
const invalid = [400, 'invalid_target'];

/** The authorization endpoint's response before any decision: the parameters of a redirect, or the page. */
async function ask({ app, person }: Relation, resource: string, changes: Record<string, string> = {}) {
  const url = authorizeUrl(app, { scope: 'openid profile email offline_access', resource, ...changes });
  const page = await person.browser.navigate(url);
  const location = page.headers.get('Location');
  return location === null ? { page, text: await page.clone().text() } : { ...answerIn(location), text: '' };
}

const narrow = (relation: Relation, token: string, fields: Record<string, string>) =>
  post(relation, '/v1/auth/exchange', {
    ...{ subject_token: token, subject_token_type: accessTokenType, ...fields },
  });

const introspect = async (relation: Pick<Relation, 'target' | 'app'>, token: string) =>
  (await (await post(relation, '/v1/auth/introspect', { token })).json()) as Record<string, unknown>;

/** The tokens of a sign-in in a popup of the app's page. */
async function popupTokens(relation: Relation) {
  const opener = await askPopup(relation);
  await press(relation, opener);
  const { result } = await lastPage(relation.person.browser, opener);
  return tokensOf(await redeem(relation, opener, result));
}

/** An app whose own origin has a resource, and another app that its owner lists. */
async function neighbours(fields: Record<string, unknown> = {}) {
  const owner = await newRelation(target, { allowedOrigins: [host] });
  const other = await newRelation(target, fields);
  const resource = fresh();
  await prove(owner.app.id, [other.app.id]);
  expect((await register(owner.person, owner.app.id, resource)).status).toBe(200);
  return { owner, other, resource };
}

describe('a resource', () => {
  it('gets no code or token unless the app has registered it [D-91]', async () => {
    const relation = await newRelation(target);
    const theirs = await newRelation(target);
    const { access_token, refresh_token } = await appSignIn(relation);
    const code = await newCode(relation);
    const unknown = 'https://api.example.com/';
    const resource = fresh();
    await ownResource(target, { resource, owner: theirs.app.id });
    for (const named of [unknown, resource, `${resource}/`, ...ownSpellings(target.origin)]) {
      expect(await ask(relation, named)).toMatchObject({ error: 'invalid_target' });
      expect(await errorOf(await narrow(relation, access_token, { resource: named }))).toEqual(invalid);
      expect(await errorOf(await narrow(relation, access_token, { audience: named }))).toEqual(invalid);
      expect(await errorOf(await exchange(relation, code, { resource: named }))).toEqual(invalid);
      expect(await errorOf(await refresh(relation, refresh_token, { resource: named }))).toEqual(invalid);
    }
    const popup = {
      subject_token: 'a.b.c',
      subject_token_type: 'urn:pid:token-type:popup-request',
      resource,
    };
    expect(await errorOf(await post(relation, '/v1/auth/exchange', popup))).toEqual(invalid);
  });

  it('needs no consent at one of its owner’s origins [D-91]', async () => {
    const { owner, resource } = await neighbours();
    await appSignIn(owner);
    const answer = await ask(owner, resource);
    expect(answer).toMatchObject({ code: expect.any(String) });
    const first = await ask(owner, resource, { prompt: 'consent' });
    expect(first.text).toContain('value="allow"');
    expect(first.text).not.toContain(host);
    const { access_token } = await appSignIn(owner, { resource });
    expect(decodeJwt(access_token).payload).toMatchObject({ aud: resource, client_id: owner.app.id });
    const { access_token: plain } = await appSignIn(owner);
    const narrowed = await tokensOf(await narrow(owner, plain, { resource }));
    expect(decodeJwt(narrowed.access_token).payload['aud']).toBe(resource);
  });

  it('is shown to the person at another origin, and only their consent yields a token [D-91]', async () => {
    const { other, resource } = await neighbours();
    const { access_token, grantId } = await appSignIn(other);
    expect(await errorOf(await narrow(other, access_token, { resource }))).toEqual(invalid);
    expect(await ask(other, resource, { prompt: 'none' })).toMatchObject({ error: 'consent_required' });
    const asked = await ask(other, resource);
    expect(asked.text).toContain(`It will use this access at <strong>${host}</strong>`);
    const denied = await decideOn(target, other.person.browser, asked.page as Response, 'deny');
    expect(answerIn(await ledTo(denied))).toMatchObject({ error: 'access_denied' });
    expect(await ask(other, resource, { prompt: 'none' })).toMatchObject({ error: 'consent_required' });
    const { access_token: token } = await appSignIn(other, { resource });
    expect(decodeJwt(token).payload['aud']).toBe(resource);
    expect(await ask(other, resource, { prompt: 'none' })).toMatchObject({ code: expect.any(String) });
    const narrowed = await tokensOf(await narrow(other, access_token, { resource }));
    expect(decodeJwt(narrowed.access_token).payload['aud']).toBe(resource);
    const grants = await (await other.person.browser.fetch('/v1/grants')).json();
    expect(grants).toMatchObject({ data: [{ id: grantId, resources: [resource] }] });
    const page = await other.person.browser.navigate('/account/apps');
    expect(await page.text()).toContain(`Also at ${resource}`);
  });

  it('is valid for an unchecked app only on the host where the person allowed it [D-91]', async () => {
    const owner = await newRelation(target, { allowedOrigins: [host] });
    const origins = ['https://one.example.com', 'https://two.example.com'];
    const redirectUris = origins.map((origin) => `${origin}/cb`);
    const one = await newRelation(target, { redirectUris, allowedOrigins: origins.slice(1) });
    const two = { ...one, app: { ...one.app, redirectUris: redirectUris.slice(1) } };
    const resource = fresh();
    await prove(owner.app.id, [one.app.id]);
    expect((await register(owner.person, owner.app.id, resource)).status).toBe(200);
    const first = await appSignIn(one, { resource });
    const second = await appSignIn(two);
    const popup = await popupTokens(two);
    const tries = async () => {
      const narrowed = [first, second, popup].map(({ access_token }) =>
        narrow(one, access_token, { resource }),
      );
      const statuses = (await Promise.all(narrowed)).map(({ status }) => status);
      const answer: Record<string, unknown> = await ask(two, resource, { prompt: 'none' });
      return [...statuses, answer['error'] ?? 'code'];
    };
    expect(await tries()).toEqual([200, 400, 400, 'consent_required']);
    expect((await ask(two, resource)).text).toContain(`It will use this access at <strong>${host}</strong>`);
    await markChecked(target, one.app.id);
    expect(await tries()).toEqual([200, 200, 200, 'code']);
    await target.rows('UPDATE apps SET checked_at = NULL WHERE id = ?', [one.app.id]);
    await appSignIn(two, { resource });
    expect(await tries()).toEqual([200, 200, 200, 'code']);
  });

  it('is not covered by consent that did not name it, after it leaves the app’s own origins [D-91]', async () => {
    const { owner, resource } = await neighbours();
    const asked = await ask(owner, resource);
    expect(asked.text).not.toContain(host);
    const moved = json('PATCH', { allowedOrigins: ['https://shop.example.com'] });
    await owner.person.browser.fetch(`/v1/apps/${owner.app.id}`, moved);
    const decided = await decideOn(target, owner.person.browser, asked.page as Response);
    expect([decided.status, decided.headers.get('X-Error-Code')]).toEqual([400, 'authorize_altered']);
    const again = await ask(owner, resource);
    expect(again.text).toContain(`<strong>${host}</strong>`);
  });

  it('loses its codes and refresh tokens when it is removed or its owner drops the client [D-91]', async () => {
    const { owner, other, resource } = await neighbours();
    const [mine, theirs] = [await appSignIn(owner, { resource }), await appSignIn(other, { resource })];
    const code = await newCode(other, { resource });
    await prove(owner.app.id);
    expect((await register(owner.person, owner.app.id, resource)).status).toBe(200);
    expect(await errorOf(await exchange(other, code))).toEqual(invalid);
    expect(await errorOf(await refresh(other, theirs.refresh_token))).toEqual(invalid);
    expect(await introspect(other, theirs.access_token)).toEqual({ active: false });
    expect(await introspect(other, theirs.refresh_token)).toEqual({ active: false });
    expect(await ask(other, resource)).toMatchObject({ error: 'invalid_target' });
    const renewed = await tokensOf(await refresh(owner, mine.refresh_token));
    for (let time = 0; time < 2; time += 1) {
      expect((await remove(owner.person, owner.app.id, resource)).status).toBe(204);
    }
    expect(await errorOf(await refresh(owner, renewed.refresh_token))).toEqual(invalid);
    expect(await errorOf(await narrow(owner, renewed.access_token, {}))).toEqual(invalid);
    expect(await introspect(owner, renewed.access_token)).toEqual({ active: false });
    // The rejected tokens were not used.
    await prove(owner.app.id, [other.app.id]);
    await register(owner.person, owner.app.id, resource);
    await tokensOf(await refresh(owner, renewed.refresh_token));
    await tokensOf(await refresh(other, theirs.refresh_token));
  });

  it('with * as its clients is open to any app, registered or not, after consent [D-91]', async () => {
    const owner = await newRelation(target);
    const resource = fresh('https://open.example.com');
    await ownResource(target, { resource, owner: owner.app.id, clients: ['*'] });
    const registered = await newRelation(target);
    const unregistered = { ...registered, app: { ...registered.app, ...(await newDocumentClient(target)) } };
    for (const relation of [registered, { ...unregistered, app: { ...unregistered.app, secret: null } }]) {
      const { text } = await ask(relation, resource, { scope: 'openid' });
      expect(text).toContain('https://open.example.com');
      const { access_token } = await appSignIn(relation, { scope: 'openid', resource });
      expect(decodeJwt(access_token).payload).toMatchObject({ aud: resource, client_id: relation.app.id });
    }
    await target.rows(`UPDATE app_resources SET clients = '[]' WHERE resource = ?`, [resource]);
    expect(await ask(registered, resource)).toMatchObject({ error: 'invalid_target' });
  });

  it('stops working while its owner is suspended [S-05]', async () => {
    const { owner, other, resource } = await neighbours();
    const { refresh_token } = await appSignIn(other, { resource });
    const set = (status: string) =>
      boss.browser.fetch(`/v1/admin/apps/${owner.app.id}`, json('PATCH', { status, reason: 'phishing' }));
    expect((await set('suspended')).status).toBe(200);
    expect(await errorOf(await refresh(other, refresh_token))).toEqual(invalid);
    expect(await ask(other, resource)).toMatchObject({ error: 'invalid_target' });
    expect((await set('active')).status).toBe(200);
    await tokensOf(await refresh(other, refresh_token));
  });

  it('is removed with its app', async () => {
    const { owner, other, resource } = await neighbours();
    const { refresh_token } = await appSignIn(other, { resource });
    const gone = await owner.person.browser.fetch(`/v1/apps/${owner.app.id}`, { method: 'DELETE' });
    expect(gone.status).toBe(204);
    expect(await errorOf(await refresh(other, refresh_token))).toEqual(invalid);
  });

  it('lets only its owner introspect its access tokens [OA-09, D-91]', async () => {
    const { owner, other, resource } = await neighbours();
    const { access_token, refresh_token, sid } = await appSignIn(other, { resource });
    const plain = await appSignIn(other);
    const stranger = await newRelation(target);
    expect(await introspect(owner, access_token)).toMatchObject({
      ...{ active: true, aud: resource, client_id: other.app.id, sid },
      sub: `${other.person.handle}@pid`,
    });
    for (const token of [refresh_token, plain.access_token, plain.refresh_token])
      expect(await introspect(owner, token)).toEqual({ active: false });
    expect(await introspect(stranger, access_token)).toEqual({ active: false });
    // The app may introspect, but not revoke.
    await post(owner, '/v1/auth/revoke', { token: access_token });
    expect(await introspect(owner, access_token)).toMatchObject({ active: true });
    await post(other, '/v1/auth/revoke', { token: refresh_token });
    expect(await introspect(owner, access_token)).toEqual({ active: false });
  });
});

it('an access token for a resource cannot revoke a sign-in to an app without a secret [D-91]', async () => {
  const { other, resource } = await neighbours({ type: 'native' });
  const { access_token, refresh_token } = await appSignIn(other, { resource });
  expect((await post(other, '/v1/auth/revoke', { token: access_token })).status).toBe(200);
  const renewed = await tokensOf(await refresh(other, refresh_token));
  await post(other, '/v1/auth/revoke', { token: renewed.refresh_token });
  expect(await errorOf(await refresh(other, renewed.refresh_token))).toEqual([400, 'invalid_grant']);
});

describe('POST /v1/apps/:id/resources', () => {
  let owner: Member;
  let app: NewApp;
  beforeAll(async () => {
    owner = await newMember(target);
    app = await newApp(owner.browser);
  });
  const unproven = (origin = host) =>
    refusal(400, [
      `resource must be proven: ${origin}/.well-known/pid-resource must name ${app.id} as its owner`,
    ]);

  it('stores a resource that its origin proves, with the listed clients [D-91]', async () => {
    const resource = fresh();
    const clients = [(await newApp(owner.browser)).id];
    await prove(app.id, clients);
    const answer = await register(owner, app.id, resource);
    expect(answer.status).toBe(200);
    const entry = { resource, clients, provenBy: 'file' };
    expect(((await answer.json()) as App).resources).toEqual([entry]);
    await prove(app.id);
    await register(owner, app.id, resource);
    const shown = (await (await owner.browser.fetch(`/v1/apps/${app.id}`)).json()) as App;
    expect(shown.resources).toEqual([{ ...entry, clients: [] }]);
    const lines = await target.rows(
      `SELECT detail FROM activity WHERE handle = ? AND type = 'app.changed' ORDER BY seq`,
      [owner.handle],
    );
    expect(lines).toEqual(Array.from({ length: 2 }, () => ({ detail: 'Corner Shop (resources)' })));
    const mails = (await mailsTo(target, owner.claims.email)).filter(({ kind }) => kind === 'app_changed');
    expect(mails).toHaveLength(2);
  });

  it.each<[string, (id: string) => object]>([
    ['is absent', () => ({ status: 404 })],
    ['names another owner', () => ({ text: '{"owner":"app_0123456789abcdefghjkmnpqrs"}' })],
    ['redirects', () => ({ status: 302, headers: { Location: `${host}/elsewhere` } })],
    ['is not JSON', (id) => ({ text: id })],
    ['is not an object', (id) => ({ text: JSON.stringify([id]) })],
    ['is sent with an error status', (id) => ({ status: 500, text: JSON.stringify({ owner: id }) })],
    ['is huge', (id) => ({ text: JSON.stringify({ owner: id, pad: 'a'.repeat(10_000) }) })],
    [
      'lists something other than an app',
      (id) => ({ text: JSON.stringify({ owner: id, clients: ['app_*'] }) }),
    ],
    ['lists 51 apps', (id) => ({ text: JSON.stringify({ owner: id, clients: Array(51).fill(id) }) })],
  ])('rejects a file that %s [D-91]', async (_, proof) => {
    const resource = fresh();
    await serve(proof(app.id));
    expect(await seen(await register(owner, app.id, resource))).toEqual(unproven());
    expect(await target.rows('SELECT * FROM app_resources WHERE resource = ?', [resource])).toEqual([]);
  });

  it('returns the same rejection for private and unknown addresses and other ports [D-75, D-91]', async () => {
    for (const origin of [
      ...['https://10.0.0.1', 'https://169.254.169.254', 'https://[::1]:8443', 'https://api.intranet'],
      ...['https://api.shop.invalid', 'https://api.acme.com:8443', 'http://127.0.0.1:9'],
    ])
      expect(await seen(await register(owner, app.id, `${origin}/`))).toEqual(unproven(origin));
  });

  it('rejects addresses of this service and invalid addresses [D-91]', async () => {
    await prove(app.id);
    for (const resource of [
      ...ownSpellings(target.origin),
      ...['https://api.example.com/#a', 'https://a:b@api.example.com/', 'http://api.example.com/'],
      ...['https://api.example.com./', 'https://API.example.com/', 'urn:x:y', '/api', ''],
      ...[`${host}/"`, `${host}/?\\`],
    ])
      expect(await codeOf(await register(owner, app.id, resource))).toEqual([400, 'validation_failed']);
  });

  it('is limited to the app’s owner', async () => {
    const resource = fresh();
    const stranger = await newMember(target);
    await prove(app.id);
    expect(await codeOf(await register(stranger, app.id, resource))).toEqual([404, 'app_not_found']);
    expect(await codeOf(await remove(stranger, app.id, resource))).toEqual([404, 'app_not_found']);
  });

  it('rejects another app’s resource, and an eleventh resource', async () => {
    const other = await newMember(target);
    const { id } = await newApp(other.browser);
    const resource = fresh();
    expect((await atDesk(id, resource)).status).toBe(200);
    const { id: full } = await newApp(owner.browser);
    await prove(full);
    expect(await seen(await register(owner, full, resource))).toEqual(taken);
    for (let n = 0; n < 10; n += 1) await ownResource(target, { resource: fresh(), owner: full });
    expect(await seen(await register(owner, full, fresh()))).toEqual(
      refusal(409, 'An app may have at most 10 resources'),
    );
  });

  it('moves a resource to the app now named in the file, and revokes the earlier proof [D-91]', async () => {
    const { owner: former, other: listed, resource } = await neighbours();
    const next = await newRelation(target, { allowedOrigins: [host] });
    const { refresh_token } = await appSignIn(former, { resource });
    const theirs = await appSignIn(listed, { resource });
    await prove(next.app.id);
    // The proof is for the origin, so another spelling also loses it.
    expect((await register(next.person, next.app.id, `${resource}/`)).status).toBe(200);
    expect(await errorOf(await refresh(former, refresh_token))).toEqual(invalid);
    expect(await errorOf(await refresh(listed, theirs.refresh_token))).toEqual(invalid);
    expect((await register(next.person, next.app.id, resource)).status).toBe(200);
    expect(await codeOf(await register(former.person, former.app.id, resource))).toEqual([
      ...[400, 'validation_failed'],
    ]);
    const rows = await target.rows('SELECT DISTINCT app_id FROM app_resources WHERE resource IN (?, ?)', [
      ...[resource, `${resource}/`],
    ]);
    expect(rows).toEqual([{ app_id: next.app.id }]);
    const lines = await target.rows<{ session_id: string | null }>(
      `SELECT session_id FROM activity WHERE handle = ? AND type = 'app.changed' ORDER BY seq`,
      [former.person.handle],
    );
    expect(lines).toEqual([{ session_id: expect.any(String) }, { session_id: null }]);
    expect(await mailsAbout(former.person)).toEqual(['app_resource_lost', 'app_changed']);
  });

  it('leaves a resource with the app to which an administrator assigned it, regardless of the file [D-91]', async () => {
    const pinned = await newRelation(target);
    const resource = fresh();
    const [desk, file] = [`${resource}/desk`, `${resource}/file`];
    expect((await atDesk(pinned.app.id, desk)).status).toBe(200);
    await prove(pinned.app.id);
    await register(pinned.person, pinned.app.id, file);
    await prove(app.id);
    expect(await seen(await register(owner, app.id, desk))).toEqual(taken);
    expect((await register(owner, app.id, resource)).status).toBe(200);
    const rows = await target.rows('SELECT resource, app_id FROM app_resources WHERE resource IN (?, ?)', [
      ...[desk, file],
    ]);
    expect(rows).toEqual([{ resource: desk, app_id: pinned.app.id }]);
  });

  it('assigns a resource to the app named in the file if several apps claim it concurrently [D-91]', async () => {
    const former = await newRelation(target);
    const next = await newRelation(target);
    const resource = fresh();
    await prove(former.app.id);
    await register(former.person, former.app.id, resource);
    await prove(next.app.id);
    const claims = [next, former, next, former].map(({ person, app: { id } }, n) =>
      register(person, id, resource + '/'.repeat(n % 3)),
    );
    expect((await Promise.all(claims)).map(({ status }) => status)).toEqual([200, 400, 200, 400]);
    const rows = await target.rows(
      'SELECT DISTINCT app_id FROM app_resources WHERE origin = ? AND app_id IN (?, ?)',
      [...[host, former.app.id, next.app.id]],
    );
    expect(rows).toEqual([{ app_id: next.app.id }]);
  });

  it('assigns a resource to the app chosen by an administrator, regardless of the order [D-91]', async () => {
    const rival = await newMember(target);
    const { id } = await newApp(rival.browser);
    const here = await newMember(target);
    const mine = await newApp(here.browser);
    await prove(mine.id);
    for (let round = 0; round < 5; round += 1) {
      const resource = fresh();
      const answers = await Promise.all([
        ...[register(here, mine.id, resource), atDesk(id, resource)],
        ...[register(here, mine.id, resource), atDesk(id, resource)],
      ]);
      const rows = await target.rows('SELECT app_id, proven_by FROM app_resources WHERE resource = ?', [
        resource,
      ]);
      expect(rows).toEqual([{ app_id: id, proven_by: 'desk' }]);
      const [first, desk, second, again] = answers.map(({ status }) => status);
      expect([desk, again]).toEqual([200, 200]);
      for (const status of [first, second]) expect([200, 409]).toContain(status);
      expect(await seen(await register(here, mine.id, resource))).toEqual(taken);
    }
  });

  it('ignores a file that was read before it changed [D-91]', async () => {
    const former = await newRelation(target);
    const next = await newRelation(target);
    const resource = fresh();
    await serve({ text: JSON.stringify({ owner: former.app.id }), held: true });
    const late = register(former.person, former.app.id, resource);
    await expect.poll(async () => (await fetch(`${host}/held`)).text()).toBe('1');
    await target.advance(1);
    await prove(next.app.id);
    expect((await register(next.person, next.app.id, resource)).status).toBe(200);
    await fetch(`${host}/held`, { method: 'DELETE' });
    expect(await codeOf(await late)).toEqual([400, 'validation_failed']);
    const rows = await target.rows('SELECT app_id FROM app_resources WHERE resource = ?', [resource]);
    expect(rows).toEqual([{ app_id: next.app.id }]);
  });
});

describe('the page of an app', () => {
  it('lists, adds, rereads and removes resources', async () => {
    const { browser } = await newMember(target);
    const app = await newApp(browser);
    const resource = fresh();
    const path = `/developers/apps/${app.id}`;
    const send = (fields: Record<string, string>) =>
      browser.navigate(`${path}/resources`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: target.origin },
        body: new URLSearchParams(fields).toString(),
      });
    await serve({ status: 404 });
    const refused = await send({ resource });
    expect(refused.status).toBe(400);
    const text = await refused.text();
    expect(text).toContain('The file at this address was not found, or does not name this app as owner');
    expect(text).toContain(`value="${resource}"`);
    const client = (await newApp(browser)).id;
    await prove(app.id, [client]);
    expect((await send({ resource })).status).toBe(303);
    const listed = await (await browser.navigate(path)).text();
    expect(listed).toContain(`<code>${resource}</code>`);
    expect(listed).toContain(`May also be used by ${client}`);
    expect((await send({ resource, remove: 'true' })).status).toBe(303);
    expect(await (await browser.navigate(path)).text()).not.toContain(resource);
  });
});

describe('POST /v1/admin/apps/:id/resources', () => {
  it('registers and removes a resource that no file can prove, with an audit line, in one round trip [D-91]', async () => {
    const owner = await newRelation(target);
    const other = await newRelation(target);
    const { id } = owner.app;
    const resource = 'https://api.intranet/';
    const clients = [other.app.id];
    const answer = await inOneTrip(target, () => atDesk(id, resource, { clients }));
    expect(await answer.json()).toMatchObject({ id, resources: [{ resource, clients, provenBy: 'desk' }] });
    expect((await atDesk(id, resource, { clients })).status).toBe(200);
    expect(await seen(await atDesk(other.app.id, resource))).toEqual(taken);
    const { refresh_token } = await appSignIn(other, { resource });
    const gone = await atDesk(id, resource, { proven: false });
    expect(await gone.json()).toMatchObject({ id, resources: [] });
    expect((await atDesk(id, resource, { proven: false })).status).toBe(200);
    expect(await errorOf(await refresh(other, refresh_token))).toEqual(invalid);
    const lines = await target.rows<{ actor: string; detail: string }>(
      `SELECT actor, detail FROM audit_log WHERE target = ? AND action = 'app.resource' ORDER BY seq`,
      [id],
    );
    const shown = lines.map(({ actor, detail }) => ({ actor, ...JSON.parse(detail), op: '' }));
    const line = { actor: 'the-boss', reason: 'a private host', resource, op: '' };
    expect(shown).toEqual([
      { ...line, proven: true, clients: other.app.id },
      { ...line, proven: false },
    ]);
  });

  it('pins a resource proved by a file, for its app or for another one [D-91]', async () => {
    const { owner, other, resource } = await neighbours();
    const pin = async (app: string) => (await (await atDesk(app, resource)).json()) as App;
    const pinned = { resource, clients: [], provenBy: 'desk' };
    expect((await pin(owner.app.id)).resources).toEqual([pinned]);
    // The file no longer mentions it.
    expect((await register(owner.person, owner.app.id, resource)).status).toBe(200);
    expect((await pin(owner.app.id)).resources).toEqual([pinned]);
    expect(await seen(await atDesk(other.app.id, resource))).toEqual(taken);
    await atDesk(owner.app.id, resource, { proven: false });
    await register(owner.person, owner.app.id, resource);
    expect((await pin(other.app.id)).resources).toEqual([pinned]);
    expect(await seen(await register(owner.person, owner.app.id, resource))).toEqual(taken);
    expect((await mailsAbout(owner.person))[0]).toBe('app_resource_lost');
  });

  it('rejects unknown apps and invalid addresses', async () => {
    const { app } = await newRelation(target);
    expect(await codeOf(await atDesk('app_x', 'https://api.intranet/'))).toEqual([404, 'app_not_found']);
    expect(await codeOf(await atDesk(app.id, `${target.origin}/v1`))).toEqual([400, 'validation_failed']);
    expect(
      (await (await newMember(target)).browser.fetch(`/v1/admin/apps/${app.id}/resources`, json('POST', {})))
        .status,
    ).toBe(403);
  });
});

describe('the flags set by an administrator', () => {
  it('apply to the resources that were reviewed, and are cleared when the owner adds one', async () => {
    const { person, app } = await newRelation(target);
    const resource = fresh();
    const show = async () => (await (await boss.browser.fetch(`/v1/admin/apps/${app.id}`)).json()) as App;
    const check = (version: string) =>
      boss.browser.fetch(
        `/v1/admin/apps/${app.id}`,
        json('PATCH', { checked: true, seen: version, reason: 'looked' }),
      );
    await prove(app.id);
    for (const change of [
      () => register(person, app.id, resource),
      () => remove(person, app.id, resource),
      () => atDesk(app.id, 'https://marks.intranet/'),
      () => atDesk(app.id, 'https://marks.intranet/', { proven: false }),
    ]) {
      const { updatedAt } = await show();
      expect((await change()).ok).toBe(true);
      expect(await codeOf(await check(updatedAt))).toEqual([409, 'moved_on']);
    }
    expect((await check((await show()).updatedAt)).status).toBe(200);
    await atDesk(app.id, 'https://marks.intranet/');
    expect(await show()).toMatchObject({ checked: true });
    await register(person, app.id, resource);
    expect(await show()).toMatchObject({ checked: false });
  });
});

describe('after an old sign-in', () => {
  it('no resource is added or removed, and no file is read [D-94]', async () => {
    const { browser } = await newMember(target);
    const { id } = await newApp(browser);
    const resource = fresh();
    await prove(id);
    expect((await register({ browser }, id, resource)).status).toBe(200);
    await target.advance(901);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    // Rejected before the file is read.
    await serve({ status: 404 });
    expect(await seen(await register({ browser }, id, resource))).toEqual(notFresh);
    expect(await seen(await remove({ browser }, id, resource))).toEqual(notFresh);
  });
});

describe('the file of a resource', () => {
  const daySeconds = 86_400;
  const readAgain = async (seconds: number) => {
    await target.advance(seconds);
    await runJobs(target);
  };
  const proven = (app: string) =>
    target.rows('SELECT resource, clients FROM app_resources WHERE app_id = ?', [app]);

  it('is read again a minute after the proof, and then daily [D-91]', async () => {
    const { owner, other, resource } = await neighbours();
    await readAgain(60);
    expect(await proven(owner.app.id)).toEqual([{ resource, clients: `["${other.app.id}"]` }]);
    await prove(owner.app.id);
    await readAgain(daySeconds - 60);
    expect(await proven(owner.app.id)).toEqual([{ resource, clients: `["${other.app.id}"]` }]);
    await readAgain(60);
    expect(await proven(owner.app.id)).toEqual([{ resource, clients: '[]' }]);
    await prove(other.app.id);
    await readAgain(daySeconds);
    expect(await proven(owner.app.id)).toEqual([]);
    expect((await mailsAbout(owner.person))[0]).toBe('app_resource_lost');
  });

  it('stays valid for seven days if it cannot be read [D-91]', async () => {
    const { owner, resource } = await neighbours();
    const kept = [expect.objectContaining({ resource })];
    for (const problem of [{ status: 404 }, { status: 500 }, { text: 'no JSON' }]) {
      await serve(problem);
      await readAgain(60);
      for (let day = 1; day < 7; day += 1) await readAgain(daySeconds);
      expect(await proven(owner.app.id)).toEqual(kept);
      await prove(owner.app.id);
      await readAgain(daySeconds);
      expect(await proven(owner.app.id)).toEqual(kept);
    }
    await serve({ status: 404 });
    for (let day = 1; day < 8; day += 1) await readAgain(daySeconds);
    expect(await proven(owner.app.id)).toEqual(kept);
    await readAgain(daySeconds);
    expect(await proven(owner.app.id)).toEqual([]);
    expect((await mailsAbout(owner.person))[0]).toBe('app_resource_lost');
  });
});
