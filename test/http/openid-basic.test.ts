import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TokenAnswer, Userinfo } from '../../src/features/oauth/schema.ts';
import { anotherBrowser } from '../support/answers.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { answerIn, authorizeUrl, codeChallenge, codeVerifier, decideOn, ledTo } from '../support/oauth.ts';
import { newPasskeyMember } from '../support/passkeys.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { newRelation, post, type Relation, refresh, tokensOf, userinfo } from '../support/token.ts';

/**
 * The modules of the conformance suite's Basic and Config plans, with the requests that the suite sends: a web app
 * whose `pkce` is `nonce`, and no PKCE unless the module is about it.
 */
const target = useService();
let relation: Relation;
let browser: Browser;
beforeAll(async () => {
  const scopes = ['openid', 'profile', 'email', 'offline_access'];
  relation = await newRelation(target, { pkce: 'nonce', scopes });
  ({ browser } = relation.person);
});

type Fields = Record<string, string | null>;

const suite: Fields = { scope: 'openid', code_challenge: null, code_challenge_method: null };

/** The response to the suite's request, which the person allows if asked. */
async function ask(changes: Fields = {}, from = browser): Promise<Record<string, string>> {
  const page = await from.navigate(authorizeUrl(relation.app, { ...suite, ...changes }));
  const location = page.headers.get('Location');
  return answerIn(location ?? (await ledTo(await decideOn(target, from, page))));
}

const redeem = (code = '', changes: Record<string, string> = {}, headers?: Record<string, string>) =>
  post(
    relation,
    '/v1/auth/token',
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: relation.app.redirectUris[0] ?? '',
      ...changes,
    },
    headers,
  );

async function claimsIn(token = ''): Promise<JWTPayload> {
  const keys = (await (await target.request('/.well-known/jwks.json')).json()) as JSONWebKeySet;
  const options = { issuer: target.origin, audience: relation.app.id, algorithms: ['RS256'] };
  const currentDate = new Date(target.now());
  return (await jwtVerify(token, createLocalJWKSet(keys), { ...options, currentDate })).payload;
}

interface Flow {
  readonly code: string;
  readonly tokens: TokenAnswer;
  readonly idToken: JWTPayload;
  readonly userinfo: Userinfo;
}

/** A whole sign-in, as most modules perform it. */
async function flow(changes: Fields = {}, from = browser): Promise<Flow> {
  const { code = '', state, iss } = await ask(changes, from);
  expect([state, iss]).toEqual(['state of the app', target.origin]);
  const tokens = await tokensOf(await redeem(code));
  const idToken = await claimsIn(tokens.id_token);
  expect(idToken['nonce']).toBe('nonce of the app');
  const answer = await userinfo(target, tokens.access_token);
  expect(answer.status).toBe(200);
  return { code, tokens, idToken, userinfo: (await answer.json()) as Userinfo };
}

const sub = () => `${relation.person.handle}@pid`;
const nobody = { error: 'login_required', state: 'state of the app' };
const names = { name: expect.any(String), preferred_username: expect.any(String) };
const email = { email: expect.stringContaining('@'), email_verified: true };

describe('a module of the Basic plan', () => {
  it('oidcc-server signs in without PKCE [OP-01]', async () => {
    const { tokens, idToken } = await flow();
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid' });
    expect(idToken).toMatchObject({ sub: sub(), aud: relation.app.id });
  });

  it('oidcc-response-type-missing gets invalid_request [OP-02]', async () => {
    expect(await ask({ response_type: null })).toMatchObject({ error: 'invalid_request' });
  });

  it('oidcc-idtoken-signature gets RS256 from a published key [OP-03]', async () => {
    const { tokens } = await flow();
    const header = JSON.parse(atob(tokens.id_token?.split('.')[0] ?? ''));
    const keys = (await (await target.request('/.well-known/jwks.json')).json()) as JSONWebKeySet;
    expect(header).toMatchObject({ alg: 'RS256' });
    expect(keys.keys.map(({ kid }) => kid)).toContain(header.kid);
  });

  it('oidcc-idtoken-unsigned does not apply, because unsigned ID tokens are not offered [OP-04]', async () => {
    const answer = await target.request('/.well-known/openid-configuration');
    expect(await answer.json()).toMatchObject({ id_token_signing_alg_values_supported: ['RS256', 'ES256'] });
  });

  it('oidcc-userinfo-get reads the same sub [OP-05]', async () => {
    expect((await flow()).userinfo).toEqual({ sub: sub() });
  });

  it('oidcc-userinfo-post-header reads the same sub [OP-06]', async () => {
    const { tokens } = await flow();
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const answer = await target.request('/v1/auth/userinfo', { method: 'POST', headers });
    expect(await answer.json()).toEqual({ sub: sub() });
  });

  it('oidcc-userinfo-post-body reads the same sub [OP-07]', async () => {
    const { tokens } = await flow();
    const answer = await target.request('/v1/auth/userinfo', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ access_token: tokens.access_token }).toString(),
    });
    expect(await answer.json()).toEqual({ sub: sub() });
  });

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow succeeds with PKCE, and fails with neither [OP-08]', async () => {
    expect(await ask({ nonce: null })).toMatchObject({ error: 'invalid_request' });
    const pkce = { code_challenge: codeChallenge, code_challenge_method: 'S256' };
    const { code } = await ask({ nonce: null, ...pkce });
    const { id_token } = await tokensOf(await redeem(code, { code_verifier: codeVerifier }));
    expect(await claimsIn(id_token)).not.toHaveProperty('nonce');
  });

  it('oidcc-scope-profile gets the name [OP-09]', async () => {
    expect((await flow({ scope: 'openid profile' })).userinfo).toMatchObject({ sub: sub(), ...names });
  });

  it('oidcc-scope-email gets the address [OP-10]', async () => {
    expect((await flow({ scope: 'openid email' })).userinfo).toMatchObject({ sub: sub(), ...email });
  });

  it('oidcc-scope-address signs in without an address [OP-11]', async () => {
    const { tokens, userinfo: claims } = await flow({ scope: 'openid address' });
    expect([tokens.scope, claims]).toEqual(['openid', { sub: sub() }]);
  });

  it('oidcc-scope-phone signs in without a number [OP-12]', async () => {
    const { tokens, userinfo: claims } = await flow({ scope: 'openid phone' });
    expect([tokens.scope, claims]).toEqual(['openid', { sub: sub() }]);
  });

  it('oidcc-scope-all gets all supported scopes [OP-13]', async () => {
    const { tokens, userinfo: claims } = await flow({ scope: 'openid profile email address phone' });
    expect(tokens.scope).toBe('openid profile email');
    expect(claims).toMatchObject({ ...names, ...email });
  });

  it('oidcc-ensure-other-scope-order-succeeds [OP-14]', async () => {
    expect((await flow({ scope: 'email profile openid' })).userinfo).toMatchObject({ ...names, ...email });
  });

  it('oidcc-display-page is ignored [OP-15]', async () => {
    await flow({ display: 'page' });
  });

  it('oidcc-display-popup is ignored [OP-16]', async () => {
    await flow({ display: 'popup' });
  });

  it('oidcc-prompt-login leads to a new sign-in [OP-17]', async () => {
    const page = await browser.navigate(authorizeUrl(relation.app, { ...suite, prompt: 'login' }));
    expect(page.headers.get('Location')).toMatch(/^\/signin\?.*prompt=login/);
  });

  it('oidcc-prompt-none-not-logged-in gets login_required [OP-18]', async () => {
    expect(await ask({ prompt: 'none' }, openBrowser(target))).toMatchObject(nobody);
  });

  it('oidcc-prompt-none-logged-in gets the same person [OP-19]', async () => {
    const first = await flow();
    const second = await flow({ prompt: 'none' });
    expect(second.idToken).toMatchObject({ sub: first.idToken.sub, auth_time: first.idToken['auth_time'] });
  });

  it('oidcc-max-age-1 leads to a new sign-in after a second [OP-20]', async () => {
    const tab = await anotherBrowser(target, relation.person);
    await target.advance(2);
    const page = await tab.navigate(authorizeUrl(relation.app, { ...suite, max_age: '1' }));
    expect(page.headers.get('Location')).toMatch(/^\/signin\?.*prompt=login/);
  });

  it('oidcc-max-age-10000 gets the existing sign-in, with auth_time [OP-21]', async () => {
    const tab = await anotherBrowser(target, relation.person);
    const { idToken } = await flow({ max_age: '10000' }, tab);
    expect(idToken['auth_time']).toBeGreaterThan(target.now() / 1000 - 10_000);
  });

  it('oidcc-ensure-request-with-unknown-parameter-succeeds [OP-22]', async () => {
    await flow({ extra: 'foobar' });
  });

  it('oidcc-id-token-hint signs in the person named by the hint [OP-23]', async () => {
    const { tokens } = await flow();
    const again = await flow({ prompt: 'none', id_token_hint: tokens.id_token ?? '' });
    expect(again.idToken.sub).toBe(sub());
  });

  it('oidcc-login-hint signs in [OP-24]', async () => {
    await flow({ login_hint: 'buffy' });
  });

  it('oidcc-ui-locales signs in [OP-25]', async () => {
    await flow({ ui_locales: 'se' });
  });

  it('oidcc-claims-locales is ignored [OP-26]', async () => {
    await flow({ claims_locales: 'se' });
  });

  it('oidcc-ensure-request-with-acr-values-succeeds gets acr from a sign-in with a passkey [OP-27]', async () => {
    expect((await flow({ acr_values: 'phr' })).idToken).not.toHaveProperty('acr');
    const { browser: withPasskey } = await newPasskeyMember(target);
    expect((await flow({ acr_values: 'phr' }, withPasskey)).idToken['acr']).toBe('phr');
  });

  it('oidcc-codereuse gets invalid_grant [OP-28]', async () => {
    const { code } = await flow();
    const again = await redeem(code);
    expect([again.status, ((await again.json()) as { error: string }).error]).toEqual([400, 'invalid_grant']);
  });

  it('oidcc-codereuse-30seconds revokes the code’s tokens [OP-29]', async () => {
    const { code, tokens } = await flow();
    await target.advance(30);
    expect((await redeem(code)).status).toBe(400);
    expect((await userinfo(target, tokens.access_token)).status).toBe(401);
  });

  it('oidcc-ensure-registered-redirect-uri shows a page [OP-30]', async () => {
    const changes = { ...suite, redirect_uri: `${relation.app.redirectUris[0]}/x` };
    const page = await browser.navigate(authorizeUrl(relation.app, changes));
    expect([page.status, page.headers.get('Location')]).toEqual([400, null]);
  });

  it('oidcc-ensure-post-request-succeeds continues as a GET [OP-31]', async () => {
    const query = new URL(authorizeUrl(relation.app, suite), target.origin).searchParams;
    const posted = await openBrowser(target).navigate('/v1/auth/authorize', {
      ...form(Object.fromEntries(query), 'https://shop.example.com'),
      headers: {
        ...form({}, 'https://shop.example.com').headers,
        'Sec-Fetch-Site': 'cross-site',
      },
    });
    expect(posted.status).toBe(303);
    const page = await browser.navigate(posted.headers.get('Location') ?? '');
    await tokensOf(await redeem(answerIn(page.headers.get('Location'))['code']));
  });

  it('oidcc-server-client-secret-post signs in [OP-32]', async () => {
    const { code } = await ask();
    const { id, secret } = relation.app;
    const fields = { client_id: id, client_secret: secret?.value ?? '' };
    await tokensOf(await redeem(code, fields, {}));
  });

  it('oidcc-request-uri-unsigned gets request_uri_not_supported [OP-33]', async () => {
    const answer = await ask({ request_uri: 'https://shop.example.com/request.jwt' });
    expect(answer).toMatchObject({ error: 'request_uri_not_supported' });
  });

  it('oidcc-unsigned-request-object gets request_not_supported [OP-34]', async () => {
    expect(await ask({ request: 'eyJhbGciOiJub25lIn0.e30.' })).toMatchObject({
      error: 'request_not_supported',
    });
  });

  it('oidcc-claims-essential gets the name from userinfo [OP-35]', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    expect((await flow({ claims })).userinfo).toMatchObject(names);
  });

  it('oidcc-ensure-request-object-with-redirect-uri gets request_not_supported [OP-36]', async () => {
    const answer = await ask({
      request: 'eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2V2aWwuZXhhbXBsZS8ifQ.',
    });
    expect(answer).toMatchObject({ to: relation.app.redirectUris[0], error: 'request_not_supported' });
  });

  it('oidcc-refresh-token refreshes with offline_access, only for its own client [OP-37]', async () => {
    const { tokens } = await flow({ scope: 'openid offline_access', prompt: 'consent' });
    const other = await newRelation(target);
    expect((await refresh(other, tokens.refresh_token ?? '')).status).toBe(400);
    const next = await tokensOf(await refresh(relation, tokens.refresh_token ?? ''));
    expect((await userinfo(target, next.access_token)).status).toBe(200);
  });

  it('oidcc-ensure-request-with-valid-pkce-succeeds [OP-38]', async () => {
    const { code } = await ask({ code_challenge: codeChallenge, code_challenge_method: 'S256' });
    await tokensOf(await redeem(code, { code_verifier: codeVerifier }));
  });
});

describe('the module of the Config plan', () => {
  it('oidcc-discovery-endpoint-verification finds what the plan needs [CP-01]', async () => {
    const answer = await target.request('/.well-known/openid-configuration');
    const metadata = (await answer.json()) as Record<string, string | string[] | boolean>;
    expect(metadata).toMatchObject({
      issuer: target.origin,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      claims_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
    expect(metadata['scopes_supported']).toContain('openid');
    expect(metadata['id_token_signing_alg_values_supported']).toContain('RS256');
    expect(metadata['claims_supported']).toEqual(expect.arrayContaining(['sub', 'acr', 'auth_time']));
    expect(metadata['acr_values_supported']).toEqual(['phr']);
    expect(metadata['prompt_values_supported']).toContain('create');
    for (const [name, value] of Object.entries(metadata))
      if (name.endsWith('_endpoint') || name === 'jwks_uri')
        expect(String(value)).toMatch(`${target.origin}/`);
  });
});

describe('the claims parameter', () => {
  const about = (claims: unknown) => ({
    claims: typeof claims === 'string' ? claims : JSON.stringify(claims),
  });

  it('can request email and name, which the consent page then lists', async () => {
    const one = await newRelation(target, { pkce: 'nonce' });
    const page = await one.person.browser.navigate(
      authorizeUrl(one.app, { ...suite, ...about({ id_token: { email: null }, userinfo: { name: null } }) }),
    );
    const text = await page.text();
    for (const shown of ['see your email address', 'see your name and language'])
      expect(text).toContain(shown);
  });

  it('returns the claims in the ID token and from userinfo, and lists their scopes', async () => {
    const {
      tokens,
      idToken,
      userinfo: claims,
    } = await flow(about({ id_token: { email: { essential: true } } }));
    expect(tokens.scope).toBe('openid email');
    expect([idToken, claims]).toMatchObject([email, email]);
  });

  it('omits claims whose scope the app is not registered for', async () => {
    const one = await newRelation(target, { pkce: 'nonce', scopes: ['openid'] });
    const page = await one.person.browser.navigate(
      authorizeUrl(one.app, { ...suite, ...about({ userinfo: { email: { essential: true } } }) }),
    );
    expect(await page.text()).not.toContain('see your email address');
  });

  it('ignores unknown claims, even essential ones', async () => {
    const claims = { userinfo: { toString: { essential: true }, phone_number: null }, verified_claims: {} };
    expect((await flow(about(claims))).tokens.scope).toBe('openid');
  });

  it('must be a JSON object', async () => {
    for (const claims of ['{', '[]', 'null', '"a"', '1'])
      expect(await ask(about(claims))).toMatchObject({ error: 'invalid_request' });
    for (const claims of ['{}', '{"userinfo":[]}', '{"id_token":{"acr":1}}']) await flow(about(claims));
  });

  it('can name the person who has to be signed in', async () => {
    const named = (value: string) => about({ id_token: { sub: { value } } });
    expect((await flow({ prompt: 'none', ...named(sub()) })).idToken.sub).toBe(sub());
    for (const value of ['somebody-else@pid', 'x'])
      expect(await ask({ prompt: 'none', ...named(value) })).toMatchObject(nobody);
    // This cannot name anyone, and it would not fit into the cookie of a waiting request.
    for (const value of ['x', 'x'.repeat(5000), '']) expect(await ask(named(value))).toMatchObject(nobody);
  });

  it('with an essential acr requires a sign-in with a passkey', async () => {
    const essential = (acr: object) => about({ id_token: { acr: { essential: true, ...acr } } });
    const unmet = { error: 'unmet_authentication_requirements', state: 'state of the app' };
    const member = await newPasskeyMember(target);
    const { idToken } = await flow(essential({ values: ['other', 'phr'] }), member.browser);
    expect(idToken['acr']).toBe('phr');
    expect(await ask({ prompt: 'none', ...essential({ value: 'phr' }) })).toMatchObject(unmet);
    const page = await browser.navigate(
      authorizeUrl(relation.app, { ...suite, ...essential({ value: 'phr' }) }),
    );
    expect(page.headers.get('Location')).toMatch(/^\/signin\?.*prompt=login/);
    expect(await ask(essential({ values: ['urn:mace:incommon:iap:silver'] }), member.browser)).toMatchObject(
      unmet,
    );
    await flow(about({ id_token: { acr: { values: ['urn:mace:incommon:iap:silver'] } } }));
    await flow(essential({}));
  });
});

describe('prompt=create', () => {
  it('leads to the registration page, even for signed-in people', async () => {
    for (const from of [browser, openBrowser(target)]) {
      const page = await from.navigate(authorizeUrl(relation.app, { ...suite, prompt: 'create' }));
      const location = page.headers.get('Location') ?? '';
      expect(location).toMatch(/^\/v1\/auth\/email\/register\?returnTo=self/);
      const text = await (await from.navigate(location)).text();
      expect(text).toContain('href="/signin?');
    }
  });

  it('cannot be combined with none', async () => {
    expect(await ask({ prompt: 'none create' })).toMatchObject({ error: 'invalid_request' });
  });
});
