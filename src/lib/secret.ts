// Synchronous and native on both runtimes: a digest takes less time than the event loop turn that WebCrypto needs.
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { fromBase64, fromBase64url, fromUtf8, toBase64url, utf8 } from './encoding.ts';
import { isSameSecret } from './oslo.ts';

/** The purpose of a key derived from SECRET_KEY; each has its own key. */
type Purpose =
  | 'refresh-token'
  | 'app-session'
  | 'claim-key'
  | 'device'
  | 'device-code'
  | 'oauth-attempt'
  | 'email-code'
  | 'signing-key'
  | 'mail'
  | 'webhook'
  | 'payout'
  | 'shown'
  | 'oauth-request'
  | 'dpop-nonce'
  | 'cursor'
  | 'desk-form'
  | 'sandbox';

/** The keys for one purpose: the first one signs, all verify (SECRET_KEY, then SECRET_KEY_PREVIOUS). */
export type SecretKeys = readonly [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]];

/** A new secret of 256 random bits, as text. */
export function createSecret(randomBytes: (length: number) => Uint8Array): string {
  return toBase64url(randomBytes(32));
}

/** The digest under which a secret is stored: SHA-256, base64url. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** A SHA-256 of bytes that arrive in pieces. */
export function createDigest(): { update(bytes: Uint8Array): void; hex(): string } {
  const hash = createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
}

/** Keys for one purpose, derived from the configured secrets by HMAC-SHA-256 (a one-block HKDF-Expand, RFC 5869). */
export function deriveKeys(secretKeys: SecretKeys, purpose: Purpose): SecretKeys {
  const [current, ...previous] = secretKeys;
  return [deriveKey(current, purpose), ...previous.map((key) => deriveKey(key, purpose))];
}

function deriveKey(key: Uint8Array, purpose: Purpose): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', key).update(`peridot ${purpose}\u0001`).digest());
}

/** A message authentication code of 128 bits, base64url (HMAC-SHA-256 truncated to half). */
export function macOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest().toString('base64url', 0, 16);
}

/** A 256-bit secret derived from text with the key: an untruncated HMAC-SHA-256, base64url. */
export function secretFrom(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Returns whether `mac` was created for `text` with any of the keys. The comparison takes constant time. */
export function verifyMac(keys: SecretKeys, text: string, mac: string): boolean {
  return keys.some((key) => isSameSecret(macOf(key, text), mac));
}

const cipher = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

/** Encrypts text with AES-256-GCM. It can be decrypted only with the same `context`. */
export async function encrypt(
  keys: SecretKeys,
  text: string,
  context: string,
  randomBytes: (length: number) => Uint8Array<ArrayBuffer>,
): Promise<string> {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, keys[0], iv, { authTagLength: tagBytes }).setAAD(utf8(context));
  const sealed = sealing.update(utf8(text));
  sealing.final();
  const data = new Uint8Array(sealed.length + tagBytes);
  data.set(sealed);
  data.set(sealing.getAuthTag(), sealed.length);
  return `${toBase64url(iv)}.${toBase64url(data)}`;
}

/** Decrypts text; null if none of the keys decrypts it. */
export async function decrypt(keys: SecretKeys, sealed: string, context: string): Promise<string | null> {
  const [iv, data] = sealed.split('.').map(fromBase64url);
  if (!iv || !data || iv.length !== ivBytes || data.length < tagBytes) return null;
  for (const key of keys) {
    try {
      const opening = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes })
        .setAAD(utf8(context))
        .setAuthTag(data.subarray(-tagBytes));
      const text = opening.update(data.subarray(0, -tagBytes));
      opening.final();
      return fromUtf8(text);
    } catch {
      // Another key, or altered text, so the next key is tried.
    }
  }
  return null;
}

/** The signature of a message under a secret `whsec_…` (Standard Webhooks): `v1,` and an HMAC-SHA-256 in base64. */
export function signWebhook(secret: string, message: string): string {
  const key = fromBase64(secret.slice('whsec_'.length));
  if (key === null) throw new TypeError('the secret is not base64');
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
}
