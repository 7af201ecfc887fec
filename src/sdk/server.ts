/** Fetch API headers (Hono, Next.js, SvelteKit, workerd, Bun, Deno) or Node.js headers (Express). */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** A `Request`, a Node.js `IncomingMessage`, or `{ headers }`. */
export interface ServerRequest {
  readonly method?: string | undefined;
  readonly headers: RequestHeaders;
}

/** Options of `verifySession`. */
export interface VerifyOptions {
  /** The address of the service, such as `https://id.example.com`. Its tokens have it as issuer and audience. */
  baseUrl: string;
  /** Maximum clock skew between this machine and the service, in seconds. Defaults to 30. */
  clockSkewSeconds?: number;
  /** How long the public keys are cached, in seconds. Defaults to 300. */
  maxAgeSeconds?: number;
  /** The name of the access token's cookie. Defaults to `pid_access`. */
  cookieName?: string;
  /** Replaces `fetch`, for example with a Workers service binding, or to reach the service over a private network. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Replaces `Date.now` in tests. */
  now?: () => number;
}

/** The signed-in person and their session, as the access token states them. Times are ISO 8601 UTC. */
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
  /** When this token expires. The browser then renews it, and the session continues. */
  tokenExpiresAt: string;
}

/** The public keys of one service, by the header of the tokens that they verify. */
interface KeySet {
  keys: Map<string, CryptoKey>;
  loadedAt: number;
  /** Earliest time of the next reload: sooner after a failure than after a response. */
  nextTryAt: number;
  /** End of the current load, in real time: if its request is cancelled, nothing resets this. */
  loadingUntil: number;
  error: Error | undefined;
}

const timeoutMs = 5_000;
/** Minimum time between reloads for unknown keys, because anybody can make up a key id. */
const cooldownMs = 10_000;
const retryMs = 1_000;
/** How long cached keys stay usable while the service is unreachable. */
const keepMs = 3_600_000;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** The start of every token's header, as base64url. */
const headerStart = btoa('{"alg":"ES256","kid":');
/** Three base64url parts. The last is 64 bytes in canonical encoding. */
const tokenPattern = /^([\w-]+)\.([\w-]+)\.([\w-]{85}[AQgw])$/;
const pidPattern = /^([a-z0-9][a-z0-9._-]{1,28}[a-z0-9])@pid$/;
/** The maximum size of a cookie in browsers (RFC 6265bis). */
const longestToken = 4_096;

const keySets = new Map<string, KeySet>();

/**
 * Verifies the access token in a request's `pid_access` cookie and returns the session. Returns null if there is no token, or
 * if it is expired, forged, or from another service. The only request is for the service's public keys (RFC 7517), which are
 * cached; an unknown key causes a reload at most every ten seconds.
 *
 * A session that has ended is accepted until its token expires: at most 15 minutes with the service's defaults.
 * @throws Error when the keys cannot be read. This says nothing about the person, so respond with 503 rather than 401
 * @throws TypeError when `baseUrl` is not a URL
 */
export async function verifySession(
  request: ServerRequest,
  options: VerifyOptions,
): Promise<VerifiedSession | null> {
  const { cookieName = 'pid_access', now = Date.now } = options;
  const issuer = new URL(options.baseUrl).origin;
  const token = readCookie(request, cookieName);
  const [, header = '', payload = '', signature = ''] = tokenPattern.exec(token) ?? [];
  // The header must equal the one that the service writes for a known key, so no algorithm can be chosen (RFC 8725, 3.1).
  if (token.length > longestToken || !header.startsWith(headerStart)) return null;
  const key = await findKey(header, issuer, options);
  if (!key) return null;
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  const holds = await crypto.subtle.verify(algorithm, key, decode(signature), signed);
  return holds ? readClaims(payload, issuer, now() / 1000, options) : null;
}

/**
 * Checks that a request was not forged by a page of another origin (CSRF). Safe methods always pass. Any other method, and a
 * WebSocket handshake, needs a listed `Origin`; without that header, `Sec-Fetch-Site` must not name another site.
 *
 * `SameSite=Lax` is no substitute: browsers also send the cookies with requests from pages on sibling domains.
 * @param allowedOrigins exact origins, such as `https://app.example.com`; include this server's own
 * @returns whether the request may change something
 */
export function verifyOrigin(request: ServerRequest, allowedOrigins: readonly string[]): boolean {
  const isSocket = /websocket/i.test(readHeader(request, 'upgrade') ?? '');
  if (!isSocket && /^(GET|HEAD|OPTIONS)$/.test(request.method ?? '')) return true;
  const origin = readHeader(request, 'origin');
  if (origin !== null) return allowedOrigins.includes(origin);
  const site = readHeader(request, 'sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

function readHeader({ headers }: ServerRequest, name: string): string | null {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name];
  return value === undefined || value === null ? null : String(value);
}

/** A Node.js request may have a header named `get`, but its value is never a function. */
function isFetchHeaders(headers: RequestHeaders): headers is { get(name: string): string | null } {
  return typeof (headers as { get?: unknown }).get === 'function';
}

/** The value of a cookie; empty if it is missing, or sent twice, because nothing shows which one is genuine. */
function readCookie(request: ServerRequest, name: string): string {
  const [value = '', ...others] = (readHeader(request, 'cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return others.length > 0 ? '' : value.slice(name.length + 1);
}

/** Checks issuer, audience, lifetime and subject (RFC 8725, sections 3.8 to 3.10): a valid signature is not enough. */
function readClaims(
  payload: string,
  issuer: string,
  seconds: number,
  { clockSkewSeconds = 30 }: VerifyOptions,
): VerifiedSession | null {
  try {
    const claims: Record<string, unknown> = JSON.parse(new TextDecoder().decode(decode(payload)));
    const {
      iss,
      aud,
      sub,
      sid,
      iat,
      exp,
      nbf = 0,
      auth_time,
      session_exp,
      provider,
      name,
      locale,
      email,
    } = claims;
    const [pid, handle] = pidPattern.exec(text(sub)) ?? [];
    if (iss !== issuer || aud !== issuer || !pid || !handle) return null;
    if (number(exp) + clockSkewSeconds <= seconds) return null;
    if (Math.max(number(iat), number(nbf)) - clockSkewSeconds > seconds) return null;
    return {
      pid,
      handle,
      profile: { displayName: text(name), locale: typeof locale === 'string' ? locale : null },
      session: {
        id: text(sid),
        provider: text(provider),
        authenticatedAt: isoTime(auth_time),
        expiresAt: isoTime(session_exp),
      },
      email: typeof email === 'string' ? email : null,
      tokenExpiresAt: isoTime(exp),
    };
  } catch {
    return null;
  }
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('not a number');
  return value;
}

function isoTime(seconds: unknown): string {
  return new Date(number(seconds) * 1000).toISOString();
}

/**
 * Finds the key for a token's header. One request reloads expired keys while the others keep using the cached ones; for an
 * unknown key all of them wait.
 */
async function findKey(
  header: string,
  issuer: string,
  options: VerifyOptions,
): Promise<CryptoKey | undefined> {
  const { maxAgeSeconds = 300, now = Date.now } = options;
  const empty = { keys: new Map(), loadedAt: 0, nextTryAt: 0, loadingUntil: 0, error: undefined };
  const set: KeySet = keySets.get(issuer) ?? empty;
  keySets.set(issuer, set);
  const find = () => (now() - set.loadedAt < keepMs ? set.keys.get(header) : undefined);
  if (find()) {
    if (now() - set.loadedAt < maxAgeSeconds * 1000 || isLoading(set)) return find();
  } else {
    // Polled, because on Workers a request cannot await another request's promise.
    while (isLoading(set)) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (now() >= set.nextTryAt) await load(set, issuer, options);
  const key = find();
  if (!key && set.error) throw set.error;
  return key;
}

function isLoading(set: KeySet): boolean {
  return set.loadingUntil > Date.now();
}

/** Loads the key set. A failure keeps the previous keys. */
async function load(set: KeySet, issuer: string, options: VerifyOptions): Promise<void> {
  const { fetch: send = fetch, now = Date.now } = options;
  set.loadingUntil = Date.now() + timeoutMs;
  try {
    // Redirects are not followed. workerd does not support `error`.
    const init = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
    const response = await send(`${issuer}/.well-known/jwks.json`, init);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { keys } = (await response.json()) as { keys: JsonWebKey[] };
    set.keys = new Map(await Promise.all(keys.filter(({ crv }) => crv === 'P-256').map(importKey)));
    set.loadedAt = now();
    set.error = undefined;
  } catch (cause) {
    set.error = new Error(`The public keys of ${issuer} could not be read`, { cause });
  } finally {
    set.loadingUntil = 0;
    set.nextTryAt = now() + (set.error ? retryMs : cooldownMs);
  }
}

async function importKey(jwk: JsonWebKey & { kid?: string }): Promise<[string, CryptoKey]> {
  const { kty, crv, x, y, kid } = jwk;
  const publicJwk = { kty, crv, x, y } as JsonWebKey;
  const key = await crypto.subtle.importKey('jwk', publicJwk, algorithm, false, ['verify']);
  const header = btoa(JSON.stringify({ alg: 'ES256', kid, typ: 'JWT' }));
  return [header.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''), key];
}

function decode(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
