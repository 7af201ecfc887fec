import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startLyingProvider } from './lying-provider.ts';
import { startPanvaProvider } from './panva-provider.ts';
import { countVisits, driveLogin, makeCode, registerRedirectUri, reportCode } from './provider-driver.ts';
import { begin, CALLBACK, redeem, SECRET, signIn, verify } from './relying-party.ts';

let lying: Awaited<ReturnType<typeof startLyingProvider>>;
let panva: Awaited<ReturnType<typeof startPanvaProvider>>;

beforeAll(async () => {
  lying = await startLyingProvider();
  panva = await startPanvaProvider({ redirectUris: [CALLBACK] });
});
afterAll(() => Promise.all([lying.stop(), panva.stop()]));

describe('the oidc-provider server', () => {
  it('completes a code flow with PKCE for openid-client', async () => {
    const { config, checks, authorizeUrl } = await begin(panva.issuer, panva.clientId, panva.clientSecret);
    const callback = await driveLogin(authorizeUrl, 'sari');
    expect(callback.startsWith(`${CALLBACK}?`)).toBe(true);
    const tokens = await client.authorizationCodeGrant(config, new URL(callback), checks);
    expect(tokens.claims()).toMatchObject({ sub: 'sari', aud: panva.clientId, iss: panva.issuer });
    const person = await client.fetchUserInfo(config, tokens.access_token, 'sari');
    expect(person).toMatchObject({ email: 'sari@example.com', email_verified: true, name: 'Person sari' });
  });

  it('accepts a callback only after it is registered', async () => {
    const late = 'http://127.0.0.1:5/v1/auth/idp/callback';
    const { authorizeUrl } = await begin(panva.issuer, panva.clientId, panva.clientSecret, late);
    await expect(driveLogin(authorizeUrl, 'budi')).rejects.toThrow(/400 from .*redirect_uri/s);
    await registerRedirectUri(panva.issuer, late);
    expect((await driveLogin(authorizeUrl, 'budi')).startsWith(`${late}?`)).toBe(true);
  });

  it('registers no callback outside loopback', async () => {
    await expect(registerRedirectUri(panva.issuer, 'http://evil.example/cb')).rejects.toThrow('refused');
  });

  it('requires PKCE', async () => {
    const { authorizeUrl } = await begin(panva.issuer, panva.clientId, panva.clientSecret);
    const bare = new URL(authorizeUrl);
    bare.searchParams.delete('code_challenge');
    bare.searchParams.delete('code_challenge_method');
    const { searchParams } = new URL(await driveLogin(bare.href, 'sari'));
    expect(searchParams.get('error')).toBe('invalid_request');
    expect(searchParams.get('code')).toBeNull();
  });
});

describe('the lying provider without a fault', () => {
  it('completes a code flow with PKCE for openid-client, with either algorithm', async () => {
    for (const alg of ['RS256', 'ES256'] as const) {
      const { code, config, grant } = await signIn(lying.issuer, {
        alg,
        claims: { sub: 'one', locale: null },
      });
      const tokens = await grant();
      expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe(alg);
      expect((await verify(lying.issuer, tokens.id_token ?? '')).payload.sub).toBe('one');
      expect(tokens.claims()).toMatchObject({ email: `${code}@example.com`, email_verified: true });
      expect(tokens.claims()).not.toHaveProperty('locale');
      expect(await client.fetchUserInfo(config, tokens.access_token, 'one')).toMatchObject({
        name: 'Ayu Lestari',
      });
    }
  });

  it('reports what its token endpoint received', async () => {
    const { code, grant } = await signIn(lying.issuer);
    await grant();
    const report = await reportCode(lying.issuer, code);
    expect(report).toMatchObject({ userinfoCalls: 0, internalVisits: 0, hugeBytes: 0 });
    const redirect = { redirectUri: CALLBACK, hasCodeVerifier: true, pkceValid: true };
    const contentType = expect.stringContaining('application/x-www-form-urlencoded');
    const sent = { issuer: lying.issuer, contentType, grantType: 'authorization_code', ...redirect };
    const credentials = { clientAuth: 'post', clientId: 'peridot', clientSecret: SECRET };
    expect(report.tokenCalls).toEqual([{ ...sent, ...credentials }]);
  });

  it('reads form-encoded Basic credentials', async () => {
    const { code } = await makeCode(lying.issuer);
    const [id, secret] = ['peridot', SECRET].map((part) => new URLSearchParams({ part }).toString().slice(5));
    const headers = { authorization: `Basic ${btoa(`${id}:${secret}`)}` };
    const body = new URLSearchParams({ grant_type: 'authorization_code', code });
    expect((await fetch(`${lying.issuer}/token`, { method: 'POST', body, headers })).status).toBe(200);
    const { tokenCalls } = await reportCode(lying.issuer, code);
    expect(tokenCalls).toMatchObject([{ clientAuth: 'basic', clientId: 'peridot', clientSecret: SECRET }]);
  });

  it('accepts a code once and counts every attempt', async () => {
    const { code, grant } = await signIn(lying.issuer);
    await grant();
    await expect(grant()).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await reportCode(lying.issuer, code)).tokenCalls).toHaveLength(2);
  });

  it('rejects a code that is presented to another of its issuers, and records where it was presented', async () => {
    const first = `${lying.issuer}/at/first`;
    const { code } = await makeCode(first, {});
    expect((await redeem(`${lying.issuer}/at/second`, code)).status).toBe(400);
    const { tokenCalls } = await reportCode(first, code);
    expect(tokenCalls.map((call) => call.issuer)).toEqual([`${lying.issuer}/at/second`]);
  });

  it('rejects a verifier that does not match the challenge', async () => {
    const { code } = await makeCode(lying.issuer, { challenge: 'of another verifier' });
    expect((await redeem(lying.issuer, code)).status).toBe(400);
    expect((await reportCode(lying.issuer, code)).tokenCalls[0]?.pkceValid).toBe(false);
  });

  it('rejects an unknown scenario instead of ignoring it', async () => {
    const misspelt: object = { idtoken: 'alg-none' };
    await expect(makeCode(lying.issuer, misspelt)).rejects.toThrow('idtoken');
  });

  it('is a separate issuer with its own counts under each /at path', async () => {
    const issuer = `${lying.issuer}/at/counted`;
    const { grant } = await signIn(issuer);
    expect((await grant()).claims()?.iss).toBe(issuer);
    expect(await countVisits(issuer)).toEqual({ discovery: 1, jwks: 0, internal: 0 });
  });
});

describe('a stopping provider', () => {
  it.each([
    ['lying', startLyingProvider],
    ['oidc-provider', () => startPanvaProvider({ redirectUris: [] })],
  ])('ends idle connections: the %s server', async (_name, start) => {
    const { issuer, stop } = await start();
    const agent = new Agent({ keepAlive: true });
    const [response] = (await once(get(issuer, { agent }), 'response')) as [IncomingMessage];
    const closed = once(response.resume().socket, 'close');
    await stop();
    await closed;
    await expect(fetch(issuer)).rejects.toThrow('fetch failed');
    agent.destroy();
  });

  it('ends its unanswered requests', async () => {
    const { issuer, stop } = await startLyingProvider();
    const silent = expect(fetch(`${issuer}/silent/.well-known/openid-configuration`)).rejects.toThrow(
      'fetch failed',
    );
    await vi.waitFor(async () => expect((await countVisits(`${issuer}/silent`)).discovery).toBe(1), 20_000);
    await stop();
    await silent;
  });
});
