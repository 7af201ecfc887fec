import { get } from '../../http/endpoint.ts';

export const signingKeyEndpoints = {
  getKeys: get('/.well-known/jwks.json', { openToClients: true }),
};
