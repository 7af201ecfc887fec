import type { Config } from '../../config.ts';
import { isLoopbackHost, originOfAddress } from '../../lib/origin.ts';

export const resourceRule =
  'must be an https or loopback URL of another service, written as browsers write it and without a fragment';

/**
 * What a token may be for besides this service: an absolute URI without a fragment (RFC 8707 section 2). Nothing below
 * BASE_URL, in any spelling: an app's token would have the audience of a person's session.
 */
export function isResource({ origin: own }: Pick<Config, 'origin'>, text: string): boolean {
  const origin = originOfAddress(text);
  if (origin === null || origin === own || text.includes('#')) return false;
  const { protocol, hostname } = new URL(origin);
  return !hostname.endsWith('.') && (protocol === 'https:' || isLoopbackHost(hostname));
}
