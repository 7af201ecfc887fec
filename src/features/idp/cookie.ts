import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { serializeCookie } from '../../lib/cookie.ts';

/**
 * Holds the path to return to; with `_` and a short id appended, one sign-in attempt. With the prefix `__Host-`, in
 * production, browsers accept it from this host alone: a sibling subdomain cannot plant an attempt of its own and sign
 * its visitor in as somebody else.
 */
export function oauthCookieName(config: Config): string {
  return config.production ? '__Host-pid_oauth' : 'pid_oauth';
}

/** Keeps in this browser, sealed, what a sign-in needs when it comes back. */
export function setOauthCookie(
  c: AppContext,
  deps: Deps,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): void {
  const secure = deps.config.production;
  const path = secure ? '/' : '/v1/auth';
  const cookie = { name, value, path, maxAgeSeconds, httpOnly: true, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}

export function clearOauthCookie(c: AppContext, deps: Deps, name: string): void {
  setOauthCookie(c, deps, { name, value: '', maxAgeSeconds: 0 });
}
