import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { createSecret, deriveKeys, macOf, type SecretKeys, secretHash, verifyMac } from '../../lib/secret.ts';

/**
 * The scope of a session's cookies. `b`: the refresh token on our host, with its key, and the others on our host too,
 * or on the parent domain with this many labels. Only a number: all of them on that domain, without a key. `h`: all on
 * our host without a key, for sessions created before keys existed.
 */
export type CookieScope = 'h' | `${'b' | ''}${number}` | 'b';

export interface RefreshToken {
  readonly sessionId: string;
  readonly scope: CookieScope;
  /** SHA-256 of the secret part; the only stored form. */
  readonly hash: string;
}

const shape = /^([\w-]{43})\.(ses_[0-9a-z]{26})\.(h|b?\d{1,3}|b)\.([\w-]{22})$/;

/**
 * A new refresh token for a session: 256 random bits, then the session id and the cookie scope, then a MAC over all of
 * it. The MAC distinguishes our tokens from invented ones without a read: rate limits apply per session, and a used
 * token of any age is recognised as a replay.
 */
export function createRefreshToken(deps: Deps, sessionId: string, scope: CookieScope) {
  const secret = createSecret(deps.randomBytes);
  const body = `${secret}.${sessionId}.${scope}`;
  return { token: `${body}.${macOf(keysOf(deps)[0], body)}`, hash: secretHash(secret) };
}

/** Parses a presented token; null if this service never issued it. Its state is not checked. */
export function parseRefreshToken(deps: Deps, token: string | undefined): RefreshToken | null {
  const [, secret, sessionId, scope, mac] = shape.exec(token ?? '') ?? [];
  if (!secret || !sessionId || !scope || !mac) return null;
  if (!verifyMac(keysOf(deps), `${secret}.${sessionId}.${scope}`, mac)) return null;
  return { sessionId, scope: scope as CookieScope, hash: secretHash(secret) };
}

/** The session keys that this process has created or verified, to save parsing and a MAC. */
const knownKeys = new WeakMap<SecretKeys, Map<string, string>>();

export function knownRefreshKey({ config }: Deps, sessionId: string): string | undefined {
  return knownKeys.get(config.secretKeys)?.get(sessionId);
}

function rememberKey({ config }: Deps, sessionId: string, key: string): void {
  const keys = getOrInsert(knownKeys, config.secretKeys, () => new Map());
  if (keys.size >= 10_000) keys.clear();
  keys.set(sessionId, key);
}

/** A session's key, a MAC of the session id, which proves that the browser's tokens were issued to it. */
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

/** No token body starts like this, so a token's MAC is never a key. */
function keyBody(sessionId: string): string {
  return `key.${sessionId}`;
}

const derived = new WeakMap<SecretKeys, SecretKeys>();

function keysOf(deps: Deps): SecretKeys {
  const { secretKeys } = deps.config;
  return getOrInsert(derived, secretKeys, () => deriveKeys(secretKeys, 'refresh-token'));
}
