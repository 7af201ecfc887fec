import { createServer, type Server } from 'node:http';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClientStage,
  dewi,
  dewiAddress,
  everyScope,
  shopCallback,
  startClientStage,
} from '../support/client-stage.ts';
import { listen } from '../support/mail-servers.ts';

let stage: ClientStage;
/** The app's page after a sign-out. */
let shop: Server;
let goodbye: string;

beforeAll(async () => {
  stage = await startClientStage();
  shop = createServer((_, response) => response.end('Goodbye'));
  goodbye = `http://127.0.0.1:${await listen(shop)}/goodbye`;
}, 120_000);
afterAll(async () => {
  shop?.close();
  await stage?.stop();
});

// No option that relaxes a check is used: neither allowInsecureRequests nor any skip option.
describe('openid-client', () => {
  it('signs in, refreshes, exchanges, introspects, revokes and signs out [OP-01, OP-03, OP-37, OP-38, CP-01, RL-02]', async () => {
    const app = await stage.newApp({
      name: 'Toko openid-client',
      scopes: everyScope,
      postLogoutRedirectUris: [goodbye],
    });
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
      scope: everyScope.join(' '),
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      max_age: '3600',
    });
    const { url } = await stage.allow(request, app.name, shopCallback);
    const tokens = await client.authorizationCodeGrant(config, url, checks);
    const { sub = '' } = tokens.claims() ?? {};
    expect(tokens.claims()).toMatchObject({ ...dewi, ...dewiAddress, aud: app.id });
    expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      ...dewi,
      ...dewiAddress,
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

    const end = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: goodbye,
      state: 'bye',
    });
    const page = await stage.newPage();
    await page.goto(end.href);
    await page.waitForURL(`${goodbye}?state=bye`);
    expect(await stage.isSignedIn()).toBe(false);
  });
});
