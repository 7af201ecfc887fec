import type { Endpoint } from '../../http/endpoint.ts';
import { member } from '../session/require-session.ts';
import { activityPageQuery, closeInput, profileInput } from './schema.ts';

export const accountEndpoints = {
  getMe: { method: 'GET', path: '/v1/me', actor: member, limit: 60 },
  updateMe: { method: 'PATCH', path: '/v1/me', actor: member, limit: 20, body: profileInput },
  closeMe: { method: 'DELETE', path: '/v1/me', actor: member, limit: 20, body: closeInput },
  // A response may hold 20,000 rows, two hundred times as many as a page of a list.
  exportMe: { method: 'GET', path: '/v1/me/export', actor: member, limit: 5 },
  listActivity: {
    method: 'GET',
    path: '/v1/me/activity',
    actor: member,
    limit: 60,
    query: activityPageQuery,
  },
} as const satisfies Record<string, Endpoint>;
