import type { Deps } from '../../deps.ts';
import { handleOf, isoTime, pidOf } from '../../lib/id.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { isCurrent, type Signer, type VerifiedToken, verifyToken } from '../signing-key/signing-key.ts';
import { rememberVerified, type Verified, type Verify } from '../signing-key/verified-tokens.ts';
import type { Session } from './schema.ts';

/** The claims of an access token, sufficient to read a session without a database. Times are epoch milliseconds. */
export interface AccessClaims {
  readonly handle: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly authenticatedAt: number;
  readonly sessionExpiresAt: number;
  readonly displayName: string;
  readonly locale: string | null;
  /** The primary address; null without one, and unless SESSION_EMAIL is on. */
  readonly email: string | null;
  /** The expiry of the token itself. */
  readonly expiresAt: number;
}

type ClaimName =
  | 'iss'
  | 'aud'
  | 'sub'
  | 'sid'
  | 'exp'
  | 'auth_time'
  | 'session_exp'
  | 'provider'
  | 'name'
  | 'locale'
  | 'email';

/**
 * Signs an access token (RFC 7519): `iss` and `aud` are BASE_URL, `sub` the PID, `sid` the session. The token expires
 * after ACCESS_TTL_SECONDS, or earlier with its session.
 */
export async function signAccessToken(deps: Deps, sign: Signer, claims: AccessClaims, now: number) {
  const { origin } = deps.config;
  const issuedAt = Math.floor(now / 1000);
  const sessionEnds = Math.floor(claims.sessionExpiresAt / 1000);
  const payload = {
    iss: origin,
    aud: origin,
    sub: pidOf(claims.handle),
    sid: claims.sessionId,
    iat: issuedAt,
    exp: Math.floor(claims.expiresAt / 1000),
    auth_time: Math.floor(claims.authenticatedAt / 1000),
    session_exp: sessionEnds,
    provider: claims.provider,
    name: claims.displayName,
    ...(claims.locale === null ? {} : { locale: claims.locale }),
    ...(claims.email === null ? {} : { email: claims.email, email_verified: true }),
  };
  return sign(payload);
}

/** Verifies an access token, or returns null for any fault (RFC 8725 section 3). */
export const verifyAccessToken: Verify<AccessClaims> = rememberVerified(async (deps, token, now) => {
  const verified = await verifyToken(deps, token, now);
  return verified && readClaims(deps, verified, now);
});

/** RFC 8725 section 3.8 to 3.10: besides a valid signature, the token must be for us, valid now, and about a PID. */
function readClaims(deps: Deps, { kid, payload }: VerifiedToken, now: number): Verified<AccessClaims> | null {
  const { iss, aud, sub, sid, exp, auth_time, session_exp, provider, name, locale, email } =
    payload as Partial<Record<ClaimName, unknown>>;
  if (iss !== deps.config.origin || aud !== deps.config.origin) return null;
  if (!isCurrent(payload, now) || typeof exp !== 'number') return null;
  const handle = typeof sub === 'string' ? handleOf(sub) : null;
  if (handle === null || typeof sid !== 'string') return null;
  if (typeof provider !== 'string' || typeof name !== 'string') return null;
  if (typeof auth_time !== 'number' || typeof session_exp !== 'number') return null;
  const claims: AccessClaims = {
    handle,
    sessionId: sid,
    provider,
    authenticatedAt: auth_time * 1000,
    sessionExpiresAt: session_exp * 1000,
    displayName: name,
    locale: typeof locale === 'string' ? locale : null,
    email: typeof email === 'string' ? email : null,
    expiresAt: exp * 1000,
  };
  return { claims, kid };
}

/** The `Session` object of a token. */
export function sessionOf(deps: Deps, claims: AccessClaims): Session {
  const pid = pidOf(claims.handle);
  return {
    pid,
    handle: claims.handle,
    profile: { displayName: claims.displayName, locale: claims.locale },
    ...(deps.config.SESSION_EMAIL === 'on' ? { email: claims.email } : {}),
    session: {
      id: claims.sessionId,
      provider: claims.provider,
      authenticatedAt: isoTime(Math.floor(claims.authenticatedAt / 1000) * 1000),
      expiresAt: isoTime(Math.floor(claims.sessionExpiresAt / 1000) * 1000),
    },
    roles: deps.config.ADMIN_PIDS.includes(pid) ? ['admin'] : [],
  };
}

const texts = new WeakMap<Deps['config'], WeakMap<AccessClaims, string>>();

/**
 * The session as JSON, cached by claims object: a token read again has the same object, and serializing is the most
 * expensive part.
 */
export function sessionText(deps: Deps, claims: AccessClaims): string {
  const known = getOrInsert(texts, deps.config, () => new WeakMap());
  return getOrInsert(known, claims, () => JSON.stringify(sessionOf(deps, claims)));
}
