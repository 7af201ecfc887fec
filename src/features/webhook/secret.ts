import type { Deps } from '../../deps.ts';
import { toBase64 } from '../../lib/encoding.ts';
import { decrypt, deriveKeys, encrypt, type SecretKeys } from '../../lib/secret.ts';

/** A signing secret: `whsec_` and 32 random bytes in base64 (Standard Webhooks). */
export function makeSigningSecret(deps: Deps): string {
  return `whsec_${toBase64(deps.randomBytes(32))}`;
}

export function encryptSecret(deps: Deps, appId: string, secret: string): Promise<string> {
  return encrypt(keysOf(deps), secret, contextOf(appId), deps.randomBytes);
}

/** Null if no SECRET_KEY decrypts it. */
export function decryptSecret(deps: Deps, appId: string, sealed: string): Promise<string | null> {
  return decrypt(keysOf(deps), sealed, contextOf(appId));
}

/** Returns whether the current SECRET_KEY decrypts the secret, so that it need not be encrypted again. */
export async function isSealedNow(deps: Deps, appId: string, sealed: string): Promise<boolean> {
  return (await decrypt([keysOf(deps)[0]], sealed, contextOf(appId))) !== null;
}

/** Decrypts signing secrets, each only once, because a run delivers many events for one app. */
export function secretDecrypter(deps: Deps): (appId: string, sealed: string) => Promise<string | null> {
  const keys = keysOf(deps);
  const opened = new Map<string, Promise<string | null>>();
  return (appId, sealed) => {
    const name = `${appId} ${sealed}`;
    const secret = opened.get(name) ?? decrypt(keys, sealed, contextOf(appId));
    opened.set(name, secret);
    return secret;
  };
}

function keysOf(deps: Deps): SecretKeys {
  return deriveKeys(deps.config.secretKeys, 'webhook');
}

function contextOf(appId: string): string {
  return `webhook ${appId}`;
}
