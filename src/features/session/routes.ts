import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { sendJson } from '../../http/answer.ts';
import { validQuery } from '../../http/body.ts';
import { type AppEnv, clientInfo } from '../../http/context.ts';
import { rateLimitBySession } from '../../http/rate-limit.ts';
import { sessionOf } from './access-token.ts';
import {
  clearSessionCookies,
  cookieScope,
  readLeavingSession,
  readRefreshCookie,
  setSessionCookies,
} from './cookies.ts';
import { readActingSession, requireSession } from './require-session.ts';
import { sessionPageQuery } from './schema.ts';
import { endSession, RefreshRefused, refreshSession } from './session.ts';
import { endOtherSessions, endOwnSession, listSessions } from './session-list.ts';

/** Refresh, logout and the session read (interface section 4), and the list of a person's sessions. */
export function sessionRoutes(deps: Deps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  /** Who is signed in. Asks no database. */
  routes.get('/v1/auth/session', requireSession(deps, 'GET /v1/auth/session'), (c) =>
    sendJson(c, sessionOf(deps, c.get('actor'))),
  );

  /** Spends the refresh token and sets a new pair. 401 for any token but the live one. */
  routes.post('/v1/auth/refresh', rateLimitBySession(deps, 'POST /v1/auth/refresh'), async (c) => {
    const presented = readRefreshCookie(c, deps);
    if (presented === null) throw new RefreshRefused('no token of ours', false);
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

  /** Ends the session of the refresh token, or of the access token when none came. Safe to repeat. */
  routes.post('/v1/auth/logout', rateLimitBySession(deps, 'POST /v1/auth/logout'), async (c) => {
    const sessionId = readLeavingSession(c, deps) ?? (await readActingSession(c, deps));
    if (sessionId !== null) await endSession(deps, sessionId);
    clearSessionCookies(c, deps);
    return c.body(null, 204);
  });

  /** Where the person is signed in, the newest sign-in first. */
  routes.get(
    '/v1/sessions',
    requireSession(deps, 'GET /v1/sessions'),
    validQuery(sessionPageQuery),
    async (c) => sendJson(c, await listSessions(deps, c.get('actor').sessionId, c.req.valid('query'))),
  );

  /** Signs the person out everywhere but here. */
  routes.delete('/v1/sessions', requireSession(deps, 'DELETE /v1/sessions'), async (c) => {
    await endOtherSessions(deps, c.get('actor').sessionId);
    return c.body(null, 204);
  });

  /** Ends one of the person's sessions; ending the present one also clears its cookies. 404 for anybody else's. */
  routes.delete('/v1/sessions/:id', requireSession(deps, 'DELETE /v1/sessions/:id'), async (c) => {
    const { sessionId } = c.get('actor');
    const target = c.req.param('id');
    await endOwnSession(deps, { sessionId, target });
    if (target === sessionId) clearSessionCookies(c, deps);
    return c.body(null, 204);
  });

  return routes;
}
