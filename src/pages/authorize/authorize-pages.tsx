import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { readLogo } from '../../features/app/logo.ts';
import { announceGrant } from '../../features/oauth/authorize/announce.ts';
import { proceed, settle, takeRequest } from '../../features/oauth/authorize/authorize.ts';
import { readState, type Visitor } from '../../features/oauth/authorize/state.ts';
import type { ConsentScreen, Step } from '../../features/oauth/authorize/step.ts';
import {
  dropWaitingRequest,
  findWaitingRequest,
  keepWaitingRequest,
} from '../../features/oauth/authorize/waiting-cookie.ts';
import type { WaitingRequest } from '../../features/oauth/authorize/waiting-request.ts';
import { authorizeEndpoints, authorizePageEndpoints } from '../../features/oauth/endpoints.ts';
import { carriesKey, readRefreshCookie } from '../../features/session/cookies.ts';
import { sessionEndpoints } from '../../features/session/endpoints.ts';
import { byIdentity, readActor } from '../../features/session/require-session.ts';
import { readForm } from '../../http/body.ts';
import {
  type AppContext,
  type AppEnv,
  clientInfo,
  isNavigation,
  isWindow,
  localeOf,
} from '../../http/context.ts';
import { requireOwnPage } from '../../http/origin.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { Routes } from '../../http/routes.ts';
import { serve } from '../../http/serve.ts';
import { signInPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { withQuery } from '../../lib/with-query.ts';
import { redirectKeepingView, renderPage } from '../../ui/page.tsx';
import { consentScript } from '../scripts/authorize.ts';
import { emailPageEndpoints, pageEndpoints } from '../shared/endpoints.ts';
import { textOf } from '../shared/form.ts';
import { leadOn } from '../shared/lead-on.tsx';
import { ConsentCard, consentTitle } from './cards.tsx';

const { authorize } = authorizeEndpoints;
const { showAuthorize } = authorizePageEndpoints;

type Answer = Response | Promise<Response>;

/** The authorization endpoint (RFC 6749 section 3.1) as browsers see it. */
export function authorizePages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();

  serve(pages, deps, showAuthorize, ({ c }) => show(c, deps));

  pages.get(pageEndpoints.showLogo.path, rateLimit(deps, pageEndpoints.showLogo), (c) => showLogo(c, deps));

  /**
   * The decision from the consent page, or a request that an app sends as a form (OpenID Connect Core section 3.1.2.1).
   * The same path accepts JSON from our own scripts.
   */
  const limit = rateLimit(deps, { ...authorize, limit: { requests: authorize.limit, by: byIdentity } });
  pages.post(authorize.path, async (c, next) => {
    if (!isNavigation(c)) return next();
    // Read before the limit, so that an error leads back to the app's request.
    const form = await readForm(c);
    const waits = await findWaitingRequest(c, deps, form.get('request'));
    if (waits !== null) c.set('back', pathOf(waits));
    await limit(c, async () => {
      c.res = await answerForm(c, deps, form);
    });
  });

  return pages;
}

/**
 * A logo is only embedded in other pages; opened directly, it is downloaded. No shared cache may store it, because it
 * is withdrawn when its app is suspended.
 */
async function showLogo(c: AppContext, deps: Deps): Promise<Response> {
  const part = (name: 'id' | 'hash') => present(c.req.param(name), `the ${name} in the path`);
  const bytes = await readLogo(deps, part('id'), part('hash'));
  return c.body(bytes, 200, {
    'Content-Type': 'image/png',
    'Content-Disposition': 'attachment',
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
}

async function answerForm(c: AppContext, deps: Deps, form: URLSearchParams): Promise<Response> {
  // Our cookies arrive only with the GET, and only the GET acts for anyone.
  if (form.has('client_id')) return c.redirect(`${showAuthorize.path}?${form}`, 303);
  requireOwnPage(c, deps);
  return submit(c, deps, form);
}

/** An app's request, or one waiting in this browser. */
async function show(c: AppContext, deps: Deps): Promise<Response> {
  const query = new URL(c.req.url).searchParams;
  const waits = query.get('continue');
  const visitor = await visitorOf(c, deps);
  if (waits !== null && !query.has('client_id')) {
    const request = await requireWaiting(c, deps, waits);
    const step = await proceed(deps, request, await readState(deps, request, visitor));
    // A form may have led here, and forms may not redirect to other origins.
    return take(c, deps, { request, step, isDirect: query.has('renewed') });
  }
  const taken = await takeRequest(deps, query, visitor);
  if (taken.request === null) return take(c, deps, { ...taken, isDirect: true });
  const { request, state } = taken;
  return take(c, deps, { request, step: await proceed(deps, request, state), isDirect: true });
}

/** Only a page opened by the browser can be redirected to renew the session, and only once per request. */
async function visitorOf(c: AppContext, deps: Deps): Promise<Visitor> {
  const actor = await readActor(c, deps);
  const isPage = isNavigation(c) && isWindow(c);
  const wasTried = c.req.query('renewed') !== undefined;
  const token = actor === null && isPage && !wasTried ? readRefreshCookie(c, deps) : null;
  const renewable = token !== null && carriesKey(c, deps, token) ? token.sessionId : null;
  return { sessionId: actor?.sessionId ?? null, renewable, address: c.env.address };
}

async function requireWaiting(c: AppContext, deps: Deps, id: string | null): Promise<WaitingRequest> {
  const request = await findWaitingRequest(c, deps, id);
  if (request === null) throw new AppError('authorize_gone');
  return request;
}

interface Taken {
  readonly request: WaitingRequest | null;
  readonly step: Step;
  /** True if the response may be a redirect. */
  readonly isDirect: boolean;
}

async function take(c: AppContext, deps: Deps, { request, step, isDirect }: Taken): Promise<Response> {
  if (step.next === 'answer') {
    if (request !== null) dropWaitingRequest(c, deps, request);
    return isDirect ? c.redirect(step.url) : leadOn(c, deps, step.url);
  }
  if (request === null) throw new Error('a refused request has no next step');
  await keepWaitingRequest(c, deps, request);
  if (step.next === 'consent') return askConsent(c, deps, request, step.screen);
  const path = pathOf(request);
  if (step.next === 'renew') {
    const returnTo = `${deps.config.origin}${path}&renewed=1`;
    return c.redirect(withQuery(sessionEndpoints.continueSession.path, { returnTo }));
  }
  const ui_locales = c.req.query('ui_locales') === undefined ? null : localeOf(c);
  return redirectKeepingView(c, deps, signInFor(path, { ...step, ui_locales }));
}

/** A waiting request continues here. */
function pathOf({ id }: WaitingRequest): string {
  return `${showAuthorize.path}?continue=${id}`;
}

/**
 * @param isNew true if the provider must also ignore its own session
 * @param isNewcomer true for the page that creates an account, which links to the other ways
 */
function signInFor(
  path: string,
  {
    isNew,
    isNewcomer = false,
    ui_locales = null,
  }: { isNew: boolean; isNewcomer?: boolean; ui_locales?: string | null },
): string {
  const page = isNewcomer ? emailPageEndpoints.register.path : signInPath;
  return withQuery(page, { returnTo: `self:${path}`, prompt: isNew ? 'login' : null, ui_locales });
}

function askConsent(c: AppContext, deps: Deps, request: WaitingRequest, screen: ConsentScreen): Answer {
  const here = pathOf(request);
  const title = consentTitle(localeOf(c), screen);
  const signIn = signInFor(here, { isNew: true });
  return renderPage(
    c,
    deps,
    { title, here, script: consentScript },
    <ConsentCard {...{ screen, signIn, request: request.id }} />,
  );
}

async function submit(c: AppContext, deps: Deps, form: URLSearchParams): Promise<Response> {
  const decision = form.get('decision');
  if (decision !== 'allow' && decision !== 'deny') {
    throw new AppError('validation_failed', ['decision must be allow or deny']);
  }
  const request = await requireWaiting(c, deps, form.get('request'));
  const visitor = { ...(await visitorOf(c, deps)), renewable: null };
  const state = await readState(deps, request, visitor);
  const proof = textOf(form, 'proof');
  const step = await settle(deps, request, state, { decision, proof, client: clientInfo(c) });
  if (decision === 'allow') announceGrant(deps);
  if (step.next === 'answer') return take(c, deps, { request, step, isDirect: false });
  // The session was revoked after the page was shown, so the request goes through the sign-in again.
  return c.redirect(pathOf(request), 303);
}
