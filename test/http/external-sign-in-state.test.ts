import { describe, expect, inject, it } from 'vitest';
import { type Browser, openBrowser } from '../support/browser.ts';
import { cookiesSet, countAccounts, expectError, expectNoSession } from '../support/outcomes.ts';
import { newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import { reportCode, type TokenCall } from '../support/provider-driver.ts';
import { startService, useSharedService } from '../support/service.ts';

const welcome = 'http://localhost:8787/dev/welcome';

const target = useSharedService();

/** The requests in which the provider received a code. */
async function tokenCalls(code: string, issuer = inject('lyingIssuer')): Promise<TokenCall[]> {
  return (await reportCode(issuer, code)).tokenCalls;
}

/** The URL of a callback with part of its query changed; null removes a parameter. */
function changed(callback: string, changes: Record<string, string | null>): string {
  const url = new URL(callback, target.origin);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/** Expects this browser to be still signed in. */
async function expectSignedIn(browser: Browser): Promise<void> {
  expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(204);
}

describe('the state of a callback', () => {
  it.each([
    ['no state', { state: null }],
    ['an empty state', { state: '' }],
    ['a wrong state', { state: 'a'.repeat(43) }],
    ['no code', { code: null }],
  ])('is rejected with %s before the code is sent anywhere [D-22]', async (_, changes) => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser);
    await expectNoSession(target, 'state_invalid', () => browser.fetch(changed(callback, changes)));
    expect(await tokenCalls(code)).toEqual([]);
  });

  it('is rejected in another browser, and still works in its own [D-22]', async () => {
    const { browser: victim, claims } = await newMember(target);
    const attacker = openBrowser(target);
    const { callback, code } = await startSignIn(target, attacker);
    await expectNoSession(target, 'state_invalid', () => victim.fetch(callback));
    await startSignIn(target, victim);
    await expectNoSession(target, 'state_invalid', () => victim.fetch(callback));
    expect(await tokenCalls(code)).toEqual([]);
    await expectSignedIn(victim);
    expect((await attacker.navigate(callback)).headers.get('Location')).toBe(`${welcome}?claim=1`);
    expect((await signIn(target, victim, claims)).headers.get('Location')).toBe(welcome);
  });

  it('is rejected with an altered cookie or another attempt’s cookie [D-22]', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser);
    const [name = '', value = ''] = (await browser.cookies()).split('=');
    const other = openBrowser(target);
    await startSignIn(target, other);
    const [, foreign = ''] = (await other.cookies()).split('=');
    const flipped = value.slice(0, -3) + (value.at(-3) === 'A' ? 'B' : 'A') + value.slice(-2);
    for (const forged of [flipped, foreign, '', 'a.b', '{}', value.split('.')[1]]) {
      const headers = { Cookie: `${name}=${forged}` };
      const act = () => target.request(callback, { headers });
      await expectNoSession(target, 'state_invalid', act);
    }
    expect(await tokenCalls(code)).toEqual([]);
  });

  it('works only once, even if the browser keeps its cookie [D-23]', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser, { claims: somebody() });
    const headers = { Cookie: await browser.cookies() };
    expect((await target.request(callback, { headers })).status).toBe(302);
    await expectNoSession(target, 'state_invalid', () => target.request(callback, { headers }));
    expect(await tokenCalls(code)).toHaveLength(1);
  });

  it('stays used after its code exchange fails [D-23]', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser, { token: '500' });
    const headers = { Cookie: await browser.cookies() };
    await expectError(await target.request(callback, { headers }), 'provider_failed');
    await expectNoSession(target, 'state_invalid', () => target.request(callback, { headers }));
    expect(await tokenCalls(code)).toHaveLength(1);
  });

  it('is rejected after ten minutes [D-23]', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser);
    const headers = { Cookie: await browser.cookies() };
    await target.advance(601);
    await expectNoSession(target, 'state_invalid', () => target.request(callback, { headers }));
    expect(await tokenCalls(code)).toEqual([]);
  });

  it('is rejected if it was issued before the last restore, because it may have been used since the backup', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser);
    await target.advance(1);
    await target.rows('UPDATE settings SET sessions_not_before = ?', [target.now()]);
    try {
      await expectNoSession(target, 'state_invalid', () => browser.fetch(callback));
      expect(await tokenCalls(code)).toEqual([]);
    } finally {
      await target.rows('UPDATE settings SET sessions_not_before = 0');
    }
  });
});

describe('the issuer in a callback', () => {
  const issuer = `${inject('lyingIssuer')}/advertises-iss`;

  it('must be the provider, even if the provider does not advertise iss [D-24]', async () => {
    for (const iss of ['https://evil.example', issuer, `${inject('lyingIssuer')}/`, '']) {
      const browser = openBrowser(target);
      const { callback, code } = await startSignIn(target, browser);
      await expectNoSession(target, 'provider_error', () => browser.fetch(changed(callback, { iss })));
      expect(await tokenCalls(code)).toEqual([]);
    }
    const browser = openBrowser(target);
    const { callback } = await startSignIn(target, browser);
    const answer = await browser.navigate(changed(callback, { iss: inject('lyingIssuer') }));
    expect(answer.headers.get('Location')).toBe(`${welcome}?claim=1`);
  });

  it('is required if the provider advertises it [D-24]', async () => {
    const careful = await startService({ IDP_ISSUER: issuer });
    for (const iss of [null, inject('lyingIssuer'), 'https://evil.example']) {
      const browser = openBrowser(careful);
      const { callback, code } = await startSignIn(careful, browser);
      await expectNoSession(careful, 'provider_error', () => browser.fetch(changed(callback, { iss })));
      expect(await tokenCalls(code, issuer)).toEqual([]);
    }
    expect((await signIn(careful, openBrowser(careful))).status).toBe(302);
  });
});

describe('a callback with an error', () => {
  const descriptions = ['<script>alert(1)</script>', 'line\r\nSet-Cookie: evil=1', '🦊 sorry'];

  it.each([
    ['access_denied', 'sign_in_cancelled'],
    ['server_error', 'provider_error'],
    ['<script>alert(2)</script>', 'provider_error'],
    ['', 'provider_error'],
  ] as const)('is rejected with %j, without echoing the callback’s text [D-28]', async (error, code) => {
    for (const error_description of descriptions) {
      const browser = openBrowser(target);
      const { callback } = await startSignIn(target, browser);
      const failed = changed(callback, { code: null, error, error_description });
      const answer = await expectNoSession(target, code, () => browser.fetch(failed));
      const told = `${await answer.text()}\n${[...answer.headers].join('\n')}`;
      expect(told).not.toMatch(/<script|evil|🦊|alert/);
      const again = await startSignIn(target, browser);
      const page = await browser.navigate(changed(again.callback, { code: null, error, error_description }));
      expect([page.status, page.headers.get('X-Error-Code')]).toEqual([400, code]);
      expect(await page.text()).not.toMatch(/<script>alert|Set-Cookie|🦊/);
    }
  });

  it('is rejected without this browser’s state, regardless of the error [D-22]', async () => {
    await expectNoSession(target, 'state_invalid', () =>
      openBrowser(target).fetch('/v1/auth/idp/callback?error=access_denied&state=unknown'),
    );
  });
});

describe('a repeated callback', () => {
  it('does not create a second session or affect the existing one [D-35]', async () => {
    const { browser, claims } = await newMember(target);
    const { callback } = await startSignIn(target, browser, { claims });
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(welcome);
    await target.advance(1);
    await expectNoSession(target, 'state_invalid', () => browser.fetch(callback));
    await expectSignedIn(browser);
  });

  it('creates one session or ticket for 20 concurrent requests [R-07]', {
    timeout: 240_000,
  }, async () => {
    const { claims: known } = await newMember(target);
    for (let round = 0; round < 50; round += 1) {
      const browser = openBrowser(target);
      const claims = round % 2 === 0 ? somebody() : known;
      const { callback, code } = await startSignIn(target, browser, { claims });
      const headers = { Cookie: await browser.cookies() };
      const before = await countAccounts(target);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => target.request(callback, { headers })),
      );
      const statuses = answers.map((answer) => answer.status).sort();
      expect(statuses).toEqual([302, ...Array<number>(19).fill(400)]);
      expect(answers.filter((answer) => cookiesSet(answer).length > 0)).toHaveLength(1);
      expect(await tokenCalls(code)).toHaveLength(1);
      const made = claims === known ? 'sessions' : 'claim_tickets';
      expect(await countAccounts(target)).toEqual({ ...before, [made]: (before[made] ?? 0) + 1 });
    }
  });
});

describe('concurrent sign-ins in one browser', () => {
  it('finish in two tabs that start simultaneously', async () => {
    const { browser, claims } = await newMember(target);
    const tabs = await Promise.all([1, 2].map(() => startSignIn(target, browser, { claims })));
    for (const { callback } of tabs) {
      expect((await browser.navigate(callback)).headers.get('Location')).toBe(welcome);
    }
    await expectSignedIn(browser);
  });

  it('keep the five newest of six attempts', async () => {
    const browser = openBrowser(target);
    const attempts = [];
    for (let tab = 0; tab < 6; tab += 1) {
      attempts.push(await startSignIn(target, browser));
      await target.advance(1);
    }
    expect((await browser.cookies()).match(/pid_oauth_/g)).toHaveLength(5);
    const [oldest, ...kept] = attempts;
    expect((await browser.navigate(oldest?.callback ?? '')).status).toBe(400);
    for (const { callback } of kept) expect((await browser.navigate(callback)).status).toBe(302);
    expect(await browser.cookies()).not.toContain('pid_oauth');
  });
});

describe('requests not shown in a window', () => {
  it('do not displace a sign-in in progress', async () => {
    const browser = openBrowser(target);
    const { callback } = await startSignIn(target, browser);
    for (const dest of ['iframe', 'image', 'empty', 'iframe', 'image', 'empty']) {
      await target.advance(1);
      const answer = await browser.navigate('/v1/auth/idp', { headers: { 'Sec-Fetch-Dest': dest } });
      expect(cookiesSet(answer)).toEqual([]);
    }
    expect((await browser.navigate(callback)).status).toBe(302);
  });
});

describe('speculative requests', () => {
  const looks = [
    ['HEAD', { method: 'HEAD' }],
    ['Sec-Purpose: prefetch', { headers: { 'Sec-Purpose': 'prefetch' } }],
    ['Sec-Purpose: prefetch;prerender', { headers: { 'Sec-Purpose': 'prefetch;prerender' } }],
    ['Purpose: prefetch', { headers: { Purpose: 'prefetch' } }],
  ] as const;

  it.each(looks)('neither start an attempt nor use a code or ticket: %s', async (_, look) => {
    const browser = openBrowser(target);
    const early = await browser.navigate('/v1/auth/idp', look);
    expect([early.headers.get('Location'), cookiesSet(early)]).toEqual([null, []]);

    const { callback, code } = await startSignIn(target, browser);
    const before = await countAccounts(target);
    const cookies = await browser.cookies();
    const seen = await browser.navigate(callback, look);
    expect([seen.headers.get('Location'), seen.headers.getSetCookie()]).toEqual([null, []]);
    expect([await countAccounts(target), await browser.cookies(), await tokenCalls(code)]).toEqual([
      before,
      cookies,
      [],
    ]);
    expect((await browser.navigate(callback)).headers.get('Location')).toBe(`${welcome}?claim=1`);

    for (const path of ['/v1/auth/claim', '/v1/auth/claim/handles/somebody']) {
      const looked = await browser.navigate(path, look);
      expect([looked.status, looked.headers.getSetCookie()]).toEqual([200, []]);
    }
    expect((await browser.fetch('/v1/auth/claim')).status).toBe(200);
  });

  it('get a distinct error if a browser prefetches', async () => {
    const headers = { 'Sec-Purpose': 'prefetch' };
    for (const path of ['/v1/auth/idp', '/v1/auth/idp/callback?code=a&state=b']) {
      await expectError(await openBrowser(target).fetch(path, { headers }), 'prefetch_refused');
    }
  });
});
