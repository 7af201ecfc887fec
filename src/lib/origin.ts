/** Whether plain http is acceptable, because nothing leaves the machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Whether a text is an http(s) origin exactly as browsers send it. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/**
 * Whether a text is an absolute path on our origin: no scheme, backslash or control character, and no `//host`, even
 * after dots are resolved, because a client may use the parsed path.
 */
export function isLocalPath(text: string): boolean {
  if (!/^\/[\x21-\x7e]*$/.test(text) || text.includes('\\')) return false;
  const url = URL.parse(text, 'http://local.invalid');
  return url?.host === 'local.invalid' && !url.pathname.startsWith('//');
}

/** The host and its parents that could have a cookie: `a.b.c` gives `a.b.c` and `b.c`; an address gives none. */
export function cookieDomainsOf(hostname: string): string[] {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return [];
  const labels = hostname.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}
