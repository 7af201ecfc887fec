import type { Deps } from '../../deps.ts';
import { sessionCookieNames } from '../../features/session/cookies.ts';
import { sessionEndpoints } from '../../features/session/endpoints.ts';
import { type AppContext, isNavigation, isWindow } from '../../http/context.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { maxReturnToLength } from '../../lib/return-to.ts';
import { withQuery } from '../../lib/with-query.ts';

/**
 * The URL where the browser renews its session and is then redirected back to the page; null without a session hint, or
 * after a failed attempt. The refresh token itself is not sent to the page.
 */
export function renewalOf(c: AppContext, { config }: Deps): string | null {
  const { pathname, search, searchParams } = new URL(c.req.url);
  const returnTo = `${config.origin}${pathname}${search}`;
  const hint = cookieValues(c.req.header('Cookie'), sessionCookieNames(config).hint);
  const isPage = isNavigation(c) && isWindow(c);
  if (!isPage || hint.length === 0 || searchParams.has('signed_out') || returnTo.length > maxReturnToLength)
    return null;
  return withQuery(sessionEndpoints.continueSession.path, { returnTo });
}
