import { fromBase64url } from '../../lib/encoding.ts';
import { secretHash } from '../../lib/secret.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The algorithms of proofs (RFC 9449 section 5.1). `EdDSA` and `Ed25519` are two names of the same algorithm (RFC
 * 9864).
 */
export const proofAlgs = ['ES256', 'EdDSA', 'Ed25519'] as const;

/** The algorithm of a signature for WebCrypto. */
interface Algorithm {
  readonly name: string;
  readonly namedCurve?: string;
  readonly hash?: string;
}

/** The key in a proof. */
export interface ProofKey {
  /** Its SHA-256 thumbprint, base64url (RFC 7638). */
  readonly thumbprint: string;
  /** Returns whether this key made a signature, in the form of RFC 7518 section 3.4 or RFC 8037 section 3.1. */
  verify(signature: Bytes, signed: Bytes): Promise<boolean>;
}

/** The members of a JWK that are private or symmetric (RFC 7518 section 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Imports the public key of a proof. Null if it is not of the algorithm's kind, has a private part, is not on its
 * curve, or is not in canonical encoding.
 */
export async function importProofKey(alg: unknown, jwk: unknown): Promise<ProofKey | null> {
  if (typeof jwk !== 'object' || jwk === null || secretMembers.some((name) => name in jwk)) return null;
  const { kty, crv, x, y } = jwk as Record<string, unknown>;
  const [first, second] = [coordinate(x), coordinate(y)];
  if (first === null) return null;
  try {
    if (alg === 'ES256' && kty === 'EC' && crv === 'P-256' && second !== null) {
      // An uncompressed point (SEC 1 section 2.3.3).
      const point = Uint8Array.of(4, ...first, ...second);
      const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
      return await keyOf(point, algorithm, { crv, kty, x, y });
    }
    if ((alg === 'EdDSA' || alg === 'Ed25519') && kty === 'OKP' && crv === 'Ed25519') {
      return await keyOf(first, { name: 'Ed25519' }, { crv, kty, x });
    }
  } catch {
    // The point is not on the curve.
  }
  return null;
}

/** The 32 bytes of a coordinate; null for any other length, and for base64url that is not canonical. */
function coordinate(value: unknown): Bytes | null {
  const bytes = typeof value === 'string' ? fromBase64url(value) : null;
  return bytes?.length === 32 ? bytes : null;
}

/** @param members the required members of the JWK in lexicographic order (RFC 7638 section 3.2) */
async function keyOf(
  point: Bytes,
  algorithm: Algorithm,
  members: Record<string, unknown>,
): Promise<ProofKey> {
  const key = await crypto.subtle.importKey('raw', point, algorithm, false, ['verify']);
  return {
    thumbprint: secretHash(JSON.stringify(members)),
    verify: async (signature, signed) =>
      signature.length === 64 && (await crypto.subtle.verify(algorithm, key, signature, signed)),
  };
}
