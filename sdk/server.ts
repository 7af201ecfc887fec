import { readHeader, type ServerRequest } from './server-request.ts';
import { number, type TokenOptions, verify } from './server-token.ts';

export { type ApprovalOptions, type CreatedApproval, createApproval } from './server-approval.ts';
export type { RequestHeaders, ServerRequest } from './server-request.ts';
export type { TokenOptions } from './server-token.ts';
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

/** Options for `verifyAppToken`. */
export interface VerifyAppOptions extends TokenOptions {
  /** The resource that the token must be for: this back end, as in the `resource` parameter of apps. */
  audience: string;
}

/** An app that calls with an access token, and its permissions (RFC 9068). */
export interface VerifiedApp {
  appId: string;
  /** The person for whom the app acts; null if it acts for itself. */
  pid: string | null;
  scopes: string[];
  grantId: string | null;
  tokenExpiresAt: string;
}

const pidPattern = /^([a-z0-9][a-z0-9._-]{1,28}[a-z0-9])@pid$/;

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
 * Verifies an app's access token in the `Authorization` header. Returns null if there is none, or if it is expired,
 * forged, from another service or for another audience. Check `scopes` before doing anything. A revoked grant is
 * accepted until the token expires: at most 15 minutes with the service's defaults.
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

function readApp(claims: Record<string, unknown>): VerifiedApp | null {
  const { sub, client_id, scope, grant_id, exp } = claims;
  const appId = text(client_id);
  const pid = pidPattern.exec(text(sub))?.[0] ?? null;
  if (!pid && sub !== appId) return null;
  const scopes = text(scope).split(' ').filter(Boolean);
  return { appId, pid, scopes, grantId: textOrNull(grant_id), tokenExpiresAt: isoTime(exp) };
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isoTime(seconds: unknown): string {
  return new Date(number(seconds) * 1000).toISOString();
}
