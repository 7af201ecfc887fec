import { fromBase64url } from '../../lib/encoding.ts';
import { secretHash } from '../../lib/secret.ts';
import { type PublicJwk, type Verifier, verifierOf } from '../../lib/verifier.ts';

/**
 * The algorithms of proofs (RFC 9449 section 5.1). `EdDSA` and `Ed25519` are two names of the same algorithm (RFC
 * 9864).
 */
export const proofAlgs = ['ES256', 'EdDSA', 'Ed25519'] as const;

/** The key in a proof. */
export interface ProofKey {
  /** Its SHA-256 thumbprint, base64url (RFC 7638). */
  readonly thumbprint: string;
  readonly verify: Verifier;
}

/** The members of a JWK that are private or symmetric (RFC 7518 section 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Imports the public key of a proof. Null if it is not of the algorithm's kind, has a private part, is not on its
 * curve, or is not in canonical encoding.
 */
export function importProofKey(alg: unknown, jwk: unknown): ProofKey | null {
  if (typeof jwk !== 'object' || jwk === null || secretMembers.some((name) => name in jwk)) return null;
  const { kty, crv, x, y } = jwk as Record<string, unknown>;
  if (!isCoordinate(x)) return null;
  try {
    if (alg === 'ES256' && kty === 'EC' && crv === 'P-256' && isCoordinate(y))
      return keyOf({ crv, kty, x, y });
    if ((alg === 'EdDSA' || alg === 'Ed25519') && kty === 'OKP' && crv === 'Ed25519')
      return keyOf({ crv, kty, x });
  } catch {
    // The point is not on the curve.
  }
  return null;
}

/** 32 bytes in canonical base64url. */
function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && fromBase64url(value)?.length === 32;
}

/** @param jwk the required members of a key in lexicographic order (RFC 7638 section 3.2) */
function keyOf(jwk: PublicJwk): ProofKey {
  return { thumbprint: secretHash(JSON.stringify(jwk)), verify: verifierOf(jwk) };
}
