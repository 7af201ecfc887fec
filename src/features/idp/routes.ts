import type { Hono, Next } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { type AppContext, type AppEnv, clientInfo, isWindow } from '../../http/context.ts';
import { comesFromNoOtherSite, startedAt } from '../../http/origin.ts';
import { routesOf, serve } from '../../http/serve.ts';
import { cookieNames, cookieValues } from '../../lib/cookie.ts';
import type { ProviderId } from '../../lib/credential-kinds.ts';
import { isPopupId } from '../../lib/id.ts';
import { accountPaths } from '../../lib/page-paths.ts';
import { successUrl } from '../../lib/success-url.ts';
import { withQuery } from '../../lib/with-query.ts';
import { claimEndpoints } from '../claim/endpoints.ts';
import { popupEndpoints } from '../popup/endpoints.ts';
import { browserSession } from '../session/require-session.ts';
import { answerSignIn, type SignInOutcome, signInContext } from '../sign-in/context.ts';
import { rememberWay } from '../sign-in/cookies.ts';
import {
  type Attempt,
  attemptId,
  type Destination,
  decryptAttempt,
  decryptLinkIntention,
  encryptAttempt,
} from './attempt.ts';
import { clearOauthCookie, oauthCookieName, setOauthCookie } from './cookie.ts';
import { finishSignInEndpoint, idpEndpoints, startSignInEndpoint } from './endpoints.ts';
import { finishLink, finishSignIn, providers, startLink, startSignIn } from './idp.ts';
import { listProviders } from './list.ts';
import type { Provider } from './providers/provider.ts';
import { readReturnTo } from './return-to.ts';
import type { CallbackQuery, StartQuery } from './schema.ts';

/**
 * The maximum number of concurrent sign-ins in one browser, and the maximum size of their cookies; the oldest are
 * dropped. See `mostBytes` of the waiting authorization requests, whose cookies share the header.
 */
const maxAttempts = 5;
const maxBytes = 2_500;
/** Cookie names that the service may have set; other cookies are ignored. */
const attemptName = /_[\w-]{8}$/;

const callRoutes = routesOf(idpEndpoints, {
  /** Returns the path where the browser starts the sign-in. It contains `returnTo`, so each tab has its own target. */
  getSignInUrl({ c, deps, body: { provider, prompt, returnTo: path } }) {
    const returnTo = startedAt(c, deps, path);
    const query = { ...(prompt ? { prompt } : {}), ...(returnTo === undefined ? {} : { returnTo }) };
    return { url: withQuery(startSignInEndpoint(provider).path, query) };
  },

  /** All external sign-ins, and whether each is configured. */
  listProviders: ({ deps }) => listProviders(deps),

  /**
   * Returns the path where the browser starts linking an account to the signed-in identity. A cookie binds the link to
   * this session. 401, 403 without a recent sign-in, 503 if the provider is not configured.
   */
  async getLinkUrl({ c, deps, actor: { sessionId }, body: { provider, returnTo: path } }) {
    const returnTo = startedAt(c, deps, path) ?? null;
    const { sealed, url } = await startLink(deps, { provider, sessionId, returnTo, page: null });
    setOauthCookie(c, deps, sealed);
    return { url };
  },
});

/** External sign-in (interface section 4): its start, and the two browser navigations of each provider. */
export function idpRoutes(deps: Deps, offered: readonly Provider[] = Object.values(providers)): Hono<AppEnv> {
  const routes = callRoutes(deps);
  for (const provider of offered) {
    const startEndpoint = startSignInEndpoint(provider.id);
    routes.get(startEndpoint.path, showInPopup);
    serve(routes, deps, startEndpoint, ({ c, query }) => start(c, deps, provider, query));
    serve(routes, deps, finishSignInEndpoint(provider.id), ({ c, query }) =>
      finish(c, deps, provider, query),
    );
  }
  return routes;
}

/** Redirects the browser to the provider's consent screen. 503 if the provider is not configured. */
async function start(c: AppContext, deps: Deps, provider: Provider, query: StartQuery): Promise<Response> {
  const { popup, link, claim, prompt, returnTo } = query;
  // Otherwise a page of another site could have its own request approved by anyone it sends through a provider.
  if (popup !== undefined && !comesFromNoOtherSite(c)) {
    throw new AppError('origin_not_allowed', null, { reason: 'another site names a popup request' });
  }
  const destination: Destination =
    link === undefined
      ? { returnTo: readReturnTo(deps, returnTo), popup: null, page: null, linkTo: null }
      : await linkDestination(c, deps, provider.id, link);
  if (destination.linkTo === null) c.set('returnTo', destination.returnTo);
  const hasClaims = deps.config.INTERFACE_REVISION === 'claim';
  const page = claim === 'link' && hasClaims ? 'claim-link' : destination.page;
  const answers = { ...destination, page, popup: popup ?? null };
  const { attempt, url } = await startSignIn(deps, provider, answers, prompt === 'login');
  if (link !== undefined) clearOauthCookie(c, deps, oauthCookieName(deps.config));
  await keepAttempt(c, deps, attempt);
  return c.redirect(url.href);
}

/**
 * The return from the provider, which yields a session for a known credential, a claim ticket for a new one or, for a
 * link, one more credential for the signed-in identity.
 */
async function finish(
  c: AppContext,
  deps: Deps,
  provider: Provider,
  { state, code, error, iss }: CallbackQuery,
): Promise<Response> {
  // This check comes first, because invalid cookies must not use up the attempt.
  const context = signInContext(c, deps, null);
  const attempt = await takeAttempt(c, deps, state);
  c.set('popup', attempt?.popup ?? undefined);
  if (attempt?.linkTo === null) c.set('returnTo', attempt.returnTo);
  const callback = { attempt, state, code, error, iss };
  if (attempt !== null && attempt.linkTo !== null) {
    c.set('back', backFrom(deps, attempt));
    const sessionId = await browserSession(c, deps);
    await finishLink(deps, provider, callback, { sessionId, client: clientInfo(c) });
    return c.redirect(landing(deps, attempt, 'linked'));
  }
  // One of our pages started the attempt, which is encrypted; the request itself comes from the provider's page.
  const popup = attempt?.popup ?? null;
  const outcome = await finishSignIn(deps, provider, callback, { ...context, popup });
  answerSignIn(c, deps, outcome);
  rememberWay(c, deps, provider.id);
  return c.redirect(landing(deps, attempt, outcome.type));
}

/**
 * Every error of a sign-in that starts in a popup, including a rate limit, is shown there and leads back to its page.
 */
function showInPopup(c: AppContext, next: Next): Promise<void> {
  const popup = c.req.query('popup');
  if (isPopupId(popup) && comesFromNoOtherSite(c)) c.set('popup', popup);
  return next();
}

/**
 * The link that `beginLink` started in this browser, for the same session. Without these two checks, any page could
 * link the account to which the browser is signed in at the provider.
 * @throws AppError state_invalid, unauthenticated
 */
async function linkDestination(
  c: AppContext,
  deps: Deps,
  id: ProviderId,
  link: string,
): Promise<Destination> {
  const [sealed = ''] = cookieValues(c.req.header('Cookie'), oauthCookieName(deps.config));
  const intention = await decryptLinkIntention(deps, sealed);
  if (intention === null || intention.id !== link || intention.provider !== id) {
    throw new AppError('state_invalid', null, { reason: 'no link was begun in this browser' });
  }
  if ((await browserSession(c, deps)) !== intention.sessionId) {
    throw new AppError('state_invalid', null, { reason: 'the link was begun by another session' });
  }
  const { returnTo, page, sessionId } = intention;
  return { returnTo, popup: null, page, linkTo: sessionId };
}

/** Returns a successful sign-in's redirect target. */
function landing(deps: Deps, attempt: Attempt | null, outcome: SignInOutcome['type'] | 'linked'): string {
  const { popup = null, page = null, returnTo = null, provider } = attempt ?? {};
  const isNew = outcome === 'claim_required';
  if (popup !== null) {
    const { path } = isNew ? popupEndpoints.showPopupClaim : popupEndpoints.finishPopup;
    return `${path}?${new URLSearchParams({ c: popup })}`;
  }
  if (page === 'claim-link') {
    const { path } = isNew ? claimEndpoints.previewClaim : claimEndpoints.linkTicket;
    return withQuery(path, returnTo === null ? {} : { returnTo });
  }
  if (page === 'account') return `${accountPaths.credentials}?linked=${provider}`;
  const linked = outcome === 'linked' ? (provider ?? null) : null;
  return successUrl(deps.config, { isNew, linked, returnTo });
}

/** Returns the page where a link started, for redirects after a failure. */
function backFrom(deps: Deps, { page, returnTo }: Attempt): string {
  if (page === 'account') return accountPaths.credentials;
  return successUrl(deps.config, { isNew: false, returnTo });
}

/** Stores an attempt made by a window in this browser, along with at most four others. */
async function keepAttempt(c: AppContext, deps: Deps, attempt: Attempt): Promise<void> {
  if (!isWindow(c)) return;
  const header = c.req.header('Cookie');
  const names = cookieNames(header, attemptCookie(deps, '')).filter((name) => attemptName.test(name));
  const others = await Promise.all(
    names.slice(0, 2 * maxAttempts).map(async (name) => {
      const [value = ''] = cookieValues(header, name);
      return { name, size: value.length, expiresAt: (await decryptAttempt(deps, value))?.expiresAt ?? 0 };
    }),
  );
  const sealed = await encryptAttempt(deps, attempt);
  let bytes = sealed.length;
  for (const [index, { name, size }] of others.sort((a, b) => b.expiresAt - a.expiresAt).entries()) {
    bytes += size;
    if (index >= maxAttempts - 1 || bytes > maxBytes) clearOauthCookie(c, deps, name);
  }
  setOauthCookie(c, deps, sealed, attemptCookie(deps, attemptId(attempt.state)));
}

function attemptCookie(deps: Deps, id: string): string {
  return `${oauthCookieName(deps.config)}_${id}`;
}

/** Returns this browser's attempt with the given state. The cookie is cleared, whatever the outcome. */
async function takeAttempt(c: AppContext, deps: Deps, state: string | undefined): Promise<Attempt | null> {
  if (!state) throw new AppError('state_invalid', null, { reason: 'no state' });
  const name = attemptCookie(deps, attemptId(state));
  const [sealed] = cookieValues(c.req.header('Cookie'), name);
  if (sealed === undefined) return null;
  clearOauthCookie(c, deps, name);
  return decryptAttempt(deps, sealed);
}
