import { beforeAll, describe, expect, it } from 'vitest';
import { json } from '../support/browser.ts';
import {
  type DocumentClient,
  documentOf,
  newAddress,
  newDocumentClient,
  serveAt,
} from '../support/client-documents.ts';
import { runJobs } from '../support/deposits.ts';
import { insertGrant } from '../support/grant-rows.ts';
import { answerIn, authorizeApp, authorizeUrl, codeVerifier, decideOn, ledTo } from '../support/oauth.ts';
import { type Member, newAdmin, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { decodeJwt } from '../support/signing.ts';
import { tokensOf, userinfo } from '../support/token.ts';

const target = useService({ ADMIN_PIDS: 'the-boss@pid' });
let boss: Member;
let person: Member;
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
  person = await newMember(target);
});

const open = (client: DocumentClient, changes: Record<string, string> = {}, member = person) =>
  member.browser.navigate(authorizeUrl(client, changes));

const tokens = (client: DocumentClient, fields: Record<string, string>) =>
  target.request('/v1/auth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: client.id, ...fields }).toString(),
  });

const exchange = (client: DocumentClient, code: string, changes: Record<string, string> = {}) =>
  tokens(client, {
    ...{ grant_type: 'authorization_code', code, code_verifier: codeVerifier },
    ...{ redirect_uri: client.redirectUris[0] ?? '', ...changes },
  });

const signIn = async (client: DocumentClient, member = person, scope = 'openid profile') =>
  tokensOf(await exchange(client, await authorizeApp(target, member.browser, client, { scope })));

const rowsOf = ({ id }: DocumentClient) =>
  target.rows<{ name: string; status: string }>('SELECT name, status FROM apps WHERE id = ?', [id]);

const host = () => new URL(newAddress()).host;

describe('an unregistered client', () => {
  it('signs a person in with the URL of its document, from any port on their machine [CD-01]', async () => {
    const client = await newDocumentClient(target);
    const answer = await signIn(client);
    expect(decodeJwt(answer.id_token ?? '').payload).toMatchObject({
      aud: client.id,
      sub: `${person.handle}@pid`,
    });
    expect(decodeJwt(answer.access_token).payload).toMatchObject({ client_id: client.id });
    expect((await userinfo(target, answer.access_token)).status).toBe(200);
  });

  it('is shown with the host of its document, and gets a row only when someone allows it [CD-04, CD-07, CD-09]', async () => {
    const client = await newDocumentClient(target, { client_name: 'Your.Bank.com' });
    const page = await open(client);
    const text = await page.clone().text();
    expect(text).toContain('This app is not registered here');
    expect(text).toContain(`<strong>${host()}</strong>`);
    expect(text).toContain('It calls itself “Your Bank com”.');
    expect(text).toContain('The access goes to a program on your device.');
    expect(text).toContain('http://127.0.0.1:53211');
    expect(await rowsOf(client)).toEqual([]);
    await decideOn(target, person.browser, page, 'deny');
    expect(await rowsOf(client)).toEqual([]);
    await ledTo(await decideOn(target, person.browser, await open(client)));
    expect(await rowsOf(client)).toEqual([{ name: host(), status: 'active' }]);
  });

  it('can be suspended by an administrator, for everyone, but not flagged [CD-08]', async () => {
    const client = await newDocumentClient(target);
    const { access_token } = await signIn(client);
    const path = `/v1/admin/apps/${encodeURIComponent(client.id)}`;
    const mark = (fields: object) =>
      boss.browser.fetch(path, json('PATCH', { ...fields, reason: 'a fraud' }));
    expect(await (await boss.browser.fetch(path)).json()).toMatchObject({ owner: null, name: host() });
    const list = await (await boss.browser.fetch('/v1/admin/apps')).text();
    expect(list).toContain(JSON.stringify(client.id));
    const desk = await boss.browser.navigate(`/admin?${new URLSearchParams({ app: client.id })}`);
    expect(await desk.text()).toContain('nobody: this app is not registered');
    for (const fields of [{ checked: true, seen: new Date(0).toISOString() }, { tokenLimit: 900 }]) {
      const refused = await mark(fields);
      expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'client_unregistered']);
    }
    expect((await mark({ status: 'suspended' })).status).toBe(200);
    expect((await userinfo(target, access_token)).status).toBe(401);
    expect((await tokens(client, { grant_type: 'refresh_token', refresh_token: 'any' })).status).toBe(401);
    const page = await open(client);
    expect([page.status, page.headers.get('X-Error-Code')]).toEqual([403, 'app_suspended']);
  });

  it('is suspended with its host, like every other client there, and works again with it [CD-08]', async () => {
    const [client, other] = [await newDocumentClient(target), await newDocumentClient(target)];
    const { access_token: token } = await signIn(client);
    const waiting = await authorizeApp(target, person.browser, client);
    const { origin } = new URL(client.id);
    const path = `/v1/admin/apps/${encodeURIComponent(origin)}`;
    const look = async () => (await boss.browser.fetch(path)).json();
    const mark = (status: string) => boss.browser.fetch(path, json('PATCH', { status, reason: 'a fraud' }));
    const desk = await boss.browser.navigate(`/admin?${new URLSearchParams({ app: origin })}`);
    expect(await desk.text()).toContain('nobody: this app is not registered');
    expect(await look()).toMatchObject({ id: `${origin}/`, owner: null, status: 'active' });
    expect((await mark('active')).status).toBe(404);
    try {
      expect((await mark('suspended')).status).toBe(200);
      expect(await look()).toMatchObject({ id: `${origin}/`, status: 'suspended' });
      const [line] = await target.rows('SELECT action, target FROM audit_log ORDER BY seq DESC LIMIT 1');
      expect(line).toEqual({ action: 'app.status', target: `${origin}/` });
      expect((await userinfo(target, token)).status).toBe(401);
      expect((await tokens(client, { grant_type: 'refresh_token', refresh_token: 'any' })).status).toBe(401);
      expect((await exchange(client, waiting)).status).toBe(401);
      for (const one of [client, other, await newDocumentClient(target)]) {
        await target.advance(1);
        const page = await open(one);
        expect([page.status, page.headers.get('X-Error-Code')]).toEqual([403, 'app_suspended']);
      }
      expect(await rowsOf(client)).toEqual([{ name: host(), status: 'active' }]);
    } finally {
      expect((await mark('active')).status).toBe(200);
    }
    expect((await userinfo(target, token)).status).toBe(200);
    expect((await exchange(client, waiting)).status).toBe(200);
    expect((await open(other)).status).toBe(200);
  });

  it('gets no money scopes, unless CLIENT_DOCUMENTS lists its host', async () => {
    const client = await newDocumentClient(target);
    const answer = await open(client, { scope: 'openid wallet:read' });
    expect(answerIn(answer.headers.get('Location'))).toMatchObject({
      error: 'invalid_scope',
      error_description:
        'CLIENT_DOCUMENTS does not list the host of this app: it may not ask for wallet or fiat scopes',
    });
  });

  it('needs PKCE, its redirect URI and its own code for tokens [CD-05]', async () => {
    const client = await newDocumentClient(target);
    const code = await authorizeApp(target, person.browser, client);
    const other = await newDocumentClient(target);
    await authorizeApp(target, person.browser, other);
    for (const answer of [
      await exchange(client, code, { code_verifier: 'a'.repeat(43) }),
      await exchange(client, code, { redirect_uri: 'http://127.0.0.1:53212/callback' }),
      await exchange(other, code),
    ])
      expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await exchange(client, code, { client_secret: 'a secret' })).status).toBe(401);
    expect((await exchange(client, code)).status).toBe(200);
  });
});

describe('the limit of 50 unregistered clients', () => {
  const withAllowed = async (count: number) => {
    const member = await newMember(target);
    for (let index = 0; index < count; index += 1) {
      const id = `https://agent.example/${member.handle}/${index}`;
      await target.rows(
        `INSERT INTO apps (id, name, type, created_at, updated_at) VALUES (?, 'agent.example', 'native', 1, 1)`,
        [id],
      );
      await insertGrant(target, id, member.handle);
    }
    return member;
  };

  it('rejects the second of two clients that a person with 49 allows', async () => {
    const member = await withAllowed(49);
    const [one, other] = [await newDocumentClient(target), await newDocumentClient(target)];
    const first = await open(one, {}, member);
    await target.advance(1);
    const second = await open(other, {}, member);
    await ledTo(await decideOn(target, member.browser, first));
    const refused = await decideOn(target, member.browser, second);
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'too_many_clients']);
    expect(await rowsOf(other)).toEqual([]);
    expect((await open(other, {}, member)).headers.get('X-Error-Code')).toBe('too_many_clients');
  });

  it('does not count a client again when the person allows it on another host', async () => {
    const member = await withAllowed(49);
    const client = await newDocumentClient(target);
    await signIn(client, member);
    const elsewhere = { ...client, redirectUris: ['com.example.agent:/callback'] };
    const page = await open(elsewhere, {}, member);
    expect(await page.clone().text()).toContain('This app is not registered here');
    expect(await ledTo(await decideOn(target, member.browser, page))).toContain('code=');
  });
});

describe('a client document that changes', () => {
  it('does not change what the person has approved [CD-05]', async () => {
    const client = await newDocumentClient(target);
    const code = await authorizeApp(target, person.browser, client);
    await serveAt(client.id, {
      text: documentOf(client.id, { redirect_uris: ['com.example.evil:/callback'] }),
    });
    await target.advance(301);
    const again = await authorizeUrl(client);
    expect((await person.browser.navigate(again)).headers.get('X-Error-Code')).toBe('redirect_uri_unknown');
    // The code has expired by now; a fresh one is still bound to the address that the person saw.
    expect(await (await exchange(client, code)).json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('between the consent page and the decision ends the request [CD-05]', async () => {
    const client = await newDocumentClient(target);
    const page = await open(client);
    await serveAt(client.id, { text: documentOf(client.id, { client_name: 'Somebody Else' }) });
    await target.advance(301);
    const answer = await decideOn(target, person.browser, page);
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'authorize_altered']);
    expect(await rowsOf(client)).toEqual([]);
  });

  it('to another redirect host requires new consent', async () => {
    const client = await newDocumentClient(target);
    await signIn(client);
    const elsewhere = { ...client, redirectUris: ['com.example.agent:/callback'] };
    expect(await (await open(elsewhere)).text()).toContain('This app is not registered here');
  });
});

describe('a client document', () => {
  const refused = async (id: string) => {
    const page = await open({ id, redirectUris: ['http://127.0.0.1/callback'] });
    expect([id, page.status, page.headers.get('Location')]).toEqual([id, 400, null]);
    expect(page.headers.get('X-Error-Code')).toBe('client_document_invalid');
    const asJson = await target.request(authorizeUrl({ id, redirectUris: ['http://127.0.0.1/callback'] }));
    expect(await asJson.json()).toMatchObject({ error: 'invalid_client' });
  };

  it.each([
    'http://agent.example.com/client.json',
    'https://agent.example.com',
    'https://agent.example.com/',
    'https://agent.example.com:8443/client.json',
    'https://agent.example.com:443/client.json',
    'https://agent.example.com/a/../client.json',
    'https://agent.example.com/a/%2e%2e/client.json',
    'https://agent.example.com/client.json#fragment',
    'https://agent.example.com/client.json?query',
    'https://user@agent.example.com/client.json',
    'https://user:password@agent.example.com/client.json',
    'HTTPS://agent.example.com/client.json',
    'https://Agent.example.com/client.json',
    'https:agent.example.com/client.json',
    'https://10.0.0.1/client.json',
    'https://[fd00::1]/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://intranet/client.json',
    'https://printer.local/client.json',
    `https://agent.acme.com/${'a'.repeat(500)}`,
  ])('is not fetched from %s [CD-02]', async (id) => {
    await refused(id);
  });

  it('must name its own address, and describe a public client [CD-01, CD-02, CD-09]', async () => {
    for (const changes of [
      { client_id: newAddress() },
      { client_id: undefined },
      { redirect_uris: [] },
      { redirect_uris: undefined },
      { redirect_uris: ['http://agent.example.com/callback', 'javascript:alert(1)//a', 'https://a.b/#c'] },
      { redirect_uris: ['http://127.0.0.1/callback', 'https://agent.example.com/callback'] },
      { token_endpoint_auth_method: 'client_secret_basic' },
      { token_endpoint_auth_method: 'private_key_jwt' },
      { client_secret: 'a secret' },
      { grant_types: ['client_credentials'] },
      { response_types: ['token'] },
    ])
      await refused((await newDocumentClient(target, changes)).id);
  });

  it('must be JSON of at most 5 kB, sent with status 200 and no redirect [CD-02, CD-03]', async () => {
    const other = await newDocumentClient(target);
    for (const served of [
      { status: 404 },
      { status: 201 },
      { status: 302, headers: { Location: other.id } },
      { headers: { 'Content-Type': 'text/html' } },
      { text: 'not JSON' },
      { text: '[]' },
      { text: ' '.repeat(5001) },
    ]) {
      const id = newAddress();
      await serveAt(id, { text: documentOf(id), ...served });
      await target.advance(1);
      await refused(id);
    }
  });

  it('is fetched again a minute after a failure', async () => {
    const id = newAddress();
    await serveAt(id, { status: 500 });
    await target.advance(1);
    await refused(id);
    await serveAt(id, { text: documentOf(id) });
    await target.advance(58);
    await refused(id);
    await target.advance(2);
    expect((await open({ id, redirectUris: ['http://127.0.0.1/callback'] })).status).toBe(200);
  });

  it('is cached for as long as its server allows, from five minutes to a day [CD-03]', async () => {
    for (const [cacheControl, seconds] of [
      ['no-store', 300],
      ['max-age=1', 300],
      ['public, max-age=7200', 7200],
      ['max-age=99999999', 86_400],
    ] as const) {
      person = await newMember(target);
      const id = newAddress();
      await serveAt(id, { text: documentOf(id), headers: { 'Cache-Control': cacheControl } });
      await target.advance(1);
      const client = { id, redirectUris: ['http://127.0.0.1/callback'] };
      expect((await open(client)).status).toBe(200);
      await serveAt(id, { status: 404 });
      await target.advance(seconds - 30);
      person = await newMember(target);
      expect((await open(client)).status).toBe(200);
      await target.advance(31);
      expect((await open(client)).status).toBe(400);
    }
  });

  it('is fetched at most once a second per network, and by one request at a time', async () => {
    const [one, other] = [await newDocumentClient(target), await newDocumentClient(target)];
    expect((await open(one)).status).toBe(200);
    const early = await open(other);
    expect([early.status, early.headers.get('Retry-After')]).toEqual([429, '1']);
    expect((await open(one)).status).toBe(200);
    await target.advance(1);
    expect((await open(other)).status).toBe(200);
  });
});

it('the server metadata announces that clients need no registration', async () => {
  const answer = await target.request('/.well-known/oauth-authorization-server');
  expect(await answer.json()).toMatchObject({
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
  });
});

it('an unregistered client can be removed by the person, and its row is deleted with its last grant [CD-07]', async () => {
  person = await newMember(target);
  const client = await newDocumentClient(target);
  const { access_token } = await signIn(client);
  const listed = (await (await person.browser.fetch('/v1/grants')).json()) as {
    data: { id: string; app: { id: string; name: string } }[];
  };
  const grant = listed.data.find(({ app }) => app.id === client.id);
  expect(grant?.app.name).toBe(host());
  await person.browser.fetch(`/v1/grants/${grant?.id}`, { method: 'DELETE' });
  expect((await userinfo(target, access_token)).status).toBe(401);
  expect(await rowsOf(client)).toHaveLength(1);
  await target.advance(8 * 86_400);
  await runJobs(target);
  await target.advance(91 * 86_400);
  await runJobs(target);
  expect(await rowsOf(client)).toEqual([]);
});
