import type { Deps } from '../../deps.ts';
import { pidOf } from '../../lib/id.ts';
import { remember } from '../../lib/remember.ts';
import { isoTime } from '../../lib/time.ts';
import { type Signer, stillVerifies, type VerifiedToken, verifyToken } from '../signing-key/signing-key.ts';
import type { Session } from './schema.ts';

/** The claims of an access token: enough to read a session without a database. Times are epoch milliseconds. */
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
  /** When the token itself ends. */
  readonly expiresAt: number;
}

type ClaimName =
  | 'iss'
  | 'aud'
  | 'sub'
  | 'sid'
  | 'iat'
  | 'exp'
  | 'nbf'
  | 'auth_time'
  | 'session_exp'
  | 'provider'
  | 'name'
  | 'locale'
  | 'email';

/** A verified token, and the key it was signed with. */
interface Verified {
  readonly claims: AccessClaims;
  readonly kid: string;
}

const pidPattern = /^[a-z0-9][a-z0-9._-]{1,28}[a-z0-9]@pid$/;
/** Maximum clock skew between nodes. */
const skewSeconds = 30;

/**
 * Verified tokens of this process: checking a signature costs more than all the rest of a read. Of two generations
 * the older one is dropped whole, so that eviction costs nothing per token.
 */
interface TokenCache {
  young: Map<string, Verified>;
  old: Map<string, Verified>;
}

const generationSize = 5_000;
/** The longest cookie that browsers keep (RFC 6265bis). */
const longestToken = 4_096;
const caches = new WeakMap<Deps['db'], TokenCache>();

/**
 * Signs an access token (RFC 7519): `iss` and `aud` are BASE_URL, `sub` the PID, `sid` the session.
 * It lives ACCESS_TTL_SECONDS, and never longer than its session.
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

/** Verifies an access token, or answers null whatever is wrong with it (RFC 8725 section 3). */
export async function verifyAccessToken(deps: Deps, token: string, now: number) {
  if (token.length > longestToken) return null;
  const cache = remember(caches, deps.db, () => ({ young: new Map(), old: new Map() }));
  const known = cache.young.get(token) ?? cache.old.get(token);
  if (known && known.claims.expiresAt > now && stillVerifies(deps, known.kid, now)) return known.claims;
  const verified = await verify(deps, token, now);
  if (!verified) return null;
  if (cache.young.size >= generationSize) {
    cache.old = cache.young;
    cache.young = new Map();
  }
  cache.young.set(token, verified);
  return verified.claims;
}

async function verify(deps: Deps, token: string, now: number): Promise<Verified | null> {
  const verified = await verifyToken(deps, token, now);
  return verified && readClaims(deps, verified, now);
}

/** RFC 8725 section 3.8 to 3.10: a good signature is not enough, the token must be for us, now, about a PID. */
function readClaims(deps: Deps, { kid, payload }: VerifiedToken, now: number): Verified | null {
  const { iss, aud, sub, sid, iat, exp, nbf, auth_time, session_exp, provider, name, locale, email } =
    payload as Partial<Record<ClaimName, unknown>>;
  const seconds = now / 1000;
  if (iss !== deps.config.origin || aud !== deps.config.origin) return null;
  if (typeof exp !== 'number' || exp <= seconds) return null;
  if (typeof iat !== 'number' || iat > seconds + skewSeconds) return null;
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= seconds + skewSeconds)) return null;
  if (typeof sub !== 'string' || !pidPattern.test(sub) || typeof sid !== 'string') return null;
  if (typeof provider !== 'string' || typeof name !== 'string') return null;
  if (typeof auth_time !== 'number' || typeof session_exp !== 'number') return null;
  const claims: AccessClaims = {
    handle: sub.slice(0, -'@pid'.length),
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
