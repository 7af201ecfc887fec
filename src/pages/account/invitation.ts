import type { Deps } from '../../deps.ts';
import type { AccessClaims } from '../../features/session/access-token.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { secretHash } from '../../lib/secret.ts';

const cookieName = 'pid_invited';
const maxAgeSeconds = 31_536_000;

/**
 * Whether somebody without a passkey is invited to add one: after signing in with a password, until they decline. The cookie
 * remembers who declined last in this browser.
 */
export function mayInvitePasskey(
  c: AppContext,
  { config }: Deps,
  { provider, handle }: AccessClaims,
): boolean {
  const value = secretHash(handle).slice(0, 8);
  const [declined] = cookieValues(c.req.header('Cookie'), cookieName);
  if (provider !== 'email' || declined === value) return false;
  if (c.req.query('passkey') !== 'later') return true;
  const secure = config.production;
  const cookie = { name: cookieName, value, path: accountPaths.home, maxAgeSeconds, httpOnly: true, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
  return false;
}
