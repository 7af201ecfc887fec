import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { isLoopbackHost } from '../../lib/origin.ts';

/** The time limit for a ceremony, from the options to the response. */
export const challengeTtlSeconds = 300;

/** Signature algorithms by COSE number, best first: Ed25519, ES256, RS256. */
export const algorithms = [-8, -7, -257];

/** The relying party of all passkeys. Most authenticators show its name: the brand's, or the domain people know. */
export function relyingParty({ passkeyRpId, BRAND_NAME }: Config): { id: string; name: string } {
  return { id: passkeyRpId, name: BRAND_NAME ?? passkeyRpId };
}

/**
 * Origins where passkeys may be used: the first-party origins, and in development any on this machine. The browser
 * decides which relying party an origin may use.
 * @param origin the origin in the client data
 */
export function expectedOrigins({ config }: Deps, origin: string): string[] {
  const origins = [...config.firstPartyOrigins];
  const isLocal = !config.production && isLoopbackHost(URL.parse(origin)?.hostname ?? '');
  return isLocal ? [...origins, origin] : origins;
}

/** First-party origins outside the passkeys' domain; browsers read the list from `/.well-known/webauthn`. */
export function relatedOrigins({ config }: Deps): string[] {
  const { passkeyRpId: id } = config;
  const isRelated = (hostname: string) => hostname !== id && !hostname.endsWith(`.${id}`);
  return [...config.firstPartyOrigins].filter((origin) => isRelated(new URL(origin).hostname));
}
