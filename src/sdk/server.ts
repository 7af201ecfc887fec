/** Headers as the Fetch API has them (Hono, Next, SvelteKit, workerd, Bun, Deno), or as Node has them (Express). */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The part of a request that is read: a `Request`, Node's `IncomingMessage`, or `{ headers }`. */
export interface ServerRequest {
  readonly method?: string | undefined;
  readonly headers: RequestHeaders;
}

/** Options of `verifySession`. */
export interface VerifyOptions {
  /** The address of the service, such as `https://id.example.com`: issuer and audience of its tokens. */
  baseUrl: string;
  /** The maximum difference between this machine's clock and the service's, in seconds. Defaults to 30. */
  clockSkewSeconds?: number;
  /** How long the public keys are kept before they are read again, in seconds. Defaults to 300. */
  maxAgeSeconds?: number;
  /** The cookie that holds the token. Defaults to `pid_access`. */
  cookieName?: string;
  /** Replaces `fetch`, for instance by a service binding of Workers, or to reach the service on a private network. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Replaces `Date.now`, in a test. */
  now?: () => number;
}

/** Whom a token was issued to, and how they signed in. Times are ISO 8601 UTC. */
export interface VerifiedSession {
  /** The permanent identity, `<handle>@pid`. */
  pid: string;
  handle: string;
  profile: { displayName: string; locale: string | null };
  session: { id: string; provider: string; authenticatedAt: string; expiresAt: string };
  /** The primary address, verified; null without one, and unless the service has `SESSION_EMAIL=on`. */
  email: string | null;
  /** When this token expires. The browser then renews it, and the session continues. */
  tokenExpiresAt: string;
}

/** The public keys of one service, by the first part of the tokens they verify. */
interface KeySet {
  keys: Map<string, CryptoKey>;
  loadedAt: number;
  /** When the keys may be read again: soon after a failure, later after an answer. */
  nextTryAt: number;
  /** Set while a request reads the keys, in real time: that request may be cancelled, and then nobody ends it. */
  loadingUntil: number;
  error: Error | undefined;
}

const timeoutMs = 5_000;
/** The minimum time between reloads for an unknown key, which anybody can invent. */
const cooldownMs = 10_000;
const retryMs = 1_000;
/** How long old keys are used while the service does not answer. */
const keepMs = 3_600_000;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** What the first part of every token of the service begins with. */
const headerStart = btoa('{"alg":"ES256","kid":');
/** Three parts of base64url, the last one 64 bytes in their only spelling. */
const tokenPattern = /^([\w-]+)\.([\w-]+)\.([\w-]{85}[AQgw])$/;
const pidPattern = /^([a-z0-9][a-z0-9._-]{1,28}[a-z0-9])@pid$/;
/** The longest cookie that browsers keep (RFC 6265bis). */
const longestToken = 4_096;

const keySets = new Map<string, KeySet>();

/**
 * Who sent a request, from its cookie `pid_access`, verified in this process; null when nobody is signed in, or the
 * token is expired, forged or not of this service. Reads only the public keys of the service (RFC 7517), which it
 * caches, and reads them again for an unknown key, at most every ten seconds.
 *
 * A session that has ended is accepted until its token expires, at most 15 minutes with the service's defaults.
 * @throws Error when the keys cannot be read: that says nothing about the person, so answer 503 rather than 401
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
  // The header must equal the one that the service writes for a known key: no algorithm to choose (RFC 8725 3.1).
  if (token.length > longestToken || !header.startsWith(headerStart)) return null;
  const key = await findKey(header, issuer, options);
  if (!key) return null;
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  const holds = await crypto.subtle.verify(algorithm, key, decode(signature), signed);
  return holds ? readClaims(payload, issuer, now() / 1000, options) : null;
}

/**
 * Whether a request may change something for the person whose cookies it carries. A safe method always may; any other,
 * and the opening of a WebSocket, needs an `Origin` that is listed, or, without one, no other site behind it (`Sec-Fetch-Site`).
 *
 * SameSite=Lax does not replace this: cookies also come with what pages of sibling domains send.
 * @param allowedOrigins exact origins, such as `https://app.example.com`; include this server's own
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

/** Node's headers may hold one that is called `get`, but never a function. */
function isFetchHeaders(headers: RequestHeaders): headers is { get(name: string): string | null } {
  return typeof (headers as { get?: unknown }).get === 'function';
}

/** The value of a cookie; empty when it is missing or doubled, because nothing shows which one is genuine. */
function readCookie(request: ServerRequest, name: string): string {
  const [value = '', ...others] = (readHeader(request, 'cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return others.length > 0 ? '' : value.slice(name.length + 1);
}

/** RFC 8725 section 3.8 to 3.10: a good signature is not enough, the token must be for this service, now, about a PID. */
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
 * The key whose tokens begin with this header. Old keys are read again first, by one request, while the others go on
 * with those they have; for an unknown key all wait.
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
    // Polled, because on Workers no request may wait for a promise of another one.
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

/** Reads the key set; a failure keeps the previous keys. */
async function load(set: KeySet, issuer: string, options: VerifyOptions): Promise<void> {
  const { fetch: send = fetch, now = Date.now } = options;
  set.loadingUntil = Date.now() + timeoutMs;
  try {
    // `manual`: the keys are at this address, and workerd has no `error`.
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
