import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { createLocalJWKSet } from 'jose/jwks/local';
import * as z from 'zod/mini';
import type { Deps } from '../../../deps.ts';
import { getOrInsert } from '../../../lib/memoize.ts';
import { isLoopbackHost } from '../../../lib/origin.ts';
import { fetchJson, providerFailed } from './provider-http.ts';

const document = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.optional(z.url()),
  token_endpoint_auth_methods_supported: z.optional(z.array(z.string())),
  authorization_response_iss_parameter_supported: z.optional(z.boolean()),
});

export type Discovery = z.infer<typeof document>;

interface Cached<T> {
  readonly value: T;
  readonly at: number;
}

const lifetimeMs = 3_600_000;
const keyCooldownMs = 30_000;

const documents = new WeakMap<Deps['db'], Map<string, Cached<Discovery>>>();
const keySets = new WeakMap<Deps['db'], Map<string, Cached<JWTVerifyGetKey>>>();

/**
 * The provider's metadata (OpenID Connect Discovery section 4), cached for an hour.
 * @throws AppError provider_failed if the metadata is malformed, for another issuer, or contains a URL that is not
 *   https
 */
export async function discover(deps: Deps, issuer: string, signal: AbortSignal): Promise<Discovery> {
  const cache = cacheOf(documents, deps);
  const now = deps.now();
  const known = cache.get(issuer);
  if (known && now - known.at < lifetimeMs) return known.value;
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const parsed = document.safeParse(await fetchJson(deps, url, { signal }));
  if (!parsed.success) throw providerFailed('the discovery document is not valid', parsed.error);
  const value = parsed.data;
  if (value.issuer !== issuer) throw providerFailed('the discovery document is for another issuer');
  for (const address of [
    value.authorization_endpoint,
    value.token_endpoint,
    value.jwks_uri,
    value.userinfo_endpoint,
  ]) {
    if (address !== undefined && !isSafe(deps, address)) throw providerFailed('an endpoint is not https');
  }
  cache.set(issuer, { value, at: now });
  return value;
}

/** The provider's keys, cached for an hour; `renew` fetches them again, at most every 30 seconds. */
export async function providerKeys(deps: Deps, jwksUri: string, signal: AbortSignal, renew = false) {
  const cache = cacheOf(keySets, deps);
  const now = deps.now();
  const known = cache.get(jwksUri);
  if (known && now - known.at < (renew ? keyCooldownMs : lifetimeMs)) return known.value;
  const answer = await fetchJson(deps, jwksUri, { signal });
  if (!Array.isArray(answer['keys'])) throw providerFailed('the key set has no keys');
  const value = createLocalJWKSet(answer as unknown as JSONWebKeySet);
  cache.set(jwksUri, { value, at: now });
  return value;
}

function isSafe(deps: Deps, address: string): boolean {
  const url = new URL(address);
  return url.protocol === 'https:' || (!deps.config.production && isLoopbackHost(url.hostname));
}

function cacheOf<T>(caches: WeakMap<Deps['db'], Map<string, T>>, deps: Deps): Map<string, T> {
  return getOrInsert(caches, deps.db, () => new Map<string, T>());
}
