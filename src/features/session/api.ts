import type { FeatureApi } from '../../http/operation.ts';
import { listedSession, session, sessionPage, sessionPageQuery } from './schema.ts';

export const sessionApi: FeatureApi = {
  tag: 'Session',
  description: 'Who is signed in and where, a fresh pair of tokens, and the end of it.',
  schemas: { Session: session, ListedSession: listedSession, SessionPage: sessionPage },
  operations: [
    {
      method: 'GET',
      path: '/v1/auth/session',
      id: 'getSession',
      summary: 'Who is signed in',
      description:
        'Read from the access token alone, so a session that was ended counts for up to 15 minutes.',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'GET /v1/auth/session', per: 'identity' },
      answers: [{ status: 200, description: 'The session.', schema: session }],
      examples: [
        {
          title: 'A member',
          as: 'member',
          answer: {
            status: 200,
            body: {
              pid: '$handle@pid',
              handle: '$handle',
              profile: { displayName: 'Wira Santoso', locale: 'id' },
              session: {
                id: '$session',
                provider: 'idp',
                authenticatedAt: '2026-11-20T08:15:00.000Z',
                expiresAt: '2027-02-18T08:15:00.000Z',
              },
              roles: [],
            },
          },
        },
        { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
      ],
    },
    {
      method: 'POST',
      path: '/v1/auth/refresh',
      id: 'refreshSession',
      summary: 'Spend the refresh token for a new pair',
      description:
        'A refresh token is used exactly once. Whatever comes back a second time ends the whole session, except ' +
        'the immediate predecessor of the live token for 10 seconds: there another tab has won, and its cookies are ' +
        'already in the browser, so nothing is cleared and nothing ends.',
      needs: { anyOf: ['pid_refresh'] },
      limit: { name: 'POST /v1/auth/refresh', per: 'session' },
      answers: [
        {
          status: 204,
          description: 'New cookies are set; the old refresh token is revoked.',
          sets: ['pid_access', 'pid_refresh', 'pid_hint'],
        },
      ],
      errors: ['refresh_refused'],
      examples: [
        { title: 'A live token', as: 'member', answer: { status: 204 } },
        { title: 'No token', as: 'nobody', answer: { error: 'refresh_refused' } },
      ],
    },
    {
      method: 'POST',
      path: '/v1/auth/logout',
      id: 'logOut',
      summary: 'End the session',
      description: 'Safe to repeat, and to call without a session.',
      needs: { anyOf: ['pid_refresh', 'pid_access'], optional: true },
      limit: { name: 'POST /v1/auth/logout', per: 'session' },
      answers: [
        {
          status: 204,
          description: 'The session has ended and its cookies are cleared.',
          clears: ['pid_access', 'pid_refresh', 'pid_hint'],
        },
      ],
      errors: ['unauthenticated'],
      examples: [
        { title: 'A member', as: 'member', answer: { status: 204 } },
        { title: 'Nobody', as: 'nobody', answer: { status: 204 } },
        {
          title: 'Two cookies of one name',
          as: 'nobody',
          headers: { Cookie: 'pid_refresh=a; pid_refresh=b' },
          answer: { error: 'unauthenticated' },
        },
      ],
    },
    {
      method: 'GET',
      path: '/v1/sessions',
      id: 'listSessions',
      summary: 'Where the person is signed in, the newest sign-in first',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'GET /v1/sessions', per: 'identity' },
      query: sessionPageQuery,
      answers: [{ status: 200, description: 'One page of the sessions.', schema: sessionPage }],
      examples: [
        {
          title: 'One session',
          as: 'member',
          query: { limit: '20' },
          answer: {
            status: 200,
            body: {
              data: [
                {
                  id: '$session',
                  provider: 'idp',
                  device: 'Firefox on Linux',
                  country: 'ID',
                  createdAt: '2026-11-20T08:15:00.000Z',
                  lastUsedAt: '2026-11-20T08:15:00.000Z',
                  current: true,
                },
              ],
              nextCursor: null,
            },
          },
        },
        {
          title: 'A page that is too large',
          as: 'member',
          query: { limit: '101' },
          answer: { error: 'validation_failed', message: ['limit must be a whole number from 1 to 100'] },
        },
        { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
      ],
    },
    {
      method: 'DELETE',
      path: '/v1/sessions',
      id: 'endOtherSessions',
      summary: 'Sign out everywhere but here',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'DELETE /v1/sessions', per: 'identity' },
      answers: [{ status: 204, description: 'Every other session has ended.' }],
      examples: [
        { title: 'A member', as: 'member', answer: { status: 204 } },
        { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
      ],
    },
    {
      method: 'DELETE',
      path: '/v1/sessions/:id',
      id: 'endSession',
      summary: 'End one session',
      description: 'The present one too, whose cookies are then cleared.',
      needs: { anyOf: ['pid_access'] },
      limit: { name: 'DELETE /v1/sessions/:id', per: 'identity' },
      params: { id: { description: "The session's id.", example: '$session' } },
      answers: [
        {
          status: 204,
          description: 'It has ended.',
          clears: ['pid_access', 'pid_refresh', 'pid_hint'],
        },
      ],
      errors: ['session_not_found'],
      examples: [
        { title: 'The present one', as: 'member', params: { id: '$session' }, answer: { status: 204 } },
        {
          title: 'Of somebody else',
          as: 'member',
          params: { id: 'ses_of_somebody_else' },
          answer: { error: 'session_not_found' },
        },
      ],
    },
  ],
};
