import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, fromBase64url, toBase32, toBase64url } from '../../src/lib/encoding.ts';
import {
  createSecret,
  decrypt,
  deriveKeys,
  encrypt,
  macOf,
  type SecretKeys,
  secretHash,
  verifyMac,
} from '../../src/lib/secret.ts';
import { randomBytes } from '../support/random.ts';

const keys: SecretKeys = [randomBytes(32)];
const other: SecretKeys = [randomBytes(32)];

describe('encryption', () => {
  it('round-trips plaintext only with the same key and context', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (text, context) => {
        const sealed = await encrypt(keys, text, context, randomBytes);
        expect(sealed).toMatch(/^[\w-]{16}\.[\w-]{22,}$/);
        expect(await decrypt(keys, sealed, context)).toBe(text);
        expect(await decrypt(keys, sealed, `${context}x`)).toBeNull();
        expect(await decrypt(other, sealed, context)).toBeNull();
      }),
    );
  });

  it('is compatible with WebCrypto, which may have encrypted stored values', async () => {
    const [iv, additionalData] = [randomBytes(12), new TextEncoder().encode('context')];
    const key = await crypto.subtle.importKey('raw', keys[0], 'AES-GCM', false, ['encrypt', 'decrypt']);
    const text = new TextEncoder().encode('text');
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, text);
    const stored = [iv, new Uint8Array(sealed)].map((bytes) => Buffer.from(bytes).toString('base64url'));
    expect(await decrypt(keys, stored.join('.'), 'context')).toBe('text');
    const [ownIv, own] = (await encrypt(keys, 'text', 'context', randomBytes))
      .split('.')
      .map((part) => new Uint8Array(Buffer.from(part, 'base64url')));
    const parameters = { name: 'AES-GCM', iv: ownIv ?? new Uint8Array(), additionalData };
    const opened = await crypto.subtle.decrypt(parameters, key, own ?? new Uint8Array());
    expect(new TextDecoder().decode(opened)).toBe('text');
  });

  it('uses the current key and decrypts with the previous one after a rotation', async () => {
    const before = await encrypt(keys, 'text', 'context', randomBytes);
    const rotated: SecretKeys = [other[0], keys[0]];
    expect(await decrypt(rotated, before, 'context')).toBe('text');
    const after = await encrypt(rotated, 'text', 'context', randomBytes);
    expect(await decrypt(other, after, 'context')).toBe('text');
    expect(await decrypt(keys, after, 'context')).toBeNull();
  });

  it('rejects every altered character and all malformed ciphertext', async () => {
    const sealed = await encrypt(keys, 'a text that is longer than one block', 'context', randomBytes);
    for (let index = 0; index < sealed.length; index += 1) {
      const replaced = sealed[index] === 'A' ? 'B' : 'A';
      const altered = `${sealed.slice(0, index)}${replaced}${sealed.slice(index + 1)}`;
      expect(await decrypt(keys, altered, 'context'), `${index}`).toBeNull();
    }
    for (const text of [
      '',
      '.',
      'a.b',
      `${sealed}.x`.slice(17),
      `${sealed.slice(1)}`,
      '????????????????.????',
      sealed.replace('.', ''),
    ]) {
      expect(await decrypt(keys, text, 'context'), text).toBeNull();
    }
  });

  it('never uses a nonce twice', async () => {
    const sealed = await Promise.all(
      Array.from({ length: 500 }, () => encrypt(keys, 'same', 'context', randomBytes)),
    );
    expect(new Set(sealed.map((text) => text.split('.')[0])).size).toBe(500);
  });
});

describe('keys', () => {
  it('differ by purpose and follow the configured secrets in order', () => {
    const both: SecretKeys = [keys[0], other[0]];
    const derived = deriveKeys(both, 'refresh-token');
    expect(derived).toHaveLength(2);
    expect(derived[0]).toEqual(deriveKeys(keys, 'refresh-token')[0]);
    expect(derived[1]).toEqual(deriveKeys(other, 'refresh-token')[0]);
    const purposes = (['refresh-token', 'oauth-attempt', 'signing-key'] as const).map((purpose) =>
      toBase64url(deriveKeys(keys, purpose)[0]),
    );
    expect(new Set([...purposes, toBase64url(keys[0])]).size).toBe(4);
  });
});

describe('a message authentication code', () => {
  it('is valid only for its message, under any of the keys', () => {
    const mac = macOf(keys[0], 'text');
    expect(mac).toMatch(/^[\w-]{22}$/);
    expect(verifyMac(keys, 'text', mac)).toBe(true);
    expect(verifyMac([other[0], keys[0]], 'text', mac)).toBe(true);
    expect(verifyMac(other, 'text', mac)).toBe(false);
    for (const wrong of [
      '',
      mac.slice(1),
      `${mac}A`,
      mac.toLowerCase(),
      macOf(other[0], 'text'),
      macOf(keys[0], 'Text'),
    ]) {
      expect(verifyMac(keys, 'text', wrong), wrong).toBe(false);
    }
  });
});

describe('secrets', () => {
  it('have 256 random bits and are stored as their SHA-256 digest [D-04]', async () => {
    const secrets = Array.from({ length: 1_000 }, () => createSecret(randomBytes));
    expect(new Set(secrets).size).toBe(1_000);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('text'));
    expect(secretHash('text')).toBe(Buffer.from(digest).toString('base64url'));
  });
});

describe('encodings', () => {
  it('agree with the platform and reject malformed input', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = Buffer.from(bytes).toString('base64url');
        expect(toBase64url(bytes)).toBe(text);
        expect([...(fromBase64url(text) ?? [])]).toEqual([...bytes]);
        expect([...(fromBase64(Buffer.from(bytes).toString('base64')) ?? [])]).toEqual([...bytes]);
        expect(toBase32(bytes)).toMatch(
          new RegExp(`^[0-9a-hjkmnp-tv-z]{${Math.ceil((bytes.length * 8) / 5)}}$`),
        );
      }),
    );
    for (const text of ['QQ', 'QUE', '']) expect(fromBase64url(text), text).not.toBeNull();
    for (const text of ['QR', 'QUF', 'Q', 'QQ==', 'QQ\n', ' QQ', 'Q+/A', 'QUJD.'])
      expect(fromBase64url(text), text).toBeNull();
    for (const text of ['!', 'a b?', '\u00e9', '===x']) expect(fromBase64(text), text).toBeNull();
  });
});
