import type { Deps } from '../../deps.ts';
import { remember } from '../../lib/remember.ts';
import { createSecret, deriveKeys, macOf, type SecretKeys, secretHash, verifyMac } from '../../lib/secret.ts';

/** The scope of a token's cookie: our host alone (`h`), or the parent domain with this number of labels. */
export type CookieScope = 'h' | `${number}`;

export interface RefreshToken {
  readonly sessionId: string;
  readonly scope: CookieScope;
  /** SHA-256 of the secret part; the only form in which it is stored. */
  readonly hash: string;
}

const shape = /^([\w-]{43})\.(ses_[0-9a-z]{26})\.(h|\d{1,3})\.([\w-]{22})$/;

/**
 * A new refresh token for a session: 256 random bits, then the session's id and the cookie's scope, then a MAC
 * over all of it. The MAC distinguishes our tokens from invented ones without a read: rate limits count by session, and
 * an old token is recognized as a replay however long ago it was spent.
 */
export function createRefreshToken(deps: Deps, sessionId: string, scope: CookieScope) {
  const secret = createSecret(deps.randomBytes);
  const body = `${secret}.${sessionId}.${scope}`;
  return { token: `${body}.${macOf(keysOf(deps)[0], body)}`, hash: secretHash(secret) };
}

/** Parses a presented token; null when this service never issued it. Its state is not checked. */
export function parseRefreshToken(deps: Deps, token: string | undefined): RefreshToken | null {
  const [, secret, sessionId, scope, mac] = shape.exec(token ?? '') ?? [];
  if (!secret || !sessionId || !scope || !mac) return null;
  if (!verifyMac(keysOf(deps), `${secret}.${sessionId}.${scope}`, mac)) return null;
  return { sessionId, scope: scope as CookieScope, hash: secretHash(secret) };
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return remember(derived, secretKeys, () => deriveKeys(secretKeys, 'refresh-token'));
}
