import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { createSecret } from '../../lib/secret.ts';

/** Binds a ceremony to the browser that began it. Worthless without an answer to the challenge. */
const name = 'pid_passkey';
const maxAgeSeconds = 300;
const secret = /^[\w-]{43}$/;
/** Any cookie of the name may be ours. A sibling subdomain could plant more, so only the first few are read. */
const maxCookies = 4;

/** The secrets in this browser's cookies. */
export function readPasskeyCookies(c: AppContext): string[] {
  return cookieValues(c.req.header('Cookie'), name)
    .filter((value) => secret.test(value))
    .slice(0, maxCookies);
}

/** Renews the cookie for five minutes. Its value stays, because two tabs may run ceremonies at once. */
export function renewPasskeyCookie(c: AppContext, deps: Deps): string {
  const [kept] = readPasskeyCookies(c);
  const value = kept ?? createSecret(deps.randomBytes);
  const cookie = {
    name,
    value,
    path: '/v1/auth',
    maxAgeSeconds,
    httpOnly: true,
    secure: deps.config.production,
  };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
  return value;
}
