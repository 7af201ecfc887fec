import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startClientSite } from '../support/client-site.ts';
import { type ClientStage, dewi, dewiAddress, startClientStage } from '../support/client-stage.ts';

const missing = inject('noClientPackages');
let stage: ClientStage;

beforeAll(async () => {
  stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());

describe('passport-openidconnect', () => {
  it('signs in with a nonce instead of PKCE, and reads userinfo [OP-01, OP-03]', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const site = await startClientSite(stage, 'passport-openidconnect', '/callback', { pkce: 'nonce' });
    try {
      expect(await site.signIn('/sign-in')).toEqual({
        issuer: stage.issuer,
        claims: {
          id: dewi.sub,
          username: dewi.preferred_username,
          displayName: dewi.name,
          emails: [{ value: dewiAddress.email }],
        },
        userinfo: expect.objectContaining({ ...dewi, ...dewiAddress }),
      });
    } finally {
      await site.stop();
    }
  });
});
