/** Whether this is a page: no server, no worker. */
export const isBrowser = (): boolean => !!globalThis.document;

/**
 * The cookie by which pages see that somebody renewed the session: when the access token ends, and a part of the
 * session's hash. Null where the service sets none, where it is host-only, and on servers.
 */
export function readHint(): string | null {
  return (isBrowser() && /(^|; )pid_hint=([^;]+)/.exec(document.cookie)?.[2]) || null;
}

/** How long the access token lasts, by this machine's clock; NaN without a hint, so that no comparison holds. */
export function hintLeftMs(hint: string | null): number {
  return Number(hint?.split('.')[0]) * 1000 - Date.now();
}

/** Which session a hint is about. */
export function hintSession(hint: string | null): string | undefined {
  return hint?.split('.')[1];
}
