import type { Deps } from '../../deps.ts';
import { fromBase64url, fromUtf8, utf8 } from '../../lib/encoding.ts';
import { secretHash } from '../../lib/secret.ts';
import { strictJsonProblem } from '../../lib/strict-json.ts';
import type { OneTime } from '../idp/consume-once.ts';
import { nonceMs, startOfNonce } from './nonce.ts';
import { importProofKey, type ProofKey } from './public-key.ts';

/** The age at which a proof without a nonce is rejected, in seconds, and the maximum clock skew. */
const proofSeconds = 60;
const skewSeconds = 30;
const longestProof = 4_096;
const longestId = 256;

/** A `DPoP` header, and the request that it must be for. */
export interface Presented {
  /** The header; undefined if there is none. Two headers arrive as one with a comma. */
  readonly header: string | undefined;
  readonly method: string;
  readonly url: string;
  /** The access token in the request; null at the token endpoint. */
  readonly accessToken: string | null;
  /** True if the proof must have a nonce, so that it cannot have been made long in advance (RFC 9449 section 11.2). */
  readonly needsNonce: boolean;
}

/** The reason why a proof is rejected. A description must never contain text from the request. */
export interface ProofRefusal {
  readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce';
  readonly description: string;
}

/** A verified proof. */
export interface Proof {
  /** The thumbprint of its key. */
  readonly jkt: string;
  /** Its single-use value. */
  readonly once: OneTime;
}

/**
 * Verifies a proof (RFC 9449 section 4.3). The caller consumes `once`.
 *
 * A nonce shows when the proof was made, whatever the client's clock says. Without one, the clock must be right.
 */
export async function verifyProof(deps: Deps, presented: Presented): Promise<Proof | ProofRefusal> {
  const { header, needsNonce } = presented;
  if (header === undefined) return invalid('the DPoP header is missing');
  const signed = await verifySignature(header);
  if ('error' in signed) return signed;
  const { key, claims } = signed;
  const refusal = checkTarget(deps, presented, claims);
  if (refusal !== null) return refusal;
  const { jti } = claims;
  if (typeof jti !== 'string' || jti === '' || jti.length > longestId) return invalid('jti must be a text');
  const now = deps.now();
  const times = claims['nonce'] === undefined ? byClock(claims, now) : byNonce(deps, claims, now);
  if (times === null || (needsNonce && claims['nonce'] === undefined))
    return { error: 'use_dpop_nonce', description: 'the proof needs the nonce in DPoP-Nonce' };
  const { madeAt, expiresAt } = times;
  const once = {
    value: `dpop ${key.thumbprint} ${jti}`,
    ttlSeconds: (expiresAt - madeAt) / 1000,
    expiresAt,
  };
  return { jkt: key.thumbprint, once };
}

/** A proof signed by its key. */
interface Signed {
  readonly key: ProofKey;
  readonly claims: Readonly<Record<string, unknown>>;
}

async function verifySignature(proof: string): Promise<Signed | ProofRefusal> {
  const [head = '', body = '', end = '', ...others] = proof.split('.');
  const [claims, signature] = [parseObject(body), fromBase64url(end)];
  if (proof.length > longestProof || others.length > 0 || !claims || !signature)
    return invalid('it must be one signed JWT');
  const key = known.get(head) ?? (await readKey(head));
  if ('error' in key) return key;
  const isSigned = await key.verify(signature, utf8(`${head}.${body}`));
  return isSigned ? { key, claims } : invalid('the signature does not verify');
}

/** The keys of this process's last headers, because a client sends the same header with each of its proofs. */
const known = new Map<string, ProofKey>();
const mostKnown = 1_000;

async function readKey(head: string): Promise<ProofKey | ProofRefusal> {
  const header = parseObject(head);
  if (!header) return invalid('it must be one signed JWT');
  if (header['typ'] !== 'dpop+jwt') return invalid('typ must be dpop+jwt');
  if ('crit' in header) return invalid('crit is not supported');
  const key = await importProofKey(header['alg'], header['jwk']);
  if (key === null) return invalid('jwk must be a public key of P-256 or Ed25519, and alg that of the key');
  if (known.size >= mostKnown) known.clear();
  known.set(head, key);
  return key;
}

/** A JSON object with unique keys, in canonical base64url; null for anything else. */
function parseObject(text: string): Record<string, unknown> | null {
  const bytes = fromBase64url(text);
  if (bytes === null) return null;
  try {
    const json = fromUtf8(bytes);
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && strictJsonProblem(json) === null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function checkTarget(
  { config }: Deps,
  { method, url, accessToken }: Presented,
  { htm, htu, ath }: Signed['claims'],
): ProofRefusal | null {
  if (htm !== method) return invalid('htm must be the method of the request');
  // The public address, because a proxy may have changed the host of the request.
  const place = config.origin + new URL(url).pathname;
  if (htu !== place && (typeof htu !== 'string' || placeOf(htu) !== place))
    return invalid('htu must be the address of the request');
  if (accessToken !== null && ath !== secretHash(accessToken))
    return invalid('ath must be the SHA-256 of the access token');
  return null;
}

/** A URL as it is compared: without query and fragment, with its scheme and host in lower case. */
function placeOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname, username, password } = new URL(url);
  return username === '' && password === '' ? origin + pathname : null;
}

/** The earliest time at which a proof can have been made, and the time from which it is never accepted again. */
interface Times {
  readonly madeAt: number;
  readonly expiresAt: number;
}

function byClock({ iat }: Signed['claims'], now: number): Times | null {
  if (typeof iat !== 'number' || !Number.isSafeInteger(iat)) return null;
  const age = now / 1000 - iat;
  if (age > proofSeconds || age < -skewSeconds) return null;
  return { madeAt: iat * 1000, expiresAt: (iat + proofSeconds + skewSeconds) * 1000 };
}

function byNonce(deps: Deps, { nonce, iat }: Signed['claims'], now: number): Times | null {
  const start = typeof nonce === 'string' && typeof iat === 'number' ? startOfNonce(deps, nonce, now) : null;
  return start === null ? null : { madeAt: start, expiresAt: start + nonceMs + skewSeconds * 1000 };
}

function invalid(description: string): ProofRefusal {
  return { error: 'invalid_dpop_proof', description };
}
