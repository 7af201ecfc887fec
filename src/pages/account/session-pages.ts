import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import {
  clearSessionCookies,
  cookieScope,
  readLeavingSession,
  readRefreshCookie,
  setSessionCookies,
} from '../../features/session/cookies.ts';
import { readActingSession } from '../../features/session/require-session.ts';
import { endSession, RefreshRefused, refreshSession } from '../../features/session/session.ts';
import { readForm } from '../../http/body.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { rateLimitBySession } from '../../http/rate-limit.ts';
import { pause } from '../../lib/pause.ts';
import { signInFor } from '../shared/return-to.ts';
import { returnPath } from './member.tsx';

/** How much later than its refusal a request hears of the one that won: enough for the winner's answer to arrive. */
const winnerArrivesMs = 500;

/**
 * Refresh and logout as forms of hosted pages. They stand under /v1/auth, where the refresh token's cookie
 * reaches them, and each counts as the API's route that does the same.
 */
export function sessionPages(deps: Deps): Hono<AppEnv> {
  const pages = new Hono<AppEnv>();

  /** Renews the session and leads back to the account; to the sign-in when there is none to renew. */
  pages.post('/v1/auth/refresh/continue', rateLimitBySession(deps, 'POST /v1/auth/refresh'), async (c) => {
    const form = await readForm(c);
    const path = returnPath(form);
    const presented = readRefreshCookie(c, deps);
    if (presented === null) return c.redirect(signInFor(path), 303);
    try {
      const input = { presented, scope: cookieScope(deps.config), client: clientInfo(c) };
      setSessionCookies(c, deps, await refreshSession(deps, input), deps.now());
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw error;
      if (!error.sessionEnded) {
        // Another tab has won. Its cookies may still be on the way to this browser, for they take a signature.
        await pause(winnerArrivesMs, c.req.raw.signal);
        return c.redirect(`${path}?renewed=1`, 303);
      }
      clearSessionCookies(c, deps);
      return c.redirect(signInFor(path), 303);
    }
    return c.redirect(form.has('repeat') ? `${path}?done=repeat` : path, 303);
  });

  /** Signs out and leads to the sign-in page. Safe to repeat. */
  pages.post('/v1/auth/logout/leave', rateLimitBySession(deps, 'POST /v1/auth/logout'), async (c) => {
    const sessionId = readLeavingSession(c, deps) ?? (await readActingSession(c, deps));
    if (sessionId !== null) await endSession(deps, sessionId);
    clearSessionCookies(c, deps);
    return c.redirect('/signin?done=signedOut', 303);
  });

  return pages;
}
