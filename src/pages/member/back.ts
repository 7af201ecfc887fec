import type { Deps } from '../../deps.ts';
import { appAt } from '../../features/app/origins.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { fromBase64url, fromUtf8, toBase64url, utf8 } from '../../lib/encoding.ts';
import { isFirstParty, originOfAddress } from '../../lib/origin.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { maxReturnToLength } from '../../lib/return-to.ts';
import type { Place } from '../shared/continue-to.tsx';

/** The page that led to the account, for "Back to …". */
export interface Back {
  readonly href: string;
  readonly place: Exclude<Place, 'account'>;
}

const cookieName = 'pid_back';
const maxAgeSeconds = 3600;

/** Stores an account page's `returnTo` for the following pages, even through a sign-in. */
export function keepBack(c: AppContext, { config }: Deps): void {
  const address = c.req.query('returnTo') ?? '';
  if (address.length > maxReturnToLength || originOfAddress(address) === null) return;
  const value = toBase64url(utf8(address));
  const secure = config.production;
  const cookie = { name: cookieName, value, path: accountPaths.home, maxAgeSeconds, httpOnly: true, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}

/**
 * The page to return to, if it is on a first-party origin or an origin of a registered app. It is checked whenever it
 * is shown, because another host on the domain can set the cookie, and the app may have been suspended since.
 */
export async function readBack(c: AppContext, deps: Deps): Promise<Back | null> {
  const [kept = ''] = cookieValues(c.req.header('Cookie'), cookieName);
  const href = c.req.query('returnTo') ?? fromUtf8(fromBase64url(kept) ?? new Uint8Array());
  const origin = href.length > maxReturnToLength ? null : originOfAddress(href);
  if (origin === null) return null;
  const { host } = new URL(origin);
  if (isFirstParty(deps.config, origin)) return { href, place: { host } };
  const app = await appAt(deps, origin);
  return app && { href, place: { host, app: app.name } };
}
