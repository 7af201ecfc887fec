import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import {
  COSEALG,
  cose,
  decodeAttestationObject,
  decodeCredentialPublicKey,
  isoBase64URL,
} from '@simplewebauthn/server/helpers';
import { isDerSignature } from '../../lib/der.ts';
import { toBase64url } from '../../lib/encoding.ts';
import { algorithms } from './relying-party.ts';
import type { AssertionInput, RegistrationInput } from './schema.ts';

/**
 * The WebAuthn level 3 ceremonies (sections 7.1 and 7.2). This file loads the library, so it is imported only when the
 * first authenticator response arrives.
 */

/** The values that the response must match. */
export interface Expectation {
  readonly challenge: string;
  readonly origins: string[];
  readonly rpId: string;
}

export interface NewPasskey {
  readonly id: string;
  /** COSE_Key, base64url. */
  readonly publicKey: string;
  readonly signCount: number;
  readonly backedUp: boolean;
}

/** Checks an assertion against the stored key, and returns the authenticator's counter and backup state. */
export async function checkAssertion(
  assertion: AssertionInput,
  stored: { publicKey: string; signCount: number },
  expected: Expectation,
): Promise<{ signCount: number; backedUp: boolean }> {
  const { id, rawId, type, response } = assertion;
  const { clientDataJSON, authenticatorData, signature } = response;
  const publicKey = isoBase64URL.toBuffer(stored.publicKey);
  if (signsInDer(publicKey)) requireDer(isoBase64URL.toBuffer(signature));
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origins,
    expectedRPID: expected.rpId,
    credential: { id, publicKey, counter: stored.signCount },
    requireUserVerification: true,
  });
  if (!verified) throw new Error('the signature does not verify');
  return { signCount: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
}

/** Checks a registration, and returns the new passkey. */
export async function checkRegistration(registration: RegistrationInput, expected: Expectation) {
  const { id, rawId, type, response } = registration;
  const { clientDataJSON, attestationObject } = response;
  requireOwnAttestation(attestationObject);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origins,
    expectedRPID: expected.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  });
  if (!verified) throw new Error('the attestation does not verify');
  const { credential, credentialBackedUp } = registrationInfo;
  if (credential.id !== id) throw new Error('the attestation names another credential');
  await requireUsableKey(credential.publicKey);
  return {
    id,
    publicKey: toBase64url(credential.publicKey),
    signCount: credential.counter,
    backedUp: credentialBackedUp,
  };
}

/**
 * We ask for no attestation, so there is either none or a self-attestation. Any other attestation is rejected before it
 * is parsed, because its certificates would make the library fetch revocation lists from arbitrary addresses.
 */
function requireOwnAttestation(attestationObject: string): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  const statement = attestation.get('attStmt');
  const signature = statement.get('sig');
  const isSelf = format === 'packed' && statement.get('x5c') === undefined;
  if (format !== 'none' && !isSelf) throw new Error(`the attestation has the format ${format}`);
  if (signature !== undefined && statement.get('alg') === COSEALG.ES256) requireDer(signature);
}

/** The library also accepts BER, which would give one signature many encodings. */
function requireDer(signature: Uint8Array): void {
  if (!isDerSignature(signature)) throw new Error('the signature is not in DER');
}

const { COSECRV, COSEKEYS, COSEKTY } = cose;

type Bytes = Uint8Array<ArrayBuffer>;
/** A COSE_Key (RFC 9052 section 7). An authenticator may write any value under a label. */
type CoseKey = { readonly get: (label: number) => unknown };

function decode(publicKey: Bytes): CoseKey {
  return decodeCredentialPublicKey(publicKey);
}

/** Returns whether signatures of the key are in DER (WebAuthn level 3, section 6.5.5). */
export function signsInDer(publicKey: Bytes): boolean {
  return decode(publicKey).get(COSEKEYS.kty) === COSEKTY.EC2;
}

/**
 * Imports a new key, so that an unusable key never becomes a credential. Its type and curve must match its
 * algorithm (WebAuthn level 3, section 5.8.5), and its point must be on the curve.
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
