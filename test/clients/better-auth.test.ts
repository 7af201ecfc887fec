import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startClientSite } from '../support/client-site.ts';
import { type ClientStage, dewi, dewiAddress, startClientStage } from '../support/client-stage.ts';

const missing = inject('noClientPackages');
let stage: ClientStage;

beforeAll(async () => {
  stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());

describe('better-auth', () => {
  it('signs in, refreshes, and signs out at the service [OP-01, OP-03, OP-37, RL-02]', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const site = await startClientSite(stage, 'better-auth', '/api/auth/callback/pid');
    try {
      expect(await site.signIn('/sign-in')).toMatchObject({
        user: { name: dewi.name, email: dewiAddress.email, emailVerified: true },
        accounts: [{ providerId: 'pid', accountId: dewi.sub }],
      });
      const { text } = await site.open('/refresh');
      expect(JSON.parse(text)).toMatchObject({ providerId: 'pid', accessToken: expect.any(String) });
      expect(await stage.isSignedIn()).toBe(true);
      const { url } = await site.open('/sign-out');
      expect(url).toBe(`${site.origin}/signed-out`);
      expect(await stage.isSignedIn()).toBe(false);
    } finally {
      await site.stop();
    }
  });
});
