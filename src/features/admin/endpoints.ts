import type { Endpoint } from '../../http/endpoint.ts';
import { administrator } from './require-admin.ts';
import { identityStatusInput } from './schema.ts';

export const adminEndpoints = {
  setIdentityStatus: {
    method: 'PATCH',
    path: '/v1/admin/identities/:handle',
    actor: administrator,
    limit: 20,
    body: identityStatusInput,
  },
} as const satisfies Record<string, Endpoint>;
