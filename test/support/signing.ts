import type { webcrypto } from 'node:crypto';
import { parseConfig } from '../../src/config.ts';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from '../../src/lib/encoding.ts';
import { decrypt, deriveKeys } from '../../src/lib/secret.ts';
import { type Target, testDefaults } from './target.ts';

export interface ServiceKey {
  readonly kid: string;
  readonly publicJwk: webcrypto.JsonWebKey;
  /** Signs like the service (ES256). */
  sign(text: string): Promise<string>;
}

/** The service's own key, decrypted with the SECRET_KEY shared by tests, with which a test signs forged claims. */
export async function serviceKey(target: Target): Promise<ServiceKey> {
  const [row] = await target.rows<{ kid: string; public_jwk: string; private_enc: string }>(
    "SELECT kid, public_jwk, private_enc FROM signing_keys WHERE alg = 'ES256' ORDER BY generation DESC LIMIT 1",
  );
  if (!row) throw new Error('the service has no signing key yet');
  const keys = deriveKeys(parseConfig(testDefaults).secretKeys, 'signing-key');
  const privateJwk = await decrypt(keys, row.private_enc, row.kid);
  if (privateJwk === null) throw new Error('the signing key does not open with the key of the tests');
  const publicJwk = JSON.parse(row.public_jwk) as webcrypto.JsonWebKey;
  return { kid: row.kid, publicJwk, sign: await ecdsaSigner(JSON.parse(privateJwk), 'P-256', 'SHA-256') };
}

/** A signer with a private key, in JWS format (RFC 7518 section 3.4). */
export async function ecdsaSigner(
  privateKey: webcrypto.JsonWebKey,
  namedCurve: string,
  hash: string,
): Promise<(text: string) => Promise<string>> {
  const usable = { ...privateKey, key_ops: ['sign'] };
  const key = await crypto.subtle.importKey('jwk', usable, { name: 'ECDSA', namedCurve }, false, ['sign']);
  return async (text) =>
    toBase64url(new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash }, key, utf8(text))));
}

/** A signer that uses any bytes as the shared secret of HMAC-SHA-256 (HS256). */
export async function hmacSigner(
  secret: Uint8Array<ArrayBuffer>,
): Promise<(text: string) => Promise<string>> {
  const parameters = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, parameters, false, ['sign']);
  return async (text) => toBase64url(new Uint8Array(await crypto.subtle.sign(parameters, key, utf8(text))));
}

type Parts = Record<string, unknown>;

/** A JWT with any header and payload, signed by any signer (RFC 7515 section 7.1). */
export async function compactJwt(
  header: Parts,
  payload: Parts,
  sign: (text: string) => string | Promise<string>,
): Promise<string> {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${await sign(signed)}`;
}

function encode(part: Parts): string {
  return toBase64url(utf8(JSON.stringify(part)));
}

/** Returns the parts of a JWT without verifying its signature. */
export function decodeJwt(token: string): { header: Parts; payload: Parts; signature: string } {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const decode = (part: string): Parts => JSON.parse(fromUtf8(fromBase64url(part) ?? new Uint8Array()));
  return { header: decode(header), payload: decode(payload), signature };
}
