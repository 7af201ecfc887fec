import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { isLoopbackHost } from '../../lib/origin.ts';

/** How long a ceremony may take, from the options to the answer. */
export const challengeTtlSeconds = 300;

/** COSE numbers of what keys may sign with, best first: Ed25519, ES256, RS256. */
export const algorithms = [-8, -7, -257];

/** For whom authenticators make passkeys. The name is what most of them show, so it is the domain people know. */
export function relyingParty({ passkeyRpId }: Config): { id: string; name: string } {
  return { id: passkeyRpId, name: passkeyRpId };
}

/**
 * The page on which a ceremony took place, if passkeys may be used there: one of our first-party origins, and in
 * development any on this machine. Which domain a page may ask for is the browser's to judge.
 */
export function expectedOrigins({ config }: Deps, told: string): string[] {
  const origins = [...config.firstPartyOrigins];
  const isLocal = !config.production && isLoopbackHost(URL.parse(told)?.hostname ?? '');
  return isLocal ? [...origins, told] : origins;
}

/** First-party origins on other domains than that of the passkeys; browsers learn them from `/.well-known/webauthn`. */
export function relatedOrigins({ config }: Deps): string[] {
  const { passkeyRpId: id } = config;
  const isRelated = (hostname: string) => hostname !== id && !hostname.endsWith(`.${id}`);
  return [...config.firstPartyOrigins].filter((origin) => isRelated(new URL(origin).hostname));
}
