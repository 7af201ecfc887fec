import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { expect, it } from 'vitest';
import { authorizeApp, codeVerifier } from '../support/oauth.ts';
import { useService } from '../support/service.ts';
import { newRelation, type Relation } from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

const scope = 'openid offline_access wallet:read';

/** Like `fetch`, for the service under test. */
async function send(url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
  const all = Object.fromEntries(new Headers(headers));
  const init = { method, headers: all, ...(body && { body: String(body) }) };
  return target.request(url.slice(target.origin.length), init);
}

/** The difference between the clock of the service and ours, in seconds. */
const clockSkew = () => Math.round((target.now() - Date.now()) / 1000);

/** The address to which the browser returns with a code bound to a key. */
async function returnUrl({ app, person }: Relation, dpop_jkt: string): Promise<URL> {
  const code = await authorizeApp(target, person.browser, app, { scope, dpop_jkt });
  const answer = { code, state: 'state of the app', iss: target.origin };
  return new URL(`${app.redirectUris[0]}?${new URLSearchParams(answer)}`);
}

it('openid-client signs in with DPoP, refreshes, and calls the service, as a public client [DP-01, DP-05, DP-06]', async () => {
  const relation = await newRelation(target, { type: 'native' });
  const metadata = { [client.clockSkew]: clockSkew() };
  const config = await client.discovery(new URL(target.origin), relation.app.id, metadata, client.None(), {
    [client.customFetch]: send as client.CustomFetch,
    execute: [client.allowInsecureRequests],
  });
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
  const jkt = await DPoP.calculateThumbprint();
  const tokens = await client.authorizationCodeGrant(
    config,
    await returnUrl(relation, jkt),
    {
      pkceCodeVerifier: codeVerifier,
      expectedState: 'state of the app',
      expectedNonce: 'nonce of the app',
    },
    undefined,
    { DPoP },
  );
  expect(tokens.token_type).toBe('dpop');
  // The client has no nonce for its first refresh after a while, and gets one.
  await target.advance(120);
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
  const { sub = '' } = tokens.claims() ?? {};
  expect(await client.fetchUserInfo(config, next.access_token, sub, { DPoP })).toEqual({ sub });
  const wallet = new URL('/v1/wallet', target.origin);
  const call = (options: client.DPoPOptions) =>
    client.fetchProtectedResource(config, next.access_token, wallet, 'GET', undefined, undefined, options);
  expect((await call({ DPoP })).status).toBe(404);
  const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
  for (const options of [{}, { DPoP: other }]) await expect(call(options)).rejects.toThrow();
  await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_dpop_proof',
  });
  await client.refreshTokenGrant(config, next.refresh_token ?? '', undefined, { DPoP });
});

it('oauth4webapi with a secret signs in with DPoP and Ed25519, and refreshes with a nonce [DP-01, DP-05]', async () => {
  const relation = await newRelation(target);
  const options = { [oauth.customFetch]: send as never, [oauth.allowInsecureRequests]: true };
  const issuer = new URL(target.origin);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  expect(server.dpop_signing_alg_values_supported).toEqual(['ES256', 'EdDSA', 'Ed25519']);
  const { app } = relation;
  const shop: oauth.Client = { client_id: app.id, [oauth.clockSkew]: clockSkew() };
  const authentication = oauth.ClientSecretPost(app.secret?.value ?? '');
  const DPoP = oauth.DPoP(shop, await oauth.generateKeyPair('Ed25519'));
  const url = await returnUrl(relation, await DPoP.calculateThumbprint());
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    shop,
    authentication,
    oauth.validateAuthResponse(server, shop, url, 'state of the app'),
    app.redirectUris[0] ?? '',
    codeVerifier,
    { ...options, DPoP },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, shop, response, {
    expectedNonce: 'nonce of the app',
    requireIdToken: true,
  });
  const refresh = async () => {
    const token = tokens.refresh_token ?? '';
    const answer = await oauth.refreshTokenGrantRequest(server, shop, authentication, token, {
      ...options,
      DPoP,
    });
    return oauth.processRefreshTokenResponse(server, shop, answer);
  };
  await target.advance(120);
  const refused = await refresh().catch((error: unknown) => error);
  expect(oauth.isDPoPNonceError(refused)).toBe(true);
  const next = await refresh();
  expect(next.token_type).toBe('dpop');
  const userinfo = () => oauth.userInfoRequest(server, shop, next.access_token, { ...options, DPoP });
  expect((await userinfo()).status).toBe(200);
  const bearer = await oauth.userInfoRequest(server, shop, next.access_token, options);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  await expect(oauth.processUserInfoResponse(server, shop, claims?.sub ?? '', bearer)).rejects.toThrow();
});
