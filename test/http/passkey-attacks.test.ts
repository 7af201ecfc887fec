import { describe, expect, it } from 'vitest';
import { createAuthenticator, type Lies } from '../support/authenticator.ts';
import { json, openBrowser } from '../support/browser.ts';
import {
  addPasskey,
  askLogin,
  askRegistration,
  listPasskeys,
  login,
  newPasskeyMember,
  sendLogin,
  sendRegistration,
} from '../support/passkeys.ts';
import { freshHandle, newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

/** Every faulty assertion gets the same error. */
async function expectRefused(answer: Response, code = 'passkey_refused'): Promise<void> {
  expect([answer.status, await answer.json()]).toEqual([
    401,
    { statusCode: 401, message: 'The passkey was not accepted', code },
  ]);
  expect(answer.headers.get('X-Error-Code')).toBe(code);
  expect(answer.headers.getSetCookie()).toEqual([]);
}

async function sessions(): Promise<number> {
  const [row] = await target.rows<{ count: number }>('SELECT count(*) AS count FROM sessions');
  return row?.count ?? -1;
}

const lies: Record<string, Lies> = {
  'a bogus signature': { bogus: true },
  'no user verification': { verified: false },
  'no user presence': { present: false },
  'another origin': { origin: 'https://evil.example' },
  'a frame on another site': { crossOrigin: true },
  'another relying party': { rpId: 'evil.example' },
  'an unknown challenge': { challenge: 'A'.repeat(43) },
  'the type of the other ceremony': { type: 'webauthn.create' },
  'an unknown user handle': { userHandle: 'bm9ib2R5' },
  'no user handle': { userHandle: null },
};

describe('a passkey login is rejected', () => {
  it.each(Object.entries(lies))('with %s [D-68]', async (_, lie) => {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    const before = await sessions();
    await expectRefused(await login(browser, authenticator, lie));
    expect(await sessions()).toBe(before);
    // The attempt has used only its challenge: an honest one succeeds.
    expect((await login(browser, authenticator)).status).toBe(204);
  });

  it('if it is replayed, from the same browser or another [D-69]', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    const assertion = await authenticator.get(await askLogin(browser));
    expect((await sendLogin(browser, assertion)).status).toBe(204);
    await expectRefused(await sendLogin(browser, assertion));
    await expectRefused(await sendLogin(openBrowser(target), assertion));
  });

  it('all but once if one assertion is posted 20 times concurrently [D-69]', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    const assertion = await authenticator.get(await askLogin(browser));
    const before = await sessions();
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendLogin(browser, assertion)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array(19).fill(401)]);
    expect(await sessions()).toBe(before + 1);
  });

  it('if its challenge has expired [D-69]', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const browser = openBrowser(target);
    const assertion = await authenticator.get(await askLogin(browser));
    await target.advance(301);
    await expectRefused(await sendLogin(browser, assertion));
  });

  it('if its challenge was issued to another browser', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const assertion = await authenticator.get(await askLogin(openBrowser(target)));
    await expectRefused(await sendLogin(openBrowser(target), assertion));
    const other = openBrowser(target);
    await askLogin(other);
    await expectRefused(await sendLogin(other, assertion));
  });

  it('if its challenge was issued for a registration [D-69]', async () => {
    const { browser, authenticator } = await newPasskeyMember(target);
    for (const of of ['newcomer', 'member'] as const) {
      const { challenge } = await askRegistration(browser, of);
      await expectRefused(
        await sendLogin(browser, await authenticator.get({ ...(await askLogin(browser)), challenge })),
      );
    }
  });

  it('if the passkey is unknown or was removed, with a code that lets the authenticator forget it', async () => {
    const { browser } = await newMember(target);
    const authenticator = createAuthenticator(target.origin);
    await authenticator.create(await askRegistration(openBrowser(target), 'newcomer'));
    await expectRefused(await login(openBrowser(target), authenticator), 'passkey_unknown');

    const removed = createAuthenticator(target.origin);
    await addPasskey(browser, removed);
    const [passkey] = await listPasskeys(browser);
    await browser.fetch(`/v1/credentials/${passkey?.id}`, { method: 'DELETE' });
    await expectRefused(await login(openBrowser(target), removed), 'passkey_unknown');
  });

  it('while its claim is pending, without the code that lets the authenticator forget it', async () => {
    const newcomer = openBrowser(target);
    const authenticator = createAuthenticator(target.origin);
    const registration = await authenticator.create(await askRegistration(newcomer, 'newcomer'));
    await sendRegistration(newcomer, 'newcomer', registration);
    await expectRefused(await login(openBrowser(target), authenticator));
    // The claim still succeeds, and this passkey then signs in to the PID.
    const claimed = await newcomer.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect([claimed.status, (await login(openBrowser(target), authenticator)).status]).toEqual([200, 204]);

    const late = openBrowser(target);
    const lost = createAuthenticator(target.origin);
    await sendRegistration(late, 'newcomer', await lost.create(await askRegistration(late, 'newcomer')));
    await target.rows('UPDATE claim_tickets SET expires_at = 1 WHERE provider_user_id = ?', [
      lost.passkeys[0]?.id ?? '',
    ]);
    await expectRefused(await login(openBrowser(target), lost), 'passkey_unknown');
  });

  it('all but once if ten copies of one authenticator send the same counter [S-02]', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const browsers = Array.from({ length: 10 }, () => openBrowser(target));
    const assertions = await Promise.all(
      browsers.map(async (browser) => authenticator.get(await askLogin(browser), { signCount: 1 })),
    );
    const before = await sessions();
    const answers = await Promise.all(
      browsers.map((browser, index) => sendLogin(browser, assertions[index])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(401)]);
    expect(await sessions()).toBe(before + 1);
  });

  it('with 403 if the identity is suspended', async () => {
    const { authenticator, handle } = await newPasskeyMember(target);
    await target.rows("UPDATE identities SET status = 'suspended' WHERE handle = ?", [handle]);
    expect((await login(openBrowser(target), authenticator)).status).toBe(403);
  });
});

describe('a passkey registration is rejected', () => {
  const wrong = Object.entries({
    ...lies,
    'the type of the other ceremony': { type: 'webauthn.get' },
  }).filter(([name]) => !/signature|user handle/.test(name));

  it.each([...wrong, ['an attestation that contains certificates', { certificate: true }] as const])(
    'with %s',
    async (_, lie) => {
      const browser = openBrowser(target);
      const authenticator = createAuthenticator(target.origin);
      const options = await askRegistration(browser, 'newcomer');
      await expectRefused(
        await sendRegistration(browser, 'newcomer', await authenticator.create(options, lie)),
      );
      expect(await browser.cookie('pid_claim')).toBeNull();
    },
  );

  it('if it is replayed, late, or uses a login challenge [D-69]', async () => {
    const browser = openBrowser(target);
    const authenticator = createAuthenticator(target.origin);
    const options = await askRegistration(browser, 'newcomer');
    const registration = await authenticator.create(options);
    expect((await sendRegistration(browser, 'newcomer', registration)).status).toBe(200);
    await expectRefused(await sendRegistration(browser, 'newcomer', registration));

    const late = await authenticator.create(await askRegistration(browser, 'newcomer'));
    await target.advance(301);
    await expectRefused(await sendRegistration(browser, 'newcomer', late));

    const { challenge } = await askLogin(browser);
    const crossed = await authenticator.create({ ...options, challenge });
    await expectRefused(await sendRegistration(browser, 'newcomer', crossed));
  });

  it('if another person, another session or a newcomer finishes it [D-69]', async () => {
    const ada = await newMember(target);
    const ben = await newMember(target);
    const authenticator = createAuthenticator(target.origin);
    const start = async () => authenticator.create(await askRegistration(ada.browser, 'member'));
    await expectRefused(await sendRegistration(ben.browser, 'member', await start()));
    await expectRefused(await sendRegistration(ada.browser, 'newcomer', await start()));
    const first = await authenticator.create(await askRegistration(ada.browser, 'newcomer'));
    await expectRefused(await sendRegistration(ada.browser, 'member', first));
    expect(await listPasskeys(ada.browser)).toEqual([]);
    expect(await listPasskeys(ben.browser)).toEqual([]);
  });

  it('if its id differs from that of the proven passkey', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const { browser } = await newMember(target);
    const [theirs] = authenticator.passkeys;
    const copy = async (of: 'newcomer' | 'member') => {
      const options = await askRegistration(browser, of);
      const made = await createAuthenticator(target.origin).create(options);
      return { ...made, id: theirs?.id, rawId: theirs?.id };
    };
    // A registration whose id differs from the one it proves is invalid.
    await expectRefused(await sendRegistration(browser, 'member', await copy('member')));
    await expectRefused(await sendRegistration(browser, 'newcomer', await copy('newcomer')));
  });

  it('with 403 if the sign-in is too old to finish it, and with 401 if the session is revoked', async () => {
    const { browser } = await newMember(target);
    const authenticator = createAuthenticator(target.origin);
    await target.advance(800);
    const registration = await authenticator.create(await askRegistration(browser, 'member'));
    await target.advance(150);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const late = await sendRegistration(browser, 'member', registration);
    expect([late.status, await late.json()]).toEqual([
      403,
      { statusCode: 403, message: 'Sign in again to continue', code: 'not_fresh' },
    ]);
    const access = await browser.cookies('/v1/credentials');
    await browser.fetch('/v1/auth/logout', { method: 'POST' });
    const headers = { 'Content-Type': 'application/json', Cookie: access, Origin: target.origin };
    const ended = { ...json('POST', {}), headers };
    expect((await target.request('/v1/credentials/passkey/options', ended)).status).toBe(401);
  });

  it('with 400 if it differs from a browser’s request', async () => {
    const browser = openBrowser(target);
    const registration = await createAuthenticator(target.origin).create(
      await askRegistration(browser, 'newcomer'),
    );
    const bad: [unknown, string][] = [
      [{ ...registration, id: 'not base64url!' }, 'id must be base64url'],
      [{ ...registration, type: 'password' }, 'type must be public-key'],
      [{ ...registration, response: 7 }, 'response must be an object'],
      [
        { ...registration, response: { ...registration.response, attestationObject: '' } },
        'response.attestationObject must be base64url',
      ],
      [{ ...registration, name: 'x'.repeat(65) }, 'name must be shorter than or equal to 64 characters'],
    ];
    for (const [body, message] of bad) {
      const refused = await sendRegistration(browser, 'newcomer', body);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { statusCode: 400, message: [message], code: 'validation_failed' },
      ]);
    }
    const empty = await sendLogin(browser, {});
    expect([empty.status, ((await empty.json()) as { message: string[] }).message]).toEqual([
      400,
      [
        'id must be base64url',
        'rawId must be base64url',
        'type must be public-key',
        'response must be an object',
      ],
    ]);
  });
});
