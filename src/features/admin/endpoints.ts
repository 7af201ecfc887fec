import type { Endpoint } from '../../http/endpoint.ts';
import { administrator } from './require-admin.ts';
import { identityStatusInput } from './schema.ts';

export const setIdentityStatusEndpoint = {
  method: 'PATCH',
  path: '/v1/admin/identities/:handle',
  actor: administrator,
  limit: 20,
  body: identityStatusInput,
} as const satisfies Endpoint;

export const adminEndpoints: readonly Endpoint[] = [setIdentityStatusEndpoint];
