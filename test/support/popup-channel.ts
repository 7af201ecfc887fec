import { secretHash } from '../../src/lib/secret.ts';

let counter = 0;

/** What an opener makes: the channel's id, and the secret that only it has. */
export function makeChannel(): { id: string; verifier: string; challenge: string } {
  counter += 1;
  const verifier = secretHash(`verifier ${counter} ${performance.now()}`);
  const id = `${secretHash(`channel ${verifier}`).slice(0, 21)}A`;
  return { id, verifier, challenge: secretHash(verifier) };
}
