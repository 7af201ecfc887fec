import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonWithAuthlib, signInByAuthlib } from '../support/authlib.ts';
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

describe('Authlib in Python', () => {
  it('signs in with PKCE, nonce and a signed ID token, refreshes, and revokes [OP-01, OP-03, OP-37, OP-38, CP-01]', async ({
    skip,
  }) => {
    if (pythonWithAuthlib === null)
      return skip('the packages python3-authlib and python3-requests are not installed');
    const app = await stage.newApp({ name: 'Toko Authlib', scopes: everyScope });
    const args = [stage.issuer, app.id, app.secretValue, shopCallback, stage.caFile];
    const learned = await signInByAuthlib(
      pythonWithAuthlib,
      args,
      async (request) => (await stage.allow(request, app.name, shopCallback)).url,
    );
    expect(learned).toMatchObject({
      claims: { ...dewi, ...dewiAddress, iss: stage.issuer, aud: app.id },
      userinfo: { ...dewi, ...dewiAddress },
      refreshed: 200,
      revoked: 401,
    });
  });
});
