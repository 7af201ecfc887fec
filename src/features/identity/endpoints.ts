import type { Endpoint } from '../../http/endpoint.ts';

export const identityEndpoints = {
  getIdentity: { method: 'GET', path: '/v1/identities/:pid', limit: 60 },
} as const satisfies Record<string, Endpoint>;
