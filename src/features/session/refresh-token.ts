import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { createSecret, deriveKeys, macOf, type SecretKeys, secretHash, verifyMac } from '../../lib/secret.ts';

/**
 * Where a session's cookies are set. `b`: the refresh token on our host, with its key, and the others there too, or on
 * the parent domain with this many labels. Only a number: all of them on that domain, without a key. `h`: all on
 * our host without a key, for sessions from before keys existed.
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
 * A new refresh token for a session: 256 random bits, then the session id and the cookie scope, then a MAC
 * over all of it. The MAC tells our tokens from invented ones without a read: rate limits count by session, and
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

/** The keys by session that this process has made or verified, to save parsing and a MAC. */
const knownKeys = new WeakMap<SecretKeys, Map<string, string>>();

export function knownRefreshKey({ config }: Deps, sessionId: string): string | undefined {
  return knownKeys.get(config.secretKeys)?.get(sessionId);
}

function rememberKey({ config }: Deps, sessionId: string, key: string): void {
  const keys = getOrInsert(knownKeys, config.secretKeys, () => new Map());
  if (keys.size >= 10_000) keys.clear();
  keys.set(sessionId, key);
}

/** A session's key, which proves that a browser got its tokens from us: a MAC of the session id. */
export function refreshKeyOf(deps: Deps, sessionId: string): string {
  const key = macOf(keysOf(deps)[0], keyBody(sessionId));
  rememberKey(deps, sessionId, key);
  return key;
}

export function verifyRefreshKey(deps: Deps, sessionId: string, key: string): boolean {
  const isOurs = verifyMac(keysOf(deps), keyBody(sessionId), key);
  if (isOurs) rememberKey(deps, sessionId, key);
  return isOurs;
}

/** No token body begins like this, so a token's MAC is never a key. */
function keyBody(sessionId: string): string {
  return `key.${sessionId}`;
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return getOrInsert(derived, secretKeys, () => deriveKeys(secretKeys, 'refresh-token'));
}
