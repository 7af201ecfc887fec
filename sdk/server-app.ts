import { readHeader, type ServerRequest } from './server-request.ts';
import { isoTime, pidPattern, type TokenOptions, text, textOrNull, verify } from './server-token.ts';

/** Options for `verifyAppToken`. */
export interface VerifyAppOptions extends TokenOptions {
  /** The resource that the token must be for: this back end, as in the `resource` parameter of apps. */
  audience: string;
}

/** An app that calls with an access token, and its permissions (RFC 9068). */
export interface VerifiedApp {
  /** The app's id, or the address of the document of a client that nobody registered. */
  appId: string;
  /** The person for whom the app acts; null if it acts for itself. */
  pid: string | null;
  scopes: string[];
  grantId: string | null;
  /** When the person signed in; null without a person. */
  authenticatedAt: string | null;
  tokenExpiresAt: string;
}

/**
 * Verifies an app's access token in the `Authorization` header. Returns null if there is none, or if it is expired,
 * forged, from another service, for another audience, or bound to a key (DPoP), whose proof is not checked here. Check
 * `scopes` before doing anything. A revoked grant is accepted until the token expires: at most 15 minutes with the
 * service's defaults.
 * @throws Error if the keys cannot be read
 * @throws TypeError if `baseUrl` is not a URL
 */
export async function verifyAppToken(
  request: ServerRequest,
  options: VerifyAppOptions,
): Promise<VerifiedApp | null> {
  const [, token = ''] = /^bearer ([\w.-]+)$/i.exec(readHeader(request, 'authorization') ?? '') ?? [];
  return verify(token, 'at+jwt', options, options.audience, readApp);
}

function readApp(claims: Record<string, unknown>): VerifiedApp | null {
  const { sub, client_id, scope, grant_id, auth_time, cnf, exp } = claims;
  const appId = text(client_id);
  const pid = pidPattern.exec(text(sub))?.[0] ?? null;
  // A token that is bound to a key is no bearer token (RFC 9449 section 7.2).
  if ((!pid && sub !== appId) || cnf !== undefined) return null;
  return {
    appId,
    pid,
    scopes: text(scope).split(' ').filter(Boolean),
    grantId: textOrNull(grant_id),
    authenticatedAt: auth_time === undefined ? null : isoTime(auth_time),
    tokenExpiresAt: isoTime(exp),
  };
}
