// Synchronous and native on both runtimes: on Bun, WebCrypto's threads cost a request more than the verification, and
// requests that arrived together continue one by one, each with its own message to the database's thread.
import { createPublicKey, verify } from 'node:crypto';

/** A public key for ES256 or Ed25519 (RFC 7518 section 6.2, RFC 8037 section 2). */
export type PublicJwk =
  | { readonly crv: 'P-256'; readonly kty: 'EC'; readonly x: string; readonly y: string }
  | { readonly crv: 'Ed25519'; readonly kty: 'OKP'; readonly x: string };

/** Returns whether a key made a signature of 64 bytes (RFC 7518 section 3.4, RFC 8037 section 3.1). */
export type Verifier = (signature: Uint8Array, signed: Uint8Array) => boolean;

/** Returns the verifier of a key. @throws Error if its point is not on the curve */
export function verifierOf(jwk: PublicJwk): Verifier {
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return (signature, signed) => {
    if (signature.length !== 64) return false;
    return jwk.kty === 'EC'
      ? verify('sha256', signed, key, toDer(signature))
      : verify(null, signed, key, signature);
  };
}

/** The two numbers of an ES256 signature as a DER sequence (RFC 3279 section 2.2.3), which both runtimes read. */
function toDer(signature: Uint8Array): Uint8Array {
  const numbers = [...integerOf(signature.subarray(0, 32)), ...integerOf(signature.subarray(32))];
  return Uint8Array.of(0x30, numbers.length, ...numbers);
}

/** A positive number as a DER integer: without leading zeros, unless it would be read as negative. */
function integerOf(number: Uint8Array): number[] {
  const digits = [...number];
  while (digits.length > 1 && digits[0] === 0) digits.shift();
  if ((digits[0] ?? 0) > 0x7f) digits.unshift(0);
  return [0x02, digits.length, ...digits];
}
