import { beforeAll, describe, expect, it } from 'vitest';
import { journalPrefixes } from '../../src/features/identity/journal.ts';
import { settledLog } from '../support/answers.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { json, openBrowser } from '../support/browser.ts';
import { dumpDatabase } from '../support/database-dump.ts';
import { askLogin, askRegistration, sendRegistration } from '../support/passkeys.ts';
import { freshEmail, goodPassword, register } from '../support/passwords.ts';
import { freshHandle, newMember, signIn, somebody, startSignIn } from '../support/people.ts';
import { openPopup, registered, signInInPopup } from '../support/popup.ts';
import { useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';
import { type Target, testSecretKey } from '../support/target.ts';
import { appSignIn, newCode, newRelation, refresh, tokensOf } from '../support/token.ts';

const encoder = new TextEncoder();

/** Returns whether any of the files contains the bytes. */
function occurs(files: Uint8Array[], text: string): boolean {
  const needle = encoder.encode(text);
  return files.some((file) => {
    for (let at = file.indexOf(needle[0] ?? 0); at >= 0; at = file.indexOf(needle[0] ?? 0, at + 1)) {
      if (needle.every((byte, index) => file[at + index] === byte)) return true;
    }
    return false;
  });
}

const textOf = (file: Uint8Array) => Buffer.from(file).toString('latin1');

/**
 * Returns whether the text contains a word that is not part of a longer one: six digits occur by chance inside times
 * and digests, but not as a whole value or JSON value.
 */
const hasWord = (text: string, word: string) => new RegExp(`(?<![\\w.-])${word}(?![\\w.-])`).test(text);

/** Cookies that contain a secret; `pid_hint` is public. */
const secretCookies = /^pid_(access|refresh|claim|oauth|passkey|email)/;

interface Issued {
  readonly secrets: string[];
  /** The six digits sent by email. */
  readonly codes: string[];
}

/** Runs every operation that issues secrets, and returns all issued secrets. */
async function runAndCollect(target: Target): Promise<Issued> {
  const codes: string[] = [];
  const secrets = new Set<string>([testSecretKey, 'provider secret']);
  const collect = (answer: Response) => {
    for (const { name, value } of setCookies(answer))
      if (secretCookies.test(name) && value) secrets.add(value);
    return answer;
  };
  for (let person = 0; person < 5; person += 1) {
    const browser = openBrowser(target);
    const claims = { ...somebody(), email_verified: true };
    for (const visit of ['claims', 'returns', 'returns']) {
      collect(await browser.fetch('/v1/auth/login', json('POST', { returnTo: '/secret-place' })));
      const { callback, code, authorizeUrl } = await startSignIn(target, browser, { claims });
      for (const name of ['state', 'nonce', 'code_challenge'])
        secrets.add(authorizeUrl.searchParams.get(name) ?? '');
      secrets.add(code).add(`at-${code}`);
      for (const { key, value } of await browser.jar.getCookies(`${target.origin}/v1/auth`)) {
        if (secretCookies.test(key)) secrets.add(value);
      }
      collect(await browser.navigate(callback));
      if (visit === 'claims')
        collect(await browser.fetch('/v1/auth/claim', json('POST', { handle: freshHandle() })));
      for (let turn = 0; turn < 3; turn += 1)
        collect(await browser.fetch('/v1/auth/refresh', { method: 'POST' }));
    }
    if (person % 2 === 0) collect(await browser.fetch('/v1/auth/logout', { method: 'POST' }));
    const opener = await registered(target);
    secrets.add(opener.verifier);
    await openPopup(browser, opener);
    collect(await signInInPopup(target, browser, opener.id, claims));
    if ((await opener.poll())['status'] !== 'approved') throw new Error('the popup was not approved');
    const passkey = { authenticator: createAuthenticator(target.origin), browser: openBrowser(target) };
    const creation = await askRegistration(passkey.browser, 'newcomer');
    const registration = await passkey.authenticator.create(creation);
    collect(await sendRegistration(passkey.browser, 'newcomer', registration));
    const request = await askLogin(passkey.browser);
    secrets.add(creation.challenge).add(request.challenge);
    for (const { key, value } of await passkey.browser.jar.getCookies(`${target.origin}/v1/auth`)) {
      if (secretCookies.test(key)) secrets.add(value);
    }
    const email = freshEmail();
    const code = await register(target, browser, email);
    codes.push(code);
    const verify = json('POST', { email, code });
    collect(await browser.fetch('/v1/auth/email/verify', verify));
    await browser.fetch('/v1/auth/email/login', json('POST', { email, password: goodPassword }));
    secrets.add(goodPassword);
    // A person who never claims, so that the ticket remains.
    collect(await signIn(target, openBrowser(target)));
  }
  // An app with one used and one unused code.
  const relation = await newRelation(target);
  const { code, access_token, refresh_token, id_token = '' } = await appSignIn(relation);
  const next = await tokensOf(await refresh(relation, refresh_token));
  const unused = await newCode(relation);
  for (const secret of [
    code,
    access_token,
    refresh_token,
    id_token,
    next.access_token,
    next.refresh_token,
    unused.code,
  ])
    secrets.add(secret);
  secrets.add(relation.app.secret?.value ?? '');
  // An app whose code stays unused.
  codes.push(await register(target, openBrowser(target), freshEmail()));
  // The parts of a token are secrets too, because the first half of a refresh token is the token.
  for (const secret of [...secrets])
    for (const part of secret.split('.')) if (part.length >= 20) secrets.add(part);
  return {
    secrets: [...secrets].filter((secret) => secret.length > 8 && !/^(ses|aps)_/.test(secret)),
    codes,
  };
}

describe('the stored data', () => {
  let secrets: string[] = [];
  let codes: string[] = [];
  // Low enough that buckets are shared through KV where available.
  const target = useService({ RATE_LIMITS: '{"POST /v1/auth/login":18,"*":1000}' });
  beforeAll(async () => {
    ({ secrets, codes } = await runAndCollect(target));
  });

  it('contains no issued token, ticket, code, state, nonce or key [D-77]', async () => {
    expect(secrets.length).toBeGreaterThan(150);
    const files = await target.files();
    for (const secret of secrets)
      expect(occurs(files, secret), `${secret.slice(0, 6)}… is stored`).toBe(false);
  });

  it('contains no emailed code [D-77]', async () => {
    const stored = [await dumpDatabase(target), ...(await target.files()).map(textOf)];
    expect(codes.length).toBe(6);
    expect(codes.filter((code) => stored.some((text) => hasWord(text, code)))).toEqual([]);
    // The search finds the purpose of a code, which is in the same row.
    expect(hasWord(stored[0] ?? '', 'register')).toBe(true);
  });

  it('contains known values, which proves that the search works [D-77]', async () => {
    const files = await target.files();
    const [session] = await target.rows<{ id: string; token_hash: string; handle: string }>(
      'SELECT id, token_hash, handle FROM sessions',
    );
    const [credential] = await target.rows<{ provider_user_id: string }>(
      'SELECT provider_user_id FROM credentials',
    );
    for (const known of [session?.id, session?.token_hash, credential?.provider_user_id]) {
      expect(occurs(files, known ?? 'nothing'), known).toBe(true);
    }
    // The key-value store is searched too, because only it has the journal's keys.
    const journalled = `${journalPrefixes.issued}${session?.handle}`;
    await expect.poll(async () => occurs(await target.files(), journalled), { timeout: 10_000 }).toBe(true);
    // Buckets are shared only where KV stores them.
    expect(occurs(files, 'bucket:POST /v1/auth/login')).toBe((target.trips()?.kv ?? 0) > 0);
  });

  it('contains signing keys only in encrypted form [D-77]', async () => {
    const keys = await target.rows<{ private_enc: string; public_jwk: string }>('SELECT * FROM signing_keys');
    for (const { private_enc } of keys) expect(private_enc).toMatch(/^[\w-]{16}\.[\w-]{100,}$/);
    const members = keys.map(({ public_jwk }) => Object.keys(JSON.parse(public_jwk)).sort().join(' '));
    expect(members.sort()).toEqual(['alg crv kid kty use x y', 'alg e kid kty n use']);
    expect(await dumpDatabase(target)).not.toMatch(/"d\\*":/);
  });

  it('never appears in a response, except a token in its own cookie [D-03]', async () => {
    const { browser } = await newMember(target);
    const values = await Promise.all(
      ['pid_access', 'pid_refresh'].map((name) => browser.cookie(name, '/v1/auth')),
    );
    for (const path of [
      '/v1/auth/session',
      '/v1/credentials',
      '/v1/auth/providers',
      '/.well-known/jwks.json',
    ]) {
      const answer = await browser.fetch(path);
      const said = JSON.stringify([...answer.headers]) + (await answer.text());
      for (const value of values) expect(said).not.toContain(value);
    }
  });
});

describe('the log', () => {
  let secrets: string[] = [];
  const marks = ['marked.person@example.com', 'marked-subject', 'Marked Name', 'marked-agent'];
  const target = useService();
  beforeAll(async () => {
    ({ secrets } = await runAndCollect(target));
    const browser = openBrowser(target);
    const forged = '"}\n{"level":"error","event":"forged"}';
    const encoded = encodeURIComponent(forged);
    const agent = { 'User-Agent': 'marked-agent "}{"event":"forged"} \\r\\n \\u2028' };
    await signIn(target, browser, {
      sub: 'marked-subject',
      email: 'marked.person@example.com',
      name: 'Marked Name',
    });
    await browser.fetch('/v1/auth/claim', { headers: agent });
    await browser.fetch(`/v1/auth/claim/handles/${encoded}`, { headers: agent });
    for (const handle of [forged, '\r\n{"event":"forged"}', '\u2028']) {
      await browser.fetch('/v1/auth/claim', json('POST', { handle }));
    }
    await browser.fetch(
      '/v1/auth/claim',
      json('POST', { handle: 'marked-claimer', displayName: 'Marked Name' }),
    );
    await browser.fetch('/v1/auth/login', json('POST', { returnTo: forged }));
    await browser.navigate(`/v1/auth/idp/callback?state=${encoded}&code=marked-code&error=${encoded}`);
    await target.request('/v1/auth/login', {
      method: 'POST',
      headers: { Origin: 'https://evil.example"}{' },
    });
    await target.request(`/${encoded}`, { headers: agent });
    await target.request('/v1/auth/session', {
      headers: { Cookie: 'pid_access=marked-token; pid_access=marked-token' },
    });
    await target.request('/v1/auth/session', { headers: { Authorization: 'Bearer marked-token' } });
    marks.push('marked-code', 'marked-token');
    for (const token of ['html', '500'] as const) {
      const { callback, code } = await startSignIn(target, browser, { token });
      secrets.push(code);
      await browser.navigate(callback);
    }
    await browser.fetch('/v1/nowhere');
  });

  it('is one JSON object per line with a UTC time, a level and an event, regardless of client input [D-78]', async () => {
    const lines = await settledLog(target);
    expect(lines.length).toBeGreaterThan(100);
    for (const line of lines) {
      expect(line).not.toMatch(/[\r\n]/);
      const entry = JSON.parse(line) as Record<string, unknown>;
      expect(entry['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(['debug', 'info', 'warn', 'error']).toContain(entry['level']);
      expect(entry['event']).not.toBe('forged');
    }
  });

  it('contains no secrets, addresses, names, subjects or user agents [D-78]', () => {
    const text = target.log().join('\n');
    for (const mark of marks) expect(text.includes(mark), `${mark} is logged`).toBe(false);
    for (const secret of secrets)
      expect(text.includes(secret), `${secret.slice(0, 6)}… is logged`).toBe(false);
  });

  it('records every successful and rejected sign-in, with its method and outcome [D-78]', () => {
    const entries = target.log().map((line) => JSON.parse(line) as Record<string, unknown>);
    const outcomes = entries.filter(({ event }) => event === 'sign_in');
    expect(outcomes).toContainEqual(expect.objectContaining({ provider: 'idp', verdict: 'signed_in' }));
    expect(outcomes).toContainEqual(expect.objectContaining({ provider: 'idp', verdict: 'claim_required' }));
    const refused = entries.filter(({ path }) => path === '/v1/auth/idp/callback');
    expect(refused).toContainEqual(
      expect.objectContaining({ event: 'request.refused', errorCode: 'state_invalid' }),
    );
    expect(refused).toContainEqual(
      expect.objectContaining({ event: 'request.failed', errorCode: 'provider_failed' }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ event: 'claim', verdict: 'claimed', handle: 'marked-claimer' }),
    );
  });
});
