import { afterEach, expect, inject, it } from 'vitest';
import { restoreIdentity } from '../../../src/features/admin/give-back.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { openBrowser } from '../../support/browser.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { askRegistration, login, sendRegistration } from '../../support/passkeys.ts';

let files: ServiceFiles;
let service: InProcessTarget;
afterEach(async () => {
  await service.close();
  await files.remove();
});

it('a restored identity keeps its WebAuthn user id and signs in with its passkey', async () => {
  files = await makeServiceFiles();
  service = await openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
  });
  const [handle, email] = ['lost-person', 'lost@example.com'];
  // The state after a restore: suspended, without credentials.
  await service.rows(
    `INSERT INTO identities (handle, skeleton, ticket, status, created_at) VALUES (?, ?, ?, 'suspended', 1)`,
    [handle, 'lostperson', `restored:${handle}`],
  );
  await service.rows('INSERT INTO profiles (handle, display_name, updated_at) VALUES (?, ?, 1)', [
    handle,
    handle,
  ]);
  const browser = openBrowser(service);
  const authenticator = createAuthenticator(service.origin);
  const options = await askRegistration(browser, 'newcomer');
  await sendRegistration(browser, 'newcomer', await authenticator.create(options));
  await service.rows('UPDATE claim_tickets SET email = ?, shown_email = ?', [email, email]);

  const given = await restoreIdentity(service.deps, {
    handle,
    provider: 'passkey',
    email,
    skeleton: null,
    apply: true,
  });
  expect(given).toBe('given');
  expect((await login(browser, authenticator)).status).toBe(204);
  expect((await askRegistration(browser, 'member')).user.id).toBe(options.user.id);
});
