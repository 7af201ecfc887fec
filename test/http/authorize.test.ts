import { beforeAll, describe, expect, it } from 'vitest';
import type { NewApp } from '../../src/features/app/schema.ts';
import { seen } from '../support/answers.ts';
import { markChecked, newApp, ownResource } from '../support/apps.ts';
import { json, openBrowser } from '../support/browser.ts';
import {
  answerIn,
  appAndPerson,
  authorizeApp,
  authorizeUrl,
  codeChallenge,
  codeVerifier,
  decideOn,
  ledTo,
  ownSpellings,
} from '../support/oauth.ts';
import type { Member } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation } from '../support/token.ts';

const target = useService();
let app: NewApp;
let person: Member;
let developer: Member;
beforeAll(async () => {
  ({ app, person, developer } = await appAndPerson(target));
  await ownResource(target, { resource: 'https://shop.example.com/api', owner: app.id });
});

const callback = 'https://shop.example.com/callback';

/** The response to a request by a person whose grant covers it. */
async function ask(changes: Record<string, string | null>, url = authorizeUrl(app, changes)) {
  const answer = await person.browser.navigate(url);
  return answerIn(answer.headers.get('Location'));
}

describe('an authorization request', () => {
  it('needs consent only once, and returns a code, state and issuer', async () => {
    const page = await person.browser.navigate(authorizeUrl(app));
    const text = await page.clone().text();
    expect(page.status).toBe(200);
    for (const shown of [
      `Corner Shop<small>asks you to sign in as ${person.handle}@pid</small>`,
      '<strong>https://shop.example.com</strong>',
      '<span>see your PID</span>',
      '<span>see your name and language</span>',
    ])
      expect(text).toContain(shown);
    const decided = await decideOn(target, person.browser, page);
    expect(decided.status).toBe(200);
    expect(answerIn(await ledTo(decided))).toEqual({
      to: callback,
      code: expect.stringMatching(/^[\w-]{43}\.aps_/),
      state: 'state of the app',
      iss: target.origin,
    });
    const again = await person.browser.navigate(authorizeUrl(app));
    expect([again.status, answerIn(again.headers.get('Location'))['iss']]).toEqual([302, target.origin]);
    const rows = await target.rows(
      `SELECT g.scopes AS granted, s.scopes, s.nonce, s.redirect_uri, s.code_challenge, s.code_until - s.created_at AS lives
        FROM app_sessions s JOIN grants g ON g.id = s.grant_id WHERE s.app_id = ?`,
      [app.id],
    );
    const row = {
      granted: '["openid","profile"]',
      scopes: '["openid","profile"]',
      nonce: 'nonce of the app',
      redirect_uri: callback,
      code_challenge: codeChallenge,
      lives: 60_000,
    };
    expect(rows).toEqual([row, row]);
  });

  it('stores only the digest of its code [D-77]', async () => {
    const code = (await ask({}))['code'] ?? '';
    const stored = await target.rows<{ code_hash: string }>('SELECT * FROM app_sessions');
    expect(JSON.stringify(stored)).not.toContain(code);
    expect(stored.some(({ code_hash }) => code_hash !== null)).toBe(true);
  });

  it('needs new consent for scopes missing from the grant, and adds them', async () => {
    const one = await newApp(developer.browser, { scopes: ['openid', 'profile', 'email'] });
    await authorizeApp(target, person.browser, one, { scope: 'openid' });
    const page = await person.browser.navigate(authorizeUrl(one, { scope: 'email openid' }));
    expect(await page.clone().text()).toContain('<span>see your email address</span>');
    await decideOn(target, person.browser, page);
    const rows = await target.rows('SELECT scopes, revoked_at FROM grants WHERE app_id = ?', [one.id]);
    expect(rows).toEqual([{ scopes: '["email","openid"]', revoked_at: null }]);
  });

  it('needs new consent after its grant expires, and creates a new grant', async () => {
    const one = await newApp(developer.browser);
    await authorizeApp(target, person.browser, one);
    await target.rows('UPDATE grants SET expires_at = ? WHERE app_id = ?', [target.now() - 1, one.id]);
    const page = await person.browser.navigate(authorizeUrl(one));
    expect(page.status).toBe(200);
    expect(answerIn(await ledTo(await decideOn(target, person.browser, page)))).toHaveProperty('code');
    const rows = await target.rows(
      'SELECT revoked_by FROM grants WHERE app_id = ? ORDER BY created_at, revoked_by IS NULL',
      [one.id],
    );
    expect(rows).toEqual([{ revoked_by: 'expired' }, { revoked_by: null }]);
  });

  it('returns access_denied if the person declines, and creates no grant', async () => {
    const one = await newApp(developer.browser);
    const page = await person.browser.navigate(authorizeUrl(one));
    expect(answerIn(await ledTo(await decideOn(target, person.browser, page, 'deny')))).toEqual({
      to: callback,
      error: 'access_denied',
      error_description: 'the person has refused',
      state: 'state of the app',
      iss: target.origin,
    });
    expect(await target.rows('SELECT id FROM grants WHERE app_id = ?', [one.id])).toEqual([]);
  });

  it('is ignored if it is a prefetch or a HEAD request', async () => {
    const ahead = await person.browser.navigate(authorizeUrl(app), {
      headers: { 'Sec-Purpose': 'prefetch' },
    });
    const head = await person.browser.navigate(authorizeUrl(app), { method: 'HEAD' });
    expect([ahead.status, head.status]).toEqual([400, 204]);
  });
});

describe('authorization request parameters', () => {
  const refused: [string, Record<string, string | null>, string][] = [
    ['response_type absent', { response_type: null }, 'invalid_request'],
    ['response_type empty', { response_type: '' }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['response_mode form_post', { response_mode: 'form_post' }, 'invalid_request'],
    ['only an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['only an unregistered scope', { scope: 'wallet:read' }, 'invalid_scope'],
    ['prompt none with another value', { prompt: 'none login' }, 'invalid_request'],
    ['max_age negative', { max_age: '-1' }, 'invalid_request'],
    ['max_age text', { max_age: '1e3' }, 'invalid_request'],
    ['request', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['request_uri', { request_uri: 'https://shop.example.com/request' }, 'request_uri_not_supported'],
    ['nonce not ASCII', { nonce: 'nönce' }, 'invalid_request'],
    ['nonce too long', { nonce: 'n'.repeat(1_600) }, 'invalid_request'],
    ['login_hint too long', { login_hint: 'n'.repeat(1_600) }, 'invalid_request'],
    ['login_hint with too many bytes', { login_hint: '名'.repeat(600) }, 'invalid_request'],
    ['resource with a fragment', { resource: 'https://api.example.com/#a' }, 'invalid_target'],
    ['resource relative', { resource: '/api' }, 'invalid_target'],
    ['resource with a password', { resource: 'https://a:b@api.example.com/' }, 'invalid_target'],
  ];
  it.each(refused)(
    'return an error to the app if one is invalid: %s [OP-02, OP-33, OP-34, OP-36, OA-02, OC-06]',
    async (_, changes, error) => {
      expect(await ask(changes)).toEqual({
        to: callback,
        error,
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        state: 'state of the app',
        iss: target.origin,
      });
    },
  );

  it('may not name this service or a path below it as the resource [D-91]', async () => {
    for (const resource of ownSpellings(target.origin)) {
      expect(await ask({ resource })).toMatchObject({ to: callback, error: 'invalid_target' });
    }
  });

  it.each([
    ['no challenge', { code_challenge: null }],
    ['no method, which means plain', { code_challenge_method: null }],
    ['plain', { code_challenge: codeVerifier, code_challenge_method: 'plain' }],
    ['another method', { code_challenge_method: 's256' }],
    ['an empty challenge', { code_challenge: '' }],
    ['a challenge that is not a SHA-256 digest', { code_challenge: codeChallenge.slice(1) }],
    ['a challenge in base64', { code_challenge: `${codeChallenge.slice(0, 41)}+/` }],
  ])('require PKCE and reject %s [D-71, OP-38, BC-02]', async (_, changes) => {
    expect(await ask(changes)).toMatchObject({ to: callback, error: 'invalid_request' });
  });

  const twice =
    'response_type scope state nonce code_challenge code_challenge_method prompt max_age login_hint';
  it.each(`${twice} id_token_hint ui_locales acr_values claims display resource request`.split(' '))(
    'may each appear only once: %s twice is rejected [OA-01]',
    async (name) => {
      const url = `${authorizeUrl(app)}&${name}=a&${name}=a`;
      const answer = await ask({}, url);
      expect(answer).toMatchObject({ to: callback, error: 'invalid_request' });
      // An ambiguous state is not returned.
      expect(answer['state']).toBe(name === 'state' ? undefined : 'state of the app');
    },
  );

  it.each([
    ['state absent', { state: null }],
    ['acr_values', { acr_values: 'urn:mace:incommon:iap:silver' }],
    ['unknown claims', { claims: '{"userinfo":{"gender":{"essential":true}}}' }],
    ['claims_locales', { claims_locales: 'se' }],
    ['display page', { display: 'page' }],
    ['display popup', { display: 'popup' }],
    ['scopes in another order', { scope: 'profile openid' }],
    ['an unknown prompt', { prompt: 'surprise' }],
    ['an unknown parameter', { audience: 'a' }],
    ['an empty optional parameter', { max_age: '', prompt: '', nonce: '' }],
    ['scopes twice', { scope: 'openid openid  profile' }],
    ['an unknown scope', { scope: 'openid everything' }],
    ['a scope for which the app is not registered', { scope: 'openid wallet:read' }],
    ['response_mode query', { response_mode: 'query' }],
    ['a resource', { resource: 'https://shop.example.com/api' }],
    ['a recent enough sign-in', { max_age: '10000' }],
  ])(
    'yield a code if they are valid or ignored: %s [OP-14, OP-15, OP-16, OP-21, OP-22, OP-26, OP-27, OP-35, OA-01]',
    async (_, changes) => {
      const answer = await ask(changes);
      expect(answer).toMatchObject({ to: callback, code: expect.any(String) });
      expect(answer['state']).toBe('state' in changes ? undefined : 'state of the app');
    },
  );

  it('without scope yield the scopes that identify the person, but no money scopes or refresh token', async () => {
    const one = await newRelation(target);
    expect((await appSignIn(one, { scope: null })).scope).toBe('openid profile email');
    const reader = await newRelation(target, { scopes: ['wallet:read', 'profile'] });
    await markChecked(target, reader.app.id);
    expect((await appSignIn(reader, { scope: null })).scope).toBe('profile');
    const money = await newRelation(target, { scopes: ['wallet:read', 'offline_access'] });
    await markChecked(target, money.app.id);
    const answer = await money.person.browser.navigate(authorizeUrl(money.app, { scope: null }));
    expect(answerIn(answer.headers.get('Location'))).toMatchObject({ error: 'invalid_scope' });
  });

  it('yield only scopes that the app is registered for, and the token response lists them [OP-11, OP-12, OP-13]', async () => {
    const one = await newRelation(target, { scopes: ['openid', 'profile'] });
    const tokens = await appSignIn(one, { scope: 'email profile phone address openid wallet:read' });
    expect(tokens.scope).toBe('profile openid');
    const rows = await target.rows('SELECT scopes FROM grants WHERE app_id = ?', [one.app.id]);
    expect(rows).toEqual([{ scopes: '["openid","profile"]' }]);
  });

  it.each(['a b&c=d#e?f%20+"\\<>', '~'.repeat(1_200), ' '])(
    'include a state that is returned unchanged: %s [OA-02]',
    async (state) => {
      expect((await ask({ state }))['state']).toBe(state);
    },
  );

  it('require consent again with prompt=consent, even under a grant [OC-02]', async () => {
    const page = await person.browser.navigate(authorizeUrl(app, { prompt: 'consent' }));
    expect(await page.text()).toContain('value="allow"');
  });

  it('set the page language with ui_locales [OP-25]', async () => {
    const page = await person.browser.navigate(
      authorizeUrl(app, { prompt: 'consent', ui_locales: 'xx id-ID en' }),
    );
    const text = await page.text();
    expect(text).toContain('<html lang="id">');
    expect(text).toContain('<span>melihat PID Anda</span>');
  });
});

describe('a redirect URI', () => {
  const web = ['https://shop.example.com/callback', 'https://shop.example.com/other?tab=1'];
  const native = ['http://127.0.0.1/callback', 'http://[::1]:3000/callback', 'com.example.app:/callback'];
  const strange = [
    'https://shop.example.com/callback/',
    'https://shop.example.com/callback/../callback',
    'https://shop.example.com/callback?code=1',
    'https://shop.example.com/callback#',
    'https://shop.example.com/callback#fragment',
    'https://shop.example.com:443/callback',
    'https://shop.example.com:8443/callback',
    'https://shop.example.com/Callback',
    'https://SHOP.example.com/callback',
    'HTTPS://shop.example.com/callback',
    'http://shop.example.com/callback',
    'https://shop.example.com.evil.example/callback',
    'https://evil.example/https://shop.example.com/callback',
    'https://shop.example.com@evil.example/callback',
    'https://user@shop.example.com/callback',
    'https://evil.example\\@shop.example.com/callback',
    'https://shop.example.com\\.evil.example/callback',
    'https://shop.example.com%2Fcallback',
    'https://shop.example.com/callback%00',
    'https://shop.example.com/callback\r\nSet-Cookie: a=b',
    ' https://shop.example.com/callback',
    'https://shop.example.com/other',
    'https://shop.example.com/other?tab=1&tab=2',
    '//shop.example.com/callback',
    '/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1/callback/x',
    'http://127.0.0.1:0x50/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:80@evil.example/callback',
    'http://127.0.0.2/callback',
    'http://localhost/callback',
    'https://127.0.0.1/callback',
    'http://[::1]:3000.evil.example/callback',
    'com.example.app:/callback/x',
    'com.example.app:8080/callback',
    'com.example.app://callback',
    'COM.example.app:/callback',
  ];
  let one: NewApp;
  beforeAll(async () => {
    one = await newApp(developer.browser, { type: 'native', redirectUris: [...web, ...native] });
  });

  it.each(strange)(
    'leads to a page, not a redirect, if it is not registered: %s [D-70, OP-30, BC-01]',
    async (redirectUri) => {
      for (const browser of [person.browser, openBrowser(target)]) {
        const answer = await browser.navigate(authorizeUrl(one, { redirect_uri: redirectUri }));
        expect([answer.status, answer.headers.get('Location')]).toEqual([400, null]);
        const text = await answer.text();
        expect(text).toContain('The redirect URI is not registered for this app');
        const leads = [...text.matchAll(/(?:href|action|content)="([^"]*)"/g)].map(([, to = '']) => to);
        expect(leads.filter((to) => /evil|^\w+:(?!image)|url=/.test(to) && !to.startsWith('/v1/'))).toEqual(
          [],
        );
      }
    },
  );

  it.each([
    ['absent', '', 400],
    ['empty', 'redirect_uri=', 400],
    ['twice', `redirect_uri=${web[0]}&redirect_uri=${web[0]}`, 400],
    ['of another app', 'redirect_uri=https://other.example.com/callback', 400],
  ])('leads to a page, not a redirect, whatever else is wrong: %s [D-70]', async (_, query, status) => {
    const url = `${authorizeUrl(one, { redirect_uri: null, response_type: null })}&${query}`;
    const answer = await person.browser.navigate(url);
    expect([answer.status, answer.headers.get('Location')]).toEqual([status, null]);
  });

  it.each([
    ['absent', '', 400],
    ['empty', 'client_id=', 400],
    ['unknown', 'client_id=app_00000000000000000000000000', 404],
    ['an injection', "client_id=' OR 1=1 --", 404],
  ])('leads to a page, not a redirect, if the client is %s [D-70]', async (_, query, status) => {
    const answer = await person.browser.navigate(`${authorizeUrl(one, { client_id: null })}&${query}`);
    expect([answer.status, answer.headers.get('Location')]).toEqual([status, null]);
    const doubled = await person.browser.navigate(`${authorizeUrl(one)}&client_id=${one.id}`);
    expect([doubled.status, doubled.headers.get('Location')]).toEqual([400, null]);
  });

  it.each([
    ...web,
    ...native,
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]/callback',
    'http://[::1]:53211/callback',
  ])(
    'receives the response if it is registered, on any loopback port: %s [OA-07, BC-01]',
    async (redirectUri) => {
      const page = await person.browser.navigate(
        authorizeUrl(one, { redirect_uri: redirectUri, prompt: 'consent' }),
      );
      const led = await ledTo(await decideOn(target, person.browser, page));
      const glue = redirectUri.includes('?') ? '&' : '?';
      expect(led.slice(0, redirectUri.length + 6)).toBe(`${redirectUri}${glue}code=`);
    },
  );

  it('leads to a page, not a redirect, if the app is suspended or deleted', async () => {
    for (const [status, code, text] of [
      ['suspended', 403, 'App is suspended'],
      ['deleted', 404, 'App does not exist'],
    ] as const) {
      const other = await newApp(developer.browser);
      await authorizeApp(target, person.browser, other);
      await target.rows('UPDATE apps SET status = ? WHERE id = ?', [status, other.id]);
      const answer = await person.browser.navigate(authorizeUrl(other));
      expect([answer.status, answer.headers.get('Location')]).toEqual([code, null]);
      expect(await answer.text()).toContain(text);
    }
  });

  it('returns JSON in both error formats to a program if it is wrong', async () => {
    const answer = await target.request(authorizeUrl(one, { redirect_uri: 'https://evil.example/' }));
    expect(await seen(answer)).toEqual([
      400,
      {
        statusCode: 400,
        message: 'The redirect URI is not registered for this app',
        code: 'redirect_uri_unknown',
        error: 'invalid_request',
        error_description: 'The redirect URI is not registered for this app',
      },
    ]);
  });
});

describe('POST /v1/auth/authorize as JSON', () => {
  const body = (changes: Record<string, unknown> = {}) => ({
    clientId: app.id,
    redirectUri: callback,
    responseType: 'code',
    scope: 'openid profile',
    state: 's',
    codeChallenge,
    codeChallengeMethod: 'S256',
    ...changes,
  });
  const post = (changes: Record<string, unknown> = {}, browser = person.browser) =>
    browser.fetch('/v1/auth/authorize', json('POST', body(changes)));

  it('returns the redirect if a grant covers the scopes', async () => {
    const [status, { redirectTo }] = (await seen(await post())) as [number, { redirectTo: string }];
    expect([status, answerIn(redirectTo)]).toEqual([
      200,
      { to: callback, code: expect.any(String), state: 's', iss: target.origin },
    ]);
  });

  it('requires consent, and accepts it only with the proof of the request', async () => {
    const one = await newApp(developer.browser);
    const [, asked] = (await seen(await post({ clientId: one.id }))) as [number, { proof: string }];
    expect(asked).toEqual({
      consentRequired: true,
      app: { id: one.id, name: 'Corner Shop', origin: 'https://shop.example.com' },
      scopes: ['openid', 'profile'],
      resource: null,
      proof: expect.any(String),
    });
    const { proof } = asked;
    const allow = { clientId: one.id, decision: 'allow', proof };
    for (const altered of [
      { proof: undefined },
      { proof: '' },
      { scope: 'openid' },
      { state: 't' },
      { nonce: 'n' },
      { redirectUri: 'https://shop.example.com/callback', clientId: app.id },
    ]) {
      const [status, refused] = await seen(await post({ ...allow, ...altered }));
      expect([status, refused]).toMatchObject([400, { code: 'authorize_altered', error: 'invalid_request' }]);
    }
    const [, denied] = (await seen(await post({ ...allow, decision: 'deny' }))) as [
      number,
      { redirectTo: string },
    ];
    expect(answerIn(denied.redirectTo)['error']).toBe('access_denied');
    const [, done] = (await seen(await post(allow))) as [number, { redirectTo: string }];
    expect(answerIn(done.redirectTo)).toMatchObject({ to: callback, code: expect.any(String), state: 's' });
  });

  it.each([
    [{ clientId: 'app_of_nobody' }, 404, 'App does not exist'],
    [{ redirectUri: 'https://evil.example/' }, 400, 'The redirect URI is not registered for this app'],
    [{ responseType: 'token' }, 400, ['responseType must be code']],
    [{ codeChallengeMethod: 'plain' }, 400, ['codeChallengeMethod must be S256']],
    [{ codeChallenge: 'short' }, 400, ['code_challenge must be a SHA-256 digest in base64url']],
    [{ state: undefined }, 400, ['state must be a string']],
    [{ decision: 'maybe' }, 400, ['decision must be allow or deny']],
  ])('rejects %j', async (changes, statusCode, message) => {
    expect(await seen(await post(changes))).toMatchObject([statusCode, { statusCode, message }]);
  });

  it('rejects suspended apps, anonymous callers and all other origins', async () => {
    const one = await newApp(developer.browser);
    await target.rows("UPDATE apps SET status = 'suspended' WHERE id = ?", [one.id]);
    expect(await seen(await post({ clientId: one.id }))).toMatchObject([
      403,
      { message: 'App is suspended' },
    ]);
    expect(await seen(await post({}, openBrowser(target)))).toMatchObject([
      401,
      { message: 'Authentication is required' },
    ]);
    for (const Origin of ['https://evil.example', 'http://localhost:5173', 'null']) {
      const { headers, ...init } = json('POST', body());
      const answer = await person.browser.fetch('/v1/auth/authorize', {
        ...init,
        headers: { ...headers, Origin },
      });
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([403, 'origin_not_allowed']);
    }
  });
});
