import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { authPath, clearEverywhere, sessionCookieNames } from '../session/cookies.ts';

/** The claim ticket, or null. Two of them count as none and are cleared, so that the next sign-in's is the only one. */
export function readClaimCookie(c: AppContext, deps: Deps): string | null {
  const { claim } = sessionCookieNames(deps.config);
  const [value, ...others] = cookieValues(c.req.header('Cookie'), claim);
  if (others.length === 0) return value || null;
  clearEverywhere(c, deps, 'claim');
  return null;
}

export function setClaimCookie(c: AppContext, deps: Deps, ticket: string): void {
  appendClaimCookie(c, deps, ticket, deps.config.CLAIM_TTL_SECONDS);
}

export function clearClaimCookie(c: AppContext, deps: Deps): void {
  appendClaimCookie(c, deps, '', 0);
}

/** Only our own API reads the ticket, so it stays on our host whatever COOKIE_DOMAIN says. */
function appendClaimCookie(c: AppContext, deps: Deps, value: string, maxAgeSeconds: number): void {
  const { claim: name } = sessionCookieNames(deps.config);
  const secure = deps.config.production;
  const cookie = serializeCookie({ name, value, path: authPath, maxAgeSeconds, httpOnly: true, secure });
  c.header('Set-Cookie', cookie, { append: true });
}
