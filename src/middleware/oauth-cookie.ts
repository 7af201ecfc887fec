import type { Deps } from '../deps.ts';
import { serializeCookie } from '../lib/cookie.ts';
import type { AppContext } from './context.ts';

/** Holds the path to come back to; with `_` and a short id behind it, one sign-in attempt. */
export const oauthCookieName = 'pid_oauth';

/** Keeps what a sign-in needs when it comes back, sealed, in this browser. */
export function setOauthCookie(
  c: AppContext,
  deps: Deps,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): void {
  const secure = deps.config.production;
  const cookie = { name, value, path: '/v1/auth', maxAgeSeconds, httpOnly: true, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}

export function clearOauthCookie(c: AppContext, deps: Deps, name: string): void {
  setOauthCookie(c, deps, { name, value: '', maxAgeSeconds: 0 });
}
