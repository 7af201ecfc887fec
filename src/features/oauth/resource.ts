import { isLoopbackHost } from '../../lib/origin.ts';

export const resourceRule = 'must be an https or loopback URL without a fragment';

/** What a token may be for besides this service: an absolute URI without a fragment (RFC 8707 section 2). */
export function isResource(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || text.includes('#')) return false;
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
}
