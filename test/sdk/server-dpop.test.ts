import { beforeAll, describe, expect, it } from 'vitest';
import { type VerifyAppOptions, verifyAppToken } from '../../sdk/server.ts';
import { ownResource } from '../support/apps.ts';
import { newProver, type Prover, type Proving, postProven, proofOf } from '../support/dpop.ts';
import { useService } from '../support/service.ts';
import { appSignIn, codeFields, newCode, newRelation, type Relation, tokensOf } from '../support/token.ts';

// Runs in Node and in workerd.

const audience = 'https://api.example.com/notes';
const place = { method: 'PUT', path: '/notes/7' };
const scope = 'openid wallet:read';

describe('verifyAppToken with a token that is bound to a key', () => {
  const target = useService({ BASE_URL: 'http://bound-tokens.localhost:8787' });
  let relation: Relation;
  let prover: Prover;
  let token: string;
  const options = (): VerifyAppOptions => ({
    baseUrl: target.origin,
    audience,
    now: () => target.now(),
    fetch: async (url: string) => target.request(url.slice(target.origin.length)),
  });
  /** A proof for the back end. */
  const prove = (changes: Proving = {}, by = prover) =>
    proofOf({ origin: new URL(audience).origin, now: () => target.now() }, by, {
      ...{ ...place, token },
      ...changes,
    });
  const call = (proof: string, { scheme = 'DPoP', of = token } = {}) => ({
    method: place.method,
    // As Node's requests have it, and as a proxy changes it.
    url: `${place.path}?a=b`,
    headers: { authorization: `${scheme} ${of}`, dpop: proof },
  });
  const verify = async (...of: Parameters<typeof call>) => verifyAppToken(call(...of), options());
  beforeAll(async () => {
    relation = await newRelation(target);
    await ownResource(target, { resource: audience, owner: relation.app.id });
    prover = await newProver();
    const code = await newCode(relation, { scope, resource: audience });
    token = (await tokensOf(await postProven(relation, prover, codeFields(code)))).access_token;
  });

  it('returns the app for a proof of its key, but only once [DP-02, DP-04]', async () => {
    const proof = await prove();
    expect(await verify(proof)).toMatchObject({ appId: relation.app.id });
    expect(await verify(proof)).toBeNull();
    const { url, ...init } = call(await prove());
    const request = new Request(`http://10.0.0.7:8080${url}`, init);
    expect(await verifyAppToken(request, options())).not.toBeNull();
    const mounted = { ...call(await prove()), url: '/7', originalUrl: place.path };
    expect(await verifyAppToken(mounted, options())).not.toBeNull();
  });

  it('leaves it to the back end to recognise a proof that another process has seen [DP-04]', async () => {
    const ids = new Set<string>();
    const consumeProof = async (id: string, expiresAt: Date) => {
      expect(Number(expiresAt) - target.now()).toBeGreaterThan(60_000);
      return !ids.has(id) && ids.add(id).has(id);
    };
    const request = call(await prove());
    expect(await verifyAppToken(request, { ...options(), consumeProof })).not.toBeNull();
    expect(await verifyAppToken(request, { ...options(), consumeProof })).toBeNull();
    expect(ids.size).toBe(1);
  });

  it('returns null for a bound token as Bearer, for an unbound one as DPoP, and without a proof [DP-02]', async () => {
    expect(await verify(await prove(), { scheme: 'Bearer' })).toBeNull();
    const { access_token: unbound } = await appSignIn(relation, { scope, resource: audience });
    expect(await verify(await prove({ token: unbound }), { of: unbound })).toBeNull();
    expect(await verify(await prove(), { of: unbound, scheme: 'Bearer' })).not.toBeNull();
    const { headers, ...request } = call('');
    const without = { ...request, headers: { authorization: headers.authorization } };
    expect(await verifyAppToken(without, options())).toBeNull();
  });

  it('returns null for a request whose path is not a valid address [DP-03]', async () => {
    for (const url of ['//[', 'https://', '//a:b'])
      expect([url, await verifyAppToken({ ...call(await prove()), url }, options())]).toEqual([url, null]);
  });

  it('returns null for any fault in the proof [DP-03]', async () => {
    const other = await newProver();
    const seconds = Math.floor(target.now() / 1000);
    const faults: Record<string, string> = {
      'no JWT': 'a.b.c',
      'two proofs': `${await prove()}, ${await prove()}`,
      'another key': await prove({}, other),
      'a key that did not sign it': await prove({ head: { jwk: prover.publicJwk } }, other),
      'a private key': await prove({ head: { jwk: prover.privateJwk } }),
      'no key': await prove({ head: { jwk: undefined } }),
      'alg none': await prove({ head: { alg: 'none' } }),
      'another alg': await prove({ head: { alg: 'EdDSA' } }),
      'an alg of objects': await prove({ head: { alg: 'constructor' } }),
      'another typ': await prove({ head: { typ: 'JWT' } }),
      'a critical extension': await prove({ head: { crit: ['b64'] } }),
      'another method': await prove({ method: 'GET' }),
      'another path': await prove({ path: '/notes/8' }),
      'another host': await prove({ claims: { htu: `https://api.example.net${place.path}` } }),
      'the token of another request': await prove({ token: 'another' }),
      'no digest of the token': await prove({ claims: { ath: undefined } }),
      'no id': await prove({ claims: { jti: undefined } }),
      'no time': await prove({ claims: { iat: undefined } }),
      'an age of 61 seconds': await prove({ claims: { iat: seconds - 61 } }),
      'a time in the future': await prove({ claims: { iat: seconds + 40 } }),
    };
    for (const [fault, proof] of Object.entries(faults))
      expect([fault, await verify(proof)]).toEqual([fault, null]);
    expect(await verify(await prove())).not.toBeNull();
  });
});
