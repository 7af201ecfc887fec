import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { serializeCookie } from '../lib/cookie.ts';
import type { AppContext } from './context.ts';

/** The path of cookies that only the sign-in endpoints read. */
export const authPath = '/v1/auth';

/**
 * The name of a cookie that only this host may set. In production it has the prefix `__Host-` (RFC 6265bis section
 * 4.1.3.2), so browsers reject it from a sibling subdomain. Without https there is no such protection.
 */
export function hostCookieName(config: Config, name: string): string {
  return config.production ? `__Host-${name}` : name;
}

/**
 * Sets a cookie with a name from `hostCookieName`. The prefix requires the path `/`.
 * @param name as returned by `hostCookieName`
 * @param maxAgeSeconds 0 clears it
 * @param path the path if no prefix requires `/`
 */
export function setHostCookie(
  c: AppContext,
  { config }: Deps,
  { path = authPath, ...cookie }: { name: string; value: string; maxAgeSeconds: number; path?: string },
): void {
  const secure = config.production;
  const whole = { ...cookie, path: secure ? '/' : path, httpOnly: true, secure };
  c.header('Set-Cookie', serializeCookie(whole), { append: true });
}
