import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { logoutPageEndpoints } from '../../features/oauth/endpoints.ts';
import {
  type LogoutRequest,
  readLogoutRequest,
  repeated,
} from '../../features/oauth/logout/logout-request.ts';
import { carriesKey, clearSessionCookies, readRefreshCookie } from '../../features/session/cookies.ts';
import { readActor } from '../../features/session/require-session.ts';
import { endSession } from '../../features/session/session.ts';
import { readForm } from '../../http/body.ts';
import { type AppContext, type AppEnv, localeOf } from '../../http/context.ts';
import { requireOwnPage } from '../../http/origin.ts';
import { Routes } from '../../http/routes.ts';
import { serve } from '../../http/serve.ts';
import { renderPage } from '../../ui/page.tsx';
import { logoutTexts } from '../messages/sign-in.ts';
import { leadOn } from '../shared/lead-on.tsx';
import { ConfirmCard, SignedOutCard } from './cards.tsx';

const { showLogout, confirmLogout } = logoutPageEndpoints;

type Answer = Response | Promise<Response>;

/** The end session endpoint (OpenID Connect RP-Initiated Logout 1.0) as browsers see it. */
export function logoutPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  serve(pages, deps, showLogout, ({ c }) => show(c, deps));
  serve(pages, deps, confirmLogout, ({ c }) => submit(c, deps));
  return pages;
}

/**
 * A hint that fits the session ends it at once, because only the app of that sign-in has the ID token. Anyone else can
 * send a browser here, so the person is asked.
 */
async function show(c: AppContext, deps: Deps): Promise<Response> {
  const query = new URL(c.req.url).searchParams;
  const request = await readLogoutRequest(deps, query, await sessionOf(c, deps));
  const { sessionId, fits, returnTo, isStrayed } = request;
  if (sessionId === null) return signedOut(c, deps, request);
  if (!fits || isStrayed) return ask(c, deps, request, query);
  await end(c, deps, sessionId);
  return returnTo === null ? signedOut(c, deps, request) : c.redirect(returnTo);
}

/** The confirmation from our page, or a request that an app sends as a form, which cannot carry our cookies. */
async function submit(c: AppContext, deps: Deps): Promise<Response> {
  const form = await readForm(c);
  if (!form.has('confirm')) {
    const query = new URLSearchParams(repeated(form));
    const locales = form.get('ui_locales');
    if (locales !== null) query.set('ui_locales', locales);
    return c.redirect(`${showLogout.path}?${query}`, 303);
  }
  requireOwnPage(c, deps);
  const request = await readLogoutRequest(deps, form, await sessionOf(c, deps));
  if (request.sessionId !== null) await end(c, deps, request.sessionId);
  if (request.sessionId === null || request.returnTo === null) return signedOut(c, deps, request);
  return leadOn(c, deps, request.returnTo);
}

/** This browser's session, even if its access token has expired. */
async function sessionOf(c: AppContext, deps: Deps): Promise<string | null> {
  const actor = await readActor(c, deps);
  if (actor !== null) return actor.sessionId;
  const token = readRefreshCookie(c, deps);
  return token !== null && carriesKey(c, deps, token) ? token.sessionId : null;
}

async function end(c: AppContext, deps: Deps, sessionId: string): Promise<void> {
  await endSession(deps, sessionId);
  clearSessionCookies(c, deps);
}

function ask(c: AppContext, deps: Deps, request: LogoutRequest, query: URLSearchParams): Answer {
  const options = { title: logoutTexts[localeOf(c)].title, here: hereOf(query) };
  const hidden = Object.fromEntries(repeated(query));
  return renderPage(c, deps, options, <ConfirmCard {...{ request, hidden, action: confirmLogout.path }} />);
}

function signedOut(c: AppContext, deps: Deps, { returnTo }: LogoutRequest): Answer {
  const options = { title: logoutTexts[localeOf(c)].done, here: showLogout.path };
  return renderPage(c, deps, options, <SignedOutCard returnTo={returnTo} />);
}

function hereOf(query: URLSearchParams): string {
  return `${showLogout.path}?${new URLSearchParams(repeated(query))}`;
}
