import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { deriveKeys, macOf, type SecretKeys, verifyMac } from '../../lib/secret.ts';

/**
 * A nonce is the MAC of its half minute, so nodes need not store it; it is accepted until the end of the next half
 * minute.
 */
const sliceMs = 30_000;
export const nonceMs = 2 * sliceMs;

/** The nonce for the next proof (RFC 9449 section 8). */
export function currentNonce(deps: Deps, now: number): string {
  return macOf(keysOf(deps)[0], nameOf(sliceAt(now)));
}

/** The earliest time at which a nonce can have been issued; null if it is not a recent one of ours. */
export function startOfNonce(deps: Deps, nonce: string, now: number): number | null {
  const slice = sliceAt(now);
  const found = [slice, slice - 1].find((one) => verifyMac(keysOf(deps), nameOf(one), nonce));
  return found === undefined ? null : found * sliceMs;
}

function sliceAt(now: number): number {
  return Math.floor(now / sliceMs);
}

function nameOf(slice: number): string {
  return `nonce ${slice}`;
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf({ config: { secretKeys } }: Deps): SecretKeys {
  return getOrInsert(derived, secretKeys, () => deriveKeys(secretKeys, 'dpop-nonce'));
}
