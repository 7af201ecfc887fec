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
  it('signs in, expecting RS256 [OP-01, OP-03, CP-01]', async ({ skip }) => {
    if (noApache !== null) skip(noApache);
    const port = await freePort();
    const redirectUris = [`http://localhost:${port}/callback`];
    const app = await stage.newApp({ name: 'Toko Apache', scopes: everyScope, redirectUris });
    const apache = await startApache(stage, { port, clientId: app.id, clientSecret: app.secretValue });
    try {
      const site = `http://localhost:${port}/index.shtml`;
      const { text } = await stage.allow(site, app.name, site);
      expect(text).toBe(
        `sub=${dewi.sub} aud=${app.id} email=${dewiAddress.email} preferred_username=${dewi.preferred_username}`,
      );
    } finally {
      await apache.stop();
    }
  });
});
