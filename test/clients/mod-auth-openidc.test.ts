import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noApache, startApache } from '../support/apache.ts';
import {
  type ClientStage,
  dewi,
  dewiAddress,
  everyScope,
  startClientStage,
} from '../support/client-stage.ts';
import { freePort } from '../support/processes.ts';

let stage: ClientStage;

beforeAll(async () => {
  stage = await startClientStage();
}, 120_000);
afterAll(() => stage?.stop());

describe('mod_auth_openidc in Apache', () => {
  it('signs in expecting RS256, refreshes, and signs out at the service [OP-01, OP-03, OP-37, CP-01, RL-02]', async ({
    skip,
  }) => {
    if (noApache !== null) skip(noApache);
    const port = await freePort();
    const callback = `http://localhost:${port}/callback`;
    const goodbye = `http://localhost:${port}/goodbye`;
    const app = await stage.newApp({
      name: 'Toko Apache',
      scopes: everyScope,
      redirectUris: [callback],
      postLogoutRedirectUris: [goodbye],
    });
    const apache = await startApache(stage, { port, clientId: app.id, clientSecret: app.secretValue });
    try {
      const site = `http://localhost:${port}/index.shtml`;
      const { text } = await stage.allow(site, app.name, site);
      expect(text).toBe(
        `sub=${dewi.sub} aud=${app.id} email=${dewiAddress.email} preferred_username=${dewi.preferred_username}`,
      );

      const page = await stage.newPage();
      await page.goto(site);
      const token = () => page.locator('#token').innerHTML();
      const first = await token();
      await page.goto(`${callback}?${new URLSearchParams({ refresh: site, access_token: first })}`);
      expect(page.url()).toBe(site);
      expect(await token()).toMatch(/^ey/);
      expect(await token()).not.toBe(first);

      await page.goto(`${callback}?${new URLSearchParams({ logout: goodbye })}`);
      expect(page.url()).toBe(goodbye);
      expect(await stage.isSignedIn()).toBe(false);
    } finally {
      await apache.stop();
    }
  });
});
