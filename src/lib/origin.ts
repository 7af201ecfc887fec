/** Returns whether plain http is acceptable, because nothing leaves the machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/**
 * Returns the recipient of data sent to a URL: the host, regardless of the port, or a private-use scheme; empty for an
 * invalid URL.
 */
export function recipientOf(address: string): string {
  const { protocol = '', hostname = '' } = URL.parse(address) ?? {};
  return /^https?:$/.test(protocol) ? hostname : protocol;
}

/** Returns whether the text is an http(s) origin exactly as browsers send it. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/**
 * Returns whether the text is an absolute path on our origin: no scheme, backslash or control character, and no
 * `//host`, even after dots are resolved, because a client may use the parsed path.
 */
export function isLocalPath(text: string): boolean {
  if (!/^\/[\x21-\x7e]*$/.test(text) || text.includes('\\')) return false;
  const url = URL.parse(text, 'http://local.invalid');
  return url?.host === 'local.invalid' && !url.pathname.startsWith('//');
}

/**
 * The origin of text that is an absolute http(s) URL; null for anything else. The text must start with the origin
 * exactly as browsers write it, so that nothing before the path is ambiguous: no user, backslash or control character.
 */
export function originOfAddress(text: string): string | null {
  // After the question mark no parser mistakes a backslash for the end of the host.
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || text.split(/[?#]/)[0]?.includes('\\')) return null;
  const origin = URL.parse(text)?.origin ?? '';
  return text === origin || (/^[/?#]/.test(text.slice(origin.length)) && text.startsWith(origin))
    ? origin
    : null;
}

/** The settings that determine which pages are ours. */
export interface FirstParties {
  readonly firstPartyOrigins: ReadonlySet<string>;
  readonly production: boolean;
}

/**
 * Our own origin, the client's, or one in ALLOWED_ORIGINS; in development also any page on this machine, unless the
 * page names its app, which is then treated as in production.
 */
export function isFirstParty(
  { firstPartyOrigins, production }: FirstParties,
  origin: string,
  app?: string,
): boolean {
  if (firstPartyOrigins.has(origin)) return true;
  if (production || app !== undefined) return false;
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && isLoopbackHost(url.hostname);
}

/**
 * The host and those parents for which cookies are possible: `a.b.c` yields `a.b.c` and `b.c`; an IP address yields
 * none.
 */
export function cookieDomainsOf(hostname: string): string[] {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return [];
  const labels = hostname.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}
