import { describe, expect, it } from 'vitest';
import { type Account, prove } from '../support/accounts.ts';
import { notFresh, refusal, seen, unauthenticated } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { cookiesSet } from '../support/outcomes.ts';
import { register } from '../support/passwords.ts';
import { type Member, newMember, signIn, somebody } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useSharedService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';
import { ticketCookies } from '../support/tickets.ts';

const welcome = 'http://localhost:8787/dev/welcome';
const gone = refusal(410, 'Claim ticket has expired');
const path = '/v1/auth/claim/link';

const target = useSharedService();

const attach = (browser: Browser) => browser.fetch(path, { method: 'POST' });

/** A member in whose browser an account without a PID is waiting. */
async function memberWithTicket(account: Account = somebody()): Promise<Member & { account: Account }> {
  const member = await newMember(target);
  await member.browser.navigate(await prove(target, member.browser, 'github', { account }));
  return { ...member, account };
}

const credentialsOf = (handle: string) =>
  target.rows<{ provider: string; email: string }>(
    'SELECT provider, email FROM credentials WHERE handle = ? ORDER BY provider',
    [handle],
  );

describe('POST /v1/auth/claim/link', () => {
  it('links the pending account to the signed-in person, consumes the ticket, and keeps the session', async () => {
    const { browser, handle, account } = await memberWithTicket();
    const Cookie = await browser.cookies(path);
    const answer = await attach(browser);
    expect([answer.status, await answer.clone().json()]).toMatchObject([
      200,
      { id: expect.stringMatching(/^crd_/), provider: 'github', email: account.email },
    ]);
    expect(setCookies(answer).map(({ name, value }) => [name, value])).toEqual([
      ['pid_claim', ''],
      ['pid_claim_key', ''],
    ]);
    expect(await credentialsOf(handle)).toEqual([
      { provider: 'github', email: account.email },
      { provider: 'idp', email: expect.any(String) },
    ]);
    // The same cookies get the same response again, because the account is already linked.
    const again = await target.request(path, { method: 'POST', headers: { Cookie } });
    expect([again.status, await again.json()]).toEqual([200, await answer.json()]);
    expect(await attach(browser).then(seen)).toEqual(gone);
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
    const claimed = await target.request('/v1/auth/claim', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie },
      body: JSON.stringify({ handle: 'never-this-one' }),
    });
    expect(await seen(claimed)).toEqual(gone);
    const elsewhere = openBrowser(target);
    await elsewhere.navigate(await prove(target, elsewhere, 'github', { account }));
    expect(await (await elsewhere.fetch('/v1/auth/session')).json()).toMatchObject({ handle });
  });

  it('is rejected without a session or a ticket, or with an old sign-in or ticket [D-50]', async () => {
    const nobody = openBrowser(target);
    await nobody.navigate(await prove(target, nobody, 'github', { account: somebody() }));
    expect(await attach(nobody).then(seen)).toEqual(unauthenticated);
    const { browser, claims } = await newMember(target);
    expect(await attach(browser).then(seen)).toEqual(gone);
    await target.advance(895);
    await browser.navigate(await prove(target, browser, 'github', { account: somebody() }));
    await browser.fetch('/v1/auth/refresh', { method: 'POST' });
    await target.advance(6);
    expect(await attach(browser).then(seen)).toEqual(notFresh);
    await signIn(target, browser, claims);
    const Cookie = await browser.cookies(path);
    await target.advance(600);
    expect(await target.request(path, { method: 'POST', headers: { Cookie } }).then(seen)).toEqual(gone);
  });

  it('rejects an account or address that another person has since taken, and keeps the ticket', async () => {
    const first = await memberWithTicket();
    const second = await memberWithTicket(first.account);
    expect((await attach(first.browser)).status).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      expect(await attach(second.browser).then(seen)).toEqual(refusal(409, 'Credential already linked'));
    }
    const third = await memberWithTicket();
    const owner = openBrowser(target);
    await signIn(target, owner, { ...somebody(), email: third.account.email });
    await owner.fetch('/v1/auth/claim', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ handle: `owner-${third.handle}` }),
    });
    const conflict = refusal(409, 'Email sudah terhubung dengan akun lain');
    for (let time = 0; time < 2; time += 1) expect(await attach(third.browser).then(seen)).toEqual(conflict);
    expect(await credentialsOf(third.handle)).toHaveLength(1);
  });

  it('links only the ticket whose id GET /v1/auth/claim returns [S-08]', async () => {
    const { browser, handle } = await memberWithTicket();
    const preview = async () => (await (await browser.fetch('/v1/auth/claim')).json()) as { id: string };
    const agreed = await preview();
    // Another sign-in, perhaps started by an attacker, replaces the ticket that was shown.
    const account = somebody();
    await browser.navigate(await prove(target, browser, 'google', { account }));
    const attachNamed = (body: unknown) => browser.fetch(path, json('POST', body)).then(seen);
    expect(await attachNamed(agreed)).toEqual(gone);
    expect(await attachNamed({ id: '' })).toEqual(gone);
    expect(await attachNamed({ id: 1 })).toEqual(refusal(400, ['id must be a string']));
    expect(await credentialsOf(handle)).toHaveLength(1);
    expect(await attachNamed(await preview())).toMatchObject([200, { email: account.email }]);
  });

  it('links a ticket to only one identity, however many requests are concurrent', async () => {
    const { browser, account } = await memberWithTicket();
    const ticket = (await browser.cookie('pid_claim', path)) ?? '';
    const people = await Promise.all([
      newMember(target),
      newMember(target),
      newMember(target),
      newMember(target),
    ]);
    const answers = await Promise.all(
      people.map(async (person) => {
        const Cookie = `${await person.browser.cookies()}; ${ticketCookies(target, ticket)}`;
        return target.request(path, { method: 'POST', headers: { Cookie, Origin: target.origin } });
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await target.rows('SELECT id FROM credentials WHERE email = ?', [account.email])).toHaveLength(1);
  });

  it('rejects a page on another site', async () => {
    const { browser, handle } = await memberWithTicket();
    const answer = await browser.fetch(path, { method: 'POST', headers: { Origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
    expect(await credentialsOf(handle)).toHaveLength(1);
  });
});

describe('the page behind "I already have a PID"', () => {
  /** The hidden fields of the page's form. */
  async function ask(browser: Browser): Promise<{ text: string; fields: Record<string, string> }> {
    const page = await browser.navigate(path);
    const text = await page.text();
    expect([page.status, text]).toEqual([200, expect.stringContaining('<form')]);
    const hidden = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    return { text, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])) };
  }

  const post = (browser: Browser, fields: Record<string, string>) =>
    browser.navigate(path, form(fields, target.origin));

  it('is reached from the claim page through sign-in, without JavaScript', async () => {
    const { handle, claims } = await newMember(target);
    const browser = openBrowser(target);
    const account = somebody();
    await browser.navigate(await prove(target, browser, 'github', { account }));
    expect(await (await browser.navigate('/v1/auth/claim')).text()).toContain(`href="${path}"`);
    const first = await browser.navigate(path);
    expect([first.status, first.headers.get('Location')]).toEqual([302, '/signin?claim=link']);
    const signInPage = await (await browser.navigate('/signin?claim=link')).text();
    expect(signInPage).toContain('href="/v1/auth/idp?claim=link"');
    const callback = await prove(target, browser, 'idp', {
      account: claims,
      start: '/v1/auth/idp?claim=link',
    });
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(path);

    const { text, fields } = await ask(browser);
    for (const shown of [`${handle}@pid`, 'GitHub', account.email]) expect(text).toContain(shown);
    const done = await post(browser, { ...fields, mine: 'yes' });
    expect([done.status, done.headers.get('Location')]).toEqual([303, `${welcome}?linked=github`]);
    expect((await credentialsOf(handle)).map(({ provider }) => provider)).toEqual(['github', 'idp']);
    expect(await browser.cookie('pid_claim', path)).toBeNull();
  });

  it('links only the account that it showed and the person confirmed [S-08]', async () => {
    const { browser, handle, account } = await memberWithTicket();
    const { fields } = await ask(browser);
    const expectAsked = async (posted: Record<string, string>, whose = handle) => {
      const answer = await post(browser, posted);
      expect([answer.status, cookiesSet(answer)]).toEqual([400, []]);
      expect(await credentialsOf(whose)).toHaveLength(1);
    };
    await expectAsked({});
    await expectAsked(fields);
    await expectAsked({ ...fields, handle: 'somebody-else', mine: 'yes' });
    // Another ticket was planted in the meantime, by a navigation that any page can cause.
    await browser.navigate(await prove(target, browser, 'google', { account: somebody() }));
    await expectAsked({ ...fields, mine: 'yes' });
    // Another person has since signed in.
    const other = await newMember(target);
    const again = await ask(browser);
    await signIn(target, browser, other.claims);
    await expectAsked({ ...again.fields, mine: 'yes' }, other.handle);
    expect(await target.rows('SELECT id FROM credentials WHERE email = ?', [account.email])).toEqual([]);
  });

  it('shows its own errors for another person’s account and for an old sign-in', async () => {
    const first = await memberWithTicket();
    const second = await memberWithTicket(first.account);
    await attach(first.browser);
    const { fields } = await ask(second.browser);
    const refused = await post(second.browser, { ...fields, mine: 'yes' });
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'credential_already_linked']);
    expect(await refused.text()).toContain('Credential already linked');
    await target.advance(890);
    const third = await newMember(target);
    await target.advance(895);
    await third.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    await third.browser.navigate(await prove(target, third.browser, 'github', { account: somebody() }));
    const asked = await ask(third.browser);
    await target.advance(6);
    const stale = await post(third.browser, { ...asked.fields, mine: 'yes' });
    expect([stale.status, stale.headers.get('X-Error-Code')]).toEqual([403, 'not_fresh']);
    expect(await stale.text()).toContain('href="/signin?claim=link"');
  });

  it('describes a password credential in words, as the claim page does', async () => {
    const { browser } = await newMember(target);
    const { email } = somebody();
    const code = await register(target, browser, email);
    await browser.fetch('/v1/auth/email/verify', json('POST', { email, code }));
    expect((await ask(browser)).text).toContain(`Email and password · ${email}`);
    expect(await (await browser.navigate('/v1/auth/claim')).text()).toContain('Email and password');
  });

  it('returns 410 without a ticket, is available in Indonesian, and serves only browsers', async () => {
    const { browser } = await newMember(target);
    expect((await browser.navigate(path)).status).toBe(410);
    expect((await browser.fetch(path)).status).toBe(404);
    const waiting = await memberWithTicket();
    const page = await waiting.browser.navigate(path, { headers: { 'Accept-Language': 'id' } });
    expect(await page.text()).toContain('Tambahkan akun ini');
  });
});
