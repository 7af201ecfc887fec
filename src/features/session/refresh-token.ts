import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { createSecret, deriveKeys, macOf, type SecretKeys, secretHash, verifyMac } from '../../lib/secret.ts';

/**
 * The places of a session's cookies. `b`: the refresh token on our host, with its key, and the others there too, or on
 * the parent domain with this number of labels. A number alone: all of them on that domain, without a key. `h`: all on
 * our host without one, as sessions from before there were keys.
 */
export type CookieScope = 'h' | `${'b' | ''}${number}` | 'b';

export interface RefreshToken {
  readonly sessionId: string;
  readonly scope: CookieScope;
  /** SHA-256 of the secret part; the only form in which it is stored. */
  readonly hash: string;
}

const shape = /^([\w-]{43})\.(ses_[0-9a-z]{26})\.(h|b?\d{1,3}|b)\.([\w-]{22})$/;

/**
 * A new refresh token for a session: 256 random bits, then the session's id and the cookies' scope, then a MAC
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

/** The key of a session, which shows that a browser got its tokens from us: a MAC of the session's id. */
export function refreshKeyOf(deps: Deps, sessionId: string): string {
  return macOf(keysOf(deps)[0], keyBody(sessionId));
}

export function verifyRefreshKey(deps: Deps, sessionId: string, key: string): boolean {
  return verifyMac(keysOf(deps), keyBody(sessionId), key);
}

/** No body of a token begins like this, so no token's MAC is a key. */
function keyBody(sessionId: string): string {
  return `key.${sessionId}`;
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return getOrInsert(derived, secretKeys, () => deriveKeys(secretKeys, 'refresh-token'));
}
