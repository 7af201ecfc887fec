/** Returns whether this code runs in a page, not on a server or in a worker. */
export const isBrowser = (): boolean => !!globalThis.document;

/**
 * The readable cookie that changes with every renewal: the access token's expiry and part of the session's hash. Null
 * if the service does not set it, if it is host-only, and on servers.
 */
export function readHint(): string | null {
  return (isBrowser() && /(^|; )pid_hint=([^;]+)/.exec(document.cookie)?.[2]) || null;
}

/**
 * Returns the remaining lifetime of the access token by this machine's clock. NaN without a hint, so every comparison
 * is false.
 */
export function hintLeftMs(hint: string | null): number {
  return Number(hint?.split('.')[0]) * 1000 - Date.now();
}

/** The part of a hint that identifies the session. */
export function hintSession(hint: string | null): string | undefined {
  return hint?.split('.')[1];
}

/**
 * The largest site to which the address can belong: its scheme, and its IP address or the last two labels of its host
 * (HTML, "same site"; RFC 6265bis, section 5.2). Different sites share no cookies. Addresses with the same result may
 * still be cross-site, below a public suffix such as `co.uk` or `github.io`: a list of such suffixes would be larger
 * than this library.
 */
export function siteOf({ protocol, hostname }: URL | Location): string {
  return protocol + (/^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2));
}
