import { describe, expect, inject, it } from 'vitest';
import { beginLink, proveAtGithub, reportGithub } from '../support/accounts.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import type { GithubAccount } from '../support/github-server.ts';
import { expectNoSession } from '../support/outcomes.ts';
import { freshHandle, newMember, somebody, startSignIn } from '../support/people.ts';
import { reportCode } from '../support/provider-driver.ts';
import { useService } from '../support/service.ts';

const welcome = 'http://localhost:8787/dev/welcome';
const googleIssuer = `${inject('lyingIssuer')}/at/google`;
const github = inject('github');

const target = useService({
  GOOGLE_CLIENT_ID: 'google-client',
  GOOGLE_CLIENT_SECRET: 'google secret',
  GOOGLE_ISSUER: googleIssuer,
  GITHUB_CLIENT_ID: github.clientId,
  GITHUB_CLIENT_SECRET: github.clientSecret,
  GITHUB_BASE_URL: github.baseUrl,
});

let ids = 1_000_000 + Math.floor(performance.now());

/** A GitHub account with one verified address. */
function developer(
  email = somebody().email,
  verified = true,
): Required<Pick<GithubAccount, 'user' | 'emails'>> {
  ids += 1;
  return {
    user: { id: ids, login: `dev-${ids}`, name: `Developer ${ids}`, email: null },
    emails: [{ email, primary: true, verified, visibility: 'private' }],
  };
}

/** Proves an account at one of the two; returns the callback's path without opening it. */
interface Social {
  prove(browser: Browser, account: { subject: unknown; email: unknown; verified: unknown }): Promise<string>;
  subject(): unknown;
}

const socials: Record<'google' | 'github', Social> = {
  google: {
    async prove(browser, { subject, email, verified }) {
      const literalClaims = { sub: subject, email, email_verified: verified };
      const claims = subject === undefined ? { sub: null } : {};
      return (await startSignIn(target, browser, { claims, literalClaims }, '/v1/auth/google')).callback;
    },
    subject: () => somebody().sub,
  },
  github: {
    async prove(browser, { subject, email, verified }) {
      const account = {
        user: { id: subject, login: 'somebody' },
        emails: [{ email, primary: true, verified }],
      };
      return (await proveAtGithub(target, browser, account)).callback;
    },
    subject: () => (developer().user as { id: number }).id,
  },
};

async function pidOf(browser: Browser): Promise<string> {
  return ((await (await browser.fetch('/v1/auth/session')).json()) as { pid: string }).pid;
}

async function keptEmails(browser: Browser): Promise<unknown[]> {
  const list = (await (await browser.fetch('/v1/credentials')).json()) as { email: string | null }[];
  return list.map(({ email }) => email);
}

async function claim(browser: Browser): Promise<string> {
  const handle = freshHandle();
  const answer = await browser.fetch('/v1/auth/claim', json('POST', { handle }));
  expect([answer.status, await answer.clone().text()]).toMatchObject([200, expect.any(String)]);
  return `${handle}@pid`;
}

describe.each(['google', 'github'] as const)('a %s account', (provider) => {
  const { prove, subject } = socials[provider];

  it.each([
    undefined,
    null,
    '',
    'undefined',
    'null',
    {},
    [],
    true,
    ...(provider === 'github' ? ['7', 0, -1, 1.5] : [7]),
  ])('is rejected with the subject %j [D-26]', async (sub) => {
    const browser = openBrowser(target);
    const callback = await prove(browser, { subject: sub, email: somebody().email, verified: true });
    await expectNoSession(target, 'provider_failed', () => browser.fetch(callback));
  });

  it('gets neither session nor ticket if its address belongs to another person, verified or not [D-33]', async () => {
    const owner = await newMember(target);
    for (const verified of [true, false]) {
      const browser = openBrowser(target);
      const email = owner.claims.email.toUpperCase();
      const callback = await prove(browser, { subject: subject(), email, verified });
      await expectNoSession(target, 'email_conflict', () => browser.fetch(callback));
    }
  });

  it('keeps only a verified address, and never one that belongs to another person [D-34]', async () => {
    const { email } = somebody();
    for (const verified of [false, 'true', 1, null]) {
      const browser = openBrowser(target);
      await browser.navigate(await prove(browser, { subject: subject(), email, verified }));
      await claim(browser);
      expect(await keptEmails(browser)).toEqual([null]);
    }
  });

  it('signs in to its own identity even with another person’s address, which changes nothing [D-36]', async () => {
    const owner = await newMember(target);
    const account = { subject: subject(), email: somebody().email, verified: true };
    const browser = openBrowser(target);
    await browser.navigate(await prove(browser, account));
    const pid = await claim(browser);
    for (const verified of [true, false]) {
      const changed = { ...account, email: owner.claims.email, verified };
      const answer = await browser.navigate(await prove(browser, changed));
      expect(answer.headers.get('Location')).toBe(welcome);
      expect(await pidOf(browser)).toBe(pid);
      expect(await keptEmails(browser)).toEqual([account.email]);
    }
    expect(await keptEmails(owner.browser)).toEqual([owner.claims.email]);
  });
});

it('the same subject at three providers identifies three people [D-27]', async () => {
  const sub = String(socials.github.subject());
  const pids = [];
  for (const provider of ['idp', 'google', 'github'] as const) {
    const browser = openBrowser(target);
    const account = {
      subject: provider === 'github' ? Number(sub) : sub,
      email: somebody().email,
      verified: true,
    };
    const callback =
      provider === 'idp'
        ? (await startSignIn(target, browser, { claims: { ...somebody(), sub } })).callback
        : await socials[provider].prove(browser, account);
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(`${welcome}?claim=1`);
    pids.push(await claim(browser));
  }
  const rows = await target.rows('SELECT DISTINCT handle FROM credentials WHERE provider_user_id = ?', [sub]);
  expect([rows.length, new Set(pids).size]).toEqual([3, 3]);
});

it('a response from one provider is rejected at another’s callback, and its code is not redeemed [D-24]', async () => {
  const browser = openBrowser(target);
  const google = await startSignIn(target, browser, {}, '/v1/auth/google');
  const atGithub = await proveAtGithub(target, browser, developer());
  for (const [callback, from, to] of [
    [google.callback, 'google', 'github'],
    [google.callback, 'google', 'idp'],
    [atGithub.callback, 'github', 'google'],
    [atGithub.callback, 'github', 'idp'],
  ] as const) {
    const Cookie = await browser.cookies('/v1/auth');
    const act = () => target.request(callback.replace(`/${from}/`, `/${to}/`), { headers: { Cookie } });
    await expectNoSession(target, 'state_invalid', act);
  }
  expect((await reportCode(googleIssuer, google.code)).tokenCalls).toEqual([]);
  expect((await reportGithub(atGithub.code)).tokenCalls).toBe(0);
});

describe('Google', () => {
  it('may put its issuer with or without https:// in its ID tokens, unlike any other provider', async () => {
    const iss = googleIssuer.replace('http://', '');
    const browser = openBrowser(target);
    const google = await startSignIn(target, browser, { literalClaims: { iss } }, '/v1/auth/google');
    expect((await browser.navigate(google.callback)).headers.get('Location')).toBe(`${welcome}?claim=1`);
    for (const [provider, claimed] of [
      ['idp', inject('lyingIssuer').replace('http://', '')],
      ['google', `${iss}/`],
      ['google', `https://${iss}`],
    ] as const) {
      const { callback } = await startSignIn(
        target,
        browser,
        { literalClaims: { iss: claimed } },
        `/v1/auth/${provider}`,
      );
      await expectNoSession(target, 'provider_failed', () => browser.fetch(callback));
    }
  });
});

it('a link lets the person choose an account if the provider supports it, but a sign-in uses the current account', async () => {
  const { browser } = await newMember(target);
  const promptOf = async (start: string) =>
    new URL((await browser.navigate(start)).headers.get('Location') ?? '').searchParams.get('prompt');
  for (const [provider, prompt] of [
    ['google', 'select_account'],
    ['github', 'select_account'],
    ['idp', null],
  ] as const) {
    expect(await promptOf(await beginLink(browser, provider))).toBe(prompt);
    expect(await promptOf(`/v1/auth/${provider}`)).toBeNull();
  }
});

describe('GitHub', () => {
  it('is called only once, with PKCE, and identifies people by a number that outlives the login name', async () => {
    const browser = openBrowser(target);
    const started = await browser.navigate('/v1/auth/github');
    const asked = new URL(started.headers.get('Location') ?? '');
    expect(`${asked.origin}${asked.pathname}`).toBe(`${github.baseUrl}/login/oauth/authorize`);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: github.clientId,
      redirect_uri: 'http://localhost:8787/v1/auth/github/callback',
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'read:user user:email',
    });

    const account = developer();
    const { callback, code } = await proveAtGithub(target, browser, account);
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(`${welcome}?claim=1`);
    expect(await reportGithub(code)).toEqual({ tokenCalls: 1, apiCalls: 2 });
    const { id, name } = account.user as { id: number; name: string };
    expect(await (await browser.fetch('/v1/auth/claim')).json()).toMatchObject({
      provider: 'github',
      displayName: name,
    });
    const pid = await claim(browser);
    const renamed = { ...account, user: { id, login: 'renamed', name: null } };
    const elsewhere = openBrowser(target);
    const back = await proveAtGithub(target, elsewhere, renamed);
    expect((await elsewhere.navigate(back.callback)).headers.get('Location')).toBe(welcome);
    expect(await pidOf(elsewhere)).toBe(pid);
  });

  it('provides only the primary address, and only if it is verified', async () => {
    const [mine, other, ownLast] = [somebody().email, somebody().email, somebody().email];
    const secondary = { email: other, primary: false, verified: true, visibility: null };
    const hidden = { ...secondary, email: '7+dev@users.noreply.github.com' };
    const cases: [GithubAccount, string | null][] = [
      [
        {
          emails: [secondary, { email: mine, primary: true, verified: true, visibility: 'private' }, hidden],
        },
        mine,
      ],
      [{ emails: [secondary] }, null],
      [
        {
          emails: [
            ...Array.from({ length: 40 }, () => secondary),
            { email: ownLast, primary: true, verified: true },
          ],
        },
        ownLast,
      ],
      [{ emails: [{ email: somebody().email, primary: true, verified: false }, secondary] }, null],
      [{ emails: [] }, null],
      [{ scope: 'read:user', emails: [{ email: other, primary: true, verified: true }] }, null],
      [{ scope: '', emails: [{ email: other, primary: true, verified: true }] }, null],
    ];
    for (const [account, kept] of cases) {
      const browser = openBrowser(target);
      const { callback } = await proveAtGithub(target, browser, { ...developer(), ...account });
      await browser.navigate(callback);
      await claim(browser);
      expect(await keptEmails(browser)).toEqual([kept]);
    }
  });

  it('does not sign anyone in if it refuses with status 200, fails, or sends an unexpected response', async () => {
    const whole = developer();
    const faulty: GithubAccount[] = [
      {
        ...whole,
        refusal: { error: 'bad_verification_code', error_description: 'The code is <b>expired</b>.' },
      },
      { ...whole, refusal: { error: { nested: true } } },
      { ...whole, refusal: {} },
      { ...whole, refusal: { access_token: 7 } },
      { ...whole, refusal: { access_token: 'marked-token\r\nx' } },
      { ...whole, refusal: { access_token: 'marked-token\u2603' } },
      { ...whole, failing: { path: '/user', status: 500 } },
      { ...whole, failing: { path: '/user/emails', status: 500 } },
      { ...whole, user: [whole.user] },
      { ...whole, emails: { message: 'no list' } },
      { ...whole, emails: ['no object'] },
    ];
    for (const account of faulty) {
      const browser = openBrowser(target);
      const { callback } = await proveAtGithub(target, browser, account);
      const answer = await expectNoSession(target, 'provider_failed', () => browser.fetch(callback));
      expect(await answer.text()).not.toContain('expired');
    }
    expect(target.log().filter((line) => line.includes('marked-token'))).toEqual([]);
  });

  it('rejects another browser’s code and another issuer’s response [D-22, D-24]', async () => {
    const [mine, theirs] = [openBrowser(target), openBrowser(target)];
    const { code } = await proveAtGithub(target, mine, developer());
    const other = new URL((await proveAtGithub(target, theirs, developer())).callback, target.origin);
    other.searchParams.set('code', code);
    await expectNoSession(target, 'provider_failed', () => theirs.fetch(other.pathname + other.search));
    const third = openBrowser(target);
    const mixed = await proveAtGithub(target, third, developer());
    const act = () => third.fetch(`${mixed.callback}&iss=https%3A%2F%2Fevil.example`);
    await expectNoSession(target, 'provider_error', act);
    expect((await reportGithub(mixed.code)).tokenCalls).toBe(0);
  });
});
