import type { Deps } from '../../deps.ts';
import { remember } from '../../lib/remember.ts';
import { createSecret, deriveKeys, macOf, type SecretKeys, secretHash, verifyMac } from '../../lib/secret.ts';

/** Where the cookie that carries a token was set: on our host alone, or on the parent domain. */
export type CookieScope = 'host' | 'domain';

export interface RefreshToken {
  readonly sessionId: string;
  readonly scope: CookieScope;
  /** SHA-256 of the secret part; the only form in which it is stored. */
  readonly hash: string;
}

const shape = /^([\w-]{43})\.(ses_[0-9a-z]{26})\.([hd])\.([\w-]{22})$/;
const scopeLetters: Record<CookieScope, string> = { host: 'h', domain: 'd' };

/**
 * A new refresh token for a session: 256 random bits, then the session's id and the cookie's scope, then a MAC
 * over all of it. The MAC tells a token of ours from an invented one without a read: rate limits count by
 * session, and an old token that comes back is known as a replay however long ago it was spent.
 */
export function createRefreshToken(
  deps: Deps,
  sessionId: string,
  scope: CookieScope,
): { token: string; hash: string } {
  const secret = createSecret(deps.randomBytes);
  const body = `${secret}.${sessionId}.${scopeLetters[scope]}`;
  return { token: `${body}.${macOf(keysOf(deps)[0], body)}`, hash: secretHash(secret) };
}

/** Reads a presented token, or answers null when this service never issued it. Says nothing about its state. */
export function parseRefreshToken(deps: Deps, token: string | undefined): RefreshToken | null {
  const [, secret, sessionId, letter, mac] = shape.exec(token ?? '') ?? [];
  if (!secret || !sessionId || !letter || !mac) return null;
  if (!verifyMac(keysOf(deps), `${secret}.${sessionId}.${letter}`, mac)) return null;
  return { sessionId, scope: letter === 'h' ? 'host' : 'domain', hash: secretHash(secret) };
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return remember(derived, secretKeys, () => deriveKeys(secretKeys, 'refresh-token'));
}
