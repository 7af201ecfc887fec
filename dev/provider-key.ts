import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { Deps } from '../src/deps.ts';
import { getOrInsert } from '../src/lib/memoize.ts';
import { deriveKeys, type SecretKeys } from '../src/lib/secret.ts';

export interface ProviderKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** The PKCS #8 prefix of a 32-byte Ed25519 key (RFC 8410 section 7). */
const pkcs8Prefix = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

const keys = new WeakMap<SecretKeys, Promise<ProviderKey>>();

/** The sandbox provider's signing key, derived from SECRET_KEY, so all isolates and restarts share it. */
export function providerKey(deps: Deps): Promise<ProviderKey> {
  const { secretKeys } = deps.config;
  return getOrInsert(keys, secretKeys, () => makeKey(secretKeys));
}

async function makeKey(secretKeys: SecretKeys): Promise<ProviderKey> {
  // Derived twice, because the first derivation already encrypts the sandbox's codes.
  const [seed] = deriveKeys(deriveKeys(secretKeys, 'sandbox'), 'signing-key');
  const pkcs8 = new Uint8Array([...pkcs8Prefix, ...seed]);
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { kty = '', crv = '', x = '' } = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint({ kty, crv, x });
  return { kid, privateKey, publicJwk: { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' } };
}
