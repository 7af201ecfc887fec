import type { Endpoint } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { member } from '../session/require-session.ts';

export const accountEndpoints = {
  getMe: { method: 'GET', path: '/v1/me', actor: member, limit: 60 },
  updateMe: {
    method: 'PATCH',
    path: '/v1/me',
    actor: member,
    limit: 20,
    body: async () => (await import('./schema.ts')).profileInput,
  },
  closeMe: {
    method: 'DELETE',
    path: '/v1/me',
    actor: member,
    limit: 20,
    body: async () => (await import('./schema.ts')).closeInput,
  },
  // A response may hold 20,000 rows, two hundred times as many as a page of a list.
  exportMe: { method: 'GET', path: '/v1/me/export', actor: member, limit: 5 },
  listActivity: {
    method: 'GET',
    path: '/v1/me/activity',
    actor: member,
    limit: 60,
    query: pageQuery(/^\d{1,15}$/),
  },
} as const satisfies Record<string, Endpoint>;
