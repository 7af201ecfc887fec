/** Whether this runs in a page, not on a server or in a worker. */
export const isBrowser = (): boolean => !!globalThis.document;

/**
 * The readable cookie that changes with every renewal: the access token's expiry and part of the session's hash. Null
 * where the service does not set it, where it is host-only, and on servers.
 */
export function readHint(): string | null {
  return (isBrowser() && /(^|; )pid_hint=([^;]+)/.exec(document.cookie)?.[2]) || null;
}

/**
 * How long the access token is still valid by this machine's clock. NaN without a hint, so every comparison fails.
 */
export function hintLeftMs(hint: string | null): number {
  return Number(hint?.split('.')[0]) * 1000 - Date.now();
}

/** The part of a hint that identifies the session. */
export function hintSession(hint: string | null): string | undefined {
  return hint?.split('.')[1];
}

/**
 * The smallest site that the address can belong to: its scheme, and its address or the last two labels of its host
 * (HTML, "schemelessly same site"; RFC 6265bis, section 5.2). Addresses with different ones share no cookies.
 */
export function siteOf({ protocol, hostname }: URL | Location): string {
  return protocol + (/^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2));
}
