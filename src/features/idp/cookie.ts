import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { serializeCookie } from '../../lib/cookie.ts';

/**
 * Holds the path to come back to; with `_` and a short id behind it, one sign-in attempt. In production it has
 * the prefix `__Host-`: browsers then accept it from this very host alone, so that a sibling subdomain cannot
 * plant an attempt of its own and sign its visitor in as somebody else.
 */
export function oauthCookieName(config: Config): string {
  return config.production ? '__Host-pid_oauth' : 'pid_oauth';
}

/** Keeps what a sign-in needs when it comes back, sealed, in this browser. */
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
