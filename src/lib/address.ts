const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${octet}(\\.${octet}){3}$`);

/** Normalises an IPv4 or IPv6 address, or returns null. IPv4-mapped IPv6 becomes IPv4. */
export function canonicalAddress(text: string): string | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  if (!bare.includes(':')) return ipv4.test(bare) ? bare : null;
  const host = URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1);
  if (!host) return null;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!mapped) return host;
  const [high, low] = [Number.parseInt(mapped[1] ?? '0', 16), Number.parseInt(mapped[2] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** A rate limit key: an IPv4 address, or the /64 of an IPv6 address, which one subscriber usually owns. */
export function addressKey(address: string): string {
  return address.includes(':') ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups of a canonical IPv6 address. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...rest];
}

/** Returns whether a canonical address is in one of the networks, for which `isNetwork` must be true. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const starts = networks.map((network) => {
    const [text = '', prefix] = network.split('/');
    const address = canonicalAddress(text) ?? text;
    const bits = bitsOf(address);
    // An IPv4-mapped IPv6 network is an IPv4 network with a prefix shorter by 96 bits.
    const length = prefix === undefined ? 128 : Number(prefix) + (text.includes(':') ? 0 : 96);
    return bits.slice(0, length);
  });
  return (address) => {
    const bits = bitsOf(address);
    return starts.some((start) => bits.startsWith(start));
  };
}

/** The prefix of an IPv4-mapped IPv6 address. */
const mappedStart = `${'0'.repeat(80)}${'1'.repeat(16)}`;

/** An address as 128 binary digits; an IPv4 address as its IPv4-mapped IPv6 address. */
function bitsOf(address: string): string {
  const isIpv6 = address.includes(':');
  const parts = isIpv6 ? groupsOf(address) : address.split('.');
  const digits = parts.map((part) =>
    isIpv6
      ? Number.parseInt(part, 16).toString(2).padStart(16, '0')
      : Number(part).toString(2).padStart(8, '0'),
  );
  return `${isIpv6 ? '' : mappedStart}${digits.join('')}`;
}

/** Returns whether the text is an address or a network, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  if (more.length > 0 || /[[\]%]/.test(address) || canonicalAddress(address) === null) return false;
  return (
    prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (address.includes(':') ? 128 : 32))
  );
}

/**
 * The client behind our proxies: the last address in X-Forwarded-For that is not a proxy's. The client may have forged
 * earlier entries. Null if there is no such address or it is invalid.
 */
export function forwardedAddress(header: string, isTrusted: (address: string) => boolean): string | null {
  const entries = header.split(',').map((part) => {
    const entry = part.trim();
    return canonicalAddress(/^(\[[^\]]*\]|[\d.]+):\d+$/.exec(entry)?.[1] ?? entry);
  });
  return entries.findLast((address) => address === null || !isTrusted(address)) ?? null;
}
