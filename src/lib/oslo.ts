import { generateRandomString } from '@oslojs/crypto/random';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { utf8 } from './encoding.ts';

/** Random text, with every character of the alphabet equally likely at every position. */
export function randomText(
  randomBytes: (length: number) => Uint8Array,
  alphabet: string,
  length: number,
): string {
  const random = { read: (bytes: Uint8Array) => bytes.set(randomBytes(bytes.length)) };
  return generateRandomString(random, alphabet, length);
}

/** Compares two strings in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  return constantTimeEqual(utf8(one), utf8(other));
}
