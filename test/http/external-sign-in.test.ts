import { describe, expect, inject, it } from 'vitest';
import { json, openBrowser } from '../support/browser.ts';
import { cookiesSet, countAccounts, expectError } from '../support/outcomes.ts';
import { newMember, signIn, startSignIn } from '../support/people.ts';
import { countVisits, reportCode } from '../support/provider-driver.ts';
import { startService, useSharedService } from '../support/service.ts';

const redirectUri = 'http://localhost:8787/v1/auth/idp/callback';
const welcome = 'http://localhost:8787/dev/welcome';

/** Headers with which a request, or a proxy, could forge another host. */
const misleading = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'gopher',
  Forwarded: 'host=evil.example;proto=https',
};

const target = useSharedService();

describe('the start of an external sign-in', () => {
  it('sends the browser to the provider with a new state, challenge and nonce each time [D-21]', async () => {
    const seen = { state: new Set(), code_challenge: new Set(), nonce: new Set() };
    for (let time = 0; time < 10; time += 1) {
      const answer = await openBrowser(target).navigate('/v1/auth/idp');
      expect(answer.status).toBe(302);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      const url = new URL(answer.headers.get('Location') ?? '');
      expect(url.origin + url.pathname).toBe(`${inject('lyingIssuer')}/authorize`);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        response_type: 'code',
        client_id: 'peridot',
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{22,}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{22,}$/),
      });
      for (const [name, values] of Object.entries(seen)) values.add(url.searchParams.get(name));
      const [cookie = '', ...others] = answer.headers.getSetCookie();
      expect(others).toEqual([]);
      expect(cookie).toMatch(
        /^pid_oauth_[\w-]{8}=[\w.-]+; Max-Age=600; Path=\/v1\/auth; HttpOnly; SameSite=Lax$/,
      );
      expect(cookie).not.toContain(url.searchParams.get('state'));
    }
    expect([seen.state.size, seen.code_challenge.size, seen.nonce.size]).toEqual([10, 10, 10]);
  });

  it('does not pass its own query on to the provider [D-31]', async () => {
    const hostile = new URLSearchParams({
      state: 'evil-state',
      redirect_uri: 'https://evil.example/',
      scope: 'evil-scope',
      code_challenge: 'evil-challenge',
      code_challenge_method: 'plain',
      login_hint: 'evil-hint',
      nonce: 'evil-nonce',
      client_id: 'evil-client',
      response_mode: 'form_post',
      prompt: 'none',
    });
    const answer = await openBrowser(target).navigate(`/v1/auth/idp?${hostile}`);
    const { searchParams } = new URL(answer.headers.get('Location') ?? '');
    expect(searchParams.toString()).not.toContain('evil');
    expect([...searchParams.keys()].sort()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
  });

  it('derives the service’s address from BASE_URL, regardless of Host and X-Forwarded-* [D-30]', async () => {
    const { browser, claims } = await newMember(target);
    const started = await browser.navigate('/v1/auth/idp', { headers: misleading });
    const url = new URL(started.headers.get('Location') ?? '');
    expect(url.origin).toBe(new URL(inject('lyingIssuer')).origin);
    expect(url.searchParams.get('redirect_uri')).toBe(redirectUri);

    const { callback, code } = await startSignIn(target, browser, { claims });
    const finished = await browser.navigate(callback, { headers: misleading });
    expect(finished.headers.get('Location')).toBe(welcome);
    const { tokenCalls } = await reportCode(inject('lyingIssuer'), code);
    expect(tokenCalls.map((call) => call.redirectUri)).toEqual([redirectUri]);
  });

  it('redirects only to the provider and to CLIENT_SUCCESS_URL [D-30]', async () => {
    const hostile =
      'redirect=https://evil.example&next=//evil.example&callbackURL=https://evil.example&returnTo=//evil.example';
    const { browser, claims } = await newMember(target);
    const started = await browser.navigate(`/v1/auth/idp?${hostile}`);
    expect(started.headers.get('Location')).not.toContain('evil.example');
    const { callback } = await startSignIn(target, browser, { claims });
    const finished = await browser.navigate(`${callback}&${hostile}`);
    expect(finished.headers.get('Location')).toBe(welcome);
  });
});

describe('returnTo', () => {
  it('appears once in the query of CLIENT_SUCCESS_URL, even for a newcomer', async () => {
    const { browser, claims } = await newMember(target);
    const login = await browser.fetch(
      '/v1/auth/login',
      json('POST', { returnTo: '/settings?tab=1&x=a%26b#top' }),
    );
    const { url } = (await login.json()) as { url: string };
    expect([login.status, url]).toEqual([
      200,
      `/v1/auth/idp?returnTo=${encodeURIComponent('/settings?tab=1&x=a%26b#top')}`,
    ]);
    const { callback, authorizeUrl } = await startSignIn(target, browser, { claims }, url);
    expect(authorizeUrl.href).not.toContain('settings');
    const finished = await browser.navigate(callback);
    const location = new URL(finished.headers.get('Location') ?? '');
    expect(location.origin + location.pathname).toBe(welcome);
    expect([...location.searchParams]).toEqual([['returnTo', '/settings?tab=1&x=a%26b#top']]);

    const again = await signIn(target, browser, claims);
    expect(again.headers.get('Location')).toBe(welcome);

    const newcomer = openBrowser(target);
    const started = await startSignIn(target, newcomer, {}, '/v1/auth/idp?returnTo=/settings');
    const first = await newcomer.navigate(started.callback);
    expect(first.headers.get('Location')).toBe(`${welcome}?claim=1&returnTo=%2Fsettings`);
  });

  it('belongs to the attempt it was requested for', async () => {
    const { browser, claims } = await newMember(target);
    const one = await startSignIn(target, browser, { claims }, '/v1/auth/idp?returnTo=/one');
    const two = await startSignIn(target, browser, { claims }, '/v1/auth/idp?returnTo=/two');
    const locations = [await browser.navigate(two.callback), await browser.navigate(one.callback)].map(
      (answer) => answer.headers.get('Location'),
    );
    expect(locations).toEqual([`${welcome}?returnTo=%2Ftwo`, `${welcome}?returnTo=%2Fone`]);
  });

  it.each([
    'https://evil.example',
    'http:evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    'settings',
    '',
    ' /settings',
    '/settings\r\nSet-Cookie: a=b',
    `/${'a'.repeat(512)}`,
    7,
    null,
    ['/settings'],
    { path: '/settings' },
  ])('is rejected as %j, which is not a path on the client [D-30]', async (returnTo) => {
    const answer = await openBrowser(target).fetch('/v1/auth/login', json('POST', { returnTo }));
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'validation_failed']);
    expect(await answer.json()).toEqual({
      statusCode: 400,
      message: [expect.stringMatching(/^returnTo must be /)],
      code: 'validation_failed',
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('survives a rejection by the provider, and the page offers the sign-in for the same app', async () => {
    const browser = openBrowser(target);
    const { authorizeUrl } = await startSignIn(target, browser, {}, '/v1/auth/idp?returnTo=/settings');
    const state = authorizeUrl.searchParams.get('state');
    const page = await browser.navigate(`/v1/auth/idp/callback?error=access_denied&state=${state}`);
    expect(await page.text()).toContain('href="/signin?returnTo=%2Fsettings"');
  });
});

describe('a client address with a query and a fragment', () => {
  it('keeps both when claim and returnTo are added', async () => {
    const service = await startService({ CLIENT_SUCCESS_URL: 'https://app.example.com/in?x=1#top' });
    const browser = openBrowser(service);
    const { callback } = await startSignIn(service, browser, {}, '/v1/auth/idp?returnTo=/settings');
    const answer = await browser.navigate(callback);
    expect(answer.headers.get('Location')).toBe(
      'https://app.example.com/in?x=1&claim=1&returnTo=%2Fsettings#top',
    );
  });
});

describe('a provider that is missing or incomplete in the settings', () => {
  it.each([
    ['everything', { IDP_ISSUER: '', IDP_CLIENT_ID: '', IDP_CLIENT_SECRET: '' }],
    ['the issuer', { IDP_ISSUER: '' }],
    ['the client', { IDP_CLIENT_ID: '' }],
    ['the secret', { IDP_CLIENT_SECRET: '' }],
  ])('causes a 503 and does not sign anyone in without %s [D-29]', async (_, missing) => {
    const production = {
      ENVIRONMENT: 'production',
      MAIL_TRANSPORT: 'outbox',
      BASE_URL: 'https://id.example.com',
      CLIENT_SUCCESS_URL: 'https://app.example.com/',
      IDP_ISSUER: 'https://accounts.example.com',
    };
    const service = await startService({ ...production, ...missing });
    const browser = openBrowser(service);
    const started = await browser.fetch('/v1/auth/idp');
    await expectError(started, 'provider_not_configured');
    expect(started.headers.getSetCookie()).toEqual([]);
    expect((await browser.navigate('/v1/auth/idp')).status).toBe(503);
    const listed = (await (await browser.fetch('/v1/auth/providers')).json()) as { data: object[] };
    expect(listed.data).toContainEqual({ id: 'idp', name: null, kind: 'oidc', configured: false });
    await expectError(
      await browser.fetch('/v1/auth/idp/callback?code=a-code&state=a-state'),
      'state_invalid',
    );
    expect(Object.values(await countAccounts(service)).every((count) => count === 0)).toBe(true);
  });
});

describe('a provider with a broken discovery document', () => {
  it.each([
    'broken-json',
    'wrong-issuer',
    '500',
    'missing-jwks-uri',
    'redirect',
    'huge',
    'html',
    'empty-object',
  ])('causes a 502 and is queried again the next time: %s [D-29]', async (mode) => {
    const issuer = `${inject('lyingIssuer')}/at/discovery/${mode}`;
    const service = await startService({ IDP_ISSUER: issuer });
    const before = await countVisits(issuer);
    for (let time = 0; time < 2; time += 1) {
      const answer = await openBrowser(service).fetch('/v1/auth/idp');
      expect(cookiesSet(answer)).toEqual([]);
      await expectError(answer, 'provider_failed');
    }
    const after = await countVisits(issuer);
    expect([after.discovery - before.discovery, after.internal]).toEqual([2, 0]);
  });

  it('causes a 502 when nothing listens at the issuer [D-29]', async () => {
    const service = await startService({ IDP_ISSUER: 'http://127.0.0.1:2' });
    await expectError(await openBrowser(service).fetch('/v1/auth/idp'), 'provider_failed');
    expect((await openBrowser(service).fetch('/healthz')).status).toBe(200);
  });
});
