import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Deps } from '../../deps.ts';
import { remember } from '../../lib/remember.ts';
import {
  getSigningKey,
  getVerificationKey,
  signingAlgorithm,
  stillVerifies,
} from '../signing-key/signing-key.ts';
import type { Session } from './schema.ts';

/** What an access token says: enough to answer the session read without a database. Times are epoch milliseconds. */
export interface AccessClaims {
  readonly handle: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly authenticatedAt: number;
  readonly sessionExpiresAt: number;
  readonly displayName: string;
  readonly locale: string | null;
}

/** A verified token, and when it stops being one. */
interface Verified {
  readonly claims: AccessClaims;
  readonly kid: string;
  readonly expiresAt: number;
}

const pidPattern = /^([a-z0-9](?:[a-z0-9._-]{1,28})[a-z0-9])@pid$/;
/** Clocks of two nodes may differ by this much before a token counts as issued in the future. */
const skewSeconds = 30;

/** Verified tokens of this process: checking a signature costs more than all the rest of a read. */
const cacheSize = 10_000;
const verifiedTokens = new WeakMap<Deps['db'], Map<string, Verified>>();

/**
 * Signs an access token (RFC 7519): `iss` and `aud` are BASE_URL, `sub` the PID, `sid` the session.
 * It lives ACCESS_TTL_SECONDS, and never longer than its session.
 */
export async function signAccessToken(deps: Deps, claims: AccessClaims, now: number): Promise<string> {
  const key = await getSigningKey(deps, now);
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = Math.min(
    issuedAt + deps.config.ACCESS_TTL_SECONDS,
    Math.floor(claims.sessionExpiresAt / 1000),
  );
  return new SignJWT({
    sid: claims.sessionId,
    provider: claims.provider,
    auth_time: Math.floor(claims.authenticatedAt / 1000),
    sid_exp: Math.floor(claims.sessionExpiresAt / 1000),
    name: claims.displayName,
    ...(claims.locale === null ? {} : { locale: claims.locale }),
  })
    .setProtectedHeader({ alg: signingAlgorithm, kid: key.kid, typ: 'JWT' })
    .setIssuer(deps.config.origin)
    .setAudience(deps.config.origin)
    .setSubject(`${claims.handle}@pid`)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key.privateKey);
}

/** Verifies an access token, or answers null whatever is wrong with it (RFC 8725 section 3). */
export async function verifyAccessToken(
  deps: Deps,
  token: string,
  now: number,
): Promise<AccessClaims | null> {
  const cache = cacheOf(deps);
  const known = cache.get(token);
  if (known) {
    if (known.expiresAt > now && stillVerifies(deps, known.kid, now)) return known.claims;
    cache.delete(token);
  }
  const verified = await verify(deps, token, now);
  if (!verified) return null;
  if (cache.size >= cacheSize) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  }
  cache.set(token, verified);
  return verified.claims;
}

async function verify(deps: Deps, token: string, now: number): Promise<Verified | null> {
  let kid = '';
  try {
    const { payload } = await jwtVerify(
      token,
      async (header) => {
        const key = await getVerificationKey(deps, header.kid ?? '', now);
        if (!key) throw new Error('unknown key');
        kid = key.kid;
        return key.publicKey;
      },
      {
        algorithms: [signingAlgorithm],
        issuer: deps.config.origin,
        audience: deps.config.origin,
        typ: 'JWT',
        requiredClaims: ['exp', 'iat', 'sub', 'sid'],
        currentDate: new Date(now),
      },
    );
    const claims = readClaims(payload, now);
    return claims && { claims, kid, expiresAt: (payload.exp ?? 0) * 1000 };
  } catch {
    return null;
  }
}

function readClaims(payload: JWTPayload, now: number): AccessClaims | null {
  const {
    sub = '',
    iat = 0,
    aud,
    sid,
    provider,
    auth_time,
    sid_exp,
    name,
    locale,
  } = payload as JWTPayload &
    Record<'sid' | 'provider' | 'auth_time' | 'sid_exp' | 'name' | 'locale', unknown>;
  const [, handle] = pidPattern.exec(sub) ?? [];
  if (!handle || typeof aud !== 'string' || iat > now / 1000 + skewSeconds) return null;
  if (typeof sid !== 'string' || typeof provider !== 'string' || typeof name !== 'string') return null;
  if (typeof auth_time !== 'number' || typeof sid_exp !== 'number') return null;
  return {
    handle,
    sessionId: sid,
    provider,
    authenticatedAt: auth_time * 1000,
    sessionExpiresAt: sid_exp * 1000,
    displayName: name,
    locale: typeof locale === 'string' ? locale : null,
  };
}

function cacheOf(deps: Deps): Map<string, Verified> {
  return remember(verifiedTokens, deps.db, () => new Map<string, Verified>());
}

/** The `Session` object that a token stands for. */
export function sessionOf(deps: Deps, claims: AccessClaims): Session {
  const pid = `${claims.handle}@pid`;
  return {
    pid,
    handle: claims.handle,
    profile: { displayName: claims.displayName, locale: claims.locale },
    session: {
      id: claims.sessionId,
      provider: claims.provider,
      authenticatedAt: new Date(Math.floor(claims.authenticatedAt / 1000) * 1000).toISOString(),
      expiresAt: new Date(Math.floor(claims.sessionExpiresAt / 1000) * 1000).toISOString(),
    },
    roles: deps.config.ADMIN_PIDS.includes(pid) ? ['admin'] : [],
  };
}
