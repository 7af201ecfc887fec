import { del, get, post } from '../../http/endpoint.ts';
import { bySession, member, renewer, returner, visitor } from './require-session.ts';
import { continueQuery, logoutInput, sessionPageQuery } from './schema.ts';

export const sessionEndpoints = {
  getSession: get('/v1/auth/session', { openToApps: 'any', actor: visitor, limit: 60 }),
  refreshSession: post('/v1/auth/refresh', { openToApps: 'first_party', actor: renewer, limit: 10 }),
  continueSession: get('/v1/auth/continue', {
    actor: returner,
    limit: 60,
    refusesPrefetch: true,
    query: continueQuery,
  }),
  logOut: post('/v1/auth/logout', {
    openToApps: 'first_party',
    limit: { requests: 20, by: bySession },
    body: logoutInput,
    endsSessions: true,
  }),
  listSessions: get('/v1/sessions', { actor: member, limit: 60, query: sessionPageQuery }),
  endOtherSessions: del('/v1/sessions', { actor: member, limit: 20, endsSessions: true }),
  endSession: del('/v1/sessions/:id', { actor: member, limit: 20, endsSessions: true }),
};
