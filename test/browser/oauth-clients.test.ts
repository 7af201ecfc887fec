import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noApache, startApache } from '../support/apache.ts';
import { pythonWithAuthlib, signInByAuthlib } from '../support/authlib.ts';
import { type ClientStage, shopCallback, startClientStage } from '../support/client-stage.ts';
import { freePort } from '../support/processes.ts';

const person = { sub: 'dewi.anggraini@pid', name: 'Dewi Anggraini', preferred_username: 'dewi.anggraini' };
const address = { email: 'dewi@example.com', email_verified: true };
const scope = 'openid profile email offline_access fiat:read';
const scopes = scope.split(' ');

let stage: ClientStage;

beforeAll(async () => {
  stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());

// No option that relaxes a check is used: neither allowInsecureRequests nor any skip option.
describe('an unmodified third-party client', () => {
  it('openid-client signs in, and refreshes, exchanges, introspects and revokes [OP-01, OP-03, OP-37, OP-38, CP-01]', async () => {
    const app = await stage.newApp({ name: 'Toko openid-client', scopes });
    const config = await client.discovery(new URL(stage.issuer), app.id, app.secretValue, undefined, {
      [client.customFetch]: stage.fetch,
      execute: [client.enableNonRepudiationChecks],
    });
    const checks = {
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
      expectedState: client.randomState(),
      expectedNonce: client.randomNonce(),
      maxAge: 3600,
      idTokenExpected: true,
    };
    const request = client.buildAuthorizationUrl(config, {
      redirect_uri: shopCallback,
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      max_age: '3600',
    });
    const { url } = await stage.allow(request, app.name, shopCallback);
    const tokens = await client.authorizationCodeGrant(config, url, checks);
    const { sub = '' } = tokens.claims() ?? {};
    expect(tokens.claims()).toMatchObject({ ...person, ...address, aud: app.id });
    expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      ...person,
      ...address,
    });

    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    const narrow = await client.genericGrantRequest(
      config,
      'urn:ietf:params:oauth:grant-type:token-exchange',
      {
        subject_token: next.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        scope: 'openid',
      },
    );
    expect(narrow).toMatchObject({ scope: 'openid', token_type: 'bearer' });
    expect(await client.fetchUserInfo(config, narrow.access_token, sub)).toEqual({ sub });
    const own = await client.clientCredentialsGrant(config, { scope: 'fiat:read' });
    expect(own).toMatchObject({ scope: 'fiat:read', token_type: 'bearer' });

    const introspect = () => client.tokenIntrospection(config, next.access_token);
    expect(await introspect()).toMatchObject({ active: true, client_id: app.id, sub });
    await client.tokenRevocation(config, next.refresh_token ?? '');
    expect(await introspect()).toEqual({ active: false });
    await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('oauth4webapi signs in, with PKCE, nonce and a signed ID token [OP-01, OP-03, OP-32, OP-38, CP-01]', async () => {
    const app = await stage.newApp({ name: 'Toko oauth4webapi', scopes });
    const options = { [oauth.customFetch]: stage.fetch };
    const issuer = new URL(stage.issuer);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, options),
    );
    const shop: oauth.Client = {
      client_id: app.id,
      id_token_signed_response_alg: 'RS256',
      require_auth_time: true,
    };
    const authentication = oauth.ClientSecretPost(app.secretValue);
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, expectedNonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const request = new URL(server.authorization_endpoint ?? '');
    request.search = new URLSearchParams({
      client_id: app.id,
      redirect_uri: shopCallback,
      response_type: 'code',
      scope,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce: expectedNonce,
    }).toString();
    const { url } = await stage.allow(request, app.name, shopCallback);
    const answer = oauth.validateAuthResponse(server, shop, url, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      shop,
      authentication,
      answer,
      shopCallback,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, shop, response, {
      expectedNonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    expect(claims).toMatchObject({ ...person, ...address, aud: app.id });
    const info = await oauth.userInfoRequest(server, shop, tokens.access_token, options);
    expect(await oauth.processUserInfoResponse(server, shop, claims?.sub ?? '', info)).toMatchObject(person);
  });

  it('mod_auth_openidc in Apache signs in, expecting RS256 [OP-01, OP-03, CP-01]', async ({ skip }) => {
    if (noApache !== null) skip(noApache);
    const port = await freePort();
    const redirectUris = [`http://localhost:${port}/callback`];
    const app = await stage.newApp({ name: 'Toko Apache', scopes, redirectUris });
    const apache = await startApache(stage, { port, clientId: app.id, clientSecret: app.secretValue });
    try {
      const site = `http://localhost:${port}/index.shtml`;
      const { text } = await stage.allow(site, app.name, site);
      expect(text).toBe(
        `sub=${person.sub} aud=${app.id} email=${address.email} preferred_username=${person.preferred_username}`,
      );
    } finally {
      await apache.stop();
    }
  });

  it('Authlib in Python signs in, with PKCE, nonce and a signed ID token [OP-01, OP-03, CP-01]', async ({
    skip,
  }) => {
    if (pythonWithAuthlib === null)
      return skip('the packages python3-authlib and python3-requests are not installed');
    const app = await stage.newApp({ name: 'Toko Authlib', scopes });
    const args = [stage.issuer, app.id, app.secretValue, shopCallback, stage.caFile];
    const { claims, userinfo } = await signInByAuthlib(
      pythonWithAuthlib,
      args,
      async (request) => (await stage.allow(request, app.name, shopCallback)).url,
    );
    expect(claims).toMatchObject({ ...person, ...address, iss: stage.issuer, aud: app.id });
    expect(userinfo).toMatchObject({ ...person, ...address });
  });
});
