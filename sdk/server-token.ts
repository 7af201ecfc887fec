import { decode, encode } from './server-request.ts';

/** Options for verifying the service's tokens. */
export interface TokenOptions {
  /** The address of the service, such as `https://id.example.com`, which is the issuer and audience of its tokens. */
  baseUrl: string;
  /** Maximum clock skew between this machine and the service, in seconds. Defaults to 30. */
  clockSkewSeconds?: number;
  /** The lifetime of the cached public keys, in seconds. Defaults to 300. */
  maxAgeSeconds?: number;
  /** Replaces `fetch`, for example with a Workers service binding, or to reach the service over a private network. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Replaces `Date.now` in tests. */
  now?: () => number;
}

/** Options for `verifyAppToken`. */
export interface VerifyAppOptions extends TokenOptions {
  /** The resource that the token must be for: this back end, as in the `resource` parameter of apps. */
  audience: string;
  /**
   * Stores the id of a DPoP proof until it expires, and returns false if it is already stored, such as an insert into a table
   * with a unique key. Defaults to the memory of this process, which does not know the proofs used at another.
   */
  consumeProof?: (id: string, expiresAt: Date) => boolean | Promise<boolean>;
}

/** The public keys of one service, by the type and header of the tokens they verify. */
interface KeySet {
  keys: Map<string, CryptoKey>;
  loadedAt: number;
  /** The earliest time of the next reload: sooner after a failure than after a response. */
  nextTryAt: number;
  /** The end of the current load, in real time, because nothing resets this if the request is cancelled. */
  loadingUntil: number;
  error: Error | undefined;
}

const timeoutMs = 5_000;
/** Minimum time between reloads for unknown keys, because anyone can make up a key id. */
const cooldownMs = 10_000;
const retryMs = 1_000;
/** How long cached keys stay usable while the service is unreachable. */
const keepMs = 3_600_000;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** The start of every token's header, as base64url. */
const headerStart = btoa('{"alg":"ES256","kid":');
/** Three base64url parts. The last is 64 bytes in canonical encoding. */
const tokenPattern = /^([\w-]+)\.([\w-]+)\.([\w-]{85}[AQgw])$/;
/** The maximum size of a cookie in browsers (RFC 6265bis). */
const longestToken = 4_096;

/** The token types (`typ`): sessions, and access tokens of apps. */
const types = ['JWT', 'at+jwt'] as const;
type TokenType = (typeof types)[number];

const keySets = new Map<string, KeySet>();

/** Verifies a token's header, signature and lifetime, and parses the claims. @internal */
export async function verify<T>(
  token: string,
  type: TokenType,
  options: TokenOptions,
  audience: string,
  read: (claims: Record<string, unknown>) => T | null,
): Promise<T | null> {
  const { clockSkewSeconds = 30, now = Date.now } = options;
  const issuer = new URL(options.baseUrl).origin;
  const [, header = '', payload = '', signature = ''] = tokenPattern.exec(token) ?? [];
  // The header must equal the one that the service writes for a known key, so no algorithm can be chosen (RFC 8725,
  // 3.1).
  if (token.length > longestToken || !header.startsWith(headerStart)) return null;
  const key = await findKey(type + header, issuer, options);
  if (!key) return null;
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  if (!(await crypto.subtle.verify(algorithm, key, decode(signature), signed))) return null;
  // A valid signature is not sufficient (RFC 8725, sections 3.8 to 3.10).
  try {
    const claims: Record<string, unknown> = JSON.parse(new TextDecoder().decode(decode(payload)));
    const { iss, aud, iat, exp, nbf = 0 } = claims;
    const seconds = now() / 1000;
    if (iss !== issuer || aud !== audience || number(exp) + clockSkewSeconds <= seconds) return null;
    return Math.max(number(iat), number(nbf)) - clockSkewSeconds > seconds ? null : read(claims);
  } catch {
    return null;
  }
}

/**
 * Finds the key for a token's type and header. One request reloads expired keys while others use the cached keys; for
 * an unknown key all of them wait.
 */
async function findKey(
  header: string,
  issuer: string,
  options: TokenOptions,
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
async function load(set: KeySet, issuer: string, options: TokenOptions): Promise<void> {
  const { fetch: send = fetch, now = Date.now } = options;
  set.loadingUntil = Date.now() + timeoutMs;
  try {
    // Redirects are not followed. workerd does not support `error`.
    const init = { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
    const response = await send(`${issuer}/.well-known/jwks.json`, init);
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { keys } = (await response.json()) as { keys: JsonWebKey[] };
    set.keys = new Map((await Promise.all(keys.filter(({ crv }) => crv === 'P-256').map(importKey))).flat());
    set.loadedAt = now();
    set.error = undefined;
  } catch (cause) {
    set.error = new Error(`The public keys of ${issuer} could not be read`, { cause });
  } finally {
    set.loadingUntil = 0;
    set.nextTryAt = now() + (set.error ? retryMs : cooldownMs);
  }
}

async function importKey(jwk: JsonWebKey & { kid?: string }): Promise<[string, CryptoKey][]> {
  const { kty, crv, x, y, kid } = jwk;
  const publicJwk = { kty, crv, x, y } as JsonWebKey;
  const key = await crypto.subtle.importKey('jwk', publicJwk, algorithm, false, ['verify']);
  return types.map((typ) => [
    typ + encode(new TextEncoder().encode(JSON.stringify({ alg: 'ES256', kid, typ }))),
    key,
  ]);
}

/** A PID, and its handle. @internal */
export const pidPattern = /^([a-z0-9][a-z0-9._-]{1,28}[a-z0-9])@pid$/;

/** @internal */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

/** @internal */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** @internal */
export function isoTime(seconds: unknown): string {
  return new Date(number(seconds) * 1000).toISOString();
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('not a number');
  return value;
}
