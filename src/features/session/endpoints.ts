import type { Endpoint } from '../../http/endpoint.ts';
import { bySession, member } from './require-session.ts';
import { sessionPageQuery } from './schema.ts';

export const getSessionEndpoint = {
  method: 'GET',
  path: '/v1/auth/session',
  actor: member,
  limit: 60,
} as const satisfies Endpoint;

export const refreshSessionEndpoint = {
  method: 'POST',
  path: '/v1/auth/refresh',
  limit: { requests: 10, by: bySession },
} as const satisfies Endpoint;

export const logOutEndpoint = {
  method: 'POST',
  path: '/v1/auth/logout',
  limit: { requests: 20, by: bySession },
} as const satisfies Endpoint;

export const listSessionsEndpoint = {
  method: 'GET',
  path: '/v1/sessions',
  actor: member,
  limit: 60,
  query: sessionPageQuery,
} as const satisfies Endpoint;

export const endOtherSessionsEndpoint = {
  method: 'DELETE',
  path: '/v1/sessions',
  actor: member,
  limit: 20,
} as const satisfies Endpoint;

export const endSessionEndpoint = {
  method: 'DELETE',
  path: '/v1/sessions/:id',
  actor: member,
  limit: 20,
} as const satisfies Endpoint;

export const sessionEndpoints: readonly Endpoint[] = [
  getSessionEndpoint,
  refreshSessionEndpoint,
  logOutEndpoint,
  listSessionsEndpoint,
  endOtherSessionsEndpoint,
  endSessionEndpoint,
];
