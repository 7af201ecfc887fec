import type { Deps } from '../../../deps.ts';
import { pidOf } from '../../../lib/id.ts';
import { stringList } from '../../../lib/present.ts';
import { createSecret } from '../../../lib/secret.ts';
import { type AppClaims, ownAudience, signAppToken } from '../../grant/app-token.ts';
import type { Signer } from '../../signing-key/signing-key.ts';
import { passkeyAcr } from '../claims.ts';
import type { TokenAnswer } from '../schema.ts';

/** The columns of an app session needed for tokens. */
export interface AppSessionRow {
  readonly id: string;
  readonly grant_id: string;
  readonly app_id: string;
  readonly handle: string;
  readonly scopes: string;
  readonly resource: string | null;
  readonly authenticated_at: number;
  readonly expires_at: number;
}

/** Further columns needed for the ID token. */
export interface SignInRow extends AppSessionRow {
  readonly nonce: string | null;
  readonly provider: string;
  readonly display_name: string;
  readonly email: string | null;
  readonly alg: 'RS256' | 'ES256';
}

/** The narrower rights of an access token. */
export interface Narrowed {
  /** Null means all of the session's scopes. */
  readonly scopes: readonly string[] | null;
  /** Null means the resource of the sign-in, or otherwise this service. */
  readonly resource: string | null;
  /** The name of this service as a resource. */
  readonly own: string;
}

export function amrOf(provider: string): readonly string[] {
  return provider === 'passkey' ? ['pop', 'user'] : provider === 'email' ? ['pwd'] : ['fed'];
}

/** The rights of one access token, and the thumbprint of its key. */
export interface Issued extends Pick<Narrowed, 'scopes'> {
  readonly jkt: string | null;
}

/** Signs the access token of an app session. It expires after ACCESS_TTL_SECONDS, or earlier with the session. */
export async function issueAccess(
  deps: Deps,
  sign: Signer,
  row: AppSessionRow,
  { scopes, jkt }: Issued,
  now: number,
): Promise<TokenAnswer> {
  const claims = {
    appId: row.app_id,
    handle: row.handle,
    scopes: scopes ?? stringList(row.scopes),
    grantId: row.grant_id,
    sessionId: row.id,
    audience: row.resource ?? ownAudience(deps.config),
    actor: null,
    jkt,
    authenticatedAt: row.authenticated_at,
    expiresAt: Math.min(now + deps.config.ACCESS_TTL_SECONDS * 1000, row.expires_at),
  };
  return answerWith(deps, sign, claims, now);
}

interface SignIn {
  readonly row: SignInRow;
  readonly sign: Signer;
  readonly rsa: Signer | null;
  readonly refresh: string;
  readonly jkt: string | null;
  readonly now: number;
}

/** The tokens of a sign-in that has just begun. */
export async function answerSignIn(
  deps: Deps,
  { row, sign, rsa, refresh, jkt, now }: SignIn,
): Promise<TokenAnswer> {
  const scopes = stringList(row.scopes);
  const signId = row.alg === 'RS256' ? rsa : sign;
  return {
    ...(await issueAccess(deps, sign, row, { scopes, jkt }, now)),
    ...(scopes.includes('offline_access') && { refresh_token: refresh }),
    ...(scopes.includes('openid') && signId && { id_token: await signIdToken(deps, signId, row, now) }),
  };
}

/** Signs an access token, and returns it as RFC 6749 section 5.1 requires. */
export async function answerWith(
  deps: Deps,
  sign: Signer,
  claims: Omit<AppClaims, 'tokenId' | 'issuedAt'>,
  now: number,
): Promise<TokenAnswer> {
  const whole = { ...claims, tokenId: createSecret(deps.randomBytes), issuedAt: now };
  const scope = claims.scopes.join(' ');
  return {
    access_token: await signAppToken(deps, sign, whole),
    token_type: claims.jkt === null ? 'Bearer' : 'DPoP',
    expires_in: Math.floor(claims.expiresAt / 1000) - Math.floor(now / 1000),
    ...(scope && { scope }),
  };
}

/** The claims about the person that the app gets, by scope (OpenID Connect Core section 5.4). */
export function claimsByScope(
  { handle, display_name, email }: Pick<SignInRow, 'handle' | 'display_name' | 'email'>,
  scopes: readonly string[],
) {
  return {
    ...(scopes.includes('profile') && { name: display_name, preferred_username: handle }),
    ...(scopes.includes('email') && email !== null && { email, email_verified: true }),
  };
}

/** Signs an ID token (OpenID Connect Core section 2). `sid` is the same as in logout tokens. */
export function signIdToken(deps: Deps, sign: Signer, row: SignInRow, now: number): Promise<string> {
  const iat = Math.floor(now / 1000);
  const payload = {
    iss: deps.config.origin,
    sub: pidOf(row.handle),
    aud: row.app_id,
    iat,
    exp: iat + deps.config.ACCESS_TTL_SECONDS,
    auth_time: Math.floor(row.authenticated_at / 1000),
    amr: amrOf(row.provider),
    ...(row.provider === 'passkey' && { acr: passkeyAcr }),
    sid: row.id,
    ...(row.nonce !== null && { nonce: row.nonce }),
    ...claimsByScope(row, stringList(row.scopes)),
  };
  return sign(payload, 'id');
}
