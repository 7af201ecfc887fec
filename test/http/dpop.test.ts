import { describe, expect, it } from 'vitest';
import { newApp } from '../support/apps.ts';
import { newDocumentClient } from '../support/client-documents.ts';
import {
  callProven,
  headersWith,
  newProver,
  nonceOf,
  type Prover,
  type Proving,
  postProven,
  proofOf,
} from '../support/dpop.ts';
import { ask, lastPage, popupType, press } from '../support/popup-tokens.ts';
import { useService } from '../support/service.ts';
import { decodeJwt, hmacSigner } from '../support/signing.ts';
import {
  appSignIn,
  type Code,
  codeFields,
  exchange,
  newCode,
  newRelation,
  post,
  type Relation,
  tokensOf,
  userinfo,
} from '../support/token.ts';

const target = useService({ RATE_LIMITS: 'off' });

const scope = 'openid profile offline_access wallet:read';
const ofToken = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token });

/** A public app: its refresh tokens are bound. */
async function publicRelation(): Promise<Relation> {
  return newRelation(target, { type: 'native' });
}

/** Signs the person in to the app with a key. */
async function signIn(relation: Relation, prover: Prover) {
  const code = await newCode(relation, { scope });
  return { ...code, ...(await tokensOf(await postProven(relation, prover, codeFields(code)))) };
}

const errorOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error?: string };
  return [answer.status, error];
};

/** The status of a call, and the scheme and error in its challenge. */
function challengeOf(answer: Response) {
  const [, scheme, error] = /^(\w+) error="(\w+)"/.exec(answer.headers.get('WWW-Authenticate') ?? '') ?? [];
  return [answer.status, scheme, error];
}

const revokedReason = async ({ sid }: Pick<Code, 'sid'>) => {
  const [row] = await target.rows<{ revoked_reason: string | null }>(
    'SELECT revoked_reason FROM app_sessions WHERE id = ?',
    [sid],
  );
  return row?.revoked_reason;
};

describe('the tokens for a code', () => {
  it.each(['ES256', 'EdDSA', 'Ed25519'] as const)(
    'are bound to the %s key of a proof, and work with proofs of that key [DP-01]',
    async (alg) => {
      const prover = await newProver(alg);
      const relation = await newRelation(target);
      const tokens = await signIn(relation, prover);
      expect(tokens.token_type).toBe('DPoP');
      expect(decodeJwt(tokens.access_token).payload['cnf']).toEqual({ jkt: prover.jkt });
      const path = '/v1/auth/userinfo';
      const answer = await callProven(target, prover, tokens.access_token, { path });
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { sub: `${relation.person.handle}@pid` },
      ]);
      expect((await callProven(target, prover, tokens.access_token)).status).toBe(404);
      const introspected = await post(relation, '/v1/auth/introspect', { token: tokens.access_token });
      expect(await introspected.json()).toMatchObject({ token_type: 'DPoP', cnf: { jkt: prover.jkt } });
    },
  );

  it('are bearer tokens if no proof is sent', async () => {
    const tokens = await appSignIn(await newRelation(target), { scope });
    expect(tokens.token_type).toBe('Bearer');
    expect(decodeJwt(tokens.access_token).payload).not.toHaveProperty('cnf');
  });

  it('are also issued to an app itself, for an approved popup, and in exchange [DP-01]', async () => {
    const prover = await newProver();
    const relation = await newRelation(target);
    await target.advance(61);
    await appSignIn(relation, { scope });
    const opener = await ask(relation, scope);
    await press(relation, opener);
    const { result = '' } = await lastPage(relation.person.browser, opener);
    const popup = {
      subject_token: `${opener.id}.${opener.verifier}.${result}`,
      subject_token_type: popupType,
    };
    const path = '/v1/auth/exchange';
    const bound = await tokensOf(await postProven(relation, prover, popup, { path }));
    const own = await tokensOf(await postProven(relation, prover, { grant_type: 'client_credentials' }));
    for (const { access_token, token_type } of [bound, own]) {
      expect(token_type).toBe('DPoP');
      expect(decodeJwt(access_token).payload['cnf']).toEqual({ jkt: prover.jkt });
    }
  });
});

describe('a token that is bound to a key', () => {
  it('is rejected as a bearer token and in a form, and an unbound token is rejected with the scheme DPoP [DP-02]', async () => {
    const prover = await newProver();
    const { access_token: token } = await signIn(await newRelation(target), prover);
    const bearing = { Authorization: `Bearer ${token}` };
    const proof = await proofOf(target, prover, { method: 'GET', path: '/v1/wallet', token });
    const refused = [401, 'DPoP', 'invalid_token'];
    expect(challengeOf(await target.request('/v1/wallet', { headers: bearing }))).toEqual(refused);
    const withProof = { ...bearing, DPoP: proof };
    expect(challengeOf(await target.request('/v1/wallet', { headers: withProof }))).toEqual(refused);
    const asDpop = { Authorization: `DPoP ${token}` };
    expect(challengeOf(await target.request('/v1/wallet', { headers: asDpop }))).toEqual([
      401,
      'DPoP',
      'invalid_dpop_proof',
    ]);
    expect(challengeOf(await userinfo(target, token))).toEqual(refused);
    const form = { method: 'POST', body: new URLSearchParams({ access_token: token }).toString() };
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', DPoP: proof };
    expect(challengeOf(await target.request('/v1/auth/userinfo', { ...form, headers }))).toEqual(refused);

    const { access_token: unbound } = await appSignIn(await newRelation(target), { scope });
    expect(challengeOf(await callProven(target, prover, unbound))).toEqual(refused);
  });

  it('is rejected with a proof of another key [DP-02]', async () => {
    const [prover, other] = [await newProver(), await newProver()];
    const { access_token } = await signIn(await newRelation(target), prover);
    expect(challengeOf(await callProven(target, other, access_token))).toEqual([
      401,
      'DPoP',
      'invalid_token',
    ]);
  });

  it('is exchanged only with a proof of its key, and only for another bound token [DP-02]', async () => {
    const [prover, other] = [await newProver(), await newProver()];
    const relation = await publicRelation();
    const { access_token } = await signIn(relation, prover);
    const fields = {
      subject_token: access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    };
    const path = '/v1/auth/exchange';
    const refused = [400, 'invalid_dpop_proof'];
    expect(await errorOf(await post(relation, path, fields))).toEqual(refused);
    expect(await errorOf(await postProven(relation, other, fields, { path }))).toEqual(refused);
    const narrow = await tokensOf(await postProven(relation, prover, fields, { path }));
    expect(decodeJwt(narrow.access_token).payload['cnf']).toEqual({ jkt: prover.jkt });
  });
});

/** The changes that make a proof invalid, and the error if it is not `invalid_dpop_proof`. */
interface Forgery extends Pick<Proving, 'head' | 'claims' | 'token'> {
  readonly error?: string;
  readonly sign?: Prover['sign'];
}

async function forgeries(prover: Prover): Promise<Record<string, Forgery>> {
  const { publicJwk, privateJwk } = prover;
  const stranger = await newProver();
  const shared = await hmacSigner(new Uint8Array(32));
  const iat = Math.floor(target.now() / 1000);
  const { x = '', y = '' } = publicJwk;
  // The last character of 32 bytes in base64url has two unused bits.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const respelt = x.slice(0, -1) + alphabet[alphabet.indexOf(x.slice(-1)) + 1];
  return {
    'another typ': { head: { typ: 'JWT' } },
    'no typ': { head: { typ: undefined } },
    'alg none': { head: { alg: 'none' }, sign: async () => '' },
    HS256: { head: { alg: 'HS256', jwk: { kty: 'oct', k: 'A'.repeat(43) } }, sign: shared },
    'HS256 with a public key': { head: { alg: 'HS256' }, sign: shared },
    'another algorithm than that of the key': { head: { alg: 'EdDSA' } },
    'a private key': { head: { jwk: privateJwk } },
    'no key': { head: { jwk: undefined } },
    'a key id in place of a key': { head: { jwk: undefined, kid: prover.jkt } },
    'a point that is not on the curve': { head: { jwk: { ...publicJwk, y: x } } },
    'a second spelling of a coordinate': { head: { jwk: { ...publicJwk, x: respelt } } },
    'a coordinate with padding': { head: { jwk: { ...publicJwk, y: `${y}=` } } },
    'a key that did not sign it': { head: { jwk: stranger.publicJwk } },
    'a critical extension': { head: { crit: ['b64'], b64: false } },
    'another method': { claims: { htm: 'PUT' } },
    'a method in lower case': { claims: { htm: 'post' } },
    'another host': { claims: { htu: 'https://id.example.net/v1/auth/token' } },
    'another path': { claims: { htu: `${target.origin}/v1/auth/revoke` } },
    'a user in the address': { claims: { htu: target.origin.replace('//', '//user@') } },
    'no address': { claims: { htu: undefined } },
    'no jti': { claims: { jti: undefined } },
    'an empty jti': { claims: { jti: '' } },
    'a jti that is a number': { claims: { jti: 7 } },
    'an age of 61 seconds': { claims: { iat: iat - 61 }, error: 'use_dpop_nonce' },
    'a time in the future': { claims: { iat: iat + 40 }, error: 'use_dpop_nonce' },
    'no time': { claims: { iat: undefined }, error: 'use_dpop_nonce' },
    'an invented nonce': { claims: { nonce: 'A'.repeat(22) }, error: 'use_dpop_nonce' },
  };
}

describe('a proof', () => {
  it('is rejected by the token endpoint if it has any fault, and the code stays usable [DP-03]', async () => {
    const prover = await newProver();
    const relation = await publicRelation();
    const code = await newCode(relation, { scope });
    for (const [name, { error = 'invalid_dpop_proof', sign, ...proving }] of Object.entries(
      await forgeries(prover),
    )) {
      const proof = await proofOf(target, { ...prover, ...(sign && { sign }) }, proving);
      const answer = await post(relation, '/v1/auth/token', codeFields(code), headersWith(relation, proof));
      expect([name, ...(await errorOf(answer))]).toEqual([name, 400, error]);
      expect(answer.headers.get('DPoP-Nonce')).toMatch(/^[\w-]{22}$/);
    }
    for (const proof of ['', 'a.b', 'a.b.c', 'a.b.c.d', 'e30.e30.', `e30.${'A'.repeat(5000)}.AA`]) {
      const answer = await post(relation, '/v1/auth/token', codeFields(code), headersWith(relation, proof));
      expect(await errorOf(answer)).toEqual([400, 'invalid_dpop_proof']);
    }
    const two = [await proofOf(target, prover), await proofOf(target, prover)].join(', ');
    const answer = await post(relation, '/v1/auth/token', codeFields(code), headersWith(relation, two));
    expect(await errorOf(answer)).toEqual([400, 'invalid_dpop_proof']);
    await tokensOf(await postProven(relation, prover, codeFields(code)));
  });

  it('is rejected if it has any fault where a token is used [DP-03]', async () => {
    const prover = await newProver();
    const { access_token: token } = await signIn(await newRelation(target), prover);
    const { access_token: another } = await signIn(await newRelation(target), prover);
    const call = (proof: string) =>
      target.request('/v1/wallet', { headers: { Authorization: `DPoP ${token}`, DPoP: proof } });
    const place = { method: 'GET', path: '/v1/wallet', token };
    const others = {
      'another token': { claims: { ath: decodeJwt(another).payload['jti'] } },
      'the digest of another token': { token: another },
      'no digest': { claims: { ath: undefined } },
    };
    const all: Record<string, Forgery> = { ...(await forgeries(prover)), ...others };
    for (const [name, { error = 'invalid_dpop_proof', sign, ...proving }] of Object.entries(all)) {
      const proof = await proofOf(target, { ...prover, ...(sign && { sign }) }, { ...place, ...proving });
      const answer = await call(proof);
      expect([name, ...challengeOf(answer)]).toEqual([name, 401, 'DPoP', error]);
      expect(answer.headers.get('DPoP-Nonce')).toMatch(/^[\w-]{22}$/);
    }
    const two = [await proofOf(target, prover, place), await proofOf(target, prover, place)].join(', ');
    expect(challengeOf(await call(two))).toEqual([401, 'DPoP', 'invalid_dpop_proof']);
    expect((await call(await proofOf(target, prover, place))).status).toBe(404);
  });

  it('is accepted for any spelling of the address, with a query and a fragment [DP-03]', async () => {
    const prover = await newProver();
    const { access_token } = await signIn(await newRelation(target), prover);
    const upper = target.origin.replace(/^\w+:\/\/[^:]+/, (start) => start.toUpperCase());
    for (const htu of [`${upper}/v1/wallet`, `${target.origin}/v1/wallet?a=b#c`]) {
      const answer = await callProven(target, prover, access_token, { claims: { htu } });
      expect([htu, answer.status]).toEqual([htu, 404]);
    }
  });

  it('works only once in 50 parallel uses, for a call and for a refresh, without revoking the sign-in [DP-04]', async () => {
    const prover = await newProver();
    const relation = await publicRelation();
    const { access_token: token, refresh_token, sid } = await signIn(relation, prover);
    const headers = {
      Authorization: `DPoP ${token}`,
      DPoP: await proofOf(target, prover, { method: 'GET', path: '/v1/wallet', token }),
    };
    const fifty = Array.from({ length: 50 });
    const calls = await Promise.all(fifty.map(() => target.request('/v1/wallet', { headers })));
    expect(calls.filter(({ status }) => status === 404)).toHaveLength(1);
    const refused = calls.filter(({ status }) => status !== 404).map(challengeOf);
    expect(refused).toEqual(Array.from({ length: 49 }, () => [401, 'DPoP', 'invalid_dpop_proof']));

    const proof = await proofOf(target, prover, { claims: { nonce: await nonceOf(relation, prover) } });
    const refresh = () =>
      post(relation, '/v1/auth/token', ofToken(refresh_token), headersWith(relation, proof));
    const refreshes = await Promise.all(fifty.map(refresh));
    const [won, ...others] = refreshes.sort((a, b) => a.status - b.status);
    const next = await tokensOf(won as Response);
    for (const answer of others) expect(await errorOf(answer)).toEqual([400, 'invalid_dpop_proof']);
    expect(await revokedReason({ sid })).toBeNull();
    await tokensOf(await postProven(relation, prover, ofToken(next.refresh_token)));
  });

  it('is not accepted again while it is valid, however late within that time [DP-04]', async () => {
    const prover = await newProver();
    const { access_token: token } = await signIn(await newRelation(target), prover);
    const proof = await proofOf(target, prover, { method: 'GET', path: '/v1/wallet', token });
    const call = () =>
      target.request('/v1/wallet', { headers: { Authorization: `DPoP ${token}`, DPoP: proof } });
    expect((await call()).status).toBe(404);
    await target.advance(59);
    expect(challengeOf(await call())).toEqual([401, 'DPoP', 'invalid_dpop_proof']);
    await target.advance(2);
    expect(challengeOf(await call())).toEqual([401, 'DPoP', 'use_dpop_nonce']);
  });

  it('leaves no row if the client is unknown or has a wrong secret [DP-04]', async () => {
    const relation = await newRelation(target);
    const [prover, code] = [await newProver(), await newCode(relation, { scope })];
    const { access_token } = await appSignIn(relation, { scope });
    const { refresh_token } = await appSignIn(relation, { scope });
    const rows = () => target.rows('SELECT hash FROM used_once ORDER BY hash');
    const before = await rows();
    const id = 'app_00000000000000000000000000';
    const narrowed = 'urn:ietf:params:oauth:token-type:access_token';
    for (const changes of [{ id }, { secret: { id: '', value: 'pids_wrong' } }]) {
      const stranger = { ...relation, app: { ...relation.app, ...changes } } as Relation;
      for (const [path, fields] of [
        ['/v1/auth/token', { grant_type: 'client_credentials' }],
        ['/v1/auth/token', codeFields(code)],
        ['/v1/auth/token', ofToken(refresh_token)],
        ['/v1/auth/exchange', { subject_token: access_token, subject_token_type: narrowed }],
        ['/v1/auth/exchange', { subject_token: 'a.b.c.d', subject_token_type: popupType }],
      ] as const) {
        const answer = await postProven(stranger, prover, fields, { path });
        expect(await errorOf(answer)).toEqual([401, 'invalid_client']);
      }
    }
    expect(await rows()).toEqual(before);
    await tokensOf(await postProven(relation, prover, codeFields(code)));
    expect(await rows()).toHaveLength(before.length + 1);
  });

  it('with a nonce is accepted regardless of the client’s clock until the nonce is a minute old [DP-03]', async () => {
    const prover = await newProver();
    const relation = await newRelation(target);
    const { access_token } = await signIn(relation, prover);
    const nonce = await nonceOf(relation, prover);
    for (const iat of [1, 4_102_444_800]) {
      const answer = await callProven(target, prover, access_token, { claims: { iat, nonce } });
      expect(answer.status).toBe(404);
    }
    await target.advance(61);
    const late = await callProven(target, prover, access_token, { claims: { nonce } });
    expect(challengeOf(late)).toEqual([401, 'DPoP', 'use_dpop_nonce']);
    const next = late.headers.get('DPoP-Nonce');
    const answer = await callProven(target, prover, access_token, { claims: { nonce: next } });
    expect(answer.status).toBe(404);
  });
});

describe('a refresh token', () => {
  it('needs a proof of its key if the app has no secret, and any other proof has no effect [DP-05]', async () => {
    const [prover, other] = [await newProver(), await newProver()];
    const relation = await publicRelation();
    const { refresh_token: first, sid } = await signIn(relation, prover);
    const refused = [400, 'invalid_dpop_proof'];
    const stolen = async (token: string) => {
      expect(await errorOf(await post(relation, '/v1/auth/token', ofToken(token)))).toEqual(refused);
      expect(await errorOf(await postProven(relation, other, ofToken(token)))).toEqual(refused);
    };
    await stolen(first);
    const { refresh_token: second } = await tokensOf(await postProven(relation, prover, ofToken(first)));
    await target.advance(120);
    // A used token without the key does not sign the person out; with the key it does, as always.
    await stolen(first);
    expect(await revokedReason({ sid })).toBeNull();
    const { refresh_token: third } = await tokensOf(await postProven(relation, prover, ofToken(second)));
    await target.advance(120);
    expect(await errorOf(await postProven(relation, prover, ofToken(second)))).toEqual([
      400,
      'invalid_grant',
    ]);
    expect(await revokedReason({ sid })).toBe('replay');
    expect(await errorOf(await postProven(relation, prover, ofToken(third)))).toEqual([400, 'invalid_grant']);
  });

  it('stays unbound if the sign-in was, because a later proof binds only the access token [DP-05]', async () => {
    const prover = await newProver();
    const relation = await publicRelation();
    const { refresh_token: first } = await appSignIn(relation, { scope });
    const second = await tokensOf(await postProven(relation, prover, ofToken(first)));
    expect(decodeJwt(second.access_token).payload['cnf']).toEqual({ jkt: prover.jkt });
    const third = await tokensOf(await post(relation, '/v1/auth/token', ofToken(second.refresh_token)));
    expect(third.token_type).toBe('Bearer');
  });

  it('revokes its unbound sign-in when the owner replays it, with any proof or none, after a thief has used it [DP-05]', async () => {
    const [thief, owner] = [await newProver(), await newProver()];
    const relation = await publicRelation();
    const withKey = (token: string) => postProven(relation, owner, ofToken(token));
    const withoutKey = (token: string) => post(relation, '/v1/auth/token', ofToken(token));
    for (const replay of [withKey, withoutKey]) {
      const { refresh_token: stolen, sid } = await appSignIn(relation, { scope });
      const { refresh_token: next } = await tokensOf(await postProven(relation, thief, ofToken(stolen)));
      await target.advance(31);
      expect(await errorOf(await replay(stolen))).toEqual([400, 'invalid_grant']);
      expect(await revokedReason({ sid })).toBe('replay');
      expect(await errorOf(await postProven(relation, thief, ofToken(next)))).toEqual([400, 'invalid_grant']);
    }
  });

  it('can be revoked without a secret only while it is live [DP-05]', async () => {
    const prover = await newProver();
    const relation = await publicRelation();
    const revoke = async (token: string) =>
      expect((await post(relation, '/v1/auth/revoke', { token })).status).toBe(200);
    const { refresh_token: first, sid } = await signIn(relation, prover);
    const { refresh_token: second } = await tokensOf(await postProven(relation, prover, ofToken(first)));
    await revoke(first);
    expect(await revokedReason({ sid })).toBeNull();
    await revoke(second);
    expect(await revokedReason({ sid })).toBe('revoked');
    // Without a key, a used token may end its sign-in, as its replay would.
    const unbound = await appSignIn(relation, { scope });
    await tokensOf(await post(relation, '/v1/auth/token', ofToken(unbound.refresh_token)));
    await revoke(unbound.refresh_token);
    expect(await revokedReason(unbound)).toBe('revoked');
  });

  it('is bound to the secret if the app has one, so the key may change [DP-05]', async () => {
    const [prover, other] = [await newProver(), await newProver()];
    const relation = await newRelation(target);
    const { refresh_token: first } = await signIn(relation, prover);
    const second = await tokensOf(await postProven(relation, other, ofToken(first)));
    expect(decodeJwt(second.access_token).payload['cnf']).toEqual({ jkt: other.jkt });
    const third = await tokensOf(await post(relation, '/v1/auth/token', ofToken(second.refresh_token)));
    expect(third.token_type).toBe('Bearer');
  });

  it('needs a proof with a nonce, so that none can be made in advance [DP-05]', async () => {
    const prover = await newProver();
    const relation = await publicRelation();
    const { refresh_token } = await signIn(relation, prover);
    const answer = await postProven(relation, prover, ofToken(refresh_token), {
      claims: { nonce: undefined },
    });
    const nonce = answer.headers.get('DPoP-Nonce');
    expect(await errorOf(answer)).toEqual([400, 'use_dpop_nonce']);
    await tokensOf(await postProven(relation, prover, ofToken(refresh_token), { claims: { nonce } }));
  });

  it('is issued to an unregistered client only with a proof [DP-05]', async () => {
    const prover = await newProver();
    const relation = await publicRelation();
    const unregistered = { ...relation, app: { ...relation.app, ...(await newDocumentClient(target)) } };
    const code = await newCode(unregistered, { scope: 'openid offline_access' });
    expect(await errorOf(await exchange(unregistered, code))).toEqual([400, 'invalid_dpop_proof']);
    await tokensOf(await postProven(unregistered, prover, codeFields(code)));
    const online = await newCode(unregistered, { scope: 'openid' });
    expect(await tokensOf(await exchange(unregistered, online))).not.toHaveProperty('refresh_token');
  });
});

describe('a code bound to a key', () => {
  it('is exchanged only with a proof of that key, and stays usable after attempts without one [DP-06]', async () => {
    const [prover, other] = [await newProver(), await newProver()];
    for (const type of ['native', 'web']) {
      const relation = await newRelation(target, { type });
      const code = await newCode(relation, { scope, dpop_jkt: prover.jkt });
      const refused = [400, 'invalid_dpop_proof'];
      expect(await errorOf(await exchange(relation, code))).toEqual(refused);
      expect(await errorOf(await postProven(relation, other, codeFields(code)))).toEqual(refused);
      expect(await revokedReason(code)).toBeNull();
      await tokensOf(await postProven(relation, prover, codeFields(code)));
    }
  });

  it('is not issued for a value that is not a thumbprint [DP-06]', async () => {
    const relation = await publicRelation();
    for (const dpop_jkt of ['A', 'A'.repeat(44), `${'A'.repeat(42)}+`])
      await expect(newCode(relation, { scope, dpop_jkt })).rejects.toThrow('dpop_jkt must be');
  });
});

it('a page of an app may send a proof, and read the nonce', async () => {
  const relation = await newRelation(target);
  const origin = 'https://dpop.example.com';
  await newApp(relation.person.browser, { allowedOrigins: [origin] });
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
  const preflight = await target.request('/v1/auth/token', { method: 'OPTIONS', headers });
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('DPoP');
  expect(preflight.headers.get('Access-Control-Expose-Headers')).toContain('DPoP-Nonce');
});
