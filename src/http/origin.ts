import type { MiddlewareHandler } from 'hono';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { addressKey } from '../lib/address.ts';
import { isFirstParty, originOfAddress } from '../lib/origin.ts';
import { returnToMessage } from '../lib/return-to.ts';
import { challengeClient, headerToken } from './bearer.ts';
import { type AppContext, type AppEnv, isNavigation } from './context.ts';
import { warnOnceAMinute } from './warn.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Anyone may register an app; the operator marks those that are first-party. */
export type Standing = 'first_party' | 'registered';
/** The origin of a request, and the network address to which a lookup of the origin is counted. */
export interface Page {
  readonly origin: string;
  readonly address: string;
}

/** Registered apps and their origins, provided by the feature that owns them. */
export interface AppOrigins {
  /** Returns whether an active app lists the origin, so that its pages may make requests. */
  lists(page: Page): Promise<boolean>;
  /** Returns the standing of an active app that lists the origin, or null; the result may be a minute old. */
  standing(app: string, page: Page, isChange: boolean): Standing | null | Promise<Standing | null>;
  /** Returns whether pages of first-party apps may call the endpoint at this path. */
  mayCall(method: string, path: string): boolean;
  /** Returns whether pages of any app may call it. */
  mayAnyCall(method: string, path: string): boolean;
  /** Returns whether apps may call the endpoint at this path with an access token. */
  takesTokens(method: string, path: string): boolean;
  /** Returns whether pages of any site may post a form to this path, which then acts for nobody. */
  takesForms(method: string, path: string): boolean;
  /** Returns whether apps may call it without cookies, as OAuth clients. */
  isForClients(path: string): boolean;
}

/**
 * CORS and CSRF protection. Both depend on whether this origin may act with cookies.
 *
 * Every unsafe request is checked, whatever its content type. An Origin must be one of ours; without one,
 * `Sec-Fetch-Site` must rule out another site, or be absent, as outside browsers. `same-site` alone is never
 * sufficient: a sibling subdomain may belong to anyone, and SameSite=Lax does not stop it.
 *
 * A registered app's page sends the app's id in `X-App-Id`, and may call the endpoints open to its kind of app. Cookies
 * from any other page are ignored. Requests from our own pages and first-party origins cause no read here. Endpoints
 * for our own pages accept no other origin.
 * @returns the response to a preflight, or null if the request may continue
 * @throws AppError origin_not_allowed, origin_not_first_party, invalid_client
 */
export function guardOrigin(
  c: AppContext,
  deps: Deps,
  apps: AppOrigins,
): Response | null | Promise<Response | null> {
  c.header('Vary', 'Origin');
  const origin = c.req.header('Origin');
  if (origin === undefined) return guardWithoutOrigin(c, apps);
  const app = c.req.header('X-App-Id');
  if (!isFirstParty(deps.config, origin, app)) return guardForeign(c, deps, apps, { origin, app });
  if (origin !== deps.config.origin && isForOwnPages(c.req.path)) {
    if (c.req.method === 'OPTIONS') return preflight(c, false);
    throw new AppError('origin_not_allowed', null, { reason: 'not one of our pages' });
  }
  allowOrigin(c, origin);
  return c.req.method === 'OPTIONS' ? preflight(c, true) : null;
}

/** The forms of the account, of developers and of the admin desk, and the administrator API. */
function isForOwnPages(path: string): boolean {
  return /^\/(?:(?:v1\/)?(?:account|admin)|developers)(?:\/|$)/.test(path);
}

function guardWithoutOrigin(c: AppContext, apps: AppOrigins): null {
  if (comesFromNoOtherSite(c) || safeMethods.has(c.req.method) || isOpenForm(c, apps)) return null;
  throw new AppError('origin_not_allowed', null, { reason: 'origin absent' });
}

function guardForeign(
  c: AppContext,
  deps: Deps,
  apps: AppOrigins,
  page: AppPage,
): Response | null | Promise<Response | null> {
  const { method, path } = c.req;
  const { origin, app } = page;
  if (apps.isForClients(path)) return guardClient(c, apps, origin);
  if (isOpenForm(c, apps)) return null;
  // Anyone can invent origins, so each address gets one log line for all of them.
  if (app === undefined) noteForeignOrigin(deps, origin, addressKey(c.env.address));
  if (headerToken(c) !== null && apps.takesTokens(method, path)) return guardToken(c, apps, origin);
  if (app !== undefined || method === 'OPTIONS') return guardApp(c, apps, page);
  if (safeMethods.has(method)) return dropCookies(c);
  throw new AppError('origin_not_allowed', null, { reason: `origin ${origin.slice(0, 100)}` });
}

/** Lets a request for public data continue anonymously. */
function dropCookies(c: AppContext): null {
  if (c.req.header('Cookie') === undefined) return null;
  const headers = new Headers(c.req.raw.headers);
  headers.delete('Cookie');
  c.req.raw = new Request(c.req.raw, { headers });
  return null;
}

/** Forms that pages of any origin may post, because they act on nobody's behalf. */
function isOpenForm(c: AppContext, apps: AppOrigins): boolean {
  return apps.takesForms(c.req.method, c.req.path) && isNavigation(c);
}

/**
 * A client missing from ALLOWED_ORIGINS sees only that the browser blocks it; this log line contains the setting to
 * change.
 */
export function noteForeignOrigin(deps: Deps, origin: string, asker = origin.slice(0, 100)): void {
  if (origin === 'null') return;
  const text = origin.slice(0, 100);
  const message = 'If these are pages of yours, add the origin to ALLOWED_ORIGINS';
  warnOnceAMinute(deps, 'origin.not_allowed', asker, { origin: text, message });
}

function pageOf(c: AppContext, origin: string): Page {
  return { origin, address: c.env.address };
}

interface AppPage {
  readonly origin: string;
  readonly app: string | undefined;
}

function guardApp(c: AppContext, apps: AppOrigins, page: AppPage): null | Promise<Response | null> {
  const { method, path } = c.req;
  const { origin, app } = page;
  if (method === 'OPTIONS') return guardPreflight(c, apps, origin);
  const isOpen = app !== undefined && apps.mayCall(method, path);
  const standing = isOpen ? apps.standing(app, pageOf(c, origin), !safeMethods.has(method)) : null;
  const admit = (is: Standing | null) => admitApp(c, page, is, apps.mayAnyCall(method, path));
  // A cached standing saves a read one turn of the event loop.
  return standing instanceof Promise ? standing.then(admit) : admit(standing);
}

async function guardPreflight(c: AppContext, apps: AppOrigins, origin: string): Promise<Response> {
  const isListed = await apps.lists(pageOf(c, origin));
  if (isListed) allowOrigin(c, origin);
  return preflight(c, isListed);
}

function admitApp(
  c: AppContext,
  { origin, app }: AppPage,
  standing: Standing | null,
  isForAny: boolean,
): null {
  if (standing === null) {
    throw new AppError('origin_not_allowed', null, { reason: `an app from origin ${origin.slice(0, 100)}` });
  }
  allowOrigin(c, origin);
  const isFirstPartyApp = standing === 'first_party';
  if (!isFirstPartyApp && !isForAny) throw new AppError('origin_not_first_party');
  c.set('app', app);
  c.set('isFirstPartyApp', isFirstPartyApp);
  return null;
}

/** Cookies are ignored if there is a token, so any app's page may call with a token. */
async function guardToken(c: AppContext, apps: AppOrigins, origin: string): Promise<null> {
  if (!(await apps.lists(pageOf(c, origin)))) {
    throw new AppError('origin_not_allowed', null, { reason: `a token from origin ${origin.slice(0, 100)}` });
  }
  exposeTo(c, origin);
  return null;
}

/**
 * An app's page as an OAuth client. It authenticates with its request, so cookies are ignored and must not be sent.
 * @throws AppError invalid_client for a page whose origin no app lists (RFC 6749 section 5.2)
 */
async function guardClient(c: AppContext, apps: AppOrigins, origin: string): Promise<Response | null> {
  const { method } = c.req;
  const isListed = await apps.lists(pageOf(c, origin));
  if (isListed) exposeTo(c, origin);
  if (method === 'OPTIONS') return preflight(c, isListed);
  if (isListed || safeMethods.has(method)) return null;
  c.set('oauth', true);
  challengeClient(c);
  // Anyone can invent origins, so they are not logged individually.
  const reason = `a client from origin ${origin.slice(0, 100)}`;
  throw new AppError('invalid_client', null, { reason, isLogged: true });
}

/** The guard for endpoints that only our own pages call. */
export function requireOwnOrigin(deps: Deps): MiddlewareHandler<AppEnv> {
  return async function ownOrigin(c, next) {
    requireOwnPage(c, deps);
    await next();
  };
}

/**
 * For requests that only our own pages send. Other first-party origins may act with cookies, but must not perform the
 * actions of our pages.
 * @throws AppError origin_not_allowed
 */
export function requireOwnPage(c: AppContext, deps: Deps): void {
  const origin = c.req.header('Origin');
  const isOwn =
    origin === undefined ? c.req.header('Sec-Fetch-Site') === 'same-origin' : origin === deps.config.origin;
  if (!isOwn) throw new AppError('origin_not_allowed', null, { reason: 'not one of our pages' });
}

/**
 * Returns the URL to which a sign-in started by a page returns: one on a first-party origin, or a path that the client
 * receives in the query of CLIENT_SUCCESS_URL. In development a page on this machine that is not in the settings is a
 * separate client, so that any example works without configuration.
 * @throws AppError validation_failed for a URL on any other origin
 */
export function startedAt(c: AppContext, deps: Deps, returnTo: string | undefined): string | undefined {
  const address = returnTo === undefined ? null : originOfAddress(returnTo);
  if (address !== null) {
    if (isFirstParty(deps.config, address)) return returnTo;
    throw new AppError('validation_failed', [returnToMessage]);
  }
  const origin = c.req.header('Origin');
  const isNamed = origin === undefined || deps.config.firstPartyOrigins.has(origin);
  if (isNamed || !isFirstParty(deps.config, origin)) return returnTo;
  return returnTo === undefined ? `${origin}/` : `${origin}/?${new URLSearchParams({ returnTo })}`;
}

/**
 * Returns whether the request changes nothing, or comes from a page that may act with cookies: `guardOrigin` has
 * checked the headers that browsers add. Without them the request came from another server.
 */
export function isSafeOrFromPage(c: AppContext): boolean {
  return safeMethods.has(c.req.method) || comesFromBrowser(c);
}

/** Returns whether, according to the browser, no other site sent the request, not even a sibling subdomain. */
export function comesFromNoOtherSite(c: AppContext): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Returns whether, according to the browser, another site than ours led here, also by redirects. */
export function comesFromAnotherSite(c: AppContext): boolean {
  return c.req.header('Sec-Fetch-Site') === 'cross-site';
}

/** Returns whether a browser sent the request: every browser includes the origin or site in its POST requests. */
export function comesFromBrowser(c: AppContext): boolean {
  return c.req.header('Origin') !== undefined || c.req.header('Sec-Fetch-Site') !== undefined;
}

function allowOrigin(c: AppContext, origin: string): void {
  exposeTo(c, origin);
  c.header('Access-Control-Allow-Credentials', 'true');
}

function exposeTo(c: AppContext, origin: string): void {
  c.header('Access-Control-Allow-Origin', origin);
  c.header(
    'Access-Control-Expose-Headers',
    'DPoP-Nonce, ETag, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Error-Code, X-Request-Id',
  );
}

function preflight(c: AppContext, allowed: boolean): Response {
  if (allowed) {
    c.header('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
    c.header(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, DPoP, Idempotency-Key, If-Match, X-App-Id',
    );
    c.header('Access-Control-Max-Age', '7200');
  }
  return c.body(null, 204);
}
