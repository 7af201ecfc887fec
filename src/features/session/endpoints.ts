import type { Endpoint } from '../../http/endpoint.ts';
import { bySession, member, renewer, returner, visitor } from './require-session.ts';
import { continueQuery, sessionPageQuery } from './schema.ts';

export const sessionEndpoints = {
  getSession: { method: 'GET', path: '/v1/auth/session', openToApps: 'any', actor: visitor, limit: 60 },
  refreshSession: {
    method: 'POST',
    path: '/v1/auth/refresh',
    openToApps: 'first_party',
    actor: renewer,
    limit: 10,
  },
  continueSession: {
    method: 'GET',
    path: '/v1/auth/continue',
    actor: returner,
    limit: 60,
    refusesPrefetch: true,
    query: continueQuery,
  },
  logOut: {
    method: 'POST',
    path: '/v1/auth/logout',
    openToApps: 'first_party',
    limit: { requests: 20, by: bySession },
  },
  listSessions: { method: 'GET', path: '/v1/sessions', actor: member, limit: 60, query: sessionPageQuery },
  endOtherSessions: { method: 'DELETE', path: '/v1/sessions', actor: member, limit: 20 },
  endSession: { method: 'DELETE', path: '/v1/sessions/:id', actor: member, limit: 20 },
} as const satisfies Record<string, Endpoint>;
