import * as base64url from 'jose/base64url';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function toBase64url(bytes: Uint8Array): string {
  return base64url.encode(bytes);
}

/** Unused bits must be zero, so that each byte sequence has only one encoding. */
const canonicalBase64url = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Decodes base64url; null for invalid text and for text that is not canonical. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  return canonicalBase64url.test(text) ? decodeBase64url(text) : null;
}

function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return base64url.decode(text) as Uint8Array<ArrayBuffer>;
  } catch {
    return null;
  }
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Decodes standard base64 with or without padding, or returns null. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  return decodeBase64url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
}

/** Crockford base32 in lower case, which sorts like the bytes. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let buffer = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += crockford[(buffer >> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? text + crockford[(buffer << (5 - bits)) & 31] : text;
}
