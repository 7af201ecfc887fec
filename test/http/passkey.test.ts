import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../support/authenticator.ts';
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

const who = async (answer: Response) => ((await answer.json()) as { pid?: string }).pid;

describe('a passkey', () => {
  it('is not linked to a person who has 50 credentials, until one is unlinked [D-100]', async () => {
    const { browser, handle } = await newMember(target);
    await target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
        SELECT 'crd_' || value || handle, handle, 'github', value || handle, linked_at, last_login_at
        FROM credentials, json_each(?) WHERE handle = ?`,
      [JSON.stringify(Array.from({ length: 49 }, (_, index) => index)), handle],
    );
    const refused = await addPasskey(browser, createAuthenticator(target.origin));
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'too_many_credentials']);
    expect(await listPasskeys(browser)).toEqual([]);
    const unlinked = await browser.fetch(`/v1/credentials/crd_7${handle}`, json('DELETE', {}));
    expect(unlinked.status).toBe(204);
    expect((await addPasskey(browser, createAuthenticator(target.origin))).status).toBe(200);
  });

  it('can be a first credential, which leads to the claim and then signs in without a username', async () => {
    const browser = openBrowser(target);
    const authenticator = createAuthenticator(target.origin);
    const options = await askRegistration(browser, 'newcomer');
    const verified = await sendRegistration(browser, 'newcomer', await authenticator.create(options));
    expect([verified.status, await verified.json()]).toEqual([200, { claim: true }]);
    expect(await browser.cookie('pid_claim')).not.toBeNull();
    const preview = await (await browser.fetch('/v1/auth/claim')).json();
    expect(preview).toMatchObject({ provider: 'passkey', email: null, displayName: null });

    const handle = freshHandle();
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle }));
    expect([claimed.status, await who(claimed)]).toEqual([200, `${handle}@pid`]);

    const other = openBrowser(target);
    expect((await login(other, authenticator)).status).toBe(204);
    const session = await (await other.fetch('/v1/auth/session')).json();
    expect(session).toMatchObject({ handle, session: { provider: 'passkey' } });
  });

  it('is linked alongside other credentials, and signs in to the same identity', async () => {
    const { browser, handle } = await newMember(target);
    const authenticator = createAuthenticator(target.origin);
    const linked = await addPasskey(browser, authenticator, { name: ' Work key ' });
    expect([linked.status, await linked.json()]).toEqual([
      200,
      expect.objectContaining({ provider: 'passkey', email: null, name: 'Work key', backedUp: false }),
    ]);
    const other = openBrowser(target);
    expect((await login(other, authenticator)).status).toBe(204);
    expect(await who(await other.fetch('/v1/auth/session'))).toBe(`${handle}@pid`);
  });

  it('is named after its device unless given a name, can be renamed, and shows when it was last used and whether it is synced', async () => {
    const { browser } = await newMember(target);
    const authenticator = createAuthenticator(target.origin);
    const registration = await authenticator.create(await askRegistration(browser, 'member'));
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const { body = '', headers } = json('POST', registration);
    const sent = { method: 'POST', body, headers: { ...headers, 'User-Agent': agent } };
    const { id } = (await (await browser.fetch('/v1/credentials/passkey/verify', sent)).json()) as {
      id: string;
    };
    const [made] = await listPasskeys(browser);
    expect(made).toMatchObject({ id, name: 'Firefox on Linux', backedUp: false });

    await target.advance(60);
    expect((await login(openBrowser(target), authenticator, { backedUp: true })).status).toBe(204);
    const [used] = await listPasskeys(browser);
    expect(used?.backedUp).toBe(true);
    expect(Date.parse(used?.lastUsedAt ?? '') - Date.parse(made?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(
      60_000,
    );

    const rename = (name: unknown, of = id) =>
      browser.fetch(`/v1/credentials/${of}`, json('PATCH', { name }));
    const renamed = await rename('My laptop');
    expect([renamed.status, await renamed.json()]).toEqual([200, { ...used, name: 'My laptop' }]);
    expect((await listPasskeys(browser))[0]?.name).toBe('My laptop');
    for (const [name, message] of [
      ['x'.repeat(65), 'name must be shorter than or equal to 64 characters'],
      ['  ', 'name must not be empty'],
      ['a\u202eb', 'name must not contain control or invisible characters'],
      ['\u115f', 'name must not contain control or invisible characters'],
      ['a\u034fb', 'name must not contain control or invisible characters'],
      [7, 'name must be a string'],
    ]) {
      const refused = await rename(name);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { statusCode: 400, message: [message], code: 'validation_failed' },
      ]);
    }
    expect((await rename('x', 'crd_nobody')).status).toBe(404);
    const all = (await (await browser.fetch('/v1/credentials')).json()) as { id: string; provider: string }[];
    const account = all.find(({ provider }) => provider === 'idp');
    expect(account).not.toHaveProperty('name');
    expect((await rename('x', account?.id)).status).toBe(400);
    const { browser: stranger } = await newMember(target);
    const tried = await stranger.fetch(`/v1/credentials/${id}`, json('PATCH', { name: 'mine' }));
    expect([tried.status, (await listPasskeys(browser))[0]?.name]).toEqual([404, 'My laptop']);
  });

  it('gets the same options for everyone, with a new challenge each time [D-67, D-53]', async () => {
    const browser = openBrowser(target);
    const seen = new Set<string>();
    for (let count = 0; count < 100; count += 1) {
      const { challenge, ...rest } = await askLogin(browser);
      seen.add(challenge);
      expect(rest).toEqual({
        timeout: 300_000,
        rpId: 'localhost',
        allowCredentials: [],
        userVerification: 'required',
      });
      expect(challenge).toMatch(/^[\w-]{43}$/);
    }
    expect(seen.size).toBe(100);
    const [stored] = await target.rows<{ life: number; count: number }>(
      "SELECT count(*) AS count, max(expires_at) - CAST(? AS INTEGER) AS life FROM passkey_challenges WHERE purpose = 'login' AND used_by IS NULL",
      [target.now()],
    );
    expect(stored?.count).toBeGreaterThanOrEqual(100);
    expect(stored?.life).toBeLessThanOrEqual(300_000);
  });

  it('is created for a random user without personal data, discoverable, verified, unattested, and never twice [D-67]', async () => {
    const { browser, handle, claims } = await newMember(target);
    const authenticator = createAuthenticator(target.origin);
    const first = await askRegistration(browser, 'member');
    expect(first).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: `${handle}@pid`, displayName: claims.name },
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    });
    expect(first.user.id).toMatch(/^[\w-]{43}$/);
    expect((await askRegistration(browser, 'member')).user.id).not.toBe(first.user.id);
    await sendRegistration(browser, 'member', await authenticator.create(first));

    const second = await askRegistration(browser, 'member');
    expect(second.user.id).toBe(first.user.id);
    const [passkey] = authenticator.passkeys;
    expect(second.excludeCredentials).toEqual([
      { type: 'public-key', id: passkey?.id, transports: ['internal'] },
    ]);
    const newcomers = [
      await askRegistration(openBrowser(target), 'newcomer'),
      await askRegistration(openBrowser(target), 'newcomer'),
    ];
    expect(newcomers[0]?.user.id).not.toBe(newcomers[1]?.user.id);
  });

  it('may keep its counter at 0 or increase it, but never decrease it [S-02]', async () => {
    const { authenticator } = await newPasskeyMember(target);
    const counts = [0, 0, 0, 5, 6, 6, 5, 0, 7];
    const statuses: number[] = [];
    for (const signCount of counts)
      statuses.push((await login(openBrowser(target), authenticator, { signCount })).status);
    expect(statuses).toEqual([204, 204, 204, 204, 204, 401, 401, 401, 204]);
  });

  it('reauthenticates its owner, with a new and fresh session', async () => {
    const { browser, authenticator, handle } = await newPasskeyMember(target);
    await target.advance(3600);
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const before = await sessionOf(browser);
    const stale = await browser.fetch('/v1/credentials/passkey/options', json('POST', {}));
    expect([stale.status, await stale.json()]).toEqual([
      403,
      { statusCode: 403, message: 'Sign in again to continue', code: 'not_fresh' },
    ]);

    const options = await askLogin(browser, { again: true });
    expect(options.allowCredentials).toEqual([
      { type: 'public-key', id: authenticator.passkeys[0]?.id, transports: ['internal'] },
    ]);
    expect((await sendLogin(browser, await authenticator.get(options))).status).toBe(204);
    const after = await sessionOf(browser);
    expect(after.handle).toBe(handle);
    expect(after.session.id).not.toBe(before.session.id);
    expect(Date.parse(after.session.authenticatedAt)).toBeGreaterThan(
      Date.parse(before.session.authenticatedAt),
    );
    const [old] = await target.rows<{ revoked_reason: string }>(
      'SELECT revoked_reason FROM sessions WHERE id = ?',
      [before.session.id],
    );
    expect(old?.revoked_reason).toBe('replaced');
    expect((await askRegistration(browser, 'member')).excludeCredentials).toHaveLength(1);
  });

  it('may omit the user handle if requested by id, but must not contain another person’s', async () => {
    const { browser, authenticator } = await newPasskeyMember(target);
    const statuses: number[] = [];
    for (const userHandle of [null, 'bm9ib2R5']) {
      const options = await askLogin(browser, { again: true });
      const answer = await sendLogin(browser, await authenticator.get(options, { userHandle }));
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([204, 401]);
  });

  it('does not reauthenticate anyone if it belongs to another person', async () => {
    const ada = await newPasskeyMember(target);
    const ben = await newPasskeyMember(target);
    for (const lie of [{}, { userHandle: null }]) {
      const options = await askLogin(ada.browser, { again: true });
      const refused = await sendLogin(ada.browser, await ben.authenticator.get(options, lie));
      expect(refused.status).toBe(401);
    }
    expect((await sessionOf(ada.browser)).handle).toBe(ada.handle);
    const stranger = await openBrowser(target).fetch(
      '/v1/auth/passkey/options',
      json('POST', { again: true }),
    );
    expect(stranger.status).toBe(401);
  });

  it('signals the owner’s name and the remaining passkeys to the authenticator', async () => {
    const { browser, authenticator, handle } = await newPasskeyMember(target);
    const signals = async () => (await browser.fetch('/v1/credentials/passkey')).json();
    const [first] = authenticator.passkeys;
    const user = { id: first?.userId, name: `${handle}@pid`, displayName: handle };
    expect(await signals()).toEqual({ rpId: 'localhost', users: [{ ...user, credentialIds: [first?.id] }] });
    await addPasskey(browser, authenticator);
    await browser.fetch('/v1/me', json('PATCH', { displayName: 'Wira' }));
    const [older] = await listPasskeys(browser);
    expect((await browser.fetch(`/v1/credentials/${older?.id}`, { method: 'DELETE' })).status).toBe(204);
    const left = { ...user, displayName: 'Wira', credentialIds: [authenticator.passkeys[1]?.id] };
    expect(await signals()).toEqual({ rpId: 'localhost', users: [left] });
    expect((await openBrowser(target).fetch('/v1/credentials/passkey')).status).toBe(401);
  });
});

async function sessionOf(browser: { fetch(path: string): Promise<Response> }) {
  const answer = await browser.fetch('/v1/auth/session');
  return (await answer.json()) as { handle: string; session: { id: string; authenticatedAt: string } };
}
