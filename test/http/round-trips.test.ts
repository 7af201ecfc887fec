import { describe, expect, it } from 'vitest';
import { beginLink, prove } from '../support/accounts.ts';
import { json, openBrowser } from '../support/browser.ts';
import { codeTo } from '../support/mailbox.ts';
import { appAndPerson, authorizeApp, authorizeUrl } from '../support/oauth.ts';
import {
  askLogin,
  askRegistration,
  listPasskeys,
  newPasskeyMember,
  sendLogin,
  sendRegistration,
} from '../support/passkeys.ts';
import { freshEmail, goodPassword, otherPassword } from '../support/passwords.ts';
import { freshHandle, newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import {
  appSignIn,
  exchange,
  newCode,
  newRelation,
  post,
  refresh,
  tokensOf,
  userinfo,
} from '../support/token.ts';

// The limits of a deployed service, because they might read the key-value store.
const target = useService({ RATE_LIMITS: 'on' });

function counted(): { database: number; kv: number } {
  const trips = target.trips();
  if (trips === null) throw new Error('this target cannot count');
  return trips;
}

/** The round trips of an action to the database and to the key-value store. */
async function trips(
  act: () => Promise<Response>,
  status: number,
): Promise<{ database: number; kv: number }> {
  await target.settled?.();
  const before = counted();
  const answer = await act();
  expect(answer.status).toBe(status);
  const after = counted();
  return { database: after.database - before.database, kv: after.kv - before.kv };
}

describe('the service', () => {
  it('stays within the documented round trips per operation', async () => {
    await newMember(target);
    const browser = openBrowser(target);
    const claims = somebody();
    const post = { method: 'POST' };
    expect(await trips(() => browser.fetch('/v1/auth/login', json('POST', {})), 200)).toEqual({
      database: 0,
      kv: 0,
    });
    const started = await startSignIn(target, browser, { claims });
    expect(await trips(() => browser.navigate(started.callback), 302)).toEqual({ database: 2, kv: 0 });
    expect(await trips(() => browser.fetch('/v1/auth/claim'), 200)).toEqual({ database: 2, kv: 0 });
    const handle = freshHandle();
    const check = () => browser.fetch(`/v1/auth/claim/handles/${handle}`);
    expect(await trips(check, 200)).toEqual({ database: 1, kv: 0 });
    const checkReserved = () => browser.fetch('/v1/auth/claim/handles/admin');
    expect(await trips(checkReserved, 200)).toEqual({ database: 2, kv: 0 });
    const claim = () => browser.fetch('/v1/auth/claim', json('POST', { handle }));
    expect(await trips(claim, 200)).toEqual({ database: 1, kv: 0 });
    const read = () => browser.fetch('/v1/auth/session');
    for (let count = 0; count < 20; count += 1)
      expect(await trips(read, 200)).toEqual({ database: 0, kv: 0 });
    expect(await trips(() => browser.fetch('/v1/auth/refresh', post), 204)).toEqual({ database: 1, kv: 0 });
    expect(await trips(read, 200)).toEqual({ database: 0, kv: 0 });

    await target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
        VALUES ('crd_second', ?, 'github', '7', 1, 1)`,
      [handle],
    );
    expect(await trips(() => browser.fetch('/v1/credentials'), 200)).toEqual({ database: 1, kv: 0 });
    const unlink = () => browser.fetch('/v1/credentials/crd_second', { method: 'DELETE' });
    expect(await trips(unlink, 204)).toEqual({ database: 1, kv: 0 });
    const begin = () => browser.fetch('/v1/credentials/link', json('POST', { provider: 'idp' }));
    expect(await trips(begin, 200)).toEqual({ database: 1, kv: 0 });
    const start = await beginLink(browser, 'idp');
    const callback = await prove(target, browser, 'idp', { account: somebody(), start });
    expect(await trips(() => browser.navigate(callback), 302)).toEqual({ database: 2, kv: 0 });
    await browser.navigate(await prove(target, browser, 'google', { account: somebody() }));
    const attach = () => browser.fetch('/v1/auth/claim/link', post);
    expect(await trips(attach, 200)).toEqual({ database: 2, kv: 0 });
    const returned = await startSignIn(target, browser, { claims });
    expect(await trips(() => browser.navigate(returned.callback), 302)).toEqual({ database: 2, kv: 0 });
    expect(await trips(() => browser.fetch('/v1/auth/logout', post), 204)).toEqual({ database: 1, kv: 0 });

    await signIn(target, browser);
    const give = () => browser.fetch('/v1/auth/claim', { method: 'DELETE' });
    expect(await trips(give, 204)).toEqual({ database: 1, kv: 0 });
    const refuse = () => browser.fetch('/v1/auth/refresh', post);
    expect(await trips(refuse, 401)).toEqual({ database: 0, kv: 0 });
  });

  it('makes two round trips to verify a passkey, and one for any other passkey operation', async () => {
    const { browser, authenticator } = await newPasskeyMember(target);
    const ask = (path: string) => () => browser.fetch(path, json('POST', {}));
    expect(await trips(ask('/v1/auth/passkey/options'), 200)).toEqual({ database: 1, kv: 0 });
    const assertion = await authenticator.get(await askLogin(browser));
    expect(await trips(() => sendLogin(browser, assertion), 204)).toEqual({ database: 2, kv: 0 });

    expect(await trips(ask('/v1/credentials/passkey/options'), 200)).toEqual({ database: 1, kv: 0 });
    const registration = await authenticator.create(await askRegistration(browser, 'member'));
    const link = () => sendRegistration(browser, 'member', registration);
    expect(await trips(link, 200)).toEqual({ database: 2, kv: 0 });
    expect(await trips(() => browser.fetch('/v1/credentials/passkey'), 200)).toEqual({ database: 1, kv: 0 });
    const [passkey] = await listPasskeys(browser);
    const rename = () => browser.fetch(`/v1/credentials/${passkey?.id}`, json('PATCH', { name: 'Laptop' }));
    expect(await trips(rename, 200)).toEqual({ database: 1, kv: 0 });

    const newcomer = openBrowser(target);
    const first = await authenticator.create(await askRegistration(newcomer, 'newcomer'));
    expect(await trips(() => sendRegistration(newcomer, 'newcomer', first), 200)).toEqual({
      database: 2,
      kv: 0,
    });
  });

  it('makes two round trips to issue a code, and one for any other authorization request', async () => {
    const { app, person } = await appAndPerson(target);
    const ask =
      (changes: Record<string, string> = {}) =>
      () =>
        person.browser.navigate(authorizeUrl(app, changes));
    const one = { database: 1, kv: 0 };
    expect(await trips(ask(), 200)).toEqual(one);
    expect(await trips(ask({ scope: 'wallet:read' }), 302)).toEqual(one);
    expect(await trips(ask({ redirect_uri: 'https://evil.example/' }), 400)).toEqual(one);
    expect(await trips(ask({ client_id: '' }), 400)).toEqual({ database: 0, kv: 0 });
    await authorizeApp(target, person.browser, app);
    // The email and event of the new grant are sent in the background.
    await expect.poll(() => trips(ask(), 302)).toEqual({ database: 2, kv: 0 });
  });

  it('makes one round trip for a token request, and two to reject or repeat one', async () => {
    const relation = await newRelation(target);
    await appSignIn(relation);
    const one = { database: 1, kv: 0 };
    const two = { database: 2, kv: 0 };
    const code = await newCode(relation);
    const first = exchange(relation, code).then(tokensOf);
    const { refresh_token } = await first;
    expect(await trips(() => refresh(relation, refresh_token), 200)).toEqual(one);
    expect(await trips(() => refresh(relation, refresh_token), 200)).toEqual(two);
    await target.advance(31);
    expect(await trips(() => refresh(relation, refresh_token), 400)).toEqual(two);
    const second = await newCode(relation);
    expect(await trips(() => exchange(relation, second), 200)).toEqual(one);
    expect(await trips(() => exchange(relation, second), 400)).toEqual(two);
    const { access_token: token } = await appSignIn(relation);
    expect(await trips(() => userinfo(target, token), 200)).toEqual(one);
    for (const path of ['introspect', 'revoke'])
      expect(await trips(() => post(relation, `/v1/auth/${path}`, { token }), 200)).toEqual(one);
    const own = () => post(relation, '/v1/auth/token', { grant_type: 'client_credentials' });
    // The first request with a secret makes the app sizes load in the background.
    await expect.poll(() => trips(own, 200)).toEqual(one);
    const found = () => target.request('/.well-known/openid-configuration');
    expect(await trips(found, 200)).toEqual({ database: 0, kv: 0 });
  });

  it('makes one or two round trips for email and password, not counting work after the response', async () => {
    const browser = openBrowser(target);
    const email = freshEmail();
    const send = (name: string, body: object) => () =>
      browser.fetch(`/v1/auth/email/${name}`, json('POST', { email, ...body }));
    const one = { database: 1, kv: 0 };
    expect(await trips(send('register', { password: goodPassword }), 204)).toEqual(one);
    expect(await trips(send('resend', {}), 204)).toEqual(one);
    expect(await trips(send('verify', { code: await codeTo(target, email) }), 200)).toEqual(one);
    await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect(await trips(send('login', { password: goodPassword }), 204)).toEqual({ database: 2, kv: 0 });
    const change = json('PUT', { password: otherPassword });
    const changes = () => browser.fetch('/v1/credentials/email/password', change);
    expect(await trips(changes, 204)).toEqual({ database: 2, kv: 0 });
    expect(await trips(send('forgot', {}), 204)).toEqual(one);
    const reset = { code: await codeTo(target, email), password: goodPassword };
    expect(await trips(send('reset', reset), 204)).toEqual(one);
  });
});
