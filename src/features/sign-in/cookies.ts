import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import type { AppContext } from '../../http/context.ts';
import { authPath, hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { cookieValues, serializeCookie } from '../../lib/cookie.ts';
import { type CredentialKind, credentialKinds } from '../../lib/credential-kinds.ts';
import { deriveKeys, macOf, verifyMac } from '../../lib/secret.ts';
import { sessionCookieNames } from '../session/cookies.ts';

/**
 * The claim ticket issued to this browser, or null. The interface prescribes the name `pid_claim`, without a prefix, so
 * a sibling subdomain can plant one, and anyone who claims or links it would share an identity with the attacker. A
 * ticket is therefore valid only with its key, a cookie that only this host can set. Others are ignored.
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

/** Only our own API reads the ticket, so it is set on our host, regardless of COOKIE_DOMAIN. */
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

/** The kind of credential last used to sign in in this browser. The passkey script writes it too. */
export const lastWayCookie = 'pid_way';

const maxAgeSeconds = 31_536_000;

export function rememberWay(c: AppContext, deps: Deps, kind: CredentialKind): void {
  const secure = deps.config.production;
  const cookie = { name: lastWayCookie, value: kind, path: '/', maxAgeSeconds, httpOnly: false, secure };
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}

/** The sign-in method recommended on the sign-in page, or null. Nothing else depends on it. */
export function readLastWay(c: AppContext): CredentialKind | null {
  const [value] = cookieValues(c.req.header('Cookie'), lastWayCookie);
  return credentialKinds.find((kind) => kind === value) ?? null;
}
