import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { handleOf, pidOf } from '../../lib/id.ts';
import { isCurrent, type Signer, verifyToken } from '../signing-key/signing-key.ts';
import { rememberVerified, type Verified, type Verify } from '../signing-key/verified-tokens.ts';

/** The claims of an app's access token (RFC 9068). Times are epoch milliseconds. */
export interface AppClaims {
  /** The app (`client_id`). */
  readonly appId: string;
  /** The person for whom the app acts; null if it acts for itself. */
  readonly handle: string | null;
  readonly scopes: readonly string[];
  readonly grantId: string | null;
  /** The app session (`sid`). */
  readonly sessionId: string | null;
  /** The resource that may accept the token. */
  readonly audience: string;
  /** The app that exchanged a token for this one (`act`, RFC 8693 section 4.1). */
  readonly actor: string | null;
  /** The thumbprint of the key to which it is bound (`cnf`, RFC 9449 section 6); null if it is not bound. */
  readonly jkt: string | null;
  /** When the person signed in (`auth_time`, RFC 9470 section 6.1); null without a person. */
  readonly authenticatedAt: number | null;
  /** `jti`. */
  readonly tokenId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * The audience of tokens for this service. It differs from BASE_URL, the audience of `pid_access`, so that even a back
 * end that does not check `typ` does not mistake an app's token for a person's session.
 */
export function ownAudience(config: Pick<Config, 'origin'>): string {
  return `${config.origin}/v1`;
}

/** Signs an app's access token (RFC 9068). @param sign the signer of ES256 */
export function signAppToken(deps: Deps, sign: Signer, claims: AppClaims): Promise<string> {
  const { appId, handle, grantId, sessionId, actor, jkt, authenticatedAt } = claims;
  const payload = {
    iss: deps.config.origin,
    sub: handle === null ? appId : pidOf(handle),
    aud: claims.audience,
    client_id: appId,
    scope: claims.scopes.join(' '),
    ...(grantId !== null && { grant_id: grantId }),
    ...(sessionId !== null && { sid: sessionId }),
    ...(actor !== null && { act: { sub: actor } }),
    ...(jkt !== null && { cnf: { jkt } }),
    ...(authenticatedAt !== null && { auth_time: Math.floor(authenticatedAt / 1000) }),
    iat: Math.floor(claims.issuedAt / 1000),
    exp: Math.floor(claims.expiresAt / 1000),
    jti: claims.tokenId,
  };
  return sign(payload, 'app');
}

/**
 * Verifies the access token of a caller of this service, or returns null for any fault. A token with `jkt` is valid only
 * with a proof of that key. The token only shows the app's permissions at the time of issue, so any change must also
 * check `live_grants`.
 */
export const verifyAppToken: Verify<AppClaims> = rememberVerified(async (deps, token, now) => {
  const verified = await verify(deps, token, now);
  return verified?.claims.audience === ownAudience(deps.config) ? verified : null;
});

/** The same for any audience, for callers that only read a token. */
export async function readAppToken(deps: Deps, token: string, now: number): Promise<AppClaims | null> {
  return (await verify(deps, token, now))?.claims ?? null;
}

async function verify(deps: Deps, token: string, now: number): Promise<Verified<AppClaims> | null> {
  const verified = await verifyToken(deps, token, now, 'app');
  if (!verified || !isCurrent(verified.payload, now)) return null;
  const { iss, sub, aud, client_id, scope, grant_id, sid, act, cnf, auth_time, iat, exp, jti } =
    verified.payload;
  if (iss !== deps.config.origin || typeof aud !== 'string' || typeof client_id !== 'string') return null;
  if (typeof sub !== 'string' || typeof scope !== 'string' || typeof jti !== 'string') return null;
  const handle = handleOf(sub);
  if (handle === null && sub !== client_id) return null;
  const claims: AppClaims = {
    appId: client_id,
    handle,
    scopes: scope.split(' ').filter(Boolean),
    grantId: typeof grant_id === 'string' ? grant_id : null,
    sessionId: typeof sid === 'string' ? sid : null,
    audience: aud,
    actor: typeof act === 'object' ? String(Reflect.get(act ?? {}, 'sub')) : null,
    jkt: typeof cnf === 'object' ? String(Reflect.get(cnf ?? {}, 'jkt')) : null,
    authenticatedAt: typeof auth_time === 'number' ? auth_time * 1000 : null,
    tokenId: jti,
    issuedAt: Number(iat) * 1000,
    expiresAt: Number(exp) * 1000,
  };
  return { claims, kid: verified.kid };
}
