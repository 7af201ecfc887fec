import { get } from '../../http/endpoint.ts';

export const identityEndpoints = {
  getIdentity: get('/v1/identities/:pid', { limit: 60 }),
};
