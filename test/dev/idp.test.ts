import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { json, openBrowser } from '../support/browser.ts';
import { production } from '../support/production.ts';
import { choose, form, openPicker, signInAtSandbox } from '../support/sandbox.ts';
import { sandboxProvider, startService, useSharedService } from '../support/service.ts';

const target = useSharedService(sandboxProvider);

const callbackPath = '/v1/auth/idp/callback';

describe('a sign-in at the sandbox provider', () => {
  it('turns a demo person into a newcomer with their name and address', async () => {
    const browser = openBrowser(target);
    const answer = await signInAtSandbox(browser, { user: 'noe' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      302,
      `${target.origin}/dev/welcome?claim=1`,
    ]);
    const preview = await (await browser.fetch('/v1/auth/claim')).json();
    expect(preview).toMatchObject({
      provider: 'idp',
      email: 'noe@example.com',
      displayName: 'Noé Müller-Øst',
      suggestedHandle: 'noe.muller-ost',
    });
  });

  it('recognises a person by any spelling of their address, and lists them on the next visit', async () => {
    const browser = openBrowser(target);
    await signInAtSandbox(browser, { name: 'Rani', email: 'rani@example.com' });
    await browser.fetch('/v1/auth/claim', json('POST', { handle: 'rani' }));
    await browser.fetch('/v1/auth/logout', { method: 'POST' });

    const again = await signInAtSandbox(openBrowser(target), { name: 'R.', email: ' RANI@Example.com ' });
    expect(again.headers.get('Location')).toBe(`${target.origin}/dev/welcome`);
    expect(await (await browser.navigate(await openPicker(browser))).text()).toContain('rani@example.com');
    const picked = await signInAtSandbox(browser, { user: 'rani@example.com' });
    expect(picked.headers.get('Location')).toBe(`${target.origin}/dev/welcome`);
    expect(await (await browser.fetch('/v1/auth/session')).json()).toMatchObject({ pid: 'rani@pid' });
  });

  it('accepts the picker’s form as the page renders it', async () => {
    const browser = openBrowser(target);
    const picker = await openPicker(browser);
    const page = await (await browser.navigate(picker)).text();
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const chosen = await browser.navigate(
      '/dev/idp/authorize',
      form({ request, user: 'mei' }, target.origin),
    );
    expect(chosen.status).toBe(303);
    const answer = await browser.navigate(chosen.headers.get('Location') ?? '');
    expect(answer.headers.get('Location')).toBe(`${target.origin}/dev/welcome?claim=1`);
  });

  it('rejects a person who is not in the picker, and an invalid address', async () => {
    for (const fields of [
      { user: 'nobody' },
      { name: 'X', email: 'no address' },
      {},
      { user: 'ayu', slow: 'x' },
    ]) {
      const browser = openBrowser(target);
      const chosen = await browser.fetch(await openPicker(browser), form(fields, target.origin));
      expect(chosen.status, JSON.stringify(fields)).toBe(400);
    }
  });
});

describe('an option of the sandbox provider', () => {
  it('"deny" returns a cancelled sign-in', async () => {
    const answer = await signInAtSandbox(openBrowser(target), { deny: '1' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('X-Error-Code')).toBe('sign_in_cancelled');
  });

  it('"error" makes the token endpoint fail, so the sign-in returns 502', async () => {
    const answer = await signInAtSandbox(openBrowser(target), { user: 'budi', error: '1' });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([502, 'provider_failed']);
  });

  it('"slow" delays the response', async () => {
    const startedAt = performance.now();
    const answer = await signInAtSandbox(openBrowser(target), { user: 'budi', slow: '0.3' });
    expect(answer.status).toBe(302);
    expect(performance.now() - startedAt).toBeGreaterThan(290);
  });

  it('"slow" beyond the deadline returns 502', async () => {
    const answer = await signInAtSandbox(openBrowser(target), { user: 'budi', slow: '12' });
    expect(answer.status).toBe(502);
  });

  it('"unverified" shows the address without reserving it', async () => {
    const browser = openBrowser(target);
    await signInAtSandbox(browser, { name: 'Una', email: 'una@example.com', unverified: '1' });
    const claimed = await browser.fetch('/v1/auth/claim', json('POST', { handle: 'una.verified' }));
    expect(claimed.status).toBe(200);
    expect(await (await browser.fetch('/v1/credentials')).json()).toMatchObject([{ email: null }]);
    expect(await target.rows('SELECT email FROM emails WHERE email = ?', ['una@example.com'])).toEqual([]);
  });

  it('"conflict" collides with Ayu from the demo data, regardless of the chosen person', async () => {
    await target.request('/dev/seed', { method: 'POST' });
    for (const user of ['budi', 'ayu']) {
      const browser = openBrowser(target);
      const answer = await browser.fetch(await choose(browser, { user, conflict: '1' }));
      expect(answer.status).toBe(409);
      expect(await answer.json()).toEqual({
        statusCode: 409,
        message: 'Email sudah terhubung dengan akun lain',
        code: 'email_conflict',
      });
    }
  });

  it('"coop" redirects through a page that severs the opener, the only sign-in response that does so', async () => {
    const browser = openBrowser(target);
    const started = await browser.navigate('/v1/auth/idp');
    const picker = started.headers.get('Location') ?? '';
    const page = await browser.navigate(picker);
    const hop = await browser.navigate(picker, form({ user: 'siti', coop: '1' }, target.origin));
    expect(hop.headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    const text = await hop.text();
    const href = /<a[^>]* href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(href).toContain(callbackPath);
    expect(text).toContain(`<meta http-equiv="refresh" content="1; url=${href.replaceAll('&', '&amp;')}"`);
    const callback = await browser.navigate(href);
    expect(callback.headers.get('Location')).toBe(`${target.origin}/dev/welcome?claim=1`);
    for (const answer of [started, page, callback]) {
      expect(answer.headers.get('Cross-Origin-Opener-Policy')).toBeNull();
    }
  });
});

describe('the sandbox as an OpenID Connect provider', () => {
  const clientId = 'peridot-sandbox';
  const secret = 'sandbox-secret';

  /** An independent client that reaches the provider without a socket. */
  async function begin(clientSecret = secret) {
    const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
    const config = await client.discovery(
      new URL(`${target.origin}/dev/idp`),
      clientId,
      undefined,
      client.ClientSecretBasic(clientSecret),
      {
        execute,
        [client.customFetch]: (url, { method, headers, body }) =>
          target.request(url, {
            method,
            headers: { ...headers },
            ...(body ? { body: String(body) } : {}),
          }),
      },
    );
    const checks = {
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
      expectedState: client.randomState(),
      expectedNonce: client.randomNonce(),
    };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: `${target.origin}${callbackPath}`,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
    });
    return { config, checks, url };
  }

  async function pick(url: URL): Promise<URL> {
    const chosen = await target.request(url.href, form({ user: 'olu' }, target.origin));
    return new URL(chosen.headers.get('Location') ?? '');
  }

  it('satisfies an independent client: discovery, iss, PKCE, a signed ID token and userinfo', async () => {
    const { config, checks, url } = await begin();
    const tokens = await client.authorizationCodeGrant(config, await pick(url), checks);
    const claims = tokens.claims();
    expect(claims).toMatchObject({ iss: `${target.origin}/dev/idp`, aud: clientId, email_verified: true });
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    expect(userinfo).toMatchObject({ email: 'olumide@example.com', name: 'Olúmìdé Adébáyọ̀' });
  });

  it('exchanges a code only once', async () => {
    const { config, checks, url } = await begin();
    const callback = await pick(url);
    await client.authorizationCodeGrant(config, callback, checks);
    const again = client.authorizationCodeGrant(config, callback, checks);
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('rejects a code with the wrong verifier, a code older than a minute, and an altered one', async () => {
    const { config, checks, url } = await begin();
    const other = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    const callback = await pick(url);
    const refused = { error: 'invalid_grant' };
    await expect(client.authorizationCodeGrant(config, callback, other)).rejects.toMatchObject(refused);
    const altered = new URL(callback);
    altered.searchParams.set('code', `${callback.searchParams.get('code')}A`);
    await expect(client.authorizationCodeGrant(config, altered, checks)).rejects.toMatchObject(refused);
    await target.advance(61);
    await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject(refused);
  });

  it('rejects a client without the secret, and an access token issued elsewhere', async () => {
    const { config, checks, url } = await begin('wrong');
    const exchange = client.authorizationCodeGrant(config, await pick(url), checks);
    await expect(exchange).rejects.toThrow();
    for (const headers of [{}, { Authorization: 'Bearer nonsense' }, { Authorization: 'Bearer a.b' }]) {
      expect((await target.request('/dev/idp/userinfo', { headers })).status).toBe(401);
    }
  });

  it('neither shows a form nor redirects for a request from another service', async () => {
    const { url } = await begin();
    const lies: [string, string][] = [
      ['client_id', 'other'],
      ['redirect_uri', 'https://evil.example/callback'],
      ['redirect_uri', `${target.origin}${callbackPath}/`],
      ['response_type', 'token'],
      ['scope', 'email'],
      ['code_challenge_method', 'plain'],
      ['code_challenge', 'short'],
    ];
    for (const [name, value] of lies) {
      const lying = new URL(url);
      lying.searchParams.set(name, value);
      for (const init of [{}, form({ user: 'ayu' }, target.origin)]) {
        const answer = await target.request(lying.href, init);
        expect([answer.status, answer.headers.get('Location')], `${name}=${value}`).toEqual([400, null]);
      }
    }
  });
});

describe.each(['google', 'github'] as const)('the sandbox as %s', (provider) => {
  const start = `/v1/auth/${provider}`;

  it('offers the same people, each with a separate account', async () => {
    const browser = openBrowser(target);
    const picker = await openPicker(browser, start);
    expect(await (await browser.navigate(picker)).text()).toContain('(sandbox)');
    const email = `wati.${provider}@example.com`;
    const first = await signInAtSandbox(browser, { name: 'Wati', email }, start);
    expect(first.headers.get('Location')).toBe(`${target.origin}/dev/welcome?claim=1`);
    expect(await (await browser.fetch('/v1/auth/claim')).json()).toMatchObject({
      provider,
      email,
      displayName: 'Wati',
    });
    await browser.fetch('/v1/auth/claim', json('POST', { handle: `wati.at.${provider}` }));
    const again = await signInAtSandbox(openBrowser(target), { name: 'W.', email }, start);
    expect(again.headers.get('Location')).toBe(`${target.origin}/dev/welcome`);
    const elsewhere = await browser.fetch(await choose(openBrowser(target), { name: 'Wati', email }));
    expect(elsewhere.status).toBe(400);
  });

  it('has the same options', async () => {
    await target.request('/dev/seed', { method: 'POST' });
    const outcome = async (fields: Record<string, string>) => {
      const answer = await signInAtSandbox(openBrowser(target), { user: 'budi', ...fields }, start);
      return [answer.status, answer.headers.get('X-Error-Code')];
    };
    expect(await outcome({ deny: '1' })).toEqual([400, 'sign_in_cancelled']);
    expect(await outcome({ error: '1' })).toEqual([502, 'provider_failed']);
    expect(await outcome({ conflict: '1' })).toEqual([409, 'email_conflict']);
    const browser = openBrowser(target);
    const email = `una.${provider}@example.com`;
    await signInAtSandbox(browser, { name: 'Una', email, unverified: '1' }, start);
    await browser.fetch('/v1/auth/claim', json('POST', { handle: `una.at.${provider}` }));
    expect(await (await browser.fetch('/v1/credentials')).json()).toMatchObject([{ provider, email: null }]);
  });
});

it('development offers three providers, all backed by the sandbox', async () => {
  const page = await (await openBrowser(target).navigate('/signin')).text();
  for (const id of ['idp', 'google', 'github']) expect(page).toContain(`href="/v1/auth/${id}"`);
  const listed = await (await target.request('/v1/auth/providers')).json();
  expect(listed).toEqual({
    data: [
      { id: 'idp', name: 'Sandbox', kind: 'oidc', configured: true },
      { id: 'google', name: 'Google (sandbox)', kind: 'oidc', configured: true },
      { id: 'github', name: 'GitHub (sandbox)', kind: 'oauth2', configured: true },
    ],
  });
});

it('each unconfigured provider returns 503 in production', async () => {
  const service = await startService(production);
  for (const id of ['google', 'github']) {
    const answer = await service.request(`/v1/auth/${id}`);
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([503, 'provider_not_configured']);
    expect((await service.request(`/dev/${id}/authorize`)).status).toBe(404);
  }
});
