import { secretHash } from '../../src/lib/secret.ts';

let counter = 0;

/** Creates a channel like an opener: its id, and the secret that only the opener has. */
export function makeChannel(): { id: string; verifier: string; challenge: string } {
  counter += 1;
  const verifier = secretHash(`verifier ${counter} ${performance.now()}`);
  const id = `${secretHash(`channel ${verifier}`).slice(0, 21)}A`;
  return { id, verifier, challenge: secretHash(verifier) };
}
