import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { headerToken } from '../../http/bearer.ts';
import { type AppContext, isNavigation } from '../../http/context.ts';
import { authPath, hostCookieName, setHostCookie } from '../../http/host-cookie.ts';
import { comesFromBrowser } from '../../http/origin.ts';
import { type Cookie, cookieValues, hasCookie, serializeCookie } from '../../lib/cookie.ts';
import { cookieDomainsOf } from '../../lib/origin.ts';
import { secretHash } from '../../lib/secret.ts';
import { rememberDevice } from './device-cookie.ts';
import {
  type CookieScope,
  knownRefreshKey,
  parseRefreshToken,
  type RefreshToken,
  refreshKeyOf,
  verifyRefreshKey,
} from './refresh-token.ts';
import type { IssuedAccess, IssuedTokens } from './session.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** This request's refresh token, if this service issued it; otherwise null. */
    presented: RefreshToken | null;
  }
}

type SessionCookie = 'access' | 'refresh' | 'hint';
type CookieName = SessionCookie | 'claim';
type Revision = Config['INTERFACE_REVISION'];

/** The cookies of each interface revision, and the readable hint that notifies sibling apps of a refresh. */
const namesByRevision: Record<Revision, Readonly<Record<CookieName, string>>> = {
  claim: { access: 'pid_access', refresh: 'pid_refresh', claim: 'pid_claim', hint: 'pid_hint' },
  direct: { access: 'svc_access', refresh: 'svc_refresh', claim: 'pid_claim', hint: 'pid_hint' },
};

const pathOf: Record<CookieName, string> = { access: '/', refresh: authPath, claim: authPath, hint: '/' };

/** Cookies of the other revision that this one never sets, left over from a deployment that changed the revision. */
const leftoversIn: Record<Revision, { of: Revision; kinds: readonly CookieName[] }> = {
  claim: { of: 'direct', kinds: ['access', 'refresh'] },
  direct: { of: 'claim', kinds: ['access', 'refresh', 'claim'] },
};

/** The names of the cookies in this service's interface revision. */
export function sessionCookieNames(config: Config): Readonly<Record<CookieName, string>> {
  return namesByRevision[config.INTERFACE_REVISION];
}

/** The current session cookie scope. Its length distinguishes COOKIE_DOMAIN from every other domain of this host. */
export function cookieScope({ COOKIE_DOMAIN: domain, REFRESH_COOKIE_SCOPE: refresh }: Config): CookieScope {
  if (!domain) return 'b';
  return `${refresh === 'host' ? 'b' : ''}${domain.split('.').length}`;
}

/**
 * The unverified value of `pid_access`, or null; `readAccess` verifies it. The cookie is ignored if the request has an
 * app's access token (`Authorization: Bearer`).
 * @throws AppError unauthenticated if there are two: it is unclear which one is genuine, so both are cleared
 */
export function readAccessCookie(c: AppContext, deps: Deps): string | null {
  return headerToken(c) === null ? readOne(c, deps, 'access') : null;
}

/**
 * The request's refresh token, or null if there is none, it is not ours, or we never issued it to this browser.
 * @throws AppError unauthenticated if there are two
 */
export function readRefreshCookie(c: AppContext, deps: Deps): RefreshToken | null {
  const known = c.get('presented');
  if (known !== undefined) return known;
  const token = parseRefreshToken(deps, readOne(c, deps, 'refresh') ?? undefined);
  const ours = token !== null && belongsHere(c, deps, token) ? token : null;
  c.set('presented', ours);
  return ours;
}

/**
 * Returns whether a token was issued to this browser. The interface prescribes the name `pid_refresh`, without a
 * prefix, so a sibling subdomain can plant one to sign its visitor in as someone else, but only this host can set the
 * accompanying key. Other programs choose their own cookies and need no key.
 */
function belongsHere(c: AppContext, deps: Deps, token: RefreshToken): boolean {
  return !comesFromBrowser(c) || carriesKey(c, deps, token);
}

/** Returns whether a token was sent with its key; always true for tokens without one. */
export function carriesKey(c: AppContext, deps: Deps, { scope, sessionId }: RefreshToken): boolean {
  return !scope.startsWith('b') || carriesKeyOf(c, deps, sessionId);
}

export function carriesKeyOf(c: AppContext, deps: Deps, sessionId: string): boolean {
  const known = knownRefreshKey(deps, sessionId);
  if (known && hasCookie(c.req.header('Cookie'), `${refreshKeyName(deps.config)}=${known}`)) return true;
  return carriedKeys(c, deps).some((value) => verifyRefreshKey(deps, sessionId, value));
}

/** The request's keys: two while the browser still has one with the previous, longer path. */
function carriedKeys(c: AppContext, deps: Deps): string[] {
  return cookieValues(c.req.header('Cookie'), refreshKeyName(deps.config));
}

function refreshKeyName(config: Config): string {
  return hostCookieName(config, 'pid_refresh_key');
}

/**
 * The session that a sign-in or logout in this browser revokes: that of its refresh token. This includes a token under
 * the other revision's name, because nothing else would revoke that session.
 */
export function readLeavingSession(c: AppContext, deps: Deps): string | null {
  const token = readRefreshCookie(c, deps);
  if (token) return token.sessionId;
  const { refresh } = namesByRevision[leftoversIn[deps.config.INTERFACE_REVISION].of];
  const [value, ...others] = cookieValues(c.req.header('Cookie'), refresh);
  return others.length === 0 ? (parseRefreshToken(deps, value)?.sessionId ?? null) : null;
}

/**
 * Sets a session's cookies, and clears those left over from another scope. The browser of a new session is remembered
 * for the account.
 */
export function setSessionCookies(c: AppContext, deps: Deps, tokens: IssuedTokens, now: number): void {
  const { config } = deps;
  clearOtherScope(c, deps);
  clearLeftovers(c, deps);
  appendAccess(c, config, tokens, now);
  const refreshSeconds = Math.floor((tokens.refreshExpiresAt - now) / 1000);
  append(
    c,
    sessionCookie(config, 'refresh', tokens.refreshToken, refreshSeconds, ownDomain(config, 'refresh')),
  );
  appendHint(c, config, tokens, now);
  if (tokens.account !== null) rememberDevice(c, deps, tokens.account);
  appendRefreshKey(c, deps, tokens, now);
}

/**
 * Sets a session's key, which lasts as long as the session, unless the browser already has it. Without https the
 * browser may have it only on a longer path from an earlier version. A program that renews a session needs no key.
 * Older browsers send no Fetch Metadata with navigations, so such a request is treated as a browser's unless the token
 * may have been planted.
 */
function appendRefreshKey(c: AppContext, deps: Deps, { claims }: IssuedTokens, now: number): void {
  const renewed = comesFromBrowser(c) ? null : readRefreshCookie(c, deps);
  const needsNone =
    renewed?.sessionId === claims.sessionId && !(isNavigation(c) && carriesKey(c, deps, renewed));
  if (needsNone) return;
  const name = refreshKeyName(deps.config);
  const value = refreshKeyOf(deps, claims.sessionId);
  if (deps.config.production && carriedKeys(c, deps).includes(value)) return;
  const maxAgeSeconds = Math.ceil((claims.sessionExpiresAt - now) / 1000);
  setHostCookie(c, deps, { name, value, maxAgeSeconds, path: '/' });
}

/**
 * Sets a new access token, while the browser keeps its refresh token. Browsers send the refresh token only to its path,
 * so its scope is unknown here, and it must not be cleared in any scope.
 */
export function setAccessCookie(c: AppContext, deps: Deps, access: IssuedAccess, now: number): void {
  clearOnOtherDomains(c, deps.config, ['access', 'hint']);
  appendAccess(c, deps.config, access, now);
  appendHint(c, deps.config, access, now);
}

function appendAccess(c: AppContext, config: Config, access: IssuedAccess, now: number): void {
  const seconds = accessSeconds(access, now);
  append(c, sessionCookie(config, 'access', access.accessToken, seconds, ownDomain(config, 'access')));
}

/**
 * A new hint always differs from the one in the request, even if a token is renewed twice in a second, so that a
 * waiting tab detects that another tab was faster. Otherwise it would use the successor while a sibling app's request
 * with the first token is still in flight, and that request would become a replay.
 */
function appendHint(c: AppContext, config: Config, access: IssuedAccess, now: number): void {
  if (config.HINT_COOKIE === 'off') return;
  const endsAt = Math.floor(now / 1000) + accessSeconds(access, now);
  const session = secretHash(access.claims.sessionId).slice(0, 8);
  const [carried] = cookieValues(c.req.header('Cookie'), sessionCookieNames(config).hint);
  const hint = `${carried === `${endsAt}.${session}` ? endsAt - 1 : endsAt}.${session}`;
  const hintSeconds = Math.floor((access.refreshExpiresAt - now) / 1000);
  append(c, sessionCookie(config, 'hint', hint, hintSeconds, ownDomain(config, 'hint')));
}

function accessSeconds({ claims }: IssuedAccess, now: number): number {
  return Math.ceil((claims.expiresAt - now) / 1000);
}

/** Clears a revoked session's cookies, in their current scope and, if needed, in the other one. */
export function clearSessionCookies(c: AppContext, deps: Deps): void {
  c.set('endedSessions', true);
  clearOtherScope(c, deps);
  clearLeftovers(c, deps);
  for (const name of ['access', 'refresh', 'hint'] as const) {
    append(c, sessionCookie(deps.config, name, '', 0, ownDomain(deps.config, name)));
  }
  setHostCookie(c, deps, { name: refreshKeyName(deps.config), value: '', maxAgeSeconds: 0, path: '/' });
}

function sessionCookie(
  config: Config,
  name: SessionCookie,
  value: string,
  maxAgeSeconds: number,
  domain: string | undefined,
): Cookie {
  return {
    name: sessionCookieNames(config)[name],
    value,
    path: pathOf[name],
    maxAgeSeconds,
    domain,
    httpOnly: name !== 'hint',
    secure: config.production,
  };
}

function readOne(c: AppContext, deps: Deps, name: 'access' | 'refresh'): string | null {
  const cookie = sessionCookieNames(deps.config)[name];
  const [value, ...others] = cookieValues(c.req.header('Cookie'), cookie);
  if (others.length === 0) return value || null;
  clearEverywhere(c, deps, name);
  throw new AppError('unauthenticated', null, { reason: `two cookies named ${cookie}` });
}

/**
 * Clears what the other scope may have left in this browser, so that COOKIE_DOMAIN and REFRESH_COOKIE_SCOPE can be set,
 * changed and removed without duplicate cookies. A refresh token contains the scope of its session's cookies; if that
 * is the current scope, nothing is left over and each name is set only once.
 */
function clearOtherScope(c: AppContext, deps: Deps): void {
  const header = c.req.header('Cookie');
  const names = sessionCookieNames(deps.config);
  const carried = [names.access, names.refresh, names.hint].some(
    (name) => cookieValues(header, name).length > 0,
  );
  if (!carried || readRefreshCookie(c, deps)?.scope === cookieScope(deps.config)) return;
  clearOnOtherDomains(c, deps.config, ['access', 'refresh', 'hint']);
}

function clearOnOtherDomains(c: AppContext, config: Config, kinds: readonly SessionCookie[]): void {
  for (const domain of allDomains(config)) {
    for (const kind of kinds) {
      if (domain !== ownDomain(config, kind)) append(c, sessionCookie(config, kind, '', 0, domain));
    }
  }
}

/** Clears cookies left in this browser by the other revision, whatever COOKIE_DOMAIN was then. */
function clearLeftovers(c: AppContext, deps: Deps): void {
  const { of, kinds } = leftoversIn[deps.config.INTERFACE_REVISION];
  const header = c.req.header('Cookie');
  const secure = deps.config.production;
  for (const kind of kinds) {
    const name = namesByRevision[of][kind];
    if (cookieValues(header, name).length === 0) continue;
    for (const domain of allDomains(deps.config)) {
      append(c, { name, value: '', path: pathOf[kind], maxAgeSeconds: 0, domain, httpOnly: true, secure });
    }
  }
}

/**
 * Clears a name on every domain and path from which it could have been sent, because a duplicate may have been planted.
 * `/v1/auth` and `/v1/auth/` are different paths to a browser (RFC 6265 section 5.1.4), and both match this request. A
 * browser compares paths as sent, still encoded, and no such path contains a semicolon, which would end the attribute.
 */
export function clearEverywhere(c: AppContext, deps: Deps, kind: CookieName): void {
  const parts = new URL(c.req.url).pathname.replace(/;.*/, '').split('/').slice(1);
  const whole = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
  const paths = ['/', ...whole, ...whole.slice(0, -1).map((path) => `${path}/`)];
  const name = sessionCookieNames(deps.config)[kind];
  const cookie = { name, value: '', maxAgeSeconds: 0, httpOnly: kind !== 'hint' };
  for (const domain of allDomains(deps.config)) {
    for (const path of paths) append(c, { ...cookie, path, domain, secure: deps.config.production });
  }
}

function allDomains(config: Config): (string | undefined)[] {
  return [undefined, ...cookieDomainsOf(new URL(config.origin).hostname)];
}

/** Back ends need only the access token, so the refresh token is not sent elsewhere unless configured. */
function ownDomain(config: Config, kind: SessionCookie): string | undefined {
  if (kind === 'refresh' && config.REFRESH_COOKIE_SCOPE === 'host') return undefined;
  return config.COOKIE_DOMAIN || undefined;
}

function append(c: AppContext, cookie: Cookie): void {
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}
