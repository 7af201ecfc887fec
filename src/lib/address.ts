/** An IPv4 or IPv6 address in one spelling, or null. IPv4-mapped IPv6 becomes IPv4. */
export function canonicalAddress(text: string): string | null {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!bare.includes(':')) return /^\d{1,3}(\.\d{1,3}){3}$/.test(bare) ? bare : null;
  const host = URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1);
  if (!host) return null;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!mapped) return host;
  const [high, low] = [Number.parseInt(mapped[1] ?? '0', 16), Number.parseInt(mapped[2] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * What a rate limit counts an address as: an IPv4 address itself, an IPv6 address by its /64, because one
 * subscriber commonly owns a whole /64.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return `${[...groups, ...Array<string>(zeros).fill('0'), ...rest].slice(0, 4).join(':')}::/64`;
}
