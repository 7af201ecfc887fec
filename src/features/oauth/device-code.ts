import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { randomText } from '../../lib/oslo.ts';
import { createSecret, deriveKeys, macOf, type SecretKeys, secretHash, verifyMac } from '../../lib/secret.ts';

/** Letters without vowels, so that no code is a word (RFC 8628 section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** Eight letters: 34 bits. Only a few guesses are allowed in ten minutes. */
export function createUserCode(deps: Deps): string {
  return randomText(deps.randomBytes, letters, 8);
}

/** Formats a code for people: two groups of four letters with a hyphen in between. */
export function writeUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Parses a typed code, in any case and with any separators; null for anything else. */
export function readUserCode(typed: string): string | null {
  const code = typed
    .slice(0, 40)
    .toUpperCase()
    .replaceAll(/[\s_.–-]/g, '');
  return code.length === 8 && [...code].every((letter) => letters.includes(letter)) ? code : null;
}

/** A code's MAC under each of our keys; the one under the current key is first. Only MACs are stored. */
export function userCodeMacs(deps: Deps, code: string): [string, ...string[]] {
  const [current, ...previous] = keysOf(deps);
  const under = (key: Uint8Array) => macOf(key, `user.${code}`);
  return [under(current), ...previous.map(under)];
}

/** The request of a device code. */
export interface DeviceCode {
  /** The id of its row, which only the service can derive from the code. */
  readonly id: string;
  /** SHA-256 of the code; the only stored form. */
  readonly hash: string;
}

const shape = /^([\w-]{43})\.([\w-]{22})$/;

/** A new device code: 256 random bits, and a MAC over them and the app, so that no other app can use it. */
export function createDeviceCode(deps: Deps, appId: string): DeviceCode & { readonly value: string } {
  const [key] = keysOf(deps);
  const secret = createSecret(deps.randomBytes);
  const value = `${secret}.${macOf(key, bodyOf(secret, appId))}`;
  return { value, id: rowId(key, secret), hash: secretHash(value) };
}

/** Parses a presented device code; null if it was not issued to this app. */
export function parseDeviceCode(deps: Deps, value: string, appId: string): DeviceCode | null {
  const [, secret = '', mac = ''] = shape.exec(value) ?? [];
  const key = keysOf(deps).find((one) => verifyMac([one], bodyOf(secret, appId), mac));
  return key === undefined ? null : { id: rowId(key, secret), hash: secretHash(value) };
}

const bodyOf = (secret: string, appId: string) => `device.${secret}.${appId}`;

/** Not a popup's id: the client that starts a request must not know an address where one click approves it. */
const rowId = (key: Uint8Array, secret: string) => `.${macOf(key, `row.${secret}`).slice(1)}`;

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return getOrInsert(derived, secretKeys, () => deriveKeys(secretKeys, 'device-code'));
}
