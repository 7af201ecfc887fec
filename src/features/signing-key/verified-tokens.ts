import type { Deps } from '../../deps.ts';
import { getOrInsert } from '../../lib/memoize.ts';
import { stillVerifies } from './signing-key.ts';

/** The claims of a verified token, and the key that signed it. */
export interface Verified<Claims> {
  readonly claims: Claims;
  readonly kid: string;
}

/** Verifies a token, or returns null for any fault. */
export type Verify<Result> = (deps: Deps, token: string, now: number) => Promise<Result | null>;

/**
 * This process's verified tokens: checking a signature costs more than the rest of a read. There are two generations,
 * and the older one is dropped as a whole, so that eviction costs nothing per token.
 */
interface TokenCache<Claims> {
  young: Map<string, Verified<Claims>>;
  old: Map<string, Verified<Claims>>;
}

const generationSize = 5_000;
/** The longest cookie that browsers keep (RFC 6265bis). */
const longestToken = 4_096;

/** A verifier that caches accepted tokens until they or their keys expire. */
export function rememberVerified<Claims extends { readonly expiresAt: number }>(
  verify: Verify<Verified<Claims>>,
): Verify<Claims> {
  const caches = new WeakMap<Deps['db'], TokenCache<Claims>>();
  return async function verifyToken(deps, token, now) {
    if (token.length > longestToken) return null;
    const cache = getOrInsert(caches, deps.db, () => ({ young: new Map(), old: new Map() }));
    const known = cache.young.get(token) ?? cache.old.get(token);
    if (known && known.claims.expiresAt > now && stillVerifies(deps, known.kid, now)) return known.claims;
    const verified = await verify(deps, token, now);
    if (!verified) return null;
    if (cache.young.size >= generationSize) {
      cache.old = cache.young;
      cache.young = new Map();
    }
    cache.young.set(token, verified);
    return verified.claims;
  };
}
