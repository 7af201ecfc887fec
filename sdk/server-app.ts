import { readHeader, type ServerRequest } from './server-request.ts';
import { isoTime, pidPattern, text, textOrNull, type VerifyAppOptions, verify } from './server-token.ts';

/** An app that calls with an access token, and its permissions (RFC 9068). */
export interface VerifiedApp {
  /** The app's id, or the address of an unregistered client's document. */
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
 * forged, from another service or for another audience. A token that is bound to a key needs the scheme `DPoP` and a
 * proof of the key for this request (RFC 9449 section 7), whose address is that of `audience` with the path of the
 * request; any other token needs the scheme `Bearer`. Check `scopes` before doing anything. A revoked grant is accepted until the token expires: at most 15 minutes with the
 * service's defaults.
 * @throws Error if the keys cannot be read
 * @throws TypeError if `baseUrl` is not a URL
 */
export async function verifyAppToken(
  request: ServerRequest,
  options: VerifyAppOptions,
): Promise<VerifiedApp | null> {
  const header = readHeader(request, 'authorization') ?? '';
  const [, scheme = '', token = ''] = /^(bearer|dpop) ([\w.-]+)$/i.exec(header) ?? [];
  const found = await verify(token, 'at+jwt', options, options.audience, readToken);
  if (!found || (found.jkt !== null) !== /^dpop$/i.test(scheme)) return null;
  if (found.jkt === null) return found.app;
  const { verifyProof } = await import('./server-dpop.ts');
  return (await verifyProof(request, { token, jkt: found.jkt }, options)) ? found.app : null;
}

/** An app, and the thumbprint of the key to which its token is bound. */
function readToken(claims: Record<string, unknown>): { app: VerifiedApp; jkt: string | null } | null {
  const app = readApp(claims);
  const jkt = claims['cnf'] === undefined ? null : text(Reflect.get(Object(claims['cnf']), 'jkt'));
  return app && { app, jkt };
}

function readApp(claims: Record<string, unknown>): VerifiedApp | null {
  const { sub, client_id, scope, grant_id, auth_time, exp } = claims;
  const appId = text(client_id);
  const pid = pidPattern.exec(text(sub))?.[0] ?? null;
  if (!pid && sub !== appId) return null;
  return {
    appId,
    pid,
    scopes: text(scope).split(' ').filter(Boolean),
    grantId: textOrNull(grant_id),
    authenticatedAt: auth_time === undefined ? null : isoTime(auth_time),
    tokenExpiresAt: isoTime(exp),
  };
}
