import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { createSecret } from '../../lib/secret.ts';

const maxAgeSeconds = 300;
const secret = /^[\w-]{43}$/;
/**
 * Without https a sibling subdomain could plant more cookies, and any of them may be ours, so only the first few are
 * tried.
 */
const maxCookies = 4;

/** Binds a ceremony to the browser that started it. Worthless without a response to the challenge. */
function passkeyCookieName(config: Config): string {
  return hostCookieName(config, 'pid_passkey');
}

/** The secrets in this browser's cookies. */
export function readPasskeyCookies(c: AppContext, deps: Deps): string[] {
  return cookieValues(c.req.header('Cookie'), passkeyCookieName(deps.config))
    .filter((value) => secret.test(value))
    .slice(0, maxCookies);
}

/** Renews the cookie for five minutes. Its value stays the same, because two tabs may run ceremonies concurrently. */
export function renewPasskeyCookie(c: AppContext, deps: Deps): string {
  const [kept] = readPasskeyCookies(c, deps);
  const value = kept ?? createSecret(deps.randomBytes);
  setHostCookie(c, deps, { name: passkeyCookieName(deps.config), value, maxAgeSeconds });
  return value;
}
