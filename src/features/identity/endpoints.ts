import type { Endpoint } from '../../http/endpoint.ts';

export const getIdentityEndpoint = {
  method: 'GET',
  path: '/v1/identities/:pid',
  limit: 60,
} as const satisfies Endpoint;

export const identityEndpoints: readonly Endpoint[] = [getIdentityEndpoint];
