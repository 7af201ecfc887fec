import { sessionEndpoints } from '../src/features/session/endpoints.ts';
import { listedSession, logoutInput, session, sessionPage } from '../src/features/session/schema.ts';
import { sessionExamples } from './examples/session.ts';
import { answer, type FeatureApi, operationsOf, sessionCookies } from './operation.ts';

export const sessionApi: FeatureApi = {
  tag: 'Session',
  description: 'Current session, list of sessions, token refresh and sign-out.',
  examples: sessionExamples,
  schemas: {
    Session: session,
    LogoutInput: logoutInput,
    ListedSession: listedSession,
    SessionPage: sessionPage,
  },
  operations: operationsOf(sessionEndpoints, {
    getSession: {
      summary: 'Get the current session',
      description:
        'Read only from the access token, so a revoked session is still returned for up to 15 minutes. The code ' +
        '`no_session` means that the browser has no refresh token either, so a refresh is pointless. A ' +
        "third-party app's page reads the session only under a live grant, limited to its scopes.",
      reads: ['pid_refresh'],
      answers: [answer(200, 'The session.', { schema: session })],
      errors: ['no_session', 'origin_not_first_party', 'missing_scope'],
    },
    refreshSession: {
      summary: 'Exchange the refresh token for a new pair of tokens',
      description:
        'A refresh token can be used only once. A second use revokes the whole session, except for the immediate ' +
        'predecessor of the live token within 30 seconds (`REFRESH_GRACE_SECONDS`): another tab was faster, and its cookies are already in ' +
        'the browser, so nothing is cleared or revoked. A request without a token gets the code `no_session` and ' +
        'is not counted.',
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
        'A server without a valid `pid_access` redirects the browser here with the address of the page. The ' +
        'browser returns with fresh cookies, or with `signed_out=1` in the query: the server then renders the ' +
        'page as signed out, and must not redirect here again, or the visitor gets the sign-in page. Only ' +
        'browser navigations get a response; others get 404. The origin of the address must be BASE_URL, that of ' +
        'CLIENT_SUCCESS_URL, or in ALLOWED_ORIGINS.',
      needs: { anyOf: ['pid_refresh'], optional: true },
      reads: ['pid_refresh_key', 'pid_access', 'pid_continue'],
      answers: [
        answer(200, 'A page that opens this address again, for a browser that another site sent here.', {
          isPage: true,
        }),
        answer(302, 'A redirect back to the page.', {
          location: 'the address in `returnTo`, with `signed_out=1` if nobody is signed in',
          sets: [...sessionCookies, 'pid_continue'],
        }),
      ],
      errors: ['not_found', 'prefetch_refused'],
    },
    logOut: {
      summary: 'Sign out',
      description:
        'Safe to repeat, and to call without a session. `everywhere` ends all sessions of the person.',
      bodyOptional: true,
      needs: { anyOf: ['pid_refresh', 'pid_access'], optional: true },
      answers: [
        answer(204, 'The session is revoked and its cookies are cleared.', { clears: sessionCookies }),
      ],
      errors: ['unauthenticated'],
    },
    listSessions: {
      summary: 'List the person’s sessions, newest first',
      answers: [answer(200, 'One page.', { schema: sessionPage })],
    },
    endOtherSessions: {
      summary: 'Revoke all other sessions',
      answers: [answer(204, 'Every other session is revoked.')],
    },
    endSession: {
      summary: 'Revoke a session',
      description: 'Revoking the current session also clears its cookies.',
      params: { id: { description: "The session's id.", example: '$session' } },
      answers: [answer(204, 'The session is revoked.', { clears: sessionCookies })],
      errors: ['session_not_found'],
    },
  }),
};
