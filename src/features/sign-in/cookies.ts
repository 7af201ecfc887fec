import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { authPath, hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { deriveKeys, macOf, verifyMac } from '../../lib/secret.ts';
import { sessionCookieNames } from '../session/cookies.ts';

/**
 * The claim ticket that this service gave to this browser, or null. The interface names `pid_claim`, without a prefix, so
 * a sibling subdomain can plant one: whoever claims or links it would share an identity with the attacker. A ticket
 * therefore counts only with its key, a cookie that nobody but this host can set. Others are ignored.
 */
export function readClaimCookie(c: AppContext, deps: Deps): string | null {
  const header = c.req.header('Cookie');
  const [key, ...others] = cookieValues(header, claimKeyName(deps.config));
  if (!key || others.length > 0) return null;
  const tickets = cookieValues(header, sessionCookieNames(deps.config).claim);
  return tickets.find((ticket) => verifyMac(keysOf(deps), ticket, key)) ?? null;
}

export function setClaimCookie(c: AppContext, deps: Deps, ticket: string): void {
  const key = macOf(keysOf(deps)[0], ticket);
  appendClaimCookies(c, deps, { ticket, key, maxAgeSeconds: deps.config.CLAIM_TTL_SECONDS });
}

export function clearClaimCookie(c: AppContext, deps: Deps): void {
  appendClaimCookies(c, deps, { ticket: '', key: '', maxAgeSeconds: 0 });
}

interface ClaimCookies {
  readonly ticket: string;
  readonly key: string;
  readonly maxAgeSeconds: number;
}

/** Only our own API reads the ticket, so it stays on our host whatever COOKIE_DOMAIN says. */
function appendClaimCookies(c: AppContext, deps: Deps, { ticket, key, maxAgeSeconds }: ClaimCookies): void {
  const { claim: name } = sessionCookieNames(deps.config);
  const secure = deps.config.production;
  const cookie = serializeCookie({
    name,
    value: ticket,
    path: authPath,
    maxAgeSeconds,
    httpOnly: true,
    secure,
  });
  c.header('Set-Cookie', cookie, { append: true });
  setHostCookie(c, deps, { name: claimKeyName(deps.config), value: key, maxAgeSeconds });
}

function claimKeyName(config: Config): string {
  return hostCookieName(config, 'pid_claim_key');
}

function keysOf(deps: Deps) {
  return deriveKeys(deps.config.secretKeys, 'claim-key');
}
