/** A cookie of this service, always SameSite=Lax. Clearing it requires the same `path` and `domain`. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly maxAgeSeconds: number;
  readonly domain?: string | undefined;
  readonly httpOnly: boolean;
  readonly secure: boolean;
}

/** The Set-Cookie header. Our values need no encoding: they consist of letters, digits and `-._~`. */
export function serializeCookie(cookie: Cookie): string {
  let header = `${cookie.name}=${cookie.value}; Max-Age=${cookie.maxAgeSeconds}`;
  if (cookie.domain !== undefined) header += `; Domain=${cookie.domain}`;
  header += `; Path=${cookie.path}`;
  if (cookie.httpOnly) header += '; HttpOnly';
  if (cookie.secure) header += '; Secure';
  return `${header}; SameSite=Lax`;
}

/**
 * All values of a name in a Cookie header. Cookies with different scopes cause several values (RFC 6265 section 5.4),
 * and nothing shows which one is ours.
 */
export function cookieValues(header: string | null | undefined, name: string): string[] {
  const values: string[] = [];
  if (!header?.includes(name)) return values;
  let equals = header.indexOf('=');
  for (let start = 0, end = 0; end < header.length; start = end + 1) {
    // Searched for only behind the last one: a part may be without one, and a header may have thousands of such parts.
    if (equals < start) equals = header.indexOf('=', start);
    if (equals < 0) break;
    const next = header.indexOf(';', start);
    end = next < 0 ? header.length : next;
    if (equals < end && header.slice(start, equals).trim() === name)
      values.push(header.slice(equals + 1, end).trim());
  }
  return values;
}

/**
 * Returns whether a Cookie header contains this `name=value`; faster than `cookieValues`. Values contain no semicolon,
 * so a part of another value never matches.
 */
export function hasCookie(header: string | null | undefined, cookie: string): boolean {
  const at = header?.indexOf(cookie) ?? -1;
  if (!header || at < 0) return false;
  const end = at + cookie.length;
  return (at === 0 || header.startsWith('; ', at - 2)) && (end === header.length || header[end] === ';');
}

/** The distinct names in a Cookie header that start with a prefix. */
export function cookieNames(header: string | null | undefined, prefix: string): string[] {
  const names = (header ?? '').split(';').map((part) => part.replace(/=.*/s, '').trim());
  return [...new Set(names.filter((name) => name.startsWith(prefix)))];
}
