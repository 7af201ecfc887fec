import type { Endpoint } from '../../http/endpoint.ts';
import { pageQuery } from '../../lib/page.ts';
import { member } from '../session/require-session.ts';

export const grantEndpoints = {
  listGrants: {
    method: 'GET',
    path: '/v1/grants',
    actor: member,
    limit: 60,
    query: pageQuery(/^grt_[0-9a-z]{26}$/),
  },
  limitGrant: {
    method: 'PATCH',
    path: '/v1/grants/:id',
    actor: member,
    limit: 20,
    body: async () => (await import('./schema.ts')).grantChanges,
  },
  revokeGrant: { method: 'DELETE', path: '/v1/grants/:id', actor: member, limit: 20 },
} as const satisfies Record<string, Endpoint>;
