import type { FeatureApi } from '../../http/operation.ts';
import { sessionEndpoints } from './endpoints.ts';
import { listedSession, session, sessionPage } from './schema.ts';

export const sessionApi: FeatureApi = {
  tag: 'Session',
  description: 'Who is signed in and where, a fresh pair of tokens, and the end of it.',
  schemas: { Session: session, ListedSession: listedSession, SessionPage: sessionPage },
  operations: [
    {
      endpoint: sessionEndpoints.getSession,
      id: 'getSession',
      summary: 'Who is signed in',
      description:
        'Read from the access token alone, so a session that was ended counts for up to 15 minutes.',
      answers: [{ status: 200, description: 'The session.', schema: session }],
    },
    {
      endpoint: sessionEndpoints.refreshSession,
      id: 'refreshSession',
      summary: 'Spend the refresh token for a new pair',
      description:
        'A refresh token is used exactly once. Whatever comes back a second time ends the whole session, except ' +
        'the immediate predecessor of the live token for 10 seconds: there another tab has won, and its cookies are ' +
        'already in the browser, so nothing is cleared and nothing ends.',
      needs: { anyOf: ['pid_refresh'] },
      answers: [
        {
          status: 204,
          description: 'New cookies are set; the old refresh token is revoked.',
          sets: ['pid_access', 'pid_refresh', 'pid_hint'],
        },
      ],
      errors: ['refresh_refused'],
    },
    {
      endpoint: sessionEndpoints.logOut,
      id: 'logOut',
      summary: 'End the session',
      description: 'Safe to repeat, and to call without a session.',
      needs: { anyOf: ['pid_refresh', 'pid_access'], optional: true },
      answers: [
        {
          status: 204,
          description: 'The session has ended and its cookies are cleared.',
          clears: ['pid_access', 'pid_refresh', 'pid_hint'],
        },
      ],
      errors: ['unauthenticated'],
    },
    {
      endpoint: sessionEndpoints.listSessions,
      id: 'listSessions',
      summary: 'Where the person is signed in, the newest sign-in first',
      answers: [{ status: 200, description: 'One page of the sessions.', schema: sessionPage }],
    },
    {
      endpoint: sessionEndpoints.endOtherSessions,
      id: 'endOtherSessions',
      summary: 'Sign out everywhere but here',
      answers: [{ status: 204, description: 'Every other session has ended.' }],
    },
    {
      endpoint: sessionEndpoints.endSession,
      id: 'endSession',
      summary: 'End one session',
      description: 'The present one too, whose cookies are then cleared.',
      params: { id: { description: "The session's id.", example: '$session' } },
      answers: [
        {
          status: 204,
          description: 'It has ended.',
          clears: ['pid_access', 'pid_refresh', 'pid_hint'],
        },
      ],
      errors: ['session_not_found'],
    },
  ],
};
