import type { Examples } from './example.ts';

const navigation = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' };

export const sessionExamples = {
  getSession: [
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
    { title: 'Nobody', as: 'nobody', answer: { error: 'no_session' } },
    {
      title: 'An access token that has expired',
      as: 'nobody',
      headers: { Cookie: 'pid_refresh=a' },
      answer: { error: 'unauthenticated' },
    },
  ],
  refreshSession: [
    { title: 'A live token', as: 'member', answer: { status: 204 } },
    {
      title: 'No token',
      as: 'nobody',
      answer: { error: 'no_session', message: 'The refresh token is invalid, expired or already used' },
    },
    {
      title: 'A token that the service did not issue',
      as: 'nobody',
      headers: { Cookie: 'pid_refresh=a' },
      answer: { error: 'refresh_refused' },
    },
  ],
  continueSession: [
    {
      title: 'A signed-in person',
      as: 'member',
      query: { returnTo: 'http://localhost:8787/dev/welcome' },
      headers: navigation,
      answer: { status: 302 },
    },
    {
      title: 'Somebody whom another site sent here',
      as: 'member',
      query: { returnTo: 'http://localhost:8787/dev/welcome' },
      headers: { ...navigation, 'Sec-Fetch-Site': 'cross-site' },
      answer: { status: 200 },
    },
    {
      title: 'A path',
      as: 'nobody',
      query: { returnTo: '/cart' },
      answer: {
        error: 'validation_failed',
        message: ['returnTo must be an absolute address, such as https://app.example.com/cart'],
      },
    },
    {
      title: 'A script',
      as: 'nobody',
      query: { returnTo: 'http://localhost:8787/dev/welcome' },
      answer: { error: 'not_found' },
    },
  ],
  logOut: [
    { title: 'A member', as: 'member', answer: { status: 204 } },
    { title: 'In all browsers', as: 'member', body: { everywhere: true }, answer: { status: 204 } },
    { title: 'Nobody', as: 'nobody', answer: { status: 204 } },
    {
      title: 'Two cookies with the same name',
      as: 'nobody',
      headers: { Cookie: 'pid_refresh=a; pid_refresh=b' },
      answer: { error: 'unauthenticated' },
    },
  ],
  listSessions: [
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
  endOtherSessions: [
    { title: 'A member', as: 'member', answer: { status: 204 } },
    { title: 'Nobody', as: 'nobody', answer: { error: 'unauthenticated' } },
  ],
  endSession: [
    { title: 'The current one', as: 'member', params: { id: '$session' }, answer: { status: 204 } },
    {
      title: 'Another person’s',
      as: 'member',
      params: { id: 'ses_of_somebody_else' },
      answer: { error: 'session_not_found' },
    },
  ],
} satisfies Examples;
