import { deriveKeys, macOf, type SecretKeys, verifyMac } from './secret.ts';

/** Content shown on one of our pages to a person before their decision. */
export interface Shown {
  /** The kind of decision, with the id of its subject. */
  readonly decision: string;
  /** The digest of the content shown. */
  readonly digest: string;
  /** The session that saw it; null if nobody was signed in, which proves nothing. */
  readonly sessionId: string | null;
}

/**
 * Proof that our page showed this content to this session, so that a form that was created elsewhere, altered, or meant
 * for another person approves nothing.
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
