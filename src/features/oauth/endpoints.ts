import type { Endpoint } from '../../http/endpoint.ts';
import { byIdentity, member } from '../session/require-session.ts';

export const authorizeEndpoints = {
  authorize: {
    method: 'POST',
    path: '/v1/auth/authorize',
    actor: member,
    limit: 20,
    ownPagesOnly: true,
    isOauth: true,
    body: async () => (await import('./schema.ts')).authorizeInput,
  },
} as const satisfies Record<string, Endpoint>;

/** Where apps send the browser; answered by pages. */
export const authorizePageEndpoints = {
  showAuthorize: {
    method: 'GET',
    path: authorizeEndpoints.authorize.path,
    limit: { requests: 60, by: byIdentity },
    refusesPrefetch: true,
    isOauth: true,
  },
} as const satisfies Record<string, Endpoint>;
