import { decodeJwt, exportSPKI, importJWK, type JSONWebKeySet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLyingProvider } from './lying-provider.ts';
import { countVisits, makeCode, reportCode } from './provider-driver.ts';
import { begin, idTokenOf, redeem, signIn, verify } from './relying-party.ts';

let lying: Awaited<ReturnType<typeof startLyingProvider>>;

beforeAll(async () => {
  lying = await startLyingProvider();
});
afterAll(() => lying.stop());

describe('a fault in an ID token', () => {
  it.each([
    ['bad-signature', { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' }],
    ['hs256-with-public-key', { code: 'ERR_JOSE_ALG_NOT_ALLOWED' }],
    ['alg-none', { code: 'ERR_JOSE_ALG_NOT_ALLOWED' }],
    ['other-key-unknown-kid', { code: 'ERR_JWKS_NO_MATCHING_KEY' }],
    ['expired', { code: 'ERR_JWT_EXPIRED' }],
    ['wrong-aud', { claim: 'aud' }],
    ['wrong-iss', { claim: 'iss' }],
  ] as const)('"%s" is detected by a verifier', async (idToken, failure) => {
    const token = await idTokenOf(lying.issuer, { idToken });
    await expect(verify(lying.issuer, token)).rejects.toMatchObject(failure);
  });

  it('"hs256-with-public-key" deceives a verifier that uses the public key as a shared secret', async () => {
    const token = await idTokenOf(lying.issuer, { idToken: 'hs256-with-public-key', claims: { sub: 'one' } });
    const { keys } = (await (await fetch(`${lying.issuer}/jwks`)).json()) as JSONWebKeySet;
    const key = await importJWK(keys[0] ?? { kty: 'none' }, 'RS256', { extractable: true });
    const pem = key instanceof Uint8Array ? '' : await exportSPKI(key);
    expect((await jwtVerify(token, new TextEncoder().encode(pem))).payload.sub).toBe('one');
  });

  it('"wrong-azp" or "aud-array-without-azp" passes a signature check and fails only on its claims', async () => {
    expect(
      (await verify(lying.issuer, await idTokenOf(lying.issuer, { idToken: 'wrong-azp' }))).payload,
    ).toMatchObject({
      azp: 'another-client',
    });
    const { payload } = await verify(
      lying.issuer,
      await idTokenOf(lying.issuer, { idToken: 'aud-array-without-azp' }),
    );
    expect(payload.aud).toEqual(['peridot', 'another-client']);
    expect(payload).not.toHaveProperty('azp');
  });

  it('"missing" omits the token', async () => {
    expect(await idTokenOf(lying.issuer, { idToken: 'missing' })).toBeUndefined();
  });

  it('"literalClaims" contains values that no honest provider sends', async () => {
    expect(decodeJwt(await idTokenOf(lying.issuer, { literalClaims: { sub: null } })).sub).toBeNull();
    expect(decodeJwt(await idTokenOf(lying.issuer, { literalClaims: { sub: { a: 1 } } })).sub).toEqual({
      a: 1,
    });
  });

  it('"splitClaims" puts the address in userinfo only', async () => {
    const { code, config, grant } = await signIn(lying.issuer, {
      splitClaims: true,
      userinfoClaims: { email_verified: 'true' },
    });
    const tokens = await grant();
    expect(tokens.claims()).not.toHaveProperty('email');
    const person = await client.fetchUserInfo(config, tokens.access_token, `sub-${code}`);
    expect(person).toMatchObject({ email: `${code}@example.com`, email_verified: 'true' });
  });
});

describe('a faulty provider', () => {
  it('redirects to the real response and counts visits to it', async () => {
    const { code } = await makeCode(lying.issuer, { token: 'redirect' });
    const response = await redeem(lying.issuer, code);
    expect(response.status).toBe(302);
    expect((await reportCode(lying.issuer, code)).internalVisits).toBe(0);
    const followed = await fetch(response.headers.get('location') ?? '');
    expect(await followed.json()).toHaveProperty('id_token');
    expect((await reportCode(lying.issuer, code)).internalVisits).toBe(1);
  });

  it('sends a huge response that is valid when read to its end, and stops when the reader hangs up', async () => {
    const [read, left] = await Promise.all([1, 2].map(() => makeCode(lying.issuer, { token: 'huge' })));
    const whole = await (await redeem(lying.issuer, read?.code ?? '')).text();
    expect(whole.length).toBeGreaterThan(50 * 1024 * 1024);
    expect(JSON.parse(whole)).toHaveProperty('id_token');
    const response = await redeem(lying.issuer, left?.code ?? '');
    await response.body?.cancel();
    const { hugeBytes } = await reportCode(lying.issuer, left?.code ?? '');
    expect(hugeBytes).toBeGreaterThan(0);
    expect(hugeBytes).toBeLessThan(25 * 1024 * 1024);
  });

  it('never responds when silent, and responds after its delay when slow', async () => {
    const { code } = await makeCode(lying.issuer, { token: 'silent' });
    await expect(redeem(lying.issuer, code, AbortSignal.timeout(300))).rejects.toThrow('timeout');
    const slow = await makeCode(lying.issuer, { token: 'slow', delayMs: 200 });
    const started = performance.now();
    expect((await redeem(lying.issuer, slow.code)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(190);
  });

  it('starts a stalled response and never finishes it', async () => {
    const { code } = await makeCode(lying.issuer, { token: 'stalled' });
    const patience = new AbortController();
    const response = await redeem(lying.issuer, code, patience.signal);
    expect(response.status).toBe(200);
    setTimeout(() => patience.abort(new Error('out of patience')), 300);
    await expect(response.text()).rejects.toThrow('out of patience');
  });

  it.each([
    ['500', 500, /server_error/],
    ['html', 200, /^<!doctype html>/],
    ['empty-object', 200, /^\{\}$/],
    ['invalid_grant', 400, /invalid_grant/],
  ] as const)('answers a token request with %s if configured', async (token, status, text) => {
    const { code } = await makeCode(lying.issuer, { token });
    const response = await redeem(lying.issuer, code);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
  });

  it('returns userinfo for another person, an error, or no response if configured', async () => {
    const lies = [
      { userinfo: 'other-sub', failure: /unexpected JSON attribute value|"sub"/ },
      { userinfo: '500', failure: /unexpected HTTP response/ },
      { userinfo: 'absent', failure: /unexpected HTTP response/ },
    ] as const;
    for (const { userinfo, failure } of lies) {
      const { code, config, grant } = await signIn(lying.issuer, { userinfo });
      const { access_token } = await grant();
      await expect(client.fetchUserInfo(config, access_token, `sub-${code}`)).rejects.toThrow(failure);
      expect((await reportCode(lying.issuer, code)).userinfoCalls).toBe(1);
    }
  });

  it.each(['broken-json', 'wrong-issuer', '500', 'redirect', 'html', 'empty-object'])(
    'breaks discovery at /%s for a client',
    async (mode) => {
      await expect(begin(`${lying.issuer}/${mode}`, 'peridot', 'secret')).rejects.toThrow();
      expect(await countVisits(`${lying.issuer}/${mode}`)).toEqual({ discovery: 1, jwks: 0, internal: 0 });
    },
  );

  it.each([
    ['missing-jwks-uri', 'jwks_uri'],
    ['missing-userinfo-endpoint', 'userinfo_endpoint'],
  ])('omits from discovery at /%s only %s', async (mode, left) => {
    const path = '/.well-known/openid-configuration';
    const [sound, faulty] = await Promise.all(
      ['', `/${mode}`].map(async (prefix) => {
        const response = await fetch(`${lying.issuer}${prefix}${path}`);
        return Object.keys((await response.json()) as object);
      }),
    );
    expect(faulty).toEqual(sound?.filter((name) => name !== left));
  });

  it.each(['jwks-500', 'jwks-broken-json'])('serves an unusable key set at /%s', async (mode) => {
    const issuer = `${lying.issuer}/${mode}`;
    const token = await idTokenOf(issuer, {});
    await expect(verify(issuer, token)).rejects.toThrow(/200 OK|JSON/);
  });

  it.each(['token-refused', 'token-tls-error'])('has an unreachable token endpoint at /%s', async (mode) => {
    const { grant } = await signIn(`${lying.issuer}/${mode}`);
    await expect(grant()).rejects.toThrow('fetch failed');
  });

  it('serves the new key of a rotation on the second read', async () => {
    const issuer = `${lying.issuer}/rotated-keys`;
    const token = await idTokenOf(issuer, {});
    await expect(verify(issuer, token)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect((await verify(issuer, token)).payload.iss).toBe(issuer);
  });

  it('advertises client_secret_post as the only authentication method', async () => {
    const { config } = await begin(`${lying.issuer}/post-only`);
    expect(config.serverMetadata().token_endpoint_auth_methods_supported).toEqual(['client_secret_post']);
  });

  it('sends iss with the callback when it advertises iss', async () => {
    const issuer = `${lying.issuer}/advertises-iss`;
    const { grant } = await signIn(issuer);
    expect((await grant()).claims()?.iss).toBe(issuer);
  });
});
