import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import { sessionOf } from './access-token.ts';
import { clearSessionCookies, cookieScope, readLeavingSession, setSessionCookies } from './cookies.ts';
import { sessionEndpoints } from './endpoints.ts';
import { readActingSession } from './require-session.ts';
import { endSession, RefreshRefused, refreshSession } from './session.ts';
import { endOtherSessions, endOwnSession, listSessions } from './session-list.ts';

/** Refresh, logout and the session read (interface section 4), and the list of a person's sessions. */
export function sessionRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Who is signed in. Asks no database. */
  serve(routes, deps, sessionEndpoints.getSession, (c, { actor }) => sendJson(c, sessionOf(deps, actor)));

  /** Spends the refresh token and sets a new pair. 401 for any token but the live one. */
  serve(routes, deps, sessionEndpoints.refreshSession, async (c, { actor: presented }) => {
    try {
      const input = { presented, scope: cookieScope(deps.config), client: clientInfo(c) };
      setSessionCookies(c, deps, await refreshSession(deps, input), deps.now());
    } catch (error) {
      // A tab that lost a race must not clear the cookies that the winner has just set.
      if (error instanceof RefreshRefused && error.sessionEnded) clearSessionCookies(c, deps);
      throw error;
    }
    return c.body(null, 204);
  });

  /** Renews the session of a page that a server rendered, and returns to it. */
  serve(routes, deps, sessionEndpoints.continueSession, async (c, { actor: presented, query }) => {
    const { continueSession } = await import('./continue.ts');
    return continueSession(c, deps, { presented, returnTo: query.returnTo });
  });

  /** Ends the session of the refresh token, or of the access token when none came. Safe to repeat. */
  serve(routes, deps, sessionEndpoints.logOut, async (c) => {
    const sessionId = readLeavingSession(c, deps) ?? (await readActingSession(c, deps));
    if (sessionId !== null) await endSession(deps, sessionId);
    clearSessionCookies(c, deps);
    return c.body(null, 204);
  });

  /** Where the person is signed in, the newest sign-in first. */
  serve(routes, deps, sessionEndpoints.listSessions, async (c, { actor, query }) =>
    sendJson(c, await listSessions(deps, actor.sessionId, query)),
  );

  /** Signs the person out everywhere but here. */
  serve(routes, deps, sessionEndpoints.endOtherSessions, async (c, { actor }) => {
    await endOtherSessions(deps, actor.sessionId);
    return c.body(null, 204);
  });

  /** Ends one of the person's sessions; ending the present one also clears its cookies. 404 for anybody else's. */
  serve(routes, deps, sessionEndpoints.endSession, async (c, { actor, params }) => {
    const { sessionId } = actor;
    const target = params.id;
    await endOwnSession(deps, { sessionId, target });
    if (target === sessionId) clearSessionCookies(c, deps);
    return c.body(null, 204);
  });

  return routes;
}
