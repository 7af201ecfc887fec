import { describe, expect, it } from 'vitest';
import { type Account, beginLink, link, type ProviderName, prove } from '../support/accounts.ts';
import { notFresh, refusal, seen, unauthenticated } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { cookiesSet } from '../support/outcomes.ts';
import { freshHandle, type Member, newMember, signIn, somebody } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { startService, useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';

const welcome = 'http://localhost:8787/dev/welcome';
const alreadyLinked = refusal(409, 'Credential already linked');
const emailConflict = refusal(409, 'Email sudah terhubung dengan akun lain');
const stateInvalid = refusal(
  400,
  'This sign-in was not started in this browser, or it has expired or was already used',
);

const target = useService();

const credentialsOf = (handle: string) =>
  target.rows<{ provider: string; email: string | null }>(
    'SELECT * FROM credentials WHERE handle = ? ORDER BY provider',
    [handle],
  );
const kindsOf = async (handle: string) => (await credentialsOf(handle)).map(({ provider }) => provider);
const unlink = (browser: Browser, id: string) => browser.fetch(`/v1/credentials/${id}`, { method: 'DELETE' });

async function pidOf(browser: Browser): Promise<string> {
  return ((await (await browser.fetch('/v1/auth/session')).json()) as { pid: string }).pid;
}

/** Starts a link and visits the provider; returns the callback's path without opening it. */
async function begin(
  browser: Browser,
  provider: ProviderName,
  account: Account = somebody(),
): Promise<string> {
  return prove(target, browser, provider, { account, start: await beginLink(browser, provider) });
}

/** Expects an action to change nobody's credentials and neither session. */
async function expectRefused(
  act: () => Promise<Response>,
  expected: [number, unknown],
  whose: Member[],
): Promise<void> {
  const all = () => target.rows('SELECT * FROM credentials ORDER BY id');
  const before = await all();
  const answer = await act();
  expect(cookiesSet(answer)).toEqual([]);
  expect(await seen(answer)).toEqual(expected);
  expect(await all()).toEqual(before);
  for (const { browser } of whose) {
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
  }
}

describe.each(['google', 'github'] as const)('linking a %s account', (provider) => {
  it('adds it to the identity, and keeps the session', async () => {
    const { browser, handle } = await newMember(target);
    const account = somebody();
    const cookies = await browser.cookies('/v1/me');
    const answer = await link(target, browser, provider, account);
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, `${welcome}?linked=${provider}`]);
    expect(cookiesSet(answer)).toEqual([]);
    expect(await browser.cookies('/v1/me')).toBe(cookies);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    expect(await browser.cookies('/v1/auth')).not.toContain('pid_oauth');
    const list = (await (await browser.fetch('/v1/credentials')).json()) as object[];
    expect(list).toMatchObject([{ provider: 'idp' }, { provider, email: account.email }]);

    const elsewhere = openBrowser(target);
    await elsewhere.navigate(await prove(target, elsewhere, provider, { account }));
    expect(await pidOf(elsewhere)).toBe(`${handle}@pid`);
  });

  it('returns to the requested path', async () => {
    const { browser } = await newMember(target);
    const start = await beginLink(browser, provider, { returnTo: '/settings' });
    const answer = await browser.navigate(
      await prove(target, browser, provider, { account: somebody(), start }),
    );
    expect(answer.headers.get('Location')).toBe(`${welcome}?linked=${provider}&returnTo=%2Fsettings`);
  });

  it('returns the same response when repeated, and changes nothing', async () => {
    const { browser, handle } = await newMember(target);
    const account = somebody();
    await link(target, browser, provider, account);
    const before = await credentialsOf(handle);
    const answer = await link(target, browser, provider, account);
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, `${welcome}?linked=${provider}`]);
    expect(await credentialsOf(handle)).toEqual(before);
    expect(await target.rows(`SELECT hash FROM claim_tickets WHERE provider = ?`, [provider])).toEqual([]);
  });

  it('is rejected if the account belongs to another person, and changes nothing for either person [D-48]', async () => {
    const [owner, other] = [await newMember(target), await newMember(target)];
    const account = somebody();
    await link(target, owner.browser, provider, account);
    const callback = await begin(other.browser, provider, account);
    await expectRefused(() => other.browser.fetch(callback), alreadyLinked, [owner, other]);
    const page = await other.browser.navigate(await begin(other.browser, provider, account));
    expect([page.status, page.headers.get('X-Error-Code')]).toEqual([409, 'credential_already_linked']);
    expect(await page.text()).toContain('Credential already linked');
  });

  it('is rejected if the address belongs to another person, but not if it is the person’s own [D-33]', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const taken = { ...somebody(), email: other.claims.email };
    const callback = await begin(member.browser, provider, taken);
    await expectRefused(() => member.browser.fetch(callback), emailConflict, [member, other]);
    await link(target, member.browser, provider, { ...somebody(), email: member.claims.email });
    expect((await credentialsOf(member.handle)).map(({ email }) => email)).toEqual([
      member.claims.email,
      member.claims.email,
    ]);
  });

  it('requires a sign-in less than fifteen minutes old, both at the start and at the end [D-50]', async () => {
    const member = await newMember(target);
    await target.advance(890);
    await member.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const callback = await begin(member.browser, provider);
    await target.advance(11);
    await expectRefused(() => member.browser.fetch(callback), notFresh, [member]);
    const again = await member.browser.fetch('/v1/credentials/link', json('POST', { provider }));
    expect([await seen(again), setCookies(again)]).toEqual([notFresh, []]);
    await signIn(target, member.browser, member.claims);
    expect((await link(target, member.browser, provider, somebody())).status).toBe(302);
  });

  it('cannot be finished by another session or in another browser [D-49]', async () => {
    const [member, victim] = [await newMember(target), await newMember(target)];
    // The attacker's own callback, opened in the victim's browser.
    const callback = await begin(member.browser, provider);
    await expectRefused(() => victim.browser.fetch(callback), stateInvalid, [victim]);
    // The same with the attacker's cookie planted there.
    const planted = (await member.browser.cookies('/v1/auth'))
      .split('; ')
      .filter((pair) => pair.startsWith('pid_oauth'));
    const Cookie = [...planted, await victim.browser.cookies('/v1/auth')].join('; ');
    await expectRefused(() => target.request(callback, { headers: { Cookie } }), stateInvalid, [
      member,
      victim,
    ]);
    expect(await kindsOf(victim.handle)).toEqual(['idp']);

    // Started as one person, finished as another in the same browser.
    const second = await begin(member.browser, provider);
    await signIn(target, member.browser, victim.claims);
    await expectRefused(() => member.browser.fetch(second), stateInvalid, [victim]);
    // Started in a session that a new sign-in of the same person has replaced.
    const third = await begin(victim.browser, provider);
    await signIn(target, victim.browser, victim.claims);
    await expectRefused(() => victim.browser.fetch(third), stateInvalid, [victim]);
    // Started, then signed out.
    const fourth = await begin(victim.browser, provider);
    await victim.browser.fetch('/v1/auth/logout', { method: 'POST' });
    await expectRefused(() => victim.browser.fetch(fourth), unauthenticated, []);
  });

  it('cannot be finished by a browser with the cookies of two sessions [D-49]', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const callback = await begin(member.browser, provider);
    const [attempt = ''] = /pid_oauth_[^;]+/.exec(await member.browser.cookies('/v1/auth')) ?? [];
    const access = `pid_access=${await member.browser.cookie('pid_access')}`;
    const refresh = `pid_refresh=${await other.browser.cookie('pid_refresh', '/v1/auth')}`;
    const headers = { Cookie: [attempt, access, refresh].join('; ') };
    await expectRefused(() => target.request(callback, { headers }), unauthenticated, [member, other]);
  });

  it('cannot be finished after the session is revoked, even if its access token is still valid [D-49]', async () => {
    const member = await newMember(target);
    const callback = await begin(member.browser, provider);
    await target.rows(`UPDATE sessions SET revoked_at = ?, revoked_reason = 'ended' WHERE handle = ?`, [
      target.now(),
      member.handle,
    ]);
    await expectRefused(() => member.browser.fetch(callback), unauthenticated, []);
  });

  it('cannot be started by navigation alone, whatever site it comes from [D-49]', async () => {
    const [member, victim] = [await newMember(target), await newMember(target)];
    const start = await beginLink(member.browser, provider);
    for (const path of [start, `/v1/auth/${provider}?link=`, `/v1/auth/${provider}?link=${'a'.repeat(43)}`]) {
      await expectRefused(() => victim.browser.fetch(path), stateInvalid, [victim]);
    }
    // A URL starts the link waiting in the victim's browser only if it contains the link's id.
    await beginLink(victim.browser, provider);
    await expectRefused(() => victim.browser.fetch(start), stateInvalid, [victim]);
    // Without a link it is a sign-in, which creates a ticket and no credential for an unknown account.
    const callback = await prove(target, victim.browser, provider, { account: somebody() });
    expect((await victim.browser.navigate(callback)).headers.get('Location')).toBe(`${welcome}?claim=1`);
    expect(await kindsOf(victim.handle)).toEqual(['idp']);
    // Another provider's link, another session's, an old one, and one without a session.
    const other = provider === 'google' ? 'github' : 'google';
    const mine = await beginLink(member.browser, provider);
    const wrong = mine.replace(provider, other);
    await expectRefused(() => member.browser.fetch(wrong), stateInvalid, [member]);
    await signIn(target, member.browser, member.claims);
    await expectRefused(() => member.browser.fetch(mine), stateInvalid, [member]);
    const late = await beginLink(member.browser, provider);
    await target.advance(601);
    await expectRefused(() => member.browser.fetch(late), stateInvalid, [member]);
    const last = await beginLink(member.browser, provider);
    await member.browser.fetch('/v1/auth/logout', { method: 'POST' });
    await expectRefused(() => member.browser.fetch(last), unauthenticated, []);
  });

  it('works only once per callback, even if the callback is repeated or sent twenty times concurrently [D-35]', async () => {
    const member = await newMember(target);
    const callback = await begin(member.browser, provider);
    const headers = { Cookie: await member.browser.cookies('/v1/auth') };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => target.request(callback, { headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array<number>(19).fill(400)]);
    await expectRefused(() => member.browser.fetch(callback), stateInvalid, [member]);
    expect(await kindsOf(member.handle)).toHaveLength(2);
  });
});

describe('POST /v1/credentials/link', () => {
  it('accepts only one of three providers, a path, and a signed-in person', async () => {
    const { browser } = await newMember(target);
    for (const body of [{}, { provider: 'passkey' }, { provider: null }]) {
      const answer = await browser.fetch('/v1/credentials/link', json('POST', body));
      expect(await seen(answer)).toEqual(refusal(400, ['provider must be idp, google or github']));
    }
    const away = await browser.fetch(
      '/v1/credentials/link',
      json('POST', { provider: 'idp', returnTo: '//evil' }),
    );
    expect(await seen(away)).toEqual(
      refusal(400, ['returnTo must be a path such as /settings, or an address on an allowed origin']),
    );
    const stranger = await openBrowser(target).fetch(
      '/v1/credentials/link',
      json('POST', { provider: 'google' }),
    );
    expect(await seen(stranger)).toEqual(unauthenticated);
    const foreign = json('POST', { provider: 'google' });
    const headers = { ...foreign.headers, Origin: 'https://evil.example' };
    const refused = await browser.fetch('/v1/credentials/link', { ...foreign, headers });
    expect([refused.status, setCookies(refused)]).toEqual([403, []]);
  });

  it('works from a form without JavaScript, which leads to the provider and then to the account page', async () => {
    const { browser } = await newMember(target);
    const answer = await browser.navigate(
      '/v1/credentials/link',
      form({ provider: 'google' }, target.origin),
    );
    expect(answer.status).toBe(200);
    const [, start = ''] = /href="(\/v1\/auth\/google\?link=[\w-]+)"/.exec(await answer.text()) ?? [];
    const callback = await prove(target, browser, 'google', { account: somebody(), start });
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(
      '/account/credentials?linked=google',
    );
  });
});

describe('a failed link', () => {
  /** The links on an error page. */
  const offers = async (page: Response) =>
    [...(await page.text()).matchAll(/<a class="button[^"]*" href="([^"]*)"/g)].map(([, href]) => href);

  it('returns to its starting page, or to a new sign-in if one is required', async () => {
    const [owner, member] = [await newMember(target), await newMember(target)];
    const account = somebody();
    await link(target, owner.browser, 'google', account);
    const fromAccount = async () => {
      const fields = form({ provider: 'google' }, target.origin);
      const page = await (await member.browser.navigate('/v1/credentials/link', fields)).text();
      const [, start = ''] = /href="(\/v1\/auth\/google\?link=[\w-]+)"/.exec(page) ?? [];
      return prove(target, member.browser, 'google', { account, start });
    };
    const refused = await member.browser.navigate(await fromAccount());
    expect([refused.status, await offers(refused)]).toEqual([409, ['/account/credentials']]);
    const start = await beginLink(member.browser, 'google', { returnTo: '/settings' });
    const callback = await prove(target, member.browser, 'google', { account, start });
    const toClient = await member.browser.navigate(callback);
    expect(await offers(toClient)).toEqual([`${welcome}?returnTo=%2Fsettings`]);
    const late = await fromAccount();
    await target.advance(900);
    const stale = await member.browser.navigate(late);
    expect([stale.status, await offers(stale)]).toEqual([400, ['/signin']]);
    await signIn(target, member.browser, member.claims);
    const unfinished = await fromAccount();
    await member.browser.fetch('/v1/auth/logout', { method: 'POST' });
    const ended = await member.browser.navigate(unfinished);
    const again = '/signin?returnTo=self%3A%2Faccount%2Fcredentials&amp;prompt=login';
    expect([ended.status, await offers(ended)]).toEqual([401, [again]]);
  });
});

describe('the email about changed credentials', () => {
  const mails = (addresses: string[]) =>
    target.rows<{ kind: string; recipient: string }>(
      `SELECT kind, recipient FROM mails WHERE recipient IN (SELECT value FROM json_each(?)) ORDER BY created_at, kind, recipient`,
      [JSON.stringify(addresses)],
    );

  it('goes to every address of the identity, including that of the unlinked credential [S-09]', async () => {
    const member = await newMember(target);
    const account = somebody();
    const addresses = [member.claims.email, account.email].sort();
    await link(target, member.browser, 'google', account);
    const told = addresses.map((recipient) => ({ kind: 'credential_linked', recipient }));
    expect(await mails(addresses)).toEqual(told);
    await link(target, member.browser, 'google', account);
    expect(await mails(addresses)).toEqual(told);

    const [first, second] = (await (await member.browser.fetch('/v1/credentials')).json()) as {
      id: string;
    }[];
    await target.advance(1);
    expect((await unlink(member.browser, second?.id ?? '')).status).toBe(204);
    const unlinked = addresses.map((recipient) => ({ kind: 'credential_unlinked', recipient }));
    expect(await mails(addresses)).toEqual([...told, ...unlinked]);
    expect((await unlink(member.browser, first?.id ?? '')).status).toBe(400);
    expect(await mails(addresses)).toHaveLength(4);
  });

  it('is sent for a link by ticket, but not for a rejected link [S-09]', async () => {
    const [member, other] = [await newMember(target), await newMember(target)];
    const account = somebody();
    await member.browser.navigate(await prove(target, member.browser, 'github', { account }));
    await member.browser.fetch('/v1/auth/claim/link', { method: 'POST' });
    expect(await mails([account.email])).toEqual([{ kind: 'credential_linked', recipient: account.email }]);
    await link(target, other.browser, 'github', account);
    expect(await mails([other.claims.email])).toEqual([]);
    expect(await mails([account.email])).toHaveLength(1);
  });
});

describe('concurrent unlinking and linking', () => {
  it('never leaves an identity without a credential', async () => {
    const member = await newMember(target);
    for (let round = 0; round < 25; round += 1) {
      const [only] = (await (await member.browser.fetch('/v1/credentials')).json()) as { id: string }[];
      const provider = round % 2 === 0 ? 'google' : 'idp';
      const callback = await begin(member.browser, provider);
      const [gone, linked] = await Promise.all([
        unlink(member.browser, only?.id ?? ''),
        member.browser.navigate(callback),
      ]);
      expect(linked.status).toBe(302);
      expect([204, 400]).toContain(gone.status);
      expect(await kindsOf(member.handle)).toHaveLength(gone.status === 204 ? 1 : 2);
      if (gone.status === 400) expect((await unlink(member.browser, only?.id ?? '')).status).toBe(204);
    }
  });
});

describe('a provider sign-in started in a popup', () => {
  const popup = 'abcdefghijklmnopqrstuv';

  it('ends on the popup’s own pages, and sends no opener policy', async () => {
    const browser = openBrowser(target);
    const account = somebody();
    const start = `/v1/auth/google?popup=${popup}`;
    const through = async () => {
      const answer = await browser.navigate(await prove(target, browser, 'google', { account, start }));
      expect(answer.headers.get('Cross-Origin-Opener-Policy')).toBeNull();
      return answer.headers.get('Location');
    };
    expect((await browser.navigate(start)).headers.get('Cross-Origin-Opener-Policy')).toBeNull();
    expect(await through()).toBe(`/popup/claim?c=${popup}`);
    await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() }));
    expect(await through()).toBe(`/popup/done?c=${popup}`);
    const linking = `${await beginLink(browser, 'github')}&popup=${popup}`;
    const callback = await prove(target, browser, 'github', { account: somebody(), start: linking });
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(`/popup/done?c=${popup}`);
  });

  it('returns to the sign-in page of the popup after an error', async () => {
    const browser = openBrowser(target);
    const start = `/v1/auth/google?popup=${popup}`;
    const callback = new URL(
      await prove(target, browser, 'google', { account: somebody(), start }),
      target.origin,
    );
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    const page = await browser.navigate(callback.pathname + callback.search);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(`href="/popup/login?c=${popup}"`);
  });

  it('is rejected with an unknown id', async () => {
    for (const id of ['', 'short', `${popup}x`, `${popup.slice(1)}/`]) {
      const answer = await openBrowser(target).fetch(`/v1/auth/google?${new URLSearchParams({ popup: id })}`);
      expect(await seen(answer)).toEqual(refusal(400, ['popup must be the id of a popup request']));
    }
  });
});

describe('the interface revision direct', () => {
  it('links accounts like the other revision, and has no page that links a ticket', async () => {
    const direct = await startService({ INTERFACE_REVISION: 'direct' });
    const browser = openBrowser(direct);
    await signIn(direct, browser);
    const account = somebody();
    const linked = await link(direct, browser, 'google', account);
    expect(linked.headers.get('Location')).toBe(`${welcome}?linked=google`);
    const handle = async (whose: Browser) =>
      ((await (await whose.fetch('/v1/auth/session')).json()) as { handle: string }).handle;
    const elsewhere = openBrowser(direct);
    const start = '/v1/auth/google?claim=link';
    const callback = await prove(direct, elsewhere, 'google', { account, start });
    expect((await elsewhere.navigate(callback)).headers.get('Location')).toBe(welcome);
    expect(await handle(elsewhere)).toBe(await handle(browser));
    expect((await browser.fetch('/v1/auth/claim/link', { method: 'POST' })).status).toBe(404);
  });
});
