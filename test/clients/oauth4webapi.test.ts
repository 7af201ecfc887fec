import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClientStage,
  dewi,
  dewiAddress,
  everyScope,
  shopCallback,
  startClientStage,
} from '../support/client-stage.ts';

let stage: ClientStage;

beforeAll(async () => {
  stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());

// No option that relaxes a check is used: neither allowInsecureRequests nor any skip option.
describe('oauth4webapi', () => {
  it('signs in with PKCE, nonce and a signed ID token, refreshes, and revokes [OP-01, OP-03, OP-32, OP-37, OP-38, CP-01]', async () => {
    const app = await stage.newApp({ name: 'Toko oauth4webapi', scopes: everyScope });
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
      scope: everyScope.join(' '),
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
    expect(claims).toMatchObject({ ...dewi, ...dewiAddress, aud: app.id });
    const info = await oauth.userInfoRequest(server, shop, tokens.access_token, options);
    expect(await oauth.processUserInfoResponse(server, shop, claims?.sub ?? '', info)).toMatchObject(dewi);

    const refresh = (token = '') =>
      oauth.refreshTokenGrantRequest(server, shop, authentication, token, options);
    const refreshed = await refresh(tokens.refresh_token);
    const next = await oauth.processRefreshTokenResponse(server, shop, refreshed);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    const token = next.refresh_token ?? '';
    const revoked = await oauth.revocationRequest(server, shop, authentication, token, options);
    await oauth.processRevocationResponse(revoked);
    await expect(oauth.processRefreshTokenResponse(server, shop, await refresh(token))).rejects.toMatchObject(
      { error: 'invalid_grant' },
    );
  });
});
