import type { Deps } from '../../deps.ts';
import { deriveKeys, macOf, type SecretKeys } from '../../lib/secret.ts';

/**
 * A nonce is the MAC of its half minute, so nodes need not store it; it is accepted until the end of the next half
 * minute.
 */
const sliceMs = 30_000;
export const nonceMs = 2 * sliceMs;

/** The nonce for the next proof (RFC 9449 section 8). */
export function currentNonce(deps: Deps, now: number): string {
  return noncesAt(deps, now).current;
}

/** The earliest time at which a nonce can have been issued; null if it is not a recent one of ours. */
export function startOfNonce(deps: Deps, nonce: string, now: number): number | null {
  return noncesAt(deps, now).starts.get(nonce) ?? null;
}

/** The nonces of a half minute: the one that is issued, and the start of each that is accepted. */
interface Nonces {
  readonly slice: number;
  readonly current: string;
  readonly starts: ReadonlyMap<string, number>;
}

/** Computed once per half minute. Everyone gets the same ones, so a lookup reveals nothing by its duration. */
const computed = new WeakMap<SecretKeys, Nonces>();

function noncesAt({ config: { secretKeys } }: Deps, now: number): Nonces {
  const slice = Math.floor(now / sliceMs);
  const known = computed.get(secretKeys);
  if (known?.slice === slice) return known;
  const keys = deriveKeys(secretKeys, 'dpop-nonce');
  const nonceOf = (key: Uint8Array, one: number) => macOf(key, `nonce ${one}`);
  const starts = [slice - 1, slice].flatMap((one) =>
    keys.map((key) => [nonceOf(key, one), one * sliceMs] as const),
  );
  const nonces = { slice, current: nonceOf(keys[0], slice), starts: new Map(starts) };
  computed.set(secretKeys, nonces);
  return nonces;
}
