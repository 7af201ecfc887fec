import { decode, encode, readHeader, type ServerRequest } from './server-request.ts';
import type { VerifyAppOptions } from './server-token.ts';

/** An access token, and the thumbprint of the key to which it is bound (RFC 7638). */
interface BoundToken {
  readonly token: string;
  readonly jkt: string;
}

/** A longer age is rejected. */
const proofSeconds = 60;
const ed25519 = { name: 'Ed25519' };
const algorithms = new Map<unknown, { name: string; namedCurve?: string; hash?: string }>([
  ['ES256', { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }],
  ['EdDSA', ed25519],
  ['Ed25519', ed25519],
]);

/** Verifies the proof of a request with a bound token (RFC 9449 section 4.3), and consumes it. @internal */
export async function verifyProof(
  request: ServerRequest,
  { token, jkt }: BoundToken,
  { audience, clockSkewSeconds = 30, now = Date.now, consumeProof }: VerifyAppOptions,
): Promise<boolean> {
  const claims = await readClaims(readHeader(request, 'dpop') ?? '', jkt).catch(() => null);
  if (!claims) return false;
  const { jti, htm, htu, iat, ath } = claims;
  if (htm !== request.method || ath !== (await digest(token))) return false;
  // The origin of the audience, because behind a proxy the request may have another.
  const { origin } = new URL(audience);
  // The path is as the client sent it, and may be no address, as `//[`.
  const raw = request.originalUrl ?? request.url ?? '';
  if (!URL.canParse(raw, audience)) return false;
  const { pathname } = new URL(raw, audience);
  if (typeof htu !== 'string' || !URL.canParse(htu) || placeOf(new URL(htu)) !== origin + pathname)
    return false;
  if (typeof jti !== 'string' || jti === '' || typeof iat !== 'number') return false;
  const age = now() / 1000 - iat;
  if (age > proofSeconds || age < -clockSkewSeconds) return false;
  const expiresAt = new Date((iat + proofSeconds + clockSkewSeconds) * 1000);
  const id = await digest(`${jkt} ${jti}`);
  return consumeProof ? consumeProof(id, expiresAt) : consumeHere(id, expiresAt, now());
}

/** The claims of a proof that the key has signed; null, or an error, if it has not. */
async function readClaims(proof: string, jkt: string): Promise<Record<string, unknown> | null> {
  const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/.exec(proof) ?? [];
  const { typ, alg, jwk, crit } = parse(head);
  const { kty, crv, x, y, d } = jwk as Record<string, unknown>;
  const algorithm = algorithms.get(alg);
  if (typ !== 'dpop+jwt' || crit !== undefined || d !== undefined || !algorithm) return null;
  const members = kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x };
  if ((await digest(JSON.stringify(members))) !== jkt) return null;
  const key = await crypto.subtle.importKey('jwk', members as JsonWebKey, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  return (await crypto.subtle.verify(algorithm, key, decode(signature), signed)) ? parse(body) : null;
}

function parse(part: string): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(decode(part)));
}

function placeOf({ origin, pathname, username }: URL): string | null {
  return username ? null : origin + pathname;
}

async function digest(text: string): Promise<string> {
  return encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

/** The ids that this process has consumed, each with the time at which it can be forgotten. */
const consumed = new Map<string, number>();

function consumeHere(id: string, expiresAt: Date, now: number): boolean {
  // They are about in the order of their expiry.
  for (const [one, until] of consumed) {
    if (until > now) break;
    consumed.delete(one);
  }
  return !consumed.has(id) && consumed.set(id, Number(expiresAt)).has(id);
}
