import { generateRandomString } from '@oslojs/crypto/random';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { utf8 } from './encoding.ts';

/** Random text in which each character of the alphabet is equally likely at each place. */
export function randomText(
  randomBytes: (length: number) => Uint8Array,
  alphabet: string,
  length: number,
): string {
  const random = { read: (bytes: Uint8Array) => bytes.set(randomBytes(bytes.length)) };
  return generateRandomString(random, alphabet, length);
}

/** Whether two texts are the same; takes as long wherever they differ. */
export function isSameSecret(one: string, other: string): boolean {
  return constantTimeEqual(utf8(one), utf8(other));
}
