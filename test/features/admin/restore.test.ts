import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { all } from '../../../src/db/database.ts';
import { endRestoredSessions } from '../../../src/features/admin/restore.ts';
import { messageStatement } from '../../../src/features/mail/mail.ts';
import { sendMails } from '../../../src/features/mail/send.ts';
import { json, openBrowser } from '../../support/browser.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { askLogin, login, newPasskeyMember, sendLogin } from '../../support/passkeys.ts';
import { startSignIn } from '../../support/people.ts';
import { openPopup, registered } from '../../support/popup.ts';
import type { Reachable } from '../../support/target.ts';

let files: ServiceFiles;
let service: InProcessTarget;

/** The service, before and after the restore. */
const target: Reachable = {
  get origin() {
    return service.origin;
  },
  request: (path, init) => service.request(path, init),
  now: () => service.now(),
};

const open = () =>
  openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
  });

beforeEach(async () => {
  files = await makeServiceFiles();
  service = await open();
});
afterEach(async () => {
  await service.close();
  await files.remove();
});

/** Backs up the database, runs an action, and restores the backup. */
async function restoreAfter(act: () => Promise<void>): Promise<void> {
  const backup = join(files.folder, 'backup.db');
  await service.rows('VACUUM INTO ?', [backup]);
  await act();
  await service.close();
  for (const suffix of ['', '-wal', '-shm']) await rm(`${files.database}${suffix}`, { force: true });
  await copyFile(backup, files.database);
  service = await open();
  await endRestoredSessions(service.deps);
}

describe('after a restore', () => {
  it('a passkey challenge used since the backup stays invalid', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    const assertion = await authenticator.get(await askLogin(browser));
    const { headers, ...request } = json('POST', assertion);
    const Cookie = await browser.cookies('/v1/auth/passkey/verify');
    await restoreAfter(async () => {
      expect((await sendLogin(browser, assertion)).status).toBe(204);
    });
    const again = { ...request, headers: { ...headers, Cookie } };
    expect((await target.request('/v1/auth/passkey/verify', again)).status).toBe(401);
    expect((await login(browser, authenticator)).status).toBe(204);
  });

  it('a provider sign-in completed since the backup cannot be completed again, but a new one works', async () => {
    const browser = openBrowser(target);
    const { callback } = await startSignIn(target, browser);
    const headers = { Cookie: await browser.cookies(callback) };
    await restoreAfter(async () => {
      expect((await browser.navigate(callback)).status).toBe(302);
    });
    const answer = await target.request(callback, { headers });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'state_invalid']);
    const next = await startSignIn(target, browser);
    expect((await browser.navigate(next.callback)).status).toBe(302);
  });

  it('a popup request decided since the backup no longer exists, and a redeemed one stays redeemed', async () => {
    const opener = await registered(target);
    await openPopup(openBrowser(target), opener);
    const redeemed = 'r'.repeat(22);
    await service.rows(
      `INSERT INTO popup_requests (id, kind, origin, verifier_hash, digest, handle, session_id, status, created_at,
        expires_at, decided_at, redeemed_op) VALUES (?, 'login', '', '', '', 'ada', 'ses_1', 'redeemed', 1, 2, 1, 'op')`,
      [redeemed],
    );
    await restoreAfter(async () => {
      expect((await opener.ask('cancel')).status).toBe(200);
    });
    expect((await opener.ask('poll')).status).toBe(404);
    expect(await service.rows('SELECT id FROM popup_requests')).toEqual([{ id: redeemed }]);
  });

  it('an email sent since the backup is not sent again, and a new email is sent', async () => {
    const sent: string[] = [];
    const deps = () => ({ ...service.deps, mail: async ({ to }: { to: string }) => void sent.push(to) });
    const write = async (recipient: string) => {
      const params = { code: '118822', minutes: '10' };
      const message = { kind: 'register_code', recipient, locale: 'en', params, now: service.now() } as const;
      await all(service.deps.db, await messageStatement(service.deps, message));
    };
    await write('ada@example.com');
    await restoreAfter(async () => {
      await sendMails(deps());
    });
    await write('bob@example.com');
    await sendMails(deps());
    expect(sent).toEqual(['ada@example.com', 'bob@example.com']);
    expect(
      await service.rows(`SELECT recipient FROM mails WHERE sealed_params <> '' AND sent_at IS NULL`),
    ).toEqual([]);
  });
});
