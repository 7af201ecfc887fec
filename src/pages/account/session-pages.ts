import type { Hono, MiddlewareHandler } from 'hono';
import type { Deps } from '../../deps.ts';
import {
  clearSessionCookies,
  cookieScope,
  readLeavingSession,
  readRefreshCookie,
  sessionCookieNames,
  setSessionCookies,
} from '../../features/session/cookies.ts';
import { sessionEndpoints } from '../../features/session/endpoints.ts';
import { bySession, readActingSession } from '../../features/session/require-session.ts';
import { endSession, RefreshRefused, refreshSession } from '../../features/session/session.ts';
import { readForm } from '../../http/body.ts';
import { type AppEnv, clientInfo, isNavigation, isWindow } from '../../http/context.ts';
import { comesFromAnotherSite } from '../../http/origin.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { Routes } from '../../http/routes.ts';
import { cookieValues } from '../../lib/cookie.ts';
import { accountPaths, signInPath } from '../../lib/page-paths.ts';
import { pause } from '../../lib/pause.ts';
import { hostedPath } from '../../lib/success-url.ts';
import { withQuery } from '../../lib/with-query.ts';
import { leadToRenewal } from '../shared/lead-on.tsx';
import { sessionPaths, signInFor } from '../shared/paths.ts';

/** How long a request that lost a race waits for the winner's response to reach the browser. */
const winnerArrivesMs = 500;

/**
 * Refresh and logout as forms. Their paths are under /v1/auth, the path of the refresh token cookie, and they share the
 * API routes' limits.
 */
export function sessionPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const back: MiddlewareHandler<AppEnv> = (c, next) => {
    c.set('back', accountPaths.home);
    return next();
  };

  /** Renews the session and returns to the account, or goes to the sign-in if there is no session. */
  pages.post(sessionPaths.renew, back, rateLimit(deps, sessionEndpoints.refreshSession), async (c) => {
    const form = await readForm(c);
    const path = hostedPath(form.get('returnTo')) ?? accountPaths.credentials;
    const presented = readRefreshCookie(c, deps);
    if (presented === null) return c.redirect(signInFor(path), 303);
    try {
      const input = { presented, scope: cookieScope(deps.config), client: clientInfo(c) };
      setSessionCookies(c, deps, await refreshSession(deps, input), deps.now());
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw error;
      if (!error.sessionEnded) {
        // Another tab has won, but its cookies may not have arrived yet, because signing takes time.
        await pause(winnerArrivesMs, c.req.raw.signal);
        return c.redirect(withQuery(path, { renewed: '1' }), 303);
      }
      clearSessionCookies(c, deps);
      return c.redirect(signInFor(path), 303);
    }
    return c.redirect(withQuery(path, { done: form.has('repeat') ? 'repeat' : null }), 303);
  });

  /** Signs out and goes to the sign-in page. Safe to repeat. */
  pages.post(sessionPaths.signOut, back, rateLimit(deps, sessionEndpoints.logOut), async (c) => {
    const sessionId = readLeavingSession(c, deps) ?? (await readActingSession(c, deps));
    if (sessionId !== null) await endSession(deps, sessionId);
    clearSessionCookies(c, deps);
    return c.redirect(withQuery(signInPath, { done: 'signedOut' }), 303);
  });

  /** Leads browsers that another site sent to `GET /v1/auth/continue`, which counts toward its limit. */
  const { continueSession } = sessionEndpoints;
  const limit = { requests: continueSession.limit, by: bySession };
  const limitRenewal = rateLimit(deps, { ...continueSession, limit });
  pages.get(continueSession.path, (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const token = cookieValues(c.req.header('Cookie'), sessionCookieNames(deps.config).refresh);
    const isLed = comesFromAnotherSite(c) && isNavigation(c) && isWindow(c) && token.length > 0;
    if (!isLed) return next();
    return limitRenewal(c, async () => {
      c.res = await leadToRenewal(c, deps, `${pathname}${search}`);
    });
  });

  return pages;
}
