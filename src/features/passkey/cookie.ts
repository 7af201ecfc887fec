import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { createSecret } from '../../lib/secret.ts';

/** Ties a ceremony to the browser that began it. Worth nothing without an answer to the challenge. */
const name = 'pid_passkey';
const maxAgeSeconds = 300;
const secret = /^[\w-]{43}$/;
/** Of a doubled name any may be ours; a sibling subdomain could plant more, and only so many are looked at. */
const most = 4;

/** What this browser carries. */
export function readPasskeyCookies(c: AppContext): string[] {
  return cookieValues(c.req.header('Cookie'), name)
    .filter((value) => secret.test(value))
    .slice(0, most);
}

/** Names this browser for five minutes more, and keeps its name: two tabs may be at it at once. */
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
