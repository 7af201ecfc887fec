import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { type CookieScope, parseRefreshToken, type RefreshToken } from '../features/session/refresh-token.ts';
import type { IssuedTokens } from '../features/session/session.ts';
import { type Cookie, cookieValues, serializeCookie } from '../lib/cookie.ts';
import { cookieDomainsOf } from '../lib/origin.ts';
import { secretHash } from '../lib/secret.ts';
import type { AppContext } from './context.ts';

/** The interface's cookies, and the readable hint by which sibling apps see a refresh. */
const names = { access: 'pid_access', refresh: 'pid_refresh', claim: 'pid_claim', hint: 'pid_hint' } as const;
type SessionCookie = 'access' | 'refresh' | 'hint';

const authPath = '/v1/auth';
const pathOf: Record<SessionCookie, string> = { access: '/', refresh: authPath, hint: '/' };

/** Where session cookies are set now: on our host alone, or on COOKIE_DOMAIN, which its length tells from every other. */
export function cookieScope(config: Config): CookieScope {
  return config.COOKIE_DOMAIN ? `${config.COOKIE_DOMAIN.split('.').length}` : 'h';
}

/**
 * The value of `pid_access`, or null.
 * @throws AppError unauthenticated when there are two: nobody can tell which is ours, so both are cleared
 */
export function readAccessCookie(c: AppContext, deps: Deps): string | null {
  return readOne(c, deps, 'access');
}

/**
 * The refresh token that came along, or null when there is none or it is not ours.
 * @throws AppError unauthenticated when there are two
 */
export function readRefreshCookie(c: AppContext, deps: Deps): RefreshToken | null {
  const known = c.get('presented');
  if (known !== undefined) return known;
  const token = parseRefreshToken(deps, readOne(c, deps, 'refresh') ?? undefined);
  c.set('presented', token);
  return token;
}

/** The claim ticket, or null. Two of them are none, and are cleared, so that the next sign-in's is alone again. */
export function readClaimCookie(c: AppContext, deps: Deps): string | null {
  const [value, ...others] = cookieValues(c.req.header('Cookie'), names.claim);
  if (others.length === 0) return value || null;
  clearEverywhere(c, deps, 'claim');
  return null;
}

/** Sets the three cookies of a session, and clears forms of them left over from another scope. */
export function setSessionCookies(c: AppContext, deps: Deps, tokens: IssuedTokens, now: number): void {
  const { config } = deps;
  const refreshSeconds = Math.floor((tokens.refreshExpiresAt - now) / 1000);
  const sessionSeconds = Math.floor((tokens.claims.sessionExpiresAt - now) / 1000);
  const accessSeconds = Math.min(config.ACCESS_TTL_SECONDS, sessionSeconds);
  const hint = `${Math.floor(now / 1000) + accessSeconds}.${secretHash(tokens.claims.sessionId).slice(0, 8)}`;
  const set = (name: SessionCookie, value: string, maxAgeSeconds: number) =>
    append(c, sessionCookie(config, name, value, maxAgeSeconds, ownDomain(config)));
  clearOtherScope(c, deps);
  set('access', tokens.accessToken, accessSeconds);
  set('refresh', tokens.refreshToken, refreshSeconds);
  if (config.HINT_COOKIE === 'on') set('hint', hint, refreshSeconds);
}

/** Clears the session's cookies, in the scope they are set in now and, if need be, in the other one. */
export function clearSessionCookies(c: AppContext, deps: Deps): void {
  clearOtherScope(c, deps);
  for (const name of ['access', 'refresh', 'hint'] as const) {
    append(c, sessionCookie(deps.config, name, '', 0, ownDomain(deps.config)));
  }
}

export function setClaimCookie(c: AppContext, deps: Deps, ticket: string): void {
  append(c, claimCookie(deps.config, ticket, deps.config.CLAIM_TTL_SECONDS));
}

export function clearClaimCookie(c: AppContext, deps: Deps): void {
  append(c, claimCookie(deps.config, '', 0));
}

/** Only our own API reads the ticket, so it stays on our host whatever COOKIE_DOMAIN says. */
function claimCookie(config: Config, value: string, maxAgeSeconds: number): Cookie {
  return {
    name: names.claim,
    value,
    path: authPath,
    maxAgeSeconds,
    httpOnly: true,
    secure: config.production,
  };
}

function sessionCookie(
  config: Config,
  name: SessionCookie,
  value: string,
  maxAgeSeconds: number,
  domain: string | undefined,
): Cookie {
  return {
    name: names[name],
    value,
    path: pathOf[name],
    maxAgeSeconds,
    domain,
    httpOnly: name !== 'hint',
    secure: config.production,
  };
}

function readOne(c: AppContext, deps: Deps, name: 'access' | 'refresh'): string | null {
  const [value, ...others] = cookieValues(c.req.header('Cookie'), names[name]);
  if (others.length === 0) return value || null;
  clearEverywhere(c, deps, name);
  throw new AppError('unauthenticated', null, { reason: `two cookies named ${names[name]}` });
}

/**
 * Clears what the other scope may have left in this browser, so that COOKIE_DOMAIN can be set, changed and
 * removed without two cookies of one name meeting. A refresh token says in which scope its cookie was set;
 * while it agrees with ours, nothing is left over and each name is set once.
 */
function clearOtherScope(c: AppContext, deps: Deps): void {
  const header = c.req.header('Cookie');
  const carried = [names.access, names.refresh, names.hint].some(
    (name) => cookieValues(header, name).length > 0,
  );
  if (!carried || readRefreshCookie(c, deps)?.scope === cookieScope(deps.config)) return;
  for (const domain of allDomains(deps.config).filter((other) => other !== ownDomain(deps.config))) {
    for (const name of ['access', 'refresh', 'hint'] as const) {
      append(c, sessionCookie(deps.config, name, '', 0, domain));
    }
  }
}

/**
 * Clears a name on every domain and path that could have sent it here, because a doubled name may be anyone's.
 * `/v1/auth` and `/v1/auth/` are two paths to a browser (RFC 6265 section 5.1.4), and both match this request.
 */
function clearEverywhere(c: AppContext, deps: Deps, name: keyof typeof names): void {
  const parts = c.req.path.split('/').slice(1);
  const whole = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
  const paths = ['/', ...whole, ...whole.slice(0, -1).map((path) => `${path}/`)];
  const cookie = { name: names[name], value: '', maxAgeSeconds: 0, httpOnly: name !== 'hint' };
  for (const domain of allDomains(deps.config)) {
    for (const path of paths) append(c, { ...cookie, path, domain, secure: deps.config.production });
  }
}

function allDomains(config: Config): (string | undefined)[] {
  return [undefined, ...cookieDomainsOf(new URL(config.origin).hostname)];
}

function ownDomain(config: Config): string | undefined {
  return config.COOKIE_DOMAIN || undefined;
}

function append(c: AppContext, cookie: Cookie): void {
  c.header('Set-Cookie', serializeCookie(cookie), { append: true });
}
