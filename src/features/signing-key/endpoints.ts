import type { Endpoint } from '../../http/endpoint.ts';

export const getKeysEndpoint = {
  method: 'GET',
  path: '/.well-known/jwks.json',
} as const satisfies Endpoint;

export const signingKeyEndpoints: readonly Endpoint[] = [getKeysEndpoint];
