import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startClientSite } from '../support/client-site.ts';
import { type ClientStage, dewi, dewiAddress, startClientStage } from '../support/client-stage.ts';

const missing = inject('noClientPackages');
let stage: ClientStage;

beforeAll(async () => {
  stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());

describe('Auth.js', () => {
  it('signs in with PKCE, state and nonce, and reads userinfo [OP-01, OP-03]', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const site = await startClientSite(stage, 'authjs', '/auth/callback/pid');
    try {
      const shown = await site.signIn('/auth/signin', (page) =>
        page.getByRole('button', { name: 'Sign in with PID' }).click(),
      );
      expect(shown).toMatchObject({
        user: { name: dewi.name, email: dewiAddress.email },
        profile: { ...dewi, ...dewiAddress },
        scope: 'openid profile email',
      });
    } finally {
      await site.stop();
    }
  });
});
