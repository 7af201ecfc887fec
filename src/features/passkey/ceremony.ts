import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { COSEALG, decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { isDerSignature } from '../../lib/der.ts';
import { toBase64url } from '../../lib/encoding.ts';
import { requireUsableKey, signsInDer } from './public-key.ts';
import { algorithms } from './relying-party.ts';
import type { AssertionInput, RegistrationInput } from './schema.ts';

/**
 * The ceremonies of WebAuthn level 3, sections 7.1 and 7.2. This file loads the library, so it is imported dynamically,
 * when the first answer of an authenticator arrives.
 */

/** What an answer must match. */
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

/** Checks a registration, and returns the passkey it made. */
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
 * We ask for no attestation, so there is none, or one signed by the key itself. Any other is refused before it is parsed:
 * its certificates would make the library fetch revocation lists from addresses that they name.
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

/** The library also reads BER, so one signature would have many texts. */
function requireDer(signature: Uint8Array): void {
  if (!isDerSignature(signature)) throw new Error('the signature is not in DER');
}
