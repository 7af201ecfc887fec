import { canonicalAddress } from './address.ts';
import { isLoopbackHost } from './origin.ts';

/** IPv4 networks that are not public (RFC 6890 and its registry), as first address and prefix length. */
const privateNetworks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Name suffixes that only private networks resolve. */
const privateNames = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|onion|test|example|invalid)$/;

/**
 * Returns whether an address is on the public internet. In IPv6 that is only 2000::/3, except its reserved parts:
 * protocol assignments with Teredo (2001::/23), documentation (2001:db8::/32, 3fff::/20) and 6to4 (2002::/16). IPv4 in
 * IPv6 is treated as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  const address = canonicalAddress(text);
  if (address === null) return false;
  if (!address.includes(':')) {
    return !privateNetworks.some(
      ([network, bits]) => numberOf(address) >>> (32 - bits) === numberOf(network) >>> (32 - bits),
    );
  }
  const [first = '', second = ''] = address.split(':');
  const [high, low] = [Number.parseInt(first || '0', 16), Number.parseInt(second || '0', 16)];
  if (high < 0x2000 || high > 0x3ffe || high === 0x2002) return false;
  return high !== 0x2001 || (low >= 0x200 && low !== 0xdb8);
}

function numberOf(ipv4: string): number {
  return ipv4.split('.').reduce((total, part) => total * 256 + Number(part), 0);
}

/** Limits on calls to untrusted URLs. */
export interface CallPolicy {
  /** The hosts of the service itself, which must not be called through it. */
  readonly ownHosts: readonly string[];
  /** True if a receiver on this machine is allowed, as in development. */
  readonly loopback: boolean;
}

/**
 * Returns whether the service may call an untrusted URL: https on port 443, a public address or name, and not the
 * service itself. A name may still resolve to a private address; the code that connects must check that.
 */
export function isPublicUrl(text: string, { ownHosts, loopback }: CallPolicy): boolean {
  const url = /^https?:\/\/[\x21-\x7e]+$/.test(text) && !text.includes('\\') ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '' || ownHosts.includes(url.host)) return false;
  if (loopback && isLoopbackHost(url.hostname)) return true;
  const name = url.hostname.replace(/\.+$/, '');
  if (url.protocol !== 'https:' || url.port !== '' || ownHosts.includes(name)) return false;
  if (canonicalAddress(name) !== null) return isPublicAddress(name);
  return name.includes('.') && !privateNames.test(name);
}
