import { readHeader, type ServerRequest } from './server-request.ts';
import { isoTime, pidPattern, type TokenOptions, text, textOrNull, verify } from './server-token.ts';

export { type VerifiedApp, verifyAppToken } from './server-app.ts';
export { type ApprovalOptions, type CreatedApproval, createApproval } from './server-approval.ts';
export type { RequestHeaders, ServerRequest } from './server-request.ts';
export {
  type ProtectedResource,
  type ProtectOptions,
  protectResource,
  type Refusal,
  type ResourceAccess,
} from './server-resource.ts';
export type { TokenOptions, VerifyAppOptions } from './server-token.ts';
export { verifyWebhook, type WebhookEvent, type WebhookOptions } from './server-webhook.ts';

/** Options for `verifySession`. */
export interface VerifyOptions extends TokenOptions {
  /** The name of the access token's cookie. Defaults to `pid_access`. */
  cookieName?: string;
}

/** The signed-in person and their session, according to the access token. Times are ISO 8601 UTC. */
export interface VerifiedSession {
  /** The permanent identity, `<handle>@pid`. */
  pid: string;
  handle: string;
  profile: { displayName: string; locale: string | null };
  session: { id: string; provider: string; authenticatedAt: string; expiresAt: string };
  /**
   * The person's primary verified address as of the last renewal. Null if they have none, or if the service does not have
   * `SESSION_EMAIL=on`.
   */
  email: string | null;
  /** The expiry of this token. The browser then renews it, and the session continues. */
  tokenExpiresAt: string;
}

/**
 * Verifies the access token in a request's `pid_access` cookie and returns the session. Returns null if there is no
 * token, or if it is expired, forged, or from another service. The only request is for the service's public keys (RFC
 * 7517), which are cached; an unknown key causes a reload at most every ten seconds.
 *
 * A revoked session is accepted until its token expires: at most 15 minutes with the service's defaults.
 * @throws Error if the keys cannot be read. This says nothing about the person, so respond with 503 rather than 401
 * @throws TypeError if `baseUrl` is not a URL
 */
export async function verifySession(
  request: ServerRequest,
  options: VerifyOptions,
): Promise<VerifiedSession | null> {
  const token = readCookie(request, options.cookieName ?? 'pid_access');
  return verify(token, 'JWT', options, new URL(options.baseUrl).origin, readSession);
}

/**
 * Checks that a request was not forged by a page of another origin (CSRF). Safe methods always pass. Any other method,
 * and a WebSocket handshake, needs a listed `Origin`; without that header, `Sec-Fetch-Site` must not name another site.
 *
 * `SameSite=Lax` is no substitute: browsers also send the cookies with requests from pages on sibling domains.
 * @param allowedOrigins exact origins, such as `https://app.example.com`; include this server's own
 * @returns true if the request may change something
 */
export function verifyOrigin(request: ServerRequest, allowedOrigins: readonly string[]): boolean {
  const isSocket = /websocket/i.test(readHeader(request, 'upgrade') ?? '');
  if (!isSocket && /^(GET|HEAD|OPTIONS)$/.test(request.method ?? '')) return true;
  const origin = readHeader(request, 'origin');
  if (origin !== null) return allowedOrigins.includes(origin);
  const site = readHeader(request, 'sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

/** The value of a cookie; empty if it is missing, or sent twice, because nothing shows which one is genuine. */
function readCookie(request: ServerRequest, name: string): string {
  const [value = '', ...others] = (readHeader(request, 'cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return others.length > 0 ? '' : value.slice(name.length + 1);
}

function readSession(claims: Record<string, unknown>): VerifiedSession | null {
  const { sub, sid, exp, auth_time, session_exp, provider, name, locale, email } = claims;
  const [pid, handle] = pidPattern.exec(text(sub)) ?? [];
  if (!pid || !handle) return null;
  return {
    pid,
    handle,
    profile: { displayName: text(name), locale: textOrNull(locale) },
    session: {
      id: text(sid),
      provider: text(provider),
      authenticatedAt: isoTime(auth_time),
      expiresAt: isoTime(session_exp),
    },
    email: textOrNull(email),
    tokenExpiresAt: isoTime(exp),
  };
}
