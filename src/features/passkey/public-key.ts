import { COSEALG, cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
import { toBase64url } from '../../lib/encoding.ts';

const { COSECRV, COSEKEYS, COSEKTY } = cose;

type Bytes = Uint8Array<ArrayBuffer>;
/** A COSE_Key (RFC 9052 section 7). An authenticator may write anything under a label. */
type CoseKey = { readonly get: (label: number) => unknown };

function decode(publicKey: Bytes): CoseKey {
  return decodeCredentialPublicKey(publicKey);
}

/** Whether signatures of the key are in DER (WebAuthn level 3, section 6.5.5). */
export function signsInDer(publicKey: Bytes): boolean {
  return decode(publicKey).get(COSEKEYS.kty) === COSEKTY.EC2;
}

/**
 * Imports a new key, so that none that can never verify becomes a credential. Its type and curve must be those of its
 * algorithm (WebAuthn level 3, section 5.8.5), and its point on the curve.
 * @throws Error
 */
export async function requireUsableKey(publicKey: Bytes): Promise<void> {
  const key = decode(publicKey);
  const [alg, kty, crv] = [COSEKEYS.alg, COSEKEYS.kty, COSEKEYS.crv].map((label) => key.get(label));
  if (alg === COSEALG.ES256 && kty === COSEKTY.EC2 && crv === COSECRV.P256) {
    // An uncompressed point (SEC 1 section 2.3.3).
    const point = Uint8Array.of(4, ...bytesOf(key, COSEKEYS.x, 32), ...bytesOf(key, COSEKEYS.y, 32));
    await crypto.subtle.importKey('raw', point, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
  } else if (alg === COSEALG.EdDSA && kty === COSEKTY.OKP && crv === COSECRV.ED25519) {
    await crypto.subtle.importKey('raw', bytesOf(key, COSEKEYS.x, 32), 'Ed25519', false, ['verify']);
  } else if (alg === COSEALG.RS256 && kty === COSEKTY.RSA) {
    const jwk = {
      kty: 'RSA',
      n: toBase64url(bytesOf(key, COSEKEYS.n)),
      e: toBase64url(bytesOf(key, COSEKEYS.e)),
    };
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  } else throw new Error('the key is of another kind than its algorithm');
}

function bytesOf(key: CoseKey, label: number, length?: number): Bytes {
  const bytes = key.get(label);
  if (!(bytes instanceof Uint8Array) || bytes.length === 0 || bytes.length !== (length ?? bytes.length))
    throw new Error(`the key has no value ${label} of its length`);
  return Uint8Array.from(bytes);
}
