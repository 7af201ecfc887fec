import type { Endpoint } from '../../http/endpoint.ts';

export const signingKeyEndpoints = {
  getKeys: { method: 'GET', path: '/.well-known/jwks.json', openToClients: true },
} as const satisfies Record<string, Endpoint>;
