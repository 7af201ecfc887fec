import type { webcrypto } from 'node:crypto';
import { toBase64url, utf8 } from '../../src/lib/encoding.ts';
import { secretHash } from '../../src/lib/secret.ts';
import { compactJwt } from './signing.ts';
import type { Target } from './target.ts';
import { post, type Relation } from './token.ts';

type Parts = Record<string, unknown>;
type Fields = Record<string, string>;

/** A client's key (RFC 9449), whose proofs a test may change. */
export interface Prover {
  readonly alg: 'ES256' | 'EdDSA' | 'Ed25519';
  readonly publicJwk: webcrypto.JsonWebKey;
  readonly privateJwk: webcrypto.JsonWebKey;
  readonly jkt: string;
  sign(text: string): Promise<string>;
}

export async function newProver(alg: Prover['alg'] = 'ES256'): Promise<Prover> {
  const of = alg === 'ES256' ? { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } : { name: 'Ed25519' };
  const pair = await crypto.subtle.generateKey(of, true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('not a pair of keys');
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const members = kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x };
  return {
    alg,
    publicJwk: members as webcrypto.JsonWebKey,
    privateJwk: { ...members, d } as webcrypto.JsonWebKey,
    jkt: secretHash(JSON.stringify(members)),
    sign: async (text) =>
      toBase64url(new Uint8Array(await crypto.subtle.sign(of, pair.privateKey, utf8(text)))),
  };
}

/** The request for which a proof is made, and the test's changes to it. */
export interface Proving {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly head?: Parts;
  readonly claims?: Parts;
}

let count = 0;

/** A proof as a careful client makes it. Changes set to undefined remove a member. */
export function proofOf(
  target: Pick<Target, 'origin' | 'now'>,
  prover: Prover,
  { method = 'POST', path = '/v1/auth/token', token, head = {}, claims = {} }: Proving = {},
): Promise<string> {
  count += 1;
  const all = {
    jti: `proof ${count} of ${prover.jkt}`,
    htm: method,
    htu: target.origin + path,
    iat: Math.floor(target.now() / 1000),
    ...(token !== undefined && { ath: secretHash(token) }),
    ...claims,
  };
  const header = { typ: 'dpop+jwt', alg: prover.alg, jwk: prover.publicJwk, ...head };
  return compactJwt(header, all, prover.sign);
}

/** The nonce that the service currently issues. */
export async function nonceOf(relation: Relation, prover: Prover): Promise<string> {
  const proof = await proofOf(relation.target, prover, { claims: { htm: 'GET' } });
  const answer = await post(relation, '/v1/auth/token', { grant_type: 'none' }, headersWith(relation, proof));
  return answer.headers.get('DPoP-Nonce') ?? '';
}

/** An app's credentials, and a proof. */
export function headersWith({ app }: Pick<Relation, 'app'>, proof: string): Record<string, string> {
  const basic = app.secret && { Authorization: `Basic ${btoa(`${app.id}:${app.secret.value}`)}` };
  return { ...basic, DPoP: proof };
}

/** A token request with a proof of a key, which has the current nonce if it is a refresh. */
export async function postProven(
  relation: Relation,
  prover: Prover,
  fields: Fields,
  { path = '/v1/auth/token', ...proving }: Proving = {},
): Promise<Response> {
  const isRefresh = fields['grant_type'] === 'refresh_token';
  const nonce = isRefresh ? { nonce: await nonceOf(relation, prover) } : {};
  const claims = { ...nonce, ...proving.claims };
  const proof = await proofOf(relation.target, prover, { ...proving, path, claims });
  return post(relation, path, fields, headersWith(relation, proof));
}

/** Calls an endpoint with a token and a proof. */
export async function callProven(
  target: Pick<Target, 'origin' | 'now' | 'request'>,
  prover: Prover,
  token: string,
  { method = 'GET', path = '/v1/wallet', ...proving }: Proving = {},
): Promise<Response> {
  const proof = await proofOf(target, prover, { method, path, token, ...proving });
  return target.request(path, { method, headers: { Authorization: `DPoP ${token}`, DPoP: proof } });
}
