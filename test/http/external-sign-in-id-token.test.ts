import { describe, expect, inject, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { expectNoSession } from '../support/outcomes.ts';
import { newMember, signIn, startSignIn } from '../support/people.ts';
import { countVisits, reportCode, type Scenario, spellings, tokenParts } from '../support/provider-driver.ts';
import { startService, useService } from '../support/service.ts';
import type { Target } from '../support/target.ts';

const welcome = 'http://localhost:8787/dev/welcome';
const issuer = `${inject('lyingIssuer')}/at/id-token`;
const secret = 'a secret: with + and % and é';

const target = useService({ IDP_ISSUER: issuer, IDP_CLIENT_SECRET: secret });

/** Expects a scenario to end in 502 without a session, after the code was sent only once. */
async function expectRefused(service: Target, scenario: Scenario): Promise<void> {
  const browser = openBrowser(service);
  const { callback, code, authorizeUrl } = await startSignIn(service, browser, scenario);
  await expectNoSession(service, 'provider_failed', () => browser.fetch(callback));
  const report = await reportCode(authorizeUrl.href.split('/authorize')[0] ?? '', code);
  expect(report.tokenCalls).toHaveLength(1);
}

/** Expects a scenario to end in a claim ticket. */
async function expectAccepted(service: Target, scenario: Scenario): Promise<void> {
  const browser = openBrowser(service);
  const { callback } = await startSignIn(service, browser, scenario);
  const answer = await browser.navigate(callback);
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, `${welcome}?claim=1`]);
}

describe('the ID token', () => {
  it.each([
    'bad-signature',
    'alg-none',
    'hs256-with-public-key',
    'other-key-unknown-kid',
    'expired',
    'wrong-aud',
    'wrong-iss',
    'wrong-azp',
    'aud-array-without-azp',
    'missing',
  ] as const)('is rejected: %s [D-25]', (idToken) => expectRefused(target, { idToken }));

  it.each([
    ['another nonce', { nonce: 'another-nonce' }],
    ['a nonce that is not a string', { nonce: ['a'] }],
    ['an empty nonce', { nonce: '' }],
    ['another audience in a list', { aud: ['another-client'] }],
    ['an issuer with an extra slash', { iss: `${issuer}/` }],
    ['an expiry that is not a number', { exp: 'tomorrow' }],
    ['a start time in the future', { nbf: 4_102_444_800 }],
    ['an azp that is not a string', { azp: null }],
  ])('is rejected with %s [D-25]', (_, literalClaims) => expectRefused(target, { literalClaims }));

  it.each(['nonce', 'iss', 'aud', 'exp', 'iat', 'sub'])('is rejected without %s [D-25]', (name) =>
    expectRefused(target, { claims: { [name]: null } }),
  );

  it.each<[string, Scenario]>([
    ['signed with ES256', { alg: 'ES256' }],
    ['for a list of audiences with our azp', { claims: { aud: ['peridot', 'other'], azp: 'peridot' } }],
    ['for a list of only our client', { claims: { aud: ['peridot'] } }],
  ])('is accepted: %s', (_, scenario) => expectAccepted(target, scenario));

  it.each(tokenParts.flatMap((part) => spellings.map((as) => [part, as] as const)))(
    'is rejected with its %s %s [D-25]',
    (part, as) => expectRefused(target, { spelling: { part, as } }),
  );

  it('is accepted 20 seconds after its expiry, to allow for clock skew, but not 60', async () => {
    const now = Math.floor(target.now() / 1000);
    await expectAccepted(target, { now: now - 320 });
    await expectRefused(target, { now: now - 360 });
  });

  it('may be issued 20 seconds in the future, to allow for clock skew, but not 60 seconds or an hour [D-25]', async () => {
    const now = Math.floor(target.now() / 1000);
    await expectAccepted(target, { now: now + 20 });
    for (const ahead of [60, 3600]) await expectRefused(target, { now: now + ahead });
  });
});

describe('the subject', () => {
  it.each([
    null,
    '',
    ' ',
    'undefined',
    'null',
    '[object Object]',
    7,
    true,
    { id: 'one' },
    ['one'],
    'a'.repeat(256),
    '\u0000nobody',
    'some\u0000body',
    'tab\tbed',
    'jos\u00e9',
    'half \ud83d of a pair',
    'half \ude00 of a pair',
    '\u{1f600}',
    'rubout\u007f',
  ])('is rejected as %j [D-26]', (sub) => expectRefused(target, { literalClaims: { sub } }));

  it('is unrelated to the same subject at another provider [D-27]', async () => {
    const { handle } = await newMember(target);
    const sub = `shared-${handle}`;
    await target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
       VALUES (?, ?, 'google', ?, 1, 1)`,
      [`crd_${handle}`, handle, sub],
    );
    await expectAccepted(target, { claims: { sub } });
  });

  it('is compared exactly, neither folded nor trimmed', async () => {
    const { claims } = await newMember(target);
    await expectAccepted(target, { claims: { sub: claims.sub.toUpperCase() } });
    await expectAccepted(target, { claims: { sub: `${claims.sub} ` } });
    const answer = await signIn(target, openBrowser(target), claims);
    expect(answer.headers.get('Location')).toBe(welcome);
  });
});

describe('the token request', () => {
  it('contains the client credentials, form-encoded, a valid PKCE verifier and the redirect URI', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser);
    expect((await browser.navigate(callback)).status).toBe(302);
    const { tokenCalls } = await reportCode(issuer, code);
    expect(tokenCalls).toEqual([
      {
        issuer,
        contentType: expect.stringMatching(/^application\/x-www-form-urlencoded/),
        clientAuth: 'basic',
        clientId: 'peridot',
        clientSecret: secret,
        grantType: 'authorization_code',
        redirectUri: 'http://localhost:8787/v1/auth/idp/callback',
        hasCodeVerifier: true,
        pkceValid: true,
      },
    ]);
  });

  it('sends the secret in the form to a provider that accepts it only there', async () => {
    const postOnly = `${inject('lyingIssuer')}/post-only`;
    const service = await startService({ IDP_ISSUER: postOnly, IDP_CLIENT_SECRET: secret });
    const browser = openBrowser(service);
    const { callback, code } = await startSignIn(service, browser);
    expect((await browser.navigate(callback)).status).toBe(302);
    const { tokenCalls } = await reportCode(postOnly, code);
    expect(tokenCalls).toMatchObject([
      { clientAuth: 'post', clientId: 'peridot', clientSecret: secret, pkceValid: true },
    ]);
  });

  it('is rejected by the provider for a code issued to another client', async () => {
    const browser = openBrowser(target);
    const { callback, code } = await startSignIn(target, browser, { challenge: 'a'.repeat(43) });
    await expectNoSession(target, 'provider_failed', () => browser.fetch(callback));
    const { tokenCalls } = await reportCode(issuer, code);
    expect(tokenCalls.map((call) => call.pkceValid)).toEqual([false]);
  });
});

describe('the documents of a provider', () => {
  it('are cached for an hour', async () => {
    const quiet = `${inject('lyingIssuer')}/at/remembered`;
    const service = await startService({ IDP_ISSUER: quiet });
    for (let time = 0; time < 3; time += 1) await expectAccepted(service, {});
    expect(await countVisits(quiet)).toEqual({ discovery: 1, jwks: 1, internal: 0 });
    await service.advance(3601);
    for (let time = 0; time < 3; time += 1) await expectAccepted(service, {});
    expect(await countVisits(quiet)).toEqual({ discovery: 2, jwks: 2, internal: 0 });
  });

  it('are fetched again for a new key, at most every 30 seconds', async () => {
    const rotating = `${inject('lyingIssuer')}/at/id-token/rotated-keys`;
    const service = await startService({ IDP_ISSUER: rotating });
    await expectAccepted(service, { alg: 'ES256' });
    await service.advance(31);
    await expectAccepted(service, { alg: 'RS256' });
    expect(await countVisits(rotating)).toMatchObject({ jwks: 2 });

    for (let time = 0; time < 3; time += 1)
      await expectRefused(service, { idToken: 'other-key-unknown-kid' });
    expect(await countVisits(rotating)).toMatchObject({ jwks: 2 });
    await service.advance(31);
    for (let time = 0; time < 3; time += 1)
      await expectRefused(service, { idToken: 'other-key-unknown-kid' });
    expect(await countVisits(rotating)).toMatchObject({ jwks: 3 });
  });
});
