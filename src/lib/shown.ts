import { deriveKeys, macOf, type SecretKeys, verifyMac } from './secret.ts';

/** Something that one of our pages showed to a person before they decided on it. */
export interface Shown {
  /** The kind of decision, with the id of its subject. */
  readonly decision: string;
  /** Digest of what the page showed. */
  readonly digest: string;
  /** The session it was shown to; null if nobody was signed in, which proves nothing. */
  readonly sessionId: string | null;
}

/**
 * Proof that our page showed this to this session: a form that was made elsewhere, altered, or meant for another person
 * approves nothing.
 */
export function proofOfShown(secretKeys: SecretKeys, shown: Shown): string {
  return macOf(keysOf(secretKeys)[0], textOf(shown));
}

export function wasShown(secretKeys: SecretKeys, shown: Shown, proof: string): boolean {
  return shown.sessionId !== null && verifyMac(keysOf(secretKeys), textOf(shown), proof);
}

function keysOf(secretKeys: SecretKeys): SecretKeys {
  return deriveKeys(secretKeys, 'shown');
}

function textOf({ decision, digest, sessionId }: Shown): string {
  return JSON.stringify([decision, digest, sessionId]);
}
