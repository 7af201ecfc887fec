import { sendJsonText } from '../../http/answer.ts';
import { clientInfo, headerOf } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { sessionText } from './access-token.ts';
import { clearSessionCookies, cookieScope, readLeavingSession, setSessionCookies } from './cookies.ts';
import { sessionEndpoints } from './endpoints.ts';
import { readGrantedSession } from './granted-session.ts';
import { readActingSession } from './require-session.ts';
import { endSession, RefreshRefused, refreshSession } from './session.ts';
import { endOtherSessions, endOwnSession, listSessions } from './session-list.ts';

/** Refresh, logout and reading the session (interface section 4), and the list of a person's sessions. */
export const sessionRoutes = routesOf(sessionEndpoints, {
  /** The session. Reads no database, except for a third-party app's page. */
  getSession: ({ c, deps, actor }) => {
    const app = c.get('app');
    if (app === undefined || c.get('isFirstPartyApp')) return sendJsonText(c, sessionText(deps, actor));
    return readGrantedSession(deps, actor, { app, origin: headerOf(c, 'Origin') });
  },

  /** Uses the refresh token and sets a new pair. 401 for any token but the live one. */
  async refreshSession({ c, deps, actor: presented }) {
    try {
      const input = { presented, scope: cookieScope(deps.config), client: clientInfo(c) };
      setSessionCookies(c, deps, await refreshSession(deps, input), deps.now());
    } catch (error) {
      // A tab that lost a race must not clear the cookies just set by the winner.
      if (error instanceof RefreshRefused && error.sessionEnded) clearSessionCookies(c, deps);
      throw error;
    }
  },

  /** Renews the session for a server-rendered page, and redirects back to it. */
  async continueSession({ c, deps, actor: presented, query: { returnTo } }) {
    const { continueSession } = await import('./continue.ts');
    return continueSession(c, deps, { presented, returnTo });
  },

  /**
   * Revokes the session of the refresh token or, without one, of the access token; with `everywhere`, all sessions of
   * its person. Safe to repeat.
   */
  async logOut({ c, deps, body: { everywhere } }) {
    const sessionId = readLeavingSession(c, deps) ?? (await readActingSession(c, deps));
    if (sessionId !== null) await endSession(deps, sessionId, { everywhere });
    clearSessionCookies(c, deps);
  },

  /** The person's sessions, newest sign-in first. */
  listSessions: ({ deps, actor, query }) => listSessions(deps, actor.sessionId, query),

  /** Signs the person out everywhere else. */
  endOtherSessions: ({ deps, actor }) => endOtherSessions(deps, actor.sessionId),

  /** Revokes one of the person's sessions; revoking the current one also clears its cookies. 404 for anyone else's. */
  async endSession({ c, deps, actor: { sessionId }, params: { id: target } }) {
    await endOwnSession(deps, { sessionId, target });
    if (target === sessionId) clearSessionCookies(c, deps);
  },
});
