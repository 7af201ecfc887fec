import { sessionEndpoints } from '../src/features/session/endpoints.ts';
import { listedSession, session, sessionPage } from '../src/features/session/schema.ts';
import { sessionExamples } from './examples/session.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

export const sessionApi: FeatureApi = {
  tag: 'Session',
  description: 'Current session, list of sessions, token refresh and sign-out.',
  examples: sessionExamples,
  schemas: { Session: session, ListedSession: listedSession, SessionPage: sessionPage },
  operations: operationsOf(sessionEndpoints, {
    getSession: {
      summary: 'Get the current session',
      description:
        'Read only from the access token, so a revoked session is still returned for up to 15 minutes. The code ' +
        '`no_session` says that the browser has no refresh token either, so a refresh is pointless. The page of an app that is not ' +
        'first-party reads it under a live grant alone, as its scopes say.',
      reads: ['pid_refresh'],
      answers: [answer(200, 'The session.', { schema: session })],
      errors: ['no_session', 'origin_not_first_party', 'missing_scope'],
    },
    refreshSession: {
      summary: 'Exchange the refresh token for a new pair of tokens',
      description:
        'A refresh token is used exactly once. A token used a second time revokes the whole session, except ' +
        'the immediate predecessor of the live token for 10 seconds: there another tab has won, and its cookies are ' +
        'already in the browser, so nothing is cleared and nothing ends. A request without a token is answered ' +
        'with the code `no_session` and not counted.',
      reads: ['pid_refresh_key'],
      answers: [
        answer(204, 'New cookies are set; the old refresh token is revoked.', {
          sets: sessionCookies,
        }),
      ],
      errors: ['no_session', 'refresh_refused'],
    },
    continueSession: {
      summary: 'Renew the session for a server-rendered page, and return to it',
      description:
        'A server that finds no valid `pid_access` sends the browser here with the address of the page. The browser returns with ' +
        'fresh cookies, or with `signed_out=1` in the query: the server then renders the page for nobody, and does not send the ' +
        'browser here again. One that does gets the sign-in page. Only browsers that open a page get an answer; others get 404. ' +
        'The origin of the address must be BASE_URL, that of CLIENT_SUCCESS_URL, or in ALLOWED_ORIGINS.',
      needs: { anyOf: ['pid_refresh'], optional: true },
      reads: ['pid_refresh_key', 'pid_access', 'pid_continue'],
      answers: [
        answer(302, 'Back to the page.', {
          location: 'the address in `returnTo`, with `signed_out=1` when nobody is signed in',
          sets: [...sessionCookies, 'pid_continue'],
        }),
      ],
      errors: ['not_found', 'prefetch_refused'],
    },
    logOut: {
      summary: 'Sign out',
      description: 'Safe to repeat, and to call without a session.',
      needs: { anyOf: ['pid_refresh', 'pid_access'], optional: true },
      answers: [
        answer(204, 'The session has ended and its cookies are cleared.', { clears: sessionCookies }),
      ],
      errors: ['unauthenticated'],
    },
    listSessions: {
      summary: 'List the person’s sessions, newest first',
      answers: [answer(200, 'One page of the sessions.', { schema: sessionPage })],
    },
    endOtherSessions: {
      summary: 'Revoke all other sessions',
      answers: [answer(204, 'Every other session has ended.')],
    },
    endSession: {
      summary: 'Revoke a session',
      description: 'The present one too, whose cookies are then cleared.',
      params: { id: { description: "The session's id.", example: '$session' } },
      answers: [answer(204, 'It has ended.', { clears: sessionCookies })],
      errors: ['session_not_found'],
    },
  }),
};
